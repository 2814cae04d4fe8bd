import type { Failure } from '../../../contract/failure.ts';
import { backoffMs } from '../foundation/backoff.ts';

/**
 * Holds back the copying of prepared jobs while the disk is full or the spool cannot be used. No job fails because of
 * it.
 */
export type SpoolBreaker = ReturnType<typeof createSpoolBreaker>;

const longestPauseMs = 30_000;
const never = Number.POSITIVE_INFINITY;

/** Creates a breaker that lets copying go on. `onPauseOver` is called when a pause is over (`baseMs` to 30 s). */
export function createSpoolBreaker(baseMs: number, onPauseOver: () => void) {
  let [failure, attempt, isBackingOff, fullAt] = [null as Failure | null, 0, false, never];
  let timer: NodeJS.Timeout | null = null;
  const endPause = () => {
    timer = null;
    [isBackingOff, fullAt] = [false, never];
    onPauseOver();
  };
  return {
    /** Why prepared jobs wait; null if they wait only for their turn. */
    failure: (): Failure | null => failure,
    /** True until the pause is over: nothing is copied before. */
    isBackingOff: (): boolean => isBackingOff,
    /**
     * Jobs of this size (bytes) or more found the disk full while they were copied, whatever free space it reported:
     * they are not tried before the pause is over.
     */
    fullAtBytes: (): number => fullAt,
    /**
     * Holds back copying until a growing pause is over. `neededBytes`: size of the job that found the disk full.
     * Returns true if the reason is a new one.
     */
    open: (given: Failure, neededBytes: number = never): boolean => {
      const isNew = failure?.code !== given.code || failure.detail !== given.detail;
      failure = given;
      // A full disk still has room for smaller jobs.
      if (given.code === 'storage-full') fullAt = Math.min(fullAt, neededBytes);
      else isBackingOff = true;
      if (timer === null) {
        attempt += 1;
        timer = setTimeout(endPause, backoffMs(attempt, { baseMs, capMs: longestPauseMs }));
      }
      return isNew;
    },
    /** A job has ended and its copies are removed: there may be room again. */
    roomMayBeBack: () => {
      fullAt = never;
    },
    /** Ends the wait: something could be copied, or nothing is left to copy. Returns true if copying had been held back. */
    close: (): boolean => {
      const wasOpen = failure !== null;
      if (timer !== null) clearTimeout(timer);
      [failure, attempt, isBackingOff, fullAt, timer] = [null, 0, false, never, null];
      return wasOpen;
    },
    stop: () => {
      if (timer !== null) clearTimeout(timer);
    },
  };
}
