import { randomUUID } from 'node:crypto';
import type { Audit } from '../../../contract/audits.ts';
import type { Removed } from '../../../contract/removals.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { StoredAudit } from '../../store/verify/verify-audits.ts';
import type { Asking, StoredRun } from '../../store/verify/verify-rows.ts';
import { appError } from '../foundation/app-error.ts';
import { createAuditRuns } from './audit-runs.ts';
import { listAudit } from './list-audit.ts';
import type { Lister } from './run-verification.ts';
import type { Verifications } from './verifications.ts';
import type { VerifyContext } from './verify-context.ts';

/** Remembered folders. All methods but `list` throw or reject with not-found. */
export type Audits = ReturnType<typeof createAudits>;

export function createAudits(context: VerifyContext, verifications: Verifications) {
  const { audits } = context.store;
  const runs = createAuditRuns(context, verifications);
  const known = (auditId: string): StoredAudit => {
    const audit = audits.get(auditId);
    if (!audit) throw appError('not-found', 'no such audit');
    return audit;
  };
  const list = () => audits.all().map((audit) => viewOf(context, verifications, audit));
  const changed = () => context.emit('audits.changed', list());
  const view = (auditId: string) => viewOf(context, verifications, known(auditId));
  verifications.onAudit.add(changed);
  void context.removals.endLeft(audits.leftHidden(), audits.remove);
  return {
    list,
    add: async (connectionId: string, token: string, everyMinutes: number | null): Promise<Audit> => {
      await context.connections.get(connectionId);
      const { path, name } = await context.files.folder(token);
      const audit = remember(context, connectionId, path, name);
      if (everyMinutes === null) runs.plansChanged();
      else runs.plan(audit, everyMinutes);
      changed();
      return view(audit.id);
    },
    plan: (auditId: string, everyMinutes: number | null): Audit => {
      runs.plan(known(auditId), everyMinutes);
      changed();
      return view(auditId);
    },
    /** Throws bad-input while one of its runs is going on. Its runs go with it, and come back with it. */
    remove: (auditId: string): Removed => {
      if (runs.isBusy(known(auditId).id)) throw appError('bad-input', 'this folder is being looked through');
      return context.removals.keep(
        audits.hide(auditId),
        () => {
          context.emit('verify.runsChanged', null);
          runs.plansChanged();
          changed();
        },
        () => audits.remove(auditId),
      );
    },
    /** Rejects with bad-input while one of its runs is going on, with not-connected, and with file-unreadable if the folder does not exist. */
    run: async (auditId: string, ask: Asking): Promise<VerifyRun> => runs.run(known(auditId), ask),
    /** The lister for resuming a run whose folder was not completely listed; null if it was. */
    lister: (stored: StoredRun): Lister | null =>
      stored.audit_id === null || stored.listing === 0 ? null : listAudit(context, known(stored.audit_id)),
    /** Starts no more planned runs. */
    close: runs.close,
  };
}

function viewOf({ store }: VerifyContext, verifications: Verifications, audit: StoredAudit): Audit {
  const last = store.verifyRuns.lastOf(audit.id);
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
}

/** In one transaction, because a command line may add the same folder at the same time. */
function remember({ store }: VerifyContext, connectionId: string, path: string, name: string): StoredAudit {
  return store.together(() => {
    const there = store.audits.at(connectionId, path);
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
    store.audits.add(made);
    return made;
  });
}
