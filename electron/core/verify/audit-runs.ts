import type { VerifyRun } from '../../../contract/verify.ts';
import type { StoredAudit } from '../../store/verify/verify-audits.ts';
import type { Asking } from '../../store/verify/verify-rows.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { assertFolder, listAudit } from './list-audit.ts';
import type { Verifications } from './verifications.ts';
import type { VerifyContext } from './verify-context.ts';

/** Runs of audits, on demand and planned. */
export function createAuditRuns(context: VerifyContext, verifications: Pick<Verifications, 'begin'>) {
  const { audits, verifyRuns } = context.store;
  const starting = new Set<string>();
  /** True while a run of the audit is going on, in this or another program. */
  const isBusy = (auditId: string) => {
    const last = verifyRuns.lastOf(auditId);
    return last !== null && verifyRuns.isWorkedOn(last);
  };
  const replan = (audit: StoredAudit, everyMinutes: number | null) =>
    audits.plan(audit.id, everyMinutes, everyMinutes === null ? null : minutesFromNow(everyMinutes));
  const run = async (audit: StoredAudit, ask: Asking, isPlanned = false): Promise<VerifyRun> => {
    // If two calls arrive at the same moment, the second one is refused.
    if (isBusy(audit.id) || starting.has(audit.id)) throw appError('bad-input', 'this folder is being looked through');
    starting.add(audit.id);
    try {
      await assertFolder(audit.path);
      const list = listAudit(context, audit);
      const { id: auditId, connection_id: connectionId, name: title } = audit;
      const started = await verifications.begin({ connectionId, auditId, title, ask, total: 0, list, isPlanned });
      replan(audit, audit.every_minutes);
      return started;
    } finally {
      starting.delete(audit.id);
    }
  };
  const logFailure = (error: unknown) =>
    context.ports.log.error('a planned audit did not begin', { code: failureOf(error)?.code ?? 'bug' });
  const clock = createAuditClock({
    due: () => audits.all().filter(({ next_at }) => next_at !== null),
    start: async (audit) => {
      // If starting a run fails, the next try is at the next planned time, not at once.
      replan(audit, audit.every_minutes);
      if (isBusy(audit.id) || !context.budget.state().isAutomatic) return;
      await run(audit, 'changes', true).catch(logFailure);
    },
    onFailure: logFailure,
  });
  // A command line that runs beside the window must not start the planned runs of the window.
  const arm = context.ports.host === 'command-line' ? () => undefined : clock.arm;
  arm();
  return {
    isBusy,
    /** Rejects as `Audits.run`. */
    run: (audit: StoredAudit, ask: Asking) => run(audit, ask),
    /** Plans the next run `everyMinutes` from now; null for none. */
    plan: (audit: StoredAudit, everyMinutes: number | null) => {
      replan(audit, everyMinutes);
      arm();
    },
    plansChanged: arm,
    close: clock.stop,
  };
}

function minutesFromNow(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}

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
