import type { StoredAudit } from '../../store/verify/verify-audits.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';

/** Looks this often at the latest: a computer that slept, or a clock that was set, is noticed. */
const lookEveryMs = 60_000;

/** Begins what is planned, when it is due, while the program runs. What became due meanwhile begins soon after the start. */
export interface AuditClock {
  /** Plans changed, or the program has started. */
  arm(): void;
  stop(): void;
}

interface Work {
  /** All that have a time. */
  readonly due: () => readonly StoredAudit[];
  /** Gives it its next time first; never rejects. */
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
    timer = setTimeout(() => void look(), Math.min(Math.max(0, Math.min(...waits)), lookEveryMs));
    timer.unref();
  };
  const look = async () => {
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
