import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, VerdictGroup } from '../../../contract/answers.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import { readVerdict } from '../../soap/reply/answers.ts';
import { ranks, runView, type StoredRun, tallyOf } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { orNotFound } from '../foundation/app-error.ts';
import { createPace } from '../lasting-work/lanes.ts';
import { createReadRuns, goesOn } from '../lasting-work/read-runs.ts';
import { createRunRecord, type RunRecord, recount } from './run-record.ts';
import { type Lister, type LiveRun, runVerification, type VerifyEngine } from './run-verification.ts';
import { aboutNoPdf, type VerifyContext } from './verify-file.ts';

/** Runs that are going on, and stored runs including answers that are not written yet. */
export interface LiveRuns {
  /**
   * Starts the task of a stored run. `list`: null if all files are listed; `total`: number of files known before listing. Rejects with not-found or
   * cancelled.
   */
  go(
    run: StoredRun,
    how: {
      readonly list: Lister | null;
      readonly total: number;
      readonly isPlanned: boolean;
      /** Why the service cannot be asked; otherwise null. */
      readonly trouble: Failure | null;
    },
  ): Promise<VerifyRun>;
  get(runId: string): LiveRun | undefined;
  /** The stored run, after all its answers were written. Throws not-found. */
  stored(runId: string): StoredRun;
  view(run: StoredRun): VerifyRun;
  /** To be called when a run started, ended or was removed. */
  changed(run: StoredRun): void;
  /** Called with the ID of an audit when one of its runs started, ended or was removed. */
  readonly onAudit: Set<(auditId: string) => void>;
}

/** Number of ended tasks kept; their results are in the store. */
const known = 20;

export function createLiveRuns(context: VerifyContext): LiveRuns {
  const { tasks, store } = context;
  const runs = tasks.ofKind('verification', { known });
  const live = new Map<string, LiveRun>();
  const pace = createPace();
  const engine: VerifyEngine = createReadRuns({
    kind: 'verification',
    atOnce: () => context.settings.preferences().atOnce,
    breakers: context.breakers,
    log: context.ports.log,
  });
  const onAudit = new Set<(auditId: string) => void>();
  rereadWithAnswers(context, live);

  const changed = (run: StoredRun) => {
    if (tasks.isClosing) return;
    context.emit('verify.runsChanged', null);
    if (run.audit_id !== null) for (const listener of onAudit) listener(run.audit_id);
  };
  return {
    go: async (run, { list, total, isPlanned, trouble }) => {
      const { parallel, verifyPerMinute: perMinute } = await paceOf(context, run);
      const tally = tallyOf(run);
      tally.total ||= total;
      const record = createRunRecord(context, run, tally, list === null);
      const onEnd = () => {
        live.delete(run.id);
        changed(run);
        if (store.verifyRuns.get(run.id)?.state === 'running') void storeEnd(context, record).then(() => changed(run));
      };
      runs.start({ taskId: run.id, progress: { run: record.view(), ...goesOn }, data: null }, (task) => {
        const order = { run, record, list, parallel, perMinute, pace, isPlanned, trouble, onEnd };
        const started = runVerification(context, engine, order, task);
        live.set(run.id, started.live);
        return started.ended;
      });
      changed(run);
      return record.view();
    },
    get: (runId) => live.get(runId),
    stored: (runId) => {
      live.get(runId)?.flush();
      return orNotFound(store.verifyRuns.get(runId), 'no such verification');
    },
    view: (run) => live.get(run.id)?.view() ?? runView(run),
    changed,
    onAudit,
  };
}

/** Stores an end that could not be stored, as on a full disk, once there is room: until then nobody can resume the run. Never rejects. */
async function storeEnd({ tasks, pauses }: VerifyContext, record: RunRecord): Promise<void> {
  while (!tasks.isClosing) {
    try {
      return record.write(() => undefined);
    } catch {
      // The task has said why.
      await sleep(pauses.ledgerMs, undefined, { ref: false });
    }
  }
}

/** Files at once if nobody is asked: one worker reads the signatures, while others are hashed. */
const lookedAtOnce = 4;

async function paceOf(
  context: VerifyContext,
  { connection_id }: StoredRun,
): Promise<{ readonly parallel: number; readonly verifyPerMinute?: number | undefined }> {
  return connection_id === '' ? { parallel: lookedAtOnce } : context.connections.get(connection_id);
}

/** Applies changed meanings of answers to stored results, also in runs that are going on. */
function rereadWithAnswers(context: VerifyContext, live: ReadonlyMap<string, LiveRun>): void {
  context.answers.onMeanings.add(() => {
    for (const run of live.values()) run.flush();
    if (!rereadVerdicts(context)) return;
    for (const run of live.values()) run.recount();
    if (!context.tasks.isClosing) context.emit('verify.runsChanged', null);
  });
}

/** Applies the current meanings to all stored answers and recounts their runs. False if nothing changed. */
function rereadVerdicts({ store, answers }: Context): boolean {
  const { verifyFiles, verifyRuns } = store;
  return store.together(() => {
    let changed = false;
    // Grouped by the original words, because there are few different ones even for many files.
    for (const { connectionId, raw, answer } of verifyFiles.worded()) {
      const words = readVerdict(raw, answers.table(connectionId));
      const { group } = JSON.parse(answer) as Answer<VerdictGroup>;
      const read = group === 'not-pdf' ? aboutNoPdf(words) : words;
      const now = JSON.stringify(read);
      if (now === answer) continue;
      verifyFiles.reword(connectionId, raw, answer, now, ranks[read.group]);
      changed = true;
    }
    if (!changed) return false;
    for (const run of verifyRuns.list({ offset: 0, limit: Number.MAX_SAFE_INTEGER }).rows) {
      const tally = tallyOf(run);
      recount(tally, verifyFiles.countsIn(run), verifyFiles.changedCounts(run));
      verifyRuns.saveTally(run.id, tally);
    }
    return true;
  });
}
