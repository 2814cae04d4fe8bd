import { failureOf } from '../foundation/app-error.ts';
import type { QueueContext } from './queue-context.ts';

/** A look costs microseconds. */
const lookEveryMs = 250;
/** A look for runs that are over, in looks. */
const looksPerSearch = 10;

interface Watcher {
  /** Another program has written to the ledger: whatever was read from it may be old. */
  readonly onWritten: () => void;
  /** A run that is over has left jobs; null where this program leaves them alone. */
  readonly onLeft: (() => void) | null;
}

/**
 * Other programs on the same ledger tell nothing: their events end with their process. So the ledger is looked at, four times a second. Ends when the
 * program does, and keeps no process alive.
 */
export function watchLedger({ context, closing }: QueueContext, { onWritten, onLeft }: Watcher): void {
  const { jobs } = context.store;
  let token: number | null = null;
  let looks = 0;
  let isBroken = false;
  const look = () => {
    try {
      const now = jobs.changeToken();
      if (token !== null && now !== token) onWritten();
      token = now;
      looks += 1;
      if (onLeft && looks % looksPerSearch === 0 && jobs.haveLeftJobs()) onLeft();
      isBroken = false;
    } catch (error) {
      if (!isBroken) context.ports.log.error('the ledger could not be looked at', { code: failureOf(error)?.code });
      isBroken = true;
    }
  };
  look();
  const timer = setInterval(look, lookEveryMs);
  timer.unref();
  closing.addEventListener('abort', () => clearInterval(timer), { once: true });
}
