import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../../../contract/connections.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import { failing, failureOf } from '../foundation/app-error.ts';
import { isBusy } from '../foundation/retry-while-busy.ts';
import type { JobDesk } from './queue-context.ts';
import { sendJob } from './send-job.ts';
import { markWaiting } from './record-outcome.ts';

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

export interface Lanes {
  /** The connection may have room or work. */
  kick(connectionId: string): void;
  /** Resolves when nothing runs any more. */
  idle(): Promise<void>;
}

interface Lane {
  readonly running: Set<Promise<void>>;
  hugeRunning: number;
  turns: number;
  isFilling: boolean;
  isKicked: boolean;
  /** It is held, and is looked at again after a while. */
  isHeld: boolean;
}

/** `onEnded`: a job has come to an end. Sends waiting jobs: as many at the same time as the connection allows, small ones before large ones. */
export function openLanes(desk: JobDesk, onEnded: () => void): Lanes {
  const lanes = new Map<string, Lane>();
  const laneOf = (connectionId: string): Lane => {
    const lane = lanes.get(connectionId) ?? {
      running: new Set(),
      hugeRunning: 0,
      turns: 0,
      isFilling: false,
      isKicked: false,
      isHeld: false,
    };
    lanes.set(connectionId, lane);
    return lane;
  };
  const kick = (connectionId: string) => {
    const lane = laneOf(connectionId);
    lane.isKicked = true;
    if (!lane.isFilling) void fillWhileKicked(connectionId, lane);
  };
  const fillWhileKicked = async (connectionId: string, lane: Lane) => {
    lane.isFilling = true;
    while (lane.isKicked && !desk.closing.aborted) {
      lane.isKicked = false;
      const ended = () => {
        kick(connectionId);
        onEnded();
      };
      await fill(desk, connectionId, lane, ended).catch((error: unknown) => {
        if (isBusy(error)) {
          void sleep(busyPauseMs, undefined, { signal: desk.closing }).then(
            () => kick(connectionId),
            () => undefined,
          );
          return;
        }
        const { failure } = failing('storage-unusable', 'the ledger cannot be read or written');
        desk.context.ports.log.error('the queue stumbled', { connectionId, code: failureOf(error)?.code });
        // Rests, and is kicked again after the pause.
        desk.gates.shut(connectionId, failureOf(error) ?? failure);
      });
    }
    lane.isFilling = false;
  };
  return {
    kick,
    idle: async () => {
      await Promise.allSettled([...lanes.values()].flatMap((lane) => [...lane.running]));
    },
  };
}

async function fill(desk: JobDesk, connectionId: string, lane: Lane, kick: () => void): Promise<void> {
  const { connections, store } = desk.context;
  const connection = await connections.get(connectionId).catch((error: unknown) => {
    if (failureOf(error)?.code !== 'not-found') throw error;
    return null;
  });
  if (!connection) return failOrphans(desk, connectionId, kick);
  while (!desk.closing.aborted && !desk.pause.isOn()) {
    const atOnce = allowedAtOnce(desk, connection, lane, kick);
    if (atOnce === 0 || desk.gates.room(connectionId, atOnce, lane.running.size) <= 0) return;
    const onlySmall = atOnce > 1 && lane.hugeRunning >= atOnce - 1;
    const job = nextJob(desk, connectionId, lane.turns, onlySmall);
    if (!job) return;
    // Another program has just paused or cancelled it: the next one.
    if (!store.jobs.move(job.id, ['waiting'], 'sending', freshStart)) continue;
    lane.turns += 1;
    const huge = job.sizeBytes > hugeBytes ? 1 : 0;
    lane.hugeRunning += huge;
    const sending: Promise<void> = sendJob(desk, job).finally(() => {
      lane.hugeRunning -= huge;
      lane.running.delete(sending);
      kick();
    });
    lane.running.add(sending);
  }
}

/** How many may be under way at the same time; 0 while the connection is held. It is looked at again as long as jobs of it wait. */
function allowedAtOnce(desk: JobDesk, connection: Connection, lane: Lane, kick: () => void): number {
  const atOnce = desk.brake.room(connection);
  if (desk.brake.hasChanged()) markWaiting(desk, connection.id);
  if (atOnce === 0 && !lane.isHeld && nextJob(desk, connection.id, 0, false)) {
    lane.isHeld = true;
    void sleep(heldLookMs, undefined, { signal: desk.closing }).then(
      () => {
        lane.isHeld = false;
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

function nextJob(desk: JobDesk, connectionId: string, turn: number, onlySmall: boolean): StoredJob | undefined {
  const order = turn % oldestEvery === oldestEvery - 1 ? 'old' : 'small';
  const maxBytes = onlySmall ? hugeBytes : undefined;
  return desk.context.store.jobs.waiting(connectionId, { order, limit: 1, maxBytes })[0];
}

function failOrphans(desk: JobDesk, connectionId: string, kick: () => void): void {
  const { jobs } = desk.context.store;
  const { failure } = failing('not-found', 'the connection was removed');
  desk.brake.forget(connectionId);
  const orphans = jobs.waiting(connectionId, { order: 'old', limit: orphansAtOnce });
  for (const { id } of orphans) {
    jobs.move(id, ['waiting'], 'failed', { failure });
    desk.changes.mark(id);
  }
  if (orphans.length > 0) setImmediate(kick);
}
