import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../../../contract/connections.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { asLongAsItTakes, retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { markWaiting, type QueueContext } from './queue-context.ts';
import { claimJob, sendJob } from './send-job.ts';

/** Every fourth turn takes the oldest job instead of the smallest, so that a large one does not wait for ever. */
const oldestEvery = 4;
/** Larger jobs never take the last slot of a connection with several slots: it is reserved for smaller ones. */
const hugeBytes = 32 * 1024 * 1024;
/** Jobs of a removed connection are failed in slices, so that the program is not blocked. */
const removedAtOnce = 50;

export interface Scheduler {
  /** Starts jobs of the connection if it has room and waiting jobs. */
  kick(connectionId: string): void;
  /** Resolves when no job is being sent. */
  idle(): Promise<void>;
}

interface ConnectionSlots {
  readonly running: Set<Promise<void>>;
  hugeRunning: number;
  turns: number;
  isFilling: boolean;
  isKicked: boolean;
  /** True while the connection is held and waits for its next check. */
  isHeld: boolean;
}

/** The slots of every connection that ever had a job in this run. */
type AllSlots = ReadonlyMap<string, ConnectionSlots>;

/**
 * Sends waiting jobs: as many at the same time as the connection and the person's preference for all connections allow, small ones before large ones.
 * `onEnded` is called after each job.
 */
export function createScheduler(queue: QueueContext, onEnded: () => void): Scheduler {
  const slotsByConnection = new Map<string, ConnectionSlots>();
  const slotsOf = (connectionId: string): ConnectionSlots => {
    const slots = slotsByConnection.get(connectionId) ?? {
      running: new Set(),
      hugeRunning: 0,
      turns: 0,
      isFilling: false,
      isKicked: false,
      isHeld: false,
    };
    slotsByConnection.set(connectionId, slots);
    return slots;
  };
  const kick = (connectionId: string) => {
    const slots = slotsOf(connectionId);
    slots.isKicked = true;
    if (!slots.isFilling) void fillWhileKicked(connectionId, slots);
  };
  const fillWhileKicked = async (connectionId: string, slots: ConnectionSlots) => {
    slots.isFilling = true;
    while (slots.isKicked && !queue.closing.aborted) {
      slots.isKicked = false;
      const ended = () => {
        for (const id of fewestRunningFirst(slotsByConnection)) kick(id);
        onEnded();
      };
      await retryWhileBusy(() => fill(queue, connectionId, slotsByConnection, ended), {
        limitMs: asLongAsItTakes,
        signal: queue.closing,
      }).catch((error: unknown) => {
        if (queue.closing.aborted) return;
        const { failure } = appError('storage-unusable', 'the ledger cannot be read or written');
        queue.context.ports.log.error('sending was interrupted', { connectionId, code: failureOf(error)?.code });
        // The connection backs off, and is kicked again after the pause.
        queue.circuitBreaker.open(connectionId, failureOf(error) ?? failure);
      });
    }
    slots.isFilling = false;
  };
  return {
    kick,
    idle: async () => {
      await Promise.allSettled([...slotsByConnection.values()].flatMap((slots) => [...slots.running]));
    },
  };
}

/** A slot that became free is for any connection; the one with the fewest gets it first, so that none waits for ever. */
function fewestRunningFirst(all: AllSlots): string[] {
  return [...all].sort(([, one], [, other]) => one.running.size - other.running.size).map(([id]) => id);
}

async function fill(queue: QueueContext, connectionId: string, all: AllSlots, kick: () => void): Promise<void> {
  const { connections } = queue.context;
  const slots = all.get(connectionId);
  if (!slots) return;
  const connection = await connections.get(connectionId).catch((error: unknown) => {
    if (failureOf(error)?.code !== 'not-found') throw error;
    return null;
  });
  if (!connection) return failJobsOfRemovedConnection(queue, connectionId, kick);
  while (!queue.closing.aborted && !queue.pause.isOn()) {
    const atOnce = allowedAtOnce(queue, connection, slots, kick);
    const hasRoom = atOnce > 0 && queue.circuitBreaker.room(connectionId, atOnce, slots.running.size) > 0;
    const skipsTeam = slots.running.size < atOnce && isTeamAway(queue, connectionId);
    if (!hasRoom && !skipsTeam) return;
    const left = leftForAll(queue, all);
    if (left === 'none') return;
    const onlySmall = left === 'small' || (atOnce > 1 && slots.hugeRunning >= atOnce - 1);
    const next = (withoutTeam: boolean) => nextJob(queue, connectionId, slots.turns, { onlySmall, withoutTeam });
    const job = (skipsTeam ? next(true) : undefined) ?? (hasRoom ? next(false) : undefined);
    if (!job) return;
    if (!claimJob(queue, job)) continue;
    slots.turns += 1;
    const huge = job.sizeBytes > hugeBytes ? 1 : 0;
    slots.hugeRunning += huge;
    const sending: Promise<void> = sendJob(queue, job).finally(() => {
      slots.hugeRunning -= huge;
      slots.running.delete(sending);
      kick();
    });
    slots.running.add(sending);
  }
}

/** What may still be sent over any connection by the person's preference, which may have changed since the last job. */
function leftForAll(queue: QueueContext, all: AllSlots): 'any' | 'small' | 'none' {
  const { atOnce } = queue.context.settings.preferences();
  const slots = [...all.values()];
  if (slots.reduce((sum, { running }) => sum + running.size, 0) >= atOnce) return 'none';
  return atOnce > 1 && slots.reduce((sum, { hugeRunning }) => sum + hugeRunning, 0) >= atOnce - 1 ? 'small' : 'any';
}

/**
 * How many jobs may be under way at the same time; 0 while the connection is held. A held connection is checked again
 * as long as jobs wait.
 */
function allowedAtOnce(queue: QueueContext, connection: Connection, slots: ConnectionSlots, kick: () => void): number {
  const atOnce = queue.doubtBreaker.room(connection);
  if (queue.doubtBreaker.hasChanged()) markWaiting(queue, connection.id);
  if (atOnce === 0 && !slots.isHeld && nextJob(queue, connection.id, 0)) {
    slots.isHeld = true;
    void sleep(queue.context.pauses.heldMs, undefined, { signal: queue.closing }).then(
      () => {
        slots.isHeld = false;
        kick();
      },
      () => undefined,
    );
  }
  return atOnce;
}

/** True if the connection backs off because of its team register: what a person sends without it does not wait for it. */
function isTeamAway({ circuitBreaker }: QueueContext, connectionId: string): boolean {
  return circuitBreaker.failure(connectionId)?.detail?.startsWith('team-') ?? false;
}

function nextJob(
  queue: QueueContext,
  connectionId: string,
  turn: number,
  { onlySmall = false, withoutTeam = false } = {},
): StoredJob | undefined {
  const order = turn % oldestEvery === oldestEvery - 1 ? 'old' : 'small';
  const maxBytes = onlySmall ? hugeBytes : undefined;
  return queue.context.store.jobs.waiting(connectionId, { order, limit: 1, maxBytes, withoutTeam })[0];
}

function failJobsOfRemovedConnection(queue: QueueContext, connectionId: string, kick: () => void): void {
  const { jobs } = queue.context.store;
  const { failure } = appError('not-found', 'the connection was removed');
  queue.doubtBreaker.forget(connectionId);
  const left = jobs.waiting(connectionId, { order: 'old', limit: removedAtOnce });
  for (const { id } of left) {
    jobs.move(id, ['waiting'], 'failed', { failure });
    queue.changes.mark(id);
  }
  if (left.length > 0) setImmediate(kick);
}
