import { randomUUID } from 'node:crypto';
import type { Audit } from '../../../contract/audits.ts';
import type { VerifyEstimate, VerifyRun } from '../../../contract/verify.ts';
import type { StoredAudit } from '../../store/verify/verify-audits.ts';
import type { Asking, StoredRun } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { createAuditClock } from './audit-clock.ts';
import { estimateAudit } from './estimate.ts';
import { assertFolder, listAudit } from './list-audit.ts';
import type { Lister } from './run-verification.ts';
import type { Verifications } from './verifications.ts';

/** Folders that are remembered. All but `list` reject with not-found. */
export interface Audits {
  list(): readonly Audit[];
  add(connectionId: string, token: string, everyMinutes: number | null): Promise<Audit>;
  plan(auditId: string, everyMinutes: number | null): Audit;
  /** Rejects with bad-input while one of its runs goes on. */
  remove(auditId: string): void;
  estimate(auditId: string, ask: Asking): Promise<VerifyEstimate>;
  /** Rejects with bad-input while one of its runs goes on, not-connected, or file-unreadable where the folder is not there. */
  run(auditId: string, ask: Asking): Promise<VerifyRun>;
  /** For going on with a run whose folder was not looked through to the end. */
  lister(run: StoredRun): Lister | null;
  close(): void;
}

export function createAudits(context: Context, verifications: Verifications): Audits {
  const { audits, verifyRuns } = context.store;
  const known = (auditId: string): StoredAudit => {
    const audit = audits.get(auditId);
    if (!audit) throw appError('not-found', 'no such audit');
    return audit;
  };
  const view = (audit: StoredAudit): Audit => {
    const last = verifyRuns.lastOf(audit.id);
    const lastRun = last && verifications.view(last);
    return {
      auditId: audit.id,
      connectionId: audit.connection_id,
      name: audit.name,
      fileCount: lastRun ? lastRun.total - (lastRun.changes?.gone ?? 0) : 0,
      createdAt: audit.created_at,
      everyMinutes: audit.every_minutes,
      nextAt: audit.next_at,
      lastRun,
    };
  };
  const list = () => audits.all().map(view);
  const changed = () => context.emit('audits.changed', list());
  const starting = new Set<string>();
  const isBusy = (auditId: string) => {
    const last = verifyRuns.lastOf(auditId);
    return last !== null && verifyRuns.isWorkedOn(last);
  };
  const replan = (audit: StoredAudit, everyMinutes: number | null) => {
    audits.plan(audit.id, everyMinutes, everyMinutes === null ? null : minutesFromNow(everyMinutes));
  };
  const begin = async (audit: StoredAudit, ask: Asking, isPlanned: boolean): Promise<VerifyRun> => {
    await assertFolder(audit.path);
    const list = listAudit(context, audit);
    const { connection_id: connectionId, name: title } = audit;
    const started = await verifications.begin({
      connectionId,
      auditId: audit.id,
      title,
      ask,
      total: 0,
      list,
      isPlanned,
    });
    replan(audit, audit.every_minutes);
    return started;
  };
  const run = async (auditId: string, ask: Asking, isPlanned = false): Promise<VerifyRun> => {
    const audit = known(auditId);
    // Twice at the same moment: the second one finds the first.
    if (isBusy(auditId) || starting.has(auditId)) throw appError('bad-input', 'this folder is being looked through');
    starting.add(auditId);
    try {
      return await begin(audit, ask, isPlanned);
    } finally {
      starting.delete(auditId);
    }
  };
  const clock = createAuditClock({
    due: () => audits.all().filter(({ next_at }) => next_at !== null),
    start: async (audit) => {
      // What fails now is tried at the next time, not at once again.
      replan(audit, audit.every_minutes);
      if (isBusy(audit.id) || !context.budget.state().isAutomatic) return;
      await run(audit.id, 'changes', true).catch((error: unknown) =>
        context.ports.log.error('a planned audit did not begin', { code: failureOf(error)?.code ?? 'bug' }),
      );
    },
  });
  verifications.onAudit.add(changed);
  // A command line beside the window must not do the window's work.
  const arm = context.ports.host === 'command-line' ? () => undefined : clock.arm;
  arm();
  return {
    list,
    add: async (connectionId, token, everyMinutes) => {
      await context.connections.get(connectionId);
      const { path, name } = await context.files.folder(token);
      // In one transaction: a command line may be remembering the same folder.
      const audit = context.store.together(() => {
        const there = audits.at(connectionId, path);
        if (there) return there;
        const made = {
          id: randomUUID(),
          connection_id: connectionId,
          path,
          name,
          created_at: new Date().toISOString(),
          every_minutes: null,
          next_at: null,
        };
        audits.add(made);
        return made;
      });
      if (everyMinutes !== null) replan(audit, everyMinutes);
      arm();
      changed();
      return view(known(audit.id));
    },
    plan: (auditId, everyMinutes) => {
      replan(known(auditId), everyMinutes);
      arm();
      changed();
      return view(known(auditId));
    },
    remove: (auditId) => {
      known(auditId);
      if (isBusy(auditId)) throw appError('bad-input', 'this folder is being looked through');
      audits.remove(auditId);
      context.emit('verify.runsChanged', null);
      changed();
    },
    estimate: (auditId, ask) => estimateAudit(context, known(auditId), ask),
    run: (auditId, ask) => run(auditId, ask),
    lister: (stored) =>
      stored.audit_id === null || stored.listing === 0 ? null : listAudit(context, known(stored.audit_id)),
    close: clock.stop,
  };
}

function minutesFromNow(minutes: number): string {
  return new Date(Date.now() + minutes * 60_000).toISOString();
}
