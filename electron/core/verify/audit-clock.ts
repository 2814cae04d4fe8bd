import type { StoredAudit } from '../../store/verify/verify-audits.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';

/** Maximum time between two checks, so that a computer that slept or a changed clock is noticed. */
const checkEveryMs = 60_000;

/** Starts planned runs when they are due, while the program is running. Runs that became due before start soon after the program. */
export interface AuditClock {
  /** To be called when plans change and when the program has started. */
  arm(): void;
  stop(): void;
}

interface Work {
  /** All audits with a planned time. */
  readonly due: () => readonly StoredAudit[];
  /** Sets the next time first, then starts the run; never rejects. */
  readonly start: (audit: StoredAudit) => Promise<void>;
}

export function createAuditClock({ due, start }: Work): AuditClock {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let isBusy = false;
  const msUntil = ({ next_at }: StoredAudit) => Date.parse(next_at ?? '') - Date.now();
  const arm = () => {
    clearTimeout(timer);
    if (isStopped || isBusy) return;
    const waits = due().map(msUntil);
    if (waits.length === 0) return;
    timer = setTimeout(() => void startDue(), Math.min(Math.max(0, Math.min(...waits)), checkEveryMs));
    timer.unref();
  };
  const startDue = async () => {
    isBusy = true;
    try {
      for (const audit of due()) if (!isStopped && msUntil(audit) <= 0) await retryWhileBusy(() => start(audit));
    } finally {
      isBusy = false;
      arm();
    }
  };
  return {
    arm,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
