import type { TrackedList, TrackingState } from '../../../../contract/tracking.ts';
import type { ListState } from '../../../store/signatures/tracking/list-entries.ts';
import type { TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import type { Context } from '../../context.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { retryRead } from '../../foundation/backoff.ts';
import { askTrackedStatus } from './ask-status.ts';
import { type ChangeNotices, createChangeNotices, publishSignatures } from './change-notices.ts';
import { createReadingSchedule, type Pace, type ReadingSchedule, usualPace } from './reading-schedule.ts';
import { type EntrySink, refreshList } from './refresh-list.ts';

/** The e-sign lists: read when a person asks, and automatically within the call budget. */
export interface Tracking extends Pick<ChangeNotices, 'takeWanted'> {
  state(connectionId: string): Promise<TrackingState>;
  /** Reads a list for a person; resolves when the list is stored. Two requests at the same time share one reading. */
  refresh(connectionId: string, listType: number, maxItems?: number): Promise<ListState>;
  /** As `refresh`, and passes on the entries in the service's order. They count only if it resolves. */
  readAsSent(connectionId: string, listType: number, sink: EntrySink, maxItems?: number): Promise<ListState>;
  /** A person opened this connection's lists: they are read automatically again. */
  looked(connectionId: string): void;
  /**
   * The program started: lists that earlier runs read are read automatically again, except those of the practice
   * service.
   */
  resume(connectionId: string): void;
  /** Reads the lists soon, because something happened that they will show. */
  expect(connectionId: string): void;
  /** The service took a request: the lists are read soon, also those that nobody opened yet. */
  sent(connectionId: string): void;
  /** Emits `tracking.changed`. */
  tell(connectionId: string): void;
  close(): Promise<void>;
}

interface Needs {
  readonly context: Context;
  readonly preferences: () => { readonly notifications: boolean; readonly language: string };
  /** False: the program reads no lists automatically and shows no reminders (command line). */
  readonly isAutomatic: boolean;
  readonly pace?: Partial<Pace>;
}

/** Attempts if a person waits. Automatic readings have one attempt. */
const triesForPerson = 2;
/** Statuses asked after a reading, from the same budget. */
const statusesPerReading = 5;
const statusIsFreshMs = 6 * 3_600_000;
/** Entries considered for notifications; more are announced as one in any case. */
const announcedAtOnce = 50;

/** Starts tracking: finishes interrupted readings and, if automatic, checks reminders. */
export function createTracking({ context, preferences, isAutomatic, pace }: Needs): Tracking {
  const { emit, ports } = context;
  const fullPace = { ...usualPace, ...pace };
  const notices = createChangeNotices({ context, preferences, gatherMs: fullPace.gatherMs });
  const closing = new AbortController();
  const publish = (connectionId: string) => {
    if (closing.signal.aborted) return;
    state(connectionId).then(
      (state) => emit('tracking.changed', state),
      // The connection was removed meanwhile.
      () => undefined,
    );
  };
  const finishing = finishInterrupted(context, publish);
  const reader = createListReader({
    ...{ context, notices, finishing, publish },
    signal: closing.signal,
    onRead: (connectionId, listType, reading) => clock.read(connectionId, listType, reading),
  });
  const readAutomatically = async (connectionId: string, listType: number) => {
    await reader
      .read({ connectionId, listType, by: 'program' })
      .catch((error: unknown) =>
        ports.log.warn('a list was not read', { connectionId, listType, code: failureOf(error)?.code }),
      );
    await askStatuses(context, connectionId, closing.signal);
    publish(connectionId);
  };
  const clock: ReadingSchedule = createReadingSchedule({
    context,
    pace: fullPace,
    isAutomatic,
    onDue: readAutomatically,
    publish,
  });
  const state = (connectionId: string) => stateOf(context, connectionId, clock, reader.isReading);
  const reminding = isAutomatic ? setInterval(notices.remind, fullPace.remindMs) : undefined;
  reminding?.unref();
  return {
    state,
    refresh: (connectionId, listType, maxItems) => reader.read({ connectionId, listType, by: 'person', maxItems }),
    readAsSent: reader.readAsSent,
    looked: clock.looked,
    resume: clock.resume,
    expect: clock.expect,
    sent: clock.sent,
    tell: publish,
    takeWanted: notices.takeWanted,
    close: async () => {
      closing.abort();
      clearInterval(reminding);
      notices.stop();
      await clock.close();
      await Promise.allSettled([finishing, reader.idle()]);
    },
  };
}

/** Finishes lists that a killed run had read completely. Never rejects. */
function finishInterrupted({ store, ports }: Context, publish: (connectionId: string) => void): Promise<void> {
  return store.tracked.finishOthers().then(
    (connectionIds) => connectionIds.forEach(publish),
    (error: unknown) =>
      ports.log.error('a list read by an earlier run could not be published', { error: String(error) }),
  );
}

interface ReaderNeeds {
  readonly context: Context;
  readonly notices: Pick<ChangeNotices, 'changed'>;
  /** Nothing is read before this promise has settled. */
  readonly finishing: Promise<void>;
  readonly signal: AbortSignal;
  readonly onRead: ReadingSchedule['read'];
  readonly publish: (connectionId: string) => void;
}

interface ListRequest {
  readonly connectionId: string;
  readonly listType: number;
  readonly by: 'person' | 'program';
  readonly maxItems?: number;
}

/** Reads lists from the service; a list that is being read is not read a second time. */
function createListReader({ context, notices, finishing, signal, onRead, publish }: ReaderNeeds) {
  const { store, connections } = context;
  const running = new Map<string, Promise<ListState>>();
  const readOnce = async ({ connectionId, listType, by, maxItems }: ListRequest, asSent?: EntrySink) => {
    const since = new Date().toISOString();
    try {
      await finishing;
      const connection = await connections.get(connectionId);
      const { state, applied } = await retryRead(
        () => refreshList(context, connectionId, listType, maxItems ?? connection.maxItems, asSent),
        { tries: by === 'person' ? triesForPerson : 1, signal },
      );
      onRead(connectionId, listType, { changes: applied.fresh + applied.moved + applied.gone, failure: null });
      const marked = store.tracked.marked(connectionId, listType, announcedAtOnce);
      const found = marked.filter(({ first_seen_at }) => first_seen_at >= since);
      publishSignatures(context, connection, found);
      // A signature is news, also of a request that was sent from here.
      if (connection.lists.find(({ value }) => value === listType)?.meaning !== 'signed')
        store.tracked.unmarkOwn(connectionId, listType);
      if (by === 'program') {
        const rows = marked.filter(isWorthTelling(context, since)).filter(isForMe(context));
        notices.changed(rows, connection.lists);
      }
      return state;
    } catch (error) {
      const failure = failureOf(error) ?? appError('bug', 'a list could not be read').failure;
      onRead(connectionId, listType, { changes: 0, failure });
      throw error;
    }
  };
  return {
    read: (request: ListRequest): Promise<ListState> => {
      const key = `${request.listType} ${request.connectionId}`;
      const known = running.get(key);
      if (known) return known;
      const reading = readOnce(request).finally(() => {
        running.delete(key);
        publish(request.connectionId);
      });
      running.set(key, reading);
      publish(request.connectionId);
      return reading;
    },
    readAsSent: (connectionId: string, listType: number, sink: EntrySink, maxItems?: number) =>
      readOnce({ connectionId, listType, by: 'person', maxItems }, sink),
    isReading: (key: string) => running.has(key),
    idle: () => Promise.allSettled([...running.values()]),
  };
}

async function stateOf(
  { connections, store, budget }: Context,
  connectionId: string,
  clock: ReadingSchedule,
  isRunning: (key: string) => boolean,
): Promise<TrackingState> {
  const { lists } = await connections.get(connectionId);
  const countOf = (listType: number | null) => store.tracked.requestCount(connectionId, listType);
  const requestCounts = await Promise.all(lists.map(({ value }) => countOf(value)));
  return {
    connectionId,
    requestCount: await countOf(null),
    lists: lists.map(({ value: listType, name, meaning }, at): TrackedList => {
      const known = store.tracked.listState(connectionId, listType);
      const marks = store.tracked.marks(connectionId, listType);
      return {
        listType,
        name,
        meaning,
        total: known?.total ?? 0,
        requestCount: requestCounts[at] ?? 0,
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

/** True for entries that this reading found, except requests sent from this computer: these are no news. */
function isWorthTelling({ store }: Context, since: string): (row: TrackedRow) => boolean {
  return (row) => {
    if (row.first_seen_at < since) return false;
    if (row.mark === 'moved') return true;
    const documentId = row.orig_document_id ?? row.document_id;
    return documentId === null || store.documents.byDocumentId(row.connection_id, documentId) === null;
  };
}

/** In a team, only the person to whom a request is assigned is notified. As long as that is not known, or without a team, everybody is. */
function isForMe({ team }: Context): (row: TrackedRow) => boolean {
  return ({ connection_id, orig_document_id, document_id }) => {
    const mine = team.assignedToMe(connection_id);
    return mine === null || mine.has(orig_document_id || (document_id ?? ''));
  };
}

/** Asks statuses for the status board, a few at a time, within the budget. */
async function askStatuses(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const before = new Date(Date.now() - statusIsFreshMs).toISOString();
  for (const documentId of await context.store.trackedStatuses.toAsk(connectionId, before, statusesPerReading)) {
    if (signal.aborted || !context.budget.take()) return;
    const asked = await askTrackedStatus(context, connectionId, documentId, 1).catch((error: unknown) => {
      context.ports.log.warn('a status was not read', { connectionId, code: failureOf(error)?.code });
      return null;
    });
    if (!asked) return;
  }
}
