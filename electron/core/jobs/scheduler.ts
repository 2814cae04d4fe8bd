import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../../../contract/connections.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { isBusy } from '../foundation/retry-while-busy.ts';
import type { QueueContext } from './queue-context.ts';
import { markWaiting } from './record-outcome.ts';
import { sendJob } from './send-job.ts';

/** Every so many turns the oldest job goes before the smallest, so that a large one does not wait for ever. */
const oldestEvery = 4;
/** Of these, one lane is always left to smaller ones, where a connection has more than one. */
const hugeBytes = 32 * 1024 * 1024;
/** Another program may let a held connection go on. */
const heldLookMs = 1_000;
/** Jobs of a connection that is gone are failed in slices, not to hold up the program. */
const orphansAtOnce = 50;
/** After another program had the database. */
const busyPauseMs = 250;

export interface Scheduler {
  /** The connection may have room or work. */
  kick(connectionId: string): void;
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>;
}

interface ConnectionSlots {
  readonly running: Set<Promise<void>>;
  hugeRunning: number;
  turns: number;
  isFilling: boolean;
  isKicked: boolean;
  /** It is held, and is looked at again after a while. */
  isHeld: boolean;
}

/** `onEnded`: a job has come to an end. Sends waiting jobs: as many at the same time as the connection allows, small ones before large ones. */
export function createScheduler(queue: QueueContext, onEnded: () => void): Scheduler {
  const scheduler = new Map<string, ConnectionSlots>();
  const slotsOf = (connectionId: string): ConnectionSlots => {
    const slots = scheduler.get(connectionId) ?? {
      running: new Set(),
      hugeRunning: 0,
      turns: 0,
      isFilling: false,
      isKicked: false,
      isHeld: false,
    };
    scheduler.set(connectionId, slots);
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
        kick(connectionId);
        onEnded();
      };
      await fill(queue, connectionId, slots, ended).catch((error: unknown) => {
        if (isBusy(error)) {
          void sleep(busyPauseMs, undefined, { signal: queue.closing }).then(
            () => kick(connectionId),
            () => undefined,
          );
          return;
        }
        const { failure } = appError('storage-unusable', 'the ledger cannot be read or written');
        queue.context.ports.log.error('the queue stumbled', { connectionId, code: failureOf(error)?.code });
        // Rests, and is kicked again after the pause.
        queue.circuitBreaker.open(connectionId, failureOf(error) ?? failure);
      });
    }
    slots.isFilling = false;
  };
  return {
    kick,
    idle: async () => {
      await Promise.allSettled([...scheduler.values()].flatMap((slots) => [...slots.running]));
    },
  };
}

async function fill(
  queue: QueueContext,
  connectionId: string,
  slots: ConnectionSlots,
  kick: () => void,
): Promise<void> {
  const { connections, store } = queue.context;
  const connection = await connections.get(connectionId).catch((error: unknown) => {
    if (failureOf(error)?.code !== 'not-found') throw error;
    return null;
  });
  if (!connection) return failOrphans(queue, connectionId, kick);
  while (!queue.closing.aborted && !queue.pause.isOn()) {
    const atOnce = allowedAtOnce(queue, connection, slots, kick);
    if (atOnce === 0 || queue.circuitBreaker.room(connectionId, atOnce, slots.running.size) <= 0) return;
    const onlySmall = atOnce > 1 && slots.hugeRunning >= atOnce - 1;
    const job = nextJob(queue, connectionId, slots.turns, onlySmall);
    if (!job) return;
    // Another program has just paused or cancelled it: the next one.
    if (!store.jobs.move(job.id, ['waiting'], 'sending', freshStart)) continue;
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

/** How many may be under way at the same time; 0 while the connection is held. It is looked at again as long as jobs of it wait. */
function allowedAtOnce(queue: QueueContext, connection: Connection, slots: ConnectionSlots, kick: () => void): number {
  const atOnce = queue.doubtBreaker.room(connection);
  if (queue.doubtBreaker.hasChanged()) markWaiting(queue, connection.id);
  if (atOnce === 0 && !slots.isHeld && nextJob(queue, connection.id, 0, false)) {
    slots.isHeld = true;
    void sleep(heldLookMs, undefined, { signal: queue.closing }).then(
      () => {
        slots.isHeld = false;
        kick();
      },
      () => undefined,
    );
  }
  return atOnce;
}

const freshStart = {
  departedAt: null,
  answerBeganAt: null,
  raw: null,
  answer: null,
  documentId: null,
  failure: null,
} as const;

function nextJob(queue: QueueContext, connectionId: string, turn: number, onlySmall: boolean): StoredJob | undefined {
  const order = turn % oldestEvery === oldestEvery - 1 ? 'old' : 'small';
  const maxBytes = onlySmall ? hugeBytes : undefined;
  return queue.context.store.jobs.waiting(connectionId, { order, limit: 1, maxBytes })[0];
}

function failOrphans(queue: QueueContext, connectionId: string, kick: () => void): void {
  const { jobs } = queue.context.store;
  const { failure } = appError('not-found', 'the connection was removed');
  queue.doubtBreaker.forget(connectionId);
  const orphans = jobs.waiting(connectionId, { order: 'old', limit: orphansAtOnce });
  for (const { id } of orphans) {
    jobs.move(id, ['waiting'], 'failed', { failure });
    queue.changes.mark(id);
  }
  if (orphans.length > 0) setImmediate(kick);
}
