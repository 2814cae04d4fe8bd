import type { VerifyRun } from '../../../contract/verify.ts';
import type { StoredAudit } from '../../store/verify/verify-audits.ts';
import type { Asking } from '../../store/verify/verify-rows.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { createAuditClock } from './audit-clock.ts';
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
