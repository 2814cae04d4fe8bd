import { isShareUsed } from '../../../../contract/budget.ts';
import type { TrackedList, TrackedStatus, TrackingState } from '../../../../contract/tracking.ts';
import type { ListState } from '../../../store/signatures/tracking/list-entries.ts';
import { takeCall } from '../../connections/call-budget.ts';
import { askStatus, type Patience } from '../../connections/service-calls.ts';
import type { Context } from '../../context.ts';
import { failureOf } from '../../foundation/app-error.ts';
import { type ChangeNotices, createChangeNotices } from './change-notices.ts';
import { createListReadings } from './list-readings.ts';
import { createReadingSchedule, type Pace, type ReadingSchedule, usualPace } from './reading-schedule.ts';
import type { EntrySink } from './refresh-list.ts';
import { readerOf } from './team-lists.ts';

/** The e-sign lists: read when a person asks, and automatically within the call budget. */
export interface Tracking extends Omit<ReadingSchedule, 'read' | 'view'>, Pick<ChangeNotices, 'takeWanted'> {
  state(connectionId: string): Promise<TrackingState>;
  /** Reads a list for a person; resolves when the list is stored. Two requests at the same time share one reading. */
  refresh(connectionId: string, listType: number, maxItems?: number): Promise<ListState>;
  /** As `refresh`, of the service also if a colleague's program has just read the list: only this brings secret words. */
  readHere(connectionId: string, listType: number): Promise<ListState>;
  /** As `refresh`, and passes on the entries in the service's order. They count only if it resolves. */
  readAsSent(connectionId: string, listType: number, sink: EntrySink, maxItems?: number): Promise<ListState>;
  /** Emits `tracking.changed`. */
  tell(connectionId: string): void;
}

interface Needs {
  readonly context: Context;
  /** A list was read and stored. */
  readonly onStored: (connectionId: string) => Promise<void>;
  readonly preferences: () => { readonly notifications: boolean; readonly language: string };
  /** False: the program reads no lists automatically and shows no reminders (command line). */
  readonly isAutomatic: boolean;
  readonly pace?: Partial<Pace>;
}

/** Statuses asked after a reading, from the same budget. */
const statusesPerReading = 5;
const statusIsFreshMs = 6 * 3_600_000;

/** Starts tracking: finishes interrupted readings and, if automatic, checks reminders. */
export function createTracking({ context, onStored, preferences, isAutomatic, pace: given }: Needs): Tracking {
  const { emit, ports } = context;
  const pace = { ...usualPace, ...given };
  const notices = createChangeNotices({ context, preferences, gatherMs: pace.gatherMs });
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
  const reader = createListReadings({
    context,
    notices,
    finishing,
    publish,
    onStored,
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
  const schedule = { context, pace, isAutomatic, onDue: readAutomatically, publish };
  const clock: ReadingSchedule = createReadingSchedule(schedule);
  const state = (connectionId: string) => stateOf(context, connectionId, clock, reader.isReading);
  context.team.onCopies.add(reader.follow);
  const reminding = isAutomatic ? setInterval(notices.remind, pace.remindMs) : undefined;
  reminding?.unref();
  return {
    ...clock,
    state,
    readHere: reader.readHere,
    refresh: (connectionId, listType, maxItems) => reader.read({ connectionId, listType, by: 'person', maxItems }),
    readAsSent: reader.readAsSent,
    tell: publish,
    takeWanted: notices.takeWanted,
    close: async () => {
      closing.abort();
      context.team.onCopies.delete(reader.follow);
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

async function stateOf(
  context: Context,
  connectionId: string,
  clock: ReadingSchedule,
  isRunning: (key: string) => boolean,
): Promise<TrackingState> {
  const { connections, store, budget } = context;
  const { lists, separator } = await connections.get(connectionId);
  return {
    connectionId,
    requests: await store.requests.counts({ connectionId, lists, separator }),
    unlistedChanges: await store.requests.unlistedChanges(connectionId),
    lists: lists.map(({ value: listType, name, meaning }): TrackedList => {
      const known = store.tracked.listState(connectionId, listType);
      const marks = store.tracked.marks(connectionId, listType);
      return {
        listType,
        name,
        meaning,
        total: known?.total ?? 0,
        nilEntries: known?.nilEntries ?? 0,
        newCount: marks.new,
        movedCount: marks.moved,
        asOf: known?.asOf ?? null,
        readBy: readerOf(context, connectionId, listType),
        isRefreshing: isRunning(`${listType} ${connectionId}`),
        ...clock.view(connectionId, listType),
      };
    }),
    budget: budget.state(),
    dueCount: store.tracked.dueCount(connectionId),
  };
}

/** Asks the status of a tracked document; the answer is stored with its entry too. */
export async function askTrackedStatus(
  context: Context,
  connectionId: string,
  documentId: string,
  patience: Patience,
): Promise<TrackedStatus> {
  await askStatus(context, connectionId, documentId, patience, true);
  return context.store.trackedStatuses.history(connectionId, documentId).at(-1) as TrackedStatus;
}

/** Asks statuses for the status board, a few at a time. A part of the budget is left to the lists, which say of many requests who signed. */
async function askStatuses(context: Context, connectionId: string, signal: AbortSignal): Promise<void> {
  const before = new Date(Date.now() - statusIsFreshMs).toISOString();
  for (const documentId of await context.store.trackedStatuses.toAsk(connectionId, before, statusesPerReading)) {
    if (signal.aborted || isShareUsed(context.budget.state()) || !(await takeCall(context, connectionId))) return;
    const asked = await askTrackedStatus(context, connectionId, documentId, { tries: 1, signal }).catch(
      (error: unknown) => {
        context.ports.log.warn('a status was not read', { connectionId, code: failureOf(error)?.code });
        return null;
      },
    );
    if (!asked) return;
  }
}
