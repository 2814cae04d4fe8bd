import type { Failure } from '../../../../contract/failure.ts';
import type { TrackedList } from '../../../../contract/tracking.ts';
import type { Context } from '../../context.ts';
import { failureOf } from '../../foundation/app-error.ts';

/** How often the program reads lists by itself, in milliseconds. */
export interface Pace {
  /** After something that the list will soon show. */
  readonly soonMs: number;
  /** After a change; doubled with every reading without one, up to `mostMs`. */
  readonly leastMs: number;
  readonly mostMs: number;
  /** The practice service is left alone after so long without a look: it could never go to sleep otherwise. */
  readonly practiceMs: number;
  /** Changes that come within it are told together. */
  readonly gatherMs: number;
  readonly remindMs: number;
}

export const usualPace: Pace = {
  soonMs: 5_000,
  leastMs: 120_000,
  mostMs: 3_600_000,
  practiceMs: 600_000,
  gatherMs: 1_500,
  remindMs: 60_000,
};

/** When which list is due. */
export interface ListClock {
  /** A list was read, by whomever. */
  read(
    connectionId: string,
    listType: number,
    outcome: { readonly changes: number; readonly failure: Failure | null },
  ): void;
  looked(connectionId: string): void;
  /** Lists that an earlier run has read are due again. */
  resume(connectionId: string): void;
  expect(connectionId: string): void;
  view(connectionId: string, listType: number): Pick<TrackedList, 'failure' | 'nextAt'>;
  close(): Promise<void>;
}

interface Needs {
  readonly context: Context;
  readonly pace: Pace;
  readonly isAutomatic: boolean;
  readonly onDue: (connectionId: string, listType: number) => Promise<void>;
  readonly tell: (connectionId: string) => void;
}

interface Due {
  readonly connectionId: string;
  readonly listType: number;
  intervalMs: number;
  atMs: number;
  failure: Failure | null;
}

export function createListClock({ context, pace, isAutomatic, onDue, tell }: Needs): ListClock {
  const { connections, budget } = context;
  const dues = new Map<string, Due>();
  const lookedAt = new Map<string, number>();
  const keyOf = (connectionId: string, listType: number) => `${listType} ${connectionId}`;
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
    // What could not be read or written is due again at the next look.
    working = working
      .then(work)
      .catch((error: unknown) =>
        context.ports.log.error('lists could not be looked at', { code: failureOf(error)?.code }),
      )
      .finally(schedule);
  };
  const work = async () => {
    const now = Date.now();
    for (const due of [...dues.values()].filter(({ atMs }) => atMs <= now)) {
      if (isClosed) return;
      if (!(await isOfInterest(due.connectionId))) {
        dues.delete(keyOf(due.connectionId, due.listType));
        tell(due.connectionId);
      } else if (budget.take()) {
        due.atMs = now + due.intervalMs;
        await onDue(due.connectionId, due.listType);
      } else {
        // Nothing is left of this hour, or nothing is to be asked: looked at again when there may be.
        const { freeAt } = budget.state();
        due.atMs = freeAt === null ? now + pace.leastMs : Date.parse(freeAt);
        tell(due.connectionId);
      }
    }
  };
  const isOfInterest = async (connectionId: string): Promise<boolean> => {
    const connection = await connections.get(connectionId).catch(() => null);
    if (!connection) return false;
    if (connection.kind === 'practice') return Date.now() - (lookedAt.get(connectionId) ?? 0) < pace.practiceMs;
    return connection.credentials !== 'none';
  };
  const soon = (connectionId: string, ms: number) => {
    for (const due of dues.values()) {
      if (due.connectionId !== connectionId) continue;
      due.intervalMs = pace.leastMs;
      due.atMs = Math.min(due.atMs, Date.now() + ms);
    }
    schedule();
  };

  return {
    read: (connectionId, listType, { changes, failure }) => {
      const key = keyOf(connectionId, listType);
      const before = dues.get(key)?.intervalMs ?? pace.leastMs / 2;
      const intervalMs = changes > 0 ? pace.leastMs : Math.min(pace.mostMs, Math.max(pace.leastMs, before * 2));
      dues.set(key, { connectionId, listType, intervalMs, atMs: Date.now() + intervalMs, failure });
      schedule();
    },
    looked: (connectionId) => {
      lookedAt.set(connectionId, Date.now());
      resume(context, connectionId, dues, pace).then(schedule, () => undefined);
    },
    resume: (connectionId) => void resume(context, connectionId, dues, pace).then(schedule, () => undefined),
    expect: (connectionId) => {
      soon(connectionId, pace.soonMs);
    },
    view: (connectionId, listType) => {
      const due = dues.get(keyOf(connectionId, listType));
      const isOn = isAutomatic && budget.state().isAutomatic;
      return { failure: due?.failure ?? null, nextAt: due && isOn ? new Date(due.atMs).toISOString() : null };
    },
    close: async () => {
      isClosed = true;
      clearTimeout(timer);
      await working;
    },
  };
}

/** Lists that were read in an earlier run are due again, by the age of their copies. */
async function resume(
  { connections, store }: Context,
  connectionId: string,
  dues: Map<string, Due>,
  pace: Pace,
): Promise<void> {
  const { lists } = await connections.get(connectionId);
  for (const { value: listType } of lists) {
    const key = `${listType} ${connectionId}`;
    const known = store.tracked.listState(connectionId, listType);
    if (!known || dues.has(key)) continue;
    const atMs = Math.max(Date.parse(known.asOf) + pace.leastMs, Date.now() + pace.soonMs);
    dues.set(key, { connectionId, listType, intervalMs: pace.leastMs, atMs, failure: null });
  }
}
