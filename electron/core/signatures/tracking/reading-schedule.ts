import { type CallBudget, isShareUsed } from '../../../../contract/budget.ts';
import type { Failure } from '../../../../contract/failure.ts';
import type { TrackedList } from '../../../../contract/tracking.ts';
import type { Context } from '../../context.ts';
import { failureOf } from '../../foundation/app-error.ts';

/** How often the program reads lists automatically, in milliseconds. */
export interface Pace {
  /** Delay after an event that the list will soon show; multiplied by four after every reading without a change, and between readings while events follow one another, up to `leastMs`. */
  readonly soonMs: number;
  /** Interval after a change; doubled after every reading without a change, up to `mostMs`. */
  readonly leastMs: number;
  readonly mostMs: number;
  /** The shortest interval once a part of the hour's calls is used; after a request that is no row of a bulk, the lists are read once before. */
  readonly sparingMs: number;
  /** The practice service is not read if nobody has opened its lists for this long: otherwise it could never be closed. */
  readonly practiceMs: number;
  /** Changes within this time are announced together. */
  readonly gatherMs: number;
  readonly remindMs: number;
}

export const usualPace: Pace = {
  soonMs: 5_000,
  leastMs: 120_000,
  mostMs: 3_600_000,
  sparingMs: 600_000,
  practiceMs: 600_000,
  gatherMs: 1_500,
  remindMs: 60_000,
};

/** Schedules the automatic readings of lists. */
export interface ReadingSchedule {
  /** Records a reading, whoever started it. */
  read(
    connectionId: string,
    listType: number,
    outcome: { readonly changes: number; readonly failure: Failure | null },
  ): void;
  /** A person opened this connection's lists: they are read automatically again. */
  looked(connectionId: string): void;
  /** The program started: lists that earlier runs have read are scheduled, except those of the practice service. */
  resume(connectionId: string): void;
  /** Lists that were read before will soon show a change. */
  expect(connectionId: string): void;
  /** A request was sent: all lists of the connection are read soon, also those that nobody opened yet; for rows of a bulk, while its share of the calls lasts. */
  sent(connectionId: string, isOfBulk: boolean): void;
  /** The limits of automatic calls changed: lists that waited for them are tried again after their interval. */
  limitsChanged(): void;
  view(connectionId: string, listType: number): Pick<TrackedList, 'failure' | 'nextAt'>;
  close(): Promise<void>;
}

interface Needs {
  readonly context: Context;
  readonly pace: Pace;
  readonly isAutomatic: boolean;
  readonly onDue: (connectionId: string, listType: number) => Promise<void>;
  readonly publish: (connectionId: string) => void;
}

interface Due {
  readonly connectionId: string;
  readonly listType: number;
  intervalMs: number;
  atMs: number;
  /** Until then the list need not show what is expected of it. */
  expectedMs: number;
  /** When it was last read, and how many automatic readings until then followed events one after the other. */
  readMs: number;
  rushed: number;
  /** All that is expected of it are rows of a bulk. */
  isOfBulk: boolean;
  failure: Failure | null;
}

const neverRead = { expectedMs: 0, readMs: 0, rushed: 0, isOfBulk: false, failure: null };

type Dues = Map<string, Due>;
const keyOf = (connectionId: string, listType: number) => `${listType} ${connectionId}`;

/** Creates the schedule, with no list due. `onDue` reads a list; it is called only within the call budget. */
export function createReadingSchedule(needs: Needs): ReadingSchedule {
  const { context, pace, isAutomatic } = needs;
  const dues: Dues = new Map();
  const lookedAt = new Map<string, number>();
  const { schedule, close } = createDueTimer(needs, dues, (id) => isOfInterest(needs, id, lookedAt.get(id) ?? 0));
  const isSparing = () => isShareUsed(context.budget.state());
  const apartMs = (due: Due) => (due.isOfBulk && isSparing() ? pace.sparingMs : rushedMs(due, pace));
  const expect = (connectionId: string, isOfBulk = false) => {
    for (const due of dues.values()) {
      if (due.connectionId !== connectionId) continue;
      due.intervalMs = pace.soonMs;
      due.isOfBulk = isOfBulk && (due.isOfBulk || due.expectedMs === 0);
      const soonestMs = due.readMs + apartMs(due);
      due.expectedMs = Math.max(Date.now() + pace.soonMs, soonestMs);
      due.atMs = Math.min(Math.max(due.atMs, soonestMs), due.expectedMs);
    }
    schedule();
  };
  const resumeLists = (connectionId: string) =>
    void resume(context, connectionId, dues, pace).then(schedule, () => undefined);
  return {
    read: (connectionId, listType, { changes, failure }) => {
      const key = keyOf(connectionId, listType);
      const due = dues.get(key);
      // It was read before it need show the request, by a person or when it was due: it is read again when that was planned, and not too soon.
      if (due && changes === 0 && Date.now() < due.expectedMs) {
        Object.assign(due, { failure, atMs: Math.max(due.expectedMs, due.readMs + apartMs(due)) });
        return schedule();
      }
      const usualMs = changes > 0 ? pace.leastMs : laterOf(due?.intervalMs ?? pace.leastMs / 2, pace);
      const intervalMs = isSparing() ? Math.max(pace.sparingMs, usualMs) : usualMs;
      const readMs = Date.now();
      const plan = { intervalMs, atMs: readMs + intervalMs, readMs, rushed: due?.rushed ?? 0 };
      dues.set(key, { connectionId, listType, ...neverRead, ...plan, failure });
      schedule();
    },
    looked: (connectionId) => {
      lookedAt.set(connectionId, Date.now());
      resumeLists(connectionId);
    },
    resume: resumeLists,
    expect: (connectionId) => expect(connectionId),
    sent: (connectionId, isOfBulk) => {
      lookedAt.set(connectionId, Date.now());
      // Nothing is expected of a connection that was removed meanwhile.
      void addLists(context, connectionId, dues, pace).then(() => expect(connectionId, isOfBulk), ignore);
    },
    limitsChanged: () => {
      for (const due of dues.values()) due.atMs = Math.min(due.atMs, Date.now() + due.intervalMs);
      schedule();
    },
    view: (connectionId, listType) => {
      const due = dues.get(keyOf(connectionId, listType));
      return { failure: due?.failure ?? null, nextAt: due && isAutomatic ? nextOf(due, context.budget.state()) : null };
    },
    close,
  };
}

