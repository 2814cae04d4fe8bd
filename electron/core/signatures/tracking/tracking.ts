import type { ESignEntry } from '../../../../contract/signatures.ts';
import type { TrackedList, TrackingState } from '../../../../contract/tracking.ts';
import type { ListState } from '../../../store/signatures/tracking/list-entries.ts';
import type { TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import type { Context } from '../../context.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { retryRead } from '../../foundation/backoff.ts';
import { type Announcing, createAnnouncing } from './announcing.ts';
import { askTrackedStatus } from './ask-status.ts';
import { createListClock, type ListClock, type Pace, usualPace } from './list-clock.ts';
import { refreshList } from './refresh-list.ts';

/** The e-sign lists: read when a person asks, and by the program itself within its budget. */
export interface Tracking extends Pick<Announcing, 'takeWanted'> {
  state(connectionId: string): Promise<TrackingState>;
  /** A person asks: resolves when the list is there. Two that ask at the same time share one reading. */
  refresh(connectionId: string, listType: number, maxItems?: number): Promise<ListState>;
  /** As `refresh`, and answers the entries in the service's order. */
  readAsSent(
    connectionId: string,
    listType: number,
    maxItems?: number,
  ): Promise<ListState & { readonly entries: readonly ESignEntry[] }>;
  /** A person looks at this connection: its lists are of interest again. */
  looked(connectionId: string): void;
  /** The program started: lists that it read before are of interest again, but for the practice service's. */
  resume(connectionId: string): void;
  /** Something happened that the lists will soon show. */
  expect(connectionId: string): void;
  /** Tells `tracking.changed`. */
  tell(connectionId: string): void;
  close(): Promise<void>;
}

interface Needs {
  readonly context: Context;
  readonly preferences: () => { readonly notifications: boolean; readonly language: string };
  /** False: the program reads nothing by itself and reminds of nothing (command line). */
  readonly isAutomatic: boolean;
  readonly pace?: Partial<Pace>;
}

/** A person waits for it: asked twice, no more. What the program asks by itself is asked once. */
const triesForPerson = 2;
/** Statuses that are asked after a reading, out of the same budget. */
const statusesPerReading = 5;
const statusIsFreshMs = 6 * 3_600_000;
/** Looked at for a notification; more are counted as one anyway. */
const announcedAtOnce = 50;

export function createTracking({ context, preferences, isAutomatic, pace }: Needs): Tracking {
  const { store, connections, emit, ports } = context;
  const whole = { ...usualPace, ...pace };
  const running = new Map<string, Promise<ListState>>();
  const announcing = createAnnouncing({ context, preferences, gatherMs: whole.gatherMs });
  const closing = new AbortController();

  const tell = (connectionId: string) => {
    if (closing.signal.aborted) return;
    state(connectionId).then(
      (state) => emit('tracking.changed', state),
      // The connection was removed meanwhile.
      () => undefined,
    );
  };
  // What a killed run had read whole, before anything is read again.
  const finishing = store.tracked.finishOthers().then(
    (connectionIds) => connectionIds.forEach(tell),
    (error: unknown) => ports.log.error('a list of an earlier run was not brought in', { error: String(error) }),
  );
  const read = (connectionId: string, listType: number, by: 'person' | 'program', maxItems?: number) => {
    const key = `${listType} ${connectionId}`;
    const known = running.get(key);
    if (known) return known;
    const reading = readOnce(connectionId, listType, by, maxItems).finally(() => {
      running.delete(key);
      tell(connectionId);
    });
    running.set(key, reading);
    tell(connectionId);
    return reading;
  };
  const readOnce = async (
    connectionId: string,
    listType: number,
    by: 'person' | 'program',
    maxItems?: number,
    asSent?: ESignEntry[],
  ) => {
    const since = new Date().toISOString();
    try {
      await finishing;
      const connection = await connections.get(connectionId);
      const { state, applied } = await retryRead(
        () => refreshList(context, connectionId, listType, maxItems ?? connection.maxItems, asSent),
        { tries: by === 'person' ? triesForPerson : 1, signal: closing.signal },
      );
      clock.read(connectionId, listType, { changes: applied.fresh + applied.moved + applied.gone, failure: null });
      if (by === 'program') {
        const rows = store.tracked
          .marked(connectionId, listType, announcedAtOnce)
          .filter(isWorthTelling(context, since));
        const nameOf = (type: number) => connection.lists.find(({ value }) => value === type)?.name ?? String(type);
        announcing.changed(rows, nameOf);
      }
      return state;
    } catch (error) {
      const failure = failureOf(error) ?? appError('bug', 'a list could not be read').failure;
      clock.read(connectionId, listType, { changes: 0, failure });
      throw error;
    }
  };
  const readByItself = async (connectionId: string, listType: number) => {
    await read(connectionId, listType, 'program').catch((error: unknown) =>
      ports.log.info('a list was not read', { connectionId, listType, code: failureOf(error)?.code }),
    );
    await askStatuses(context, connectionId, closing.signal);
    tell(connectionId);
  };
  const clock: ListClock = createListClock({ context, pace: whole, isAutomatic, onDue: readByItself, tell });
  const state = (connectionId: string) => stateOf(context, connectionId, clock, (key) => running.has(key));
  const reminding = isAutomatic ? setInterval(announcing.remind, whole.remindMs) : undefined;
  reminding?.unref();

  return {
    state,
    refresh: (connectionId, listType, maxItems) => read(connectionId, listType, 'person', maxItems),
    readAsSent: async (connectionId, listType, maxItems) => {
      const entries: ESignEntry[] = [];
      const state = await readOnce(connectionId, listType, 'person', maxItems, entries);
      return { ...state, entries };
    },
    looked: clock.looked,
    resume: clock.resume,
    expect: clock.expect,
    tell,
    takeWanted: announcing.takeWanted,
    close: async () => {
      closing.abort();
      clearInterval(reminding);
      announcing.stop();
      await clock.close();
      await Promise.allSettled([finishing, ...running.values()]);
    },
  };
}

async function stateOf(
  { connections, store, budget }: Context,
  connectionId: string,
  clock: ListClock,
  isRunning: (key: string) => boolean,
): Promise<TrackingState> {
  const { lists } = await connections.get(connectionId);
  return {
    connectionId,
    lists: lists.map(({ value: listType, name }): TrackedList => {
      const known = store.tracked.listState(connectionId, listType);
      const marks = store.tracked.marks(connectionId, listType);
      return {
        listType,
        name,
        total: known?.total ?? 0,
        nilEntries: known?.nilEntries ?? 0,
        newCount: marks.new,
        movedCount: marks.moved,
        asOf: known?.asOf ?? null,
        isRefreshing: isRunning(`${listType} ${connectionId}`),
        ...clock.view(connectionId, listType),
      };
    }),
    budget: budget.state(),
    dueCount: store.tracked.dueCount(connectionId),
  };
}

/** What came with this reading, without the requests that were sent from here: these are no news. */
function isWorthTelling({ store }: Context, since: string): (row: TrackedRow) => boolean {
  return (row) => {
    if (row.first_seen_at < since) return false;
    if (row.mark === 'moved') return true;
    const documentId = row.orig_document_id ?? row.document_id;
    return documentId === null || store.documents.byDocumentId(row.connection_id, documentId) === null;
  };
}

/** Fills the status board bit by bit, as far as the budget goes. */
async function askStatuses(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const before = new Date(Date.now() - statusIsFreshMs).toISOString();
  for (const documentId of await context.store.trackedStatuses.toAsk(connectionId, before, statusesPerReading)) {
    if (signal.aborted || !context.budget.take()) return;
    const asked = await askTrackedStatus(context, connectionId, documentId, 1).catch((error: unknown) => {
      context.ports.log.info('a status was not read', { connectionId, code: failureOf(error)?.code });
      return null;
    });
    if (!asked) return;
  }
}
