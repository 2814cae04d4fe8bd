import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../../../contract/connections.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { createLanes, type Lane, type Lanes } from '../lasting-work/lanes.ts';
import { markWaiting, type QueueContext } from './queue-context.ts';
import { sendJob } from './send-job.ts';

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

/** What the scheduler knows of a connection, besides its lane. */
interface ConnectionTurns {
  /** Jobs that were chosen. */
  chosen: number;
  /** True while the connection is held and waits for its next check. */
  isHeld: boolean;
}

/**
 * Sends waiting jobs: as many at the same time as the connection and the person's preference for all connections allow, small ones before large ones.
 * `onEnded` is called after each job.
 */
export function createScheduler(queue: QueueContext, onEnded: () => void): Scheduler {
  const turnsByConnection = new Map<string, ConnectionTurns>();
  const lanes: Lanes<StoredJob> = createLanes<StoredJob>({
    signal: queue.closing,
    fill: (lane) => {
      const turns = turnsByConnection.get(lane.connectionId) ?? { chosen: 0, isHeld: false };
      turnsByConnection.set(lane.connectionId, turns);
      return fill(queue, lane, lanes, turns);
    },
    perform: (job) => sendJob(queue, job),
    onEnded,
    onTrouble: (connectionId, error) => {
      const { failure } = appError('storage-unusable', 'the ledger cannot be read or written');
      queue.context.ports.log.error('sending was interrupted', { connectionId, code: failureOf(error)?.code });
      // The connection backs off, and is kicked again after the pause.
      queue.circuitBreaker.open(connectionId, failureOf(error) ?? failure);
    },
  });
  return { kick: lanes.kick, idle: lanes.idle };
}

const isHuge = (job: StoredJob) => job.sizeBytes > hugeBytes;

async function fill(
  queue: QueueContext,
  lane: Lane<StoredJob>,
  lanes: Lanes<StoredJob>,
  turns: ConnectionTurns,
): Promise<void> {
  const { connectionId, running } = lane;
  const kick = () => lanes.kick(connectionId);
  const connection = await queue.context.connections.get(connectionId).catch((error: unknown) => {
    if (failureOf(error)?.code !== 'not-found') throw error;
    return null;
  });
  if (!connection) return failJobsOfRemovedConnection(queue, connectionId, kick);
  while (!queue.closing.aborted && !queue.pause.isOn()) {
    const atOnce = allowedAtOnce(queue, connection, turns, kick);
    const hasRoom = atOnce > 0 && queue.circuitBreaker.room(connectionId, atOnce, running.size) > 0;
    const skipsTeam = running.size < atOnce && isTeamAway(queue, connectionId);
    if (!hasRoom && !skipsTeam) return;
    const left = leftForAll(queue, lanes);
    if (left === 'none') return;
    const onlySmall = left === 'small' || (atOnce > 1 && [...running].filter(isHuge).length >= atOnce - 1);
    const next = (withoutTeam: boolean) => nextJob(queue, connectionId, turns.chosen, { onlySmall, withoutTeam });
    const job = (skipsTeam ? next(true) : undefined) ?? (hasRoom ? next(false) : undefined);
    // Nothing waits: a large file may go while it is copied.
    const growing = job || !hasRoom ? undefined : queue.growing.take(connectionId, onlySmall ? hugeBytes : Infinity);
    if (growing) {
      lane.start(growing);
      continue;
    }
    // If nothing more is under way, whoever waits for the end of the last one, as a command does, need not wait for the next event.
    if (!job) return queue.live.size === 0 ? queue.changes.flush() : undefined;
    if (queue.context.store.jobs.claim(job.id)) {
      turns.chosen += 1;
      lane.start(job);
    } else queue.changes.mark(job.id);
  }
}

/** What may still be sent over any connection by the person's preference, which may have changed since the last job. */
function leftForAll(queue: QueueContext, lanes: Lanes<StoredJob>): 'any' | 'small' | 'none' {
  const { atOnce } = queue.context.settings.preferences();
  const running = lanes.all().flatMap((lane) => [...lane.running]);
  if (running.length >= atOnce) return 'none';
  return atOnce > 1 && running.filter(isHuge).length >= atOnce - 1 ? 'small' : 'any';
}

/**
 * How many jobs may be under way at the same time; 0 while the connection is held. A held connection is checked again
 * as long as jobs wait.
 */
function allowedAtOnce(queue: QueueContext, connection: Connection, turns: ConnectionTurns, kick: () => void): number {
  const atOnce = queue.doubtBreaker.room(connection);
  if (queue.doubtBreaker.hasChanged()) markWaiting(queue, connection.id);
  if (atOnce === 0 && !turns.isHeld && nextJob(queue, connection.id, 0)) {
    turns.isHeld = true;
    void sleep(queue.context.pauses.heldMs, undefined, { signal: queue.closing }).then(
      () => {
        turns.isHeld = false;
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
