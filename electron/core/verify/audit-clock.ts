import type { StoredAudit } from '../../store/verify/verify-audits.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';

/** Maximum time between two checks, so that a computer that slept or a changed clock is noticed. */
const checkEveryMs = 60_000;

interface Work {
  /** All audits with a planned time. */
  readonly due: () => readonly StoredAudit[];
  /** Sets the next time first, then starts the run. Rejects if the next time cannot be stored. */
  readonly start: (audit: StoredAudit) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
}

/** Starts planned runs when they are due, while the program is running. Runs that became due before start soon after the program. */
export function createAuditClock({ due, start, onFailure }: Work) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isBusy = false;
  const msUntil = ({ next_at }: StoredAudit) => Date.parse(next_at ?? '') - Date.now();
  const arm = (leastMs = 0) => {
    clearTimeout(timer);
    if (isStopped || isBusy) return;
    const waits = due().map(msUntil);
    if (waits.length === 0) return;
    timer = setTimeout(() => void startDue(), Math.min(Math.max(leastMs, Math.min(...waits)), checkEveryMs));
    timer.unref();
  };
  const startDue = async () => {
    isBusy = true;
    let leastMs = 0;
    try {
      for (const audit of due()) if (!isStopped && msUntil(audit) <= 0) await retryWhileBusy(() => start(audit));
    } catch (error) {
      // The audit is still due: it would be tried again at once, without end.
      leastMs = checkEveryMs;
      onFailure(error);
    }
    isBusy = false;
    arm(leastMs);
  };
  return {
    /** To be called when plans change and when the program has started. */
    arm: () => arm(),
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
