import { failureOf } from '../foundation/app-error.ts';
import type { QueueContext } from './queue-context.ts';

interface Watcher {
  /** Called when another program has written to the ledger: everything read from it may be out of date. */
  readonly onWritten: () => void;
  /** Called when a run that has ended left jobs; null if this program does not take them over. */
  readonly onLeft: (() => void) | null;
}

/**
 * Checks the ledger now and then for changes by other programs, whose events do not reach this process. Stops when the
 * program ends; the timer does not keep the process alive.
 */
export function watchLedger({ context, closing }: QueueContext, { onWritten, onLeft }: Watcher): void {
  const { jobs } = context.store;
  const { ledgerLookMs, leftLookMs } = context.pauses;
  let token: number | null = null;
  let searchedAtMs = performance.now();
  let isBroken = false;
  const check = () => {
    try {
      const now = jobs.changeToken();
      if (token !== null && now !== token) onWritten();
      token = now;
      if (onLeft && performance.now() - searchedAtMs >= leftLookMs) {
        searchedAtMs = performance.now();
        if (jobs.haveLeftJobs()) onLeft();
      }
      isBroken = false;
    } catch (error) {
      if (!isBroken)
        context.ports.log.error('the ledger could not be checked for changes', { code: failureOf(error)?.code });
      isBroken = true;
    }
  };
  check();
  const timer = setInterval(check, ledgerLookMs);
  timer.unref();
  closing.addEventListener('abort', () => clearInterval(timer), { once: true });
}