/** A list that is due before a call is left is read when one is. */
const nextOf = ({ atMs }: Due, { isAutomatic, freeAt }: CallBudget) =>
  isAutomatic ? new Date(Math.max(atMs, Date.parse(freeAt ?? '') || 0)).toISOString() : null;

const ignore = () => undefined;

/** From one reading to the next while events follow one another. */
const rushedMs = ({ rushed }: Due, { soonMs, leastMs }: Pace) => Math.min(leastMs, soonMs * 4 ** rushed);

/** The interval after a reading without a change. */
const laterOf = (beforeMs: number, { leastMs, mostMs }: Pace) =>
  beforeMs < leastMs ? Math.min(leastMs, beforeMs * 4) : Math.min(mostMs, beforeMs * 2);

async function isOfInterest({ context, pace }: Needs, connectionId: string, lookedAtMs: number): Promise<boolean> {
  const connection = await context.connections.get(connectionId).catch(() => null);
  if (!connection) return false;
  return connection.kind === 'practice' ? Date.now() - lookedAtMs < pace.practiceMs : connection.credentials !== 'none';
}

/** Reads the lists that are due, one after the other, within the call budget. */
function createDueTimer(
  { context, pace, isAutomatic, onDue, publish }: Needs,
  dues: Dues,
  isOfInterest: (connectionId: string) => Promise<boolean>,
): { readonly schedule: () => void; readonly close: () => Promise<void> } {
  const { budget, ports } = context;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  let isClosed = false;
  const schedule = () => {
    clearTimeout(timer);
    if (!isAutomatic || isClosed || dues.size === 0) return;
    const next = Math.min(...[...dues.values()].map(({ atMs }) => atMs));
    timer = setTimeout(tick, Math.max(20, Math.min(next - Date.now(), 60_000)));
    timer.unref();
  };
  const tick = () => {
    // After an error, the list is due again after its interval.
    working = working
      .then(work)
      .catch((error: unknown) => ports.log.error('due lists could not be read', { code: failureOf(error)?.code }))
      .finally(schedule);
  };
  const work = async () => {
    const now = Date.now();
    // Nothing is planned so far ahead: the clock was set back since, or was wrong when the list was read.
    const isTooFar = ({ atMs }: Due) => atMs > now + Math.max(pace.mostMs, pace.sparingMs, 3_600_000);
    for (const due of dues.values()) if (isTooFar(due)) Object.assign(due, { atMs: now, expectedMs: 0 });
    for (const due of [...dues.values()].filter(({ atMs }) => atMs <= now)) {
      if (isClosed) return;
      // Set first: after an error the list would soon be due again, and use up the budget without a call.
      due.atMs = now + Math.max(due.intervalMs, pace.leastMs);
      if (!(await isOfInterest(due.connectionId))) {
        dues.delete(keyOf(due.connectionId, due.listType));
        publish(due.connectionId);
      } else if (budget.take()) {
        due.readMs = Date.now();
        due.rushed = due.expectedMs > 0 ? due.rushed + 1 : 0;
        await onDue(due.connectionId, due.listType);
      } else {
        // The budget of this hour is used up, or automatic calls are off: tried again when a call may be allowed.
        const { freeAt } = budget.state();
        due.atMs = freeAt === null ? now + pace.leastMs : Date.parse(freeAt);
        publish(due.connectionId);
      }
    }
  };
  return {
    schedule,
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await working;
    },
  };
}

/** Schedules lists that were read in an earlier run, by the age of their copies. */
async function resume({ connections, store }: Context, connectionId: string, dues: Dues, pace: Pace): Promise<void> {
  const { lists } = await connections.get(connectionId);
  for (const { value: listType } of lists) {
    const key = keyOf(connectionId, listType);
    const known = store.tracked.listState(connectionId, listType);
    if (!known || dues.has(key)) continue;
    const atMs = Math.max(Date.parse(known.asOf) + pace.leastMs, Date.now() + pace.soonMs);
    dues.set(key, { connectionId, listType, intervalMs: pace.leastMs, atMs, ...neverRead });
  }
}

/** Schedules all lists of a connection that have no time yet. */
async function addLists({ connections }: Context, connectionId: string, dues: Dues, pace: Pace): Promise<void> {
  const { lists } = await connections.get(connectionId);
  for (const { value: listType } of lists) {
    const key = keyOf(connectionId, listType);
    if (dues.has(key)) continue;
    const atMs = Date.now() + pace.soonMs;
    dues.set(key, { connectionId, listType, intervalMs: pace.soonMs, atMs, ...neverRead, expectedMs: atMs });
  }
}
