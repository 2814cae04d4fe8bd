import type { Failure } from '../../../contract/failure.ts';
import { backoffMs } from '../foundation/backoff.ts';

/** What holds back the copying of prepared jobs: a full disk or a spool that cannot be used. No job fails of it. */
export interface SpoolBreaker {
  /** Why prepared jobs wait; null where they simply wait their turn. */
  failure(): Failure | null;
  /** True until the pause is over: nothing is tried before. */
  isResting(): boolean;
  /** Jobs of this size and more found the disk full while they were copied, whatever it told before: not tried before the pause is over. */
  fullAtBytes(): number;
  /** Is tried again after a growing pause. `neededBytes`: of the job that met a full disk while it was copied. True where the reason is a new one. */
  shut(failure: Failure, neededBytes?: number): boolean;
  /** A job has ended, and its copies are gone: there may be room again. */
  roomMayBeBack(): void;
  /** Something could be copied, or nothing is left to copy. True where it had been shut. */
  open(): boolean;
  stop(): void;
}

const pause = { baseMs: 500, capMs: 30_000 };
const never = Number.POSITIVE_INFINITY;

export function createSpoolBreaker(onRested: () => void): SpoolBreaker {
  let [failure, attempt, isResting, fullAt] = [null as Failure | null, 0, false, never];
  let timer: NodeJS.Timeout | null = null;
  const rested = () => {
    timer = null;
    [isResting, fullAt] = [false, never];
    onRested();
  };
  return {
    failure: () => failure,
    isResting: () => isResting,
    fullAtBytes: () => fullAt,
    shut: (given, neededBytes = never) => {
      const isNew = failure?.code !== given.code || failure.detail !== given.detail;
      failure = given;
      // A full disk still takes what is smaller.
      if (given.code === 'storage-full') fullAt = Math.min(fullAt, neededBytes);
      else isResting = true;
      if (timer === null) {
        attempt += 1;
        timer = setTimeout(rested, backoffMs(attempt, pause));
      }
      return isNew;
    },
    roomMayBeBack: () => {
      fullAt = never;
    },
    open: () => {
      const wasShut = failure !== null;
      if (timer !== null) clearTimeout(timer);
      [failure, attempt, isResting, fullAt, timer] = [null, 0, false, never, null];
      return wasShut;
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
