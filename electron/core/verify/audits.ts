import { randomUUID } from 'node:crypto';
import type { Removed } from '../../../contract/call.ts';
import type { Audit, VerifyRun } from '../../../contract/verify.ts';
import type { Asking, StoredRun } from '../../store/verify/verify-rows.ts';
import type { StoredAudit } from '../../store/verify/verify-runs.ts';
import { appError, failureOf, orNotFound } from '../foundation/app-error.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { assertFolder, listAudit } from './list-audit.ts';
import type { Lister } from './run-verification.ts';
import type { Verifications } from './verifications.ts';
import type { VerifyContext } from './verify-file.ts';

/** Remembered folders. All methods but `list` throw or reject with not-found. */
export type Audits = ReturnType<typeof createAudits>;

export function createAudits(context: VerifyContext, verifications: Verifications) {
  const { audits } = context.store;
  const runs = createAuditRuns(context, verifications, () => changed());
  const known = (auditId: string): StoredAudit => orNotFound(audits.get(auditId), 'no such audit');
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

/** Runs of audits, on demand and planned. `onPlanned`: the next run of one was planned, whether one began or not. */
function createAuditRuns(context: VerifyContext, verifications: Pick<Verifications, 'begin'>, onPlanned: () => void) {
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
      if (!isBusy(audit.id) && context.budget.state().isAutomatic) await run(audit, 'changes', true).catch(logFailure);
      onPlanned();
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
