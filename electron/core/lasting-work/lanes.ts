import { setTimeout as sleep } from 'node:timers/promises';
import { appError } from '../foundation/app-error.ts';
import { asLongAsItTakes, retryWhileBusy } from '../foundation/retry-while-busy.ts';

/** What is being performed over one connection. */
export interface Lane<Item> {
  readonly connectionId: string;
  readonly running: ReadonlySet<Item>;
  /** Performs an item, once. To be called in the same turn as the item is chosen: nobody counts it before. */
  start(item: Item): void;
}

/** The one pump of lasting work: a lane for each connection that ever had an item in this program. */
export interface Lanes<Item> {
  /** Fills a lane now, or once more if it is being filled. */
  kick(connectionId: string): void;
  all(): readonly Lane<Item>[];
  /** Resolves when nothing is being performed; to be called when nothing is to be started any more. */
  idle(): Promise<void>;
}

interface Needs<Item> {
  /** Aborted when nothing is to be started any more. */
  readonly signal: AbortSignal;
  /**
   * Starts items while there is room, and some are left. Repeated while another program holds the database, for `limitMs`; the pump looks again after each item,
   * so that whatever gives room is read anew.
   */
  fill(lane: Lane<Item>): void | Promise<void>;
  readonly limitMs?: number | (() => number);
  /** Must not reject. */
  perform(item: Item): Promise<void>;
  /** Called after each item. */
  onEnded?(item: Item): void;
  /** Filling ended with this error, and goes on with the next kick. */
  onTrouble(connectionId: string, error: unknown): void;
}

interface KnownLane<Item> extends Lane<Item> {
  readonly running: Set<Item>;
  readonly works: Set<Promise<void>>;
  filling: Promise<void>;
  isFilling: boolean;
  isKicked: boolean;
}

export function createLanes<Item>(needs: Needs<Item>): Lanes<Item> {
  const { signal, limitMs = asLongAsItTakes } = needs;
  const lanes = new Map<string, KnownLane<Item>>();
  const laneOf = (connectionId: string): KnownLane<Item> => {
    const lane = lanes.get(connectionId) ?? {
      connectionId,
      running: new Set(),
      works: new Set(),
      filling: Promise.resolve(),
      isFilling: false,
      isKicked: false,
      start: (item: Item) => start(lane, item),
    };
    lanes.set(connectionId, lane);
    return lane;
  };
  const start = (lane: KnownLane<Item>, item: Item) => {
    lane.running.add(item);
    const work: Promise<void> = needs.perform(item).finally(() => {
      lane.running.delete(item);
      lane.works.delete(work);
      // The room is for any connection; the one with the fewest items gets it first, so that none waits for ever.
      for (const each of [...lanes.values()].sort((one, other) => one.running.size - other.running.size))
        kick(each.connectionId);
      needs.onEnded?.(item);
    });
    lane.works.add(work);
  };
  const fill = async (lane: KnownLane<Item>) => {
    while (lane.isKicked && !signal.aborted) {
      lane.isKicked = false;
      await retryWhileBusy(() => needs.fill(lane), { limitMs, signal }).catch((error: unknown) => {
        if (!signal.aborted) needs.onTrouble(lane.connectionId, error);
      });
    }
    lane.isFilling = false;
  };
  const kick = (connectionId: string) => {
    const lane = laneOf(connectionId);
    lane.isKicked = true;
    if (lane.isFilling) return;
    lane.isFilling = true;
    lane.filling = fill(lane);
  };
  return {
    kick,
    all: () => [...lanes.values()],
    idle: async () => {
      await Promise.all([...lanes.values()].map(({ filling }) => filling));
      await Promise.allSettled([...lanes.values()].flatMap(({ works }) => [...works]));
    },
  };
}

/** If a connection has a limit of calls a minute, spreads the calls of all its runs evenly. */
export type Pace = ReturnType<typeof createPace>;

export function createPace() {
  const nextAt = new Map<string, number>();
  return {
    /** Resolves when the next call may be made. Rejects with cancelled. */
    turn: async (connectionId: string, perMinute: number | undefined, signal: AbortSignal): Promise<void> => {
      if (perMinute === undefined) return;
      const now = performance.now();
      const at = Math.max(now, nextAt.get(connectionId) ?? 0);
      nextAt.set(connectionId, at + 60_000 / perMinute);
      if (at <= now) return;
      await sleep(at - now, undefined, { signal }).catch(() => {
        throw appError('cancelled', 'cancelled while waiting for its turn');
      });
    },
  };
}
