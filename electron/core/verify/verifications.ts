import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { VerdictGroup } from '../../../contract/answer.ts';
import type { SkippedFile } from '../../../contract/files.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { FileChange, VerifyResult } from '../../../contract/verify-result.ts';
import {
  type Asking,
  pendingRank,
  runView,
  type StoredFile,
  type StoredRun,
  tallyOf,
} from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import type { LocalFile } from '../files/local-file.ts';
import { appError } from '../foundation/app-error.ts';
import { createCallPace } from './call-pace.ts';
import { listSelection } from './list-intake.ts';
import { rereadVerdicts } from './reread-verdicts.ts';
import { resultView } from './result-view.ts';
import { askAgain } from './run-record.ts';
import { type Lister, type LiveRun, runVerification } from './run-verification.ts';

/** Of plain runs, and of each audit. */
const keptRuns = 100;
const sweptAtOnce = 2_000;

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** A run that is to begin. */
export interface RunOrder {
  readonly connectionId: string;
  readonly auditId: string | null;
  readonly title: string;
  readonly ask: Asking;
  /** How many files are known before they are listed. */
  readonly total: number;
  readonly list: Lister;
  /** Begun by the program and not by a person. */
  readonly isPlanned: boolean;
}

/** Runs of ValidateDocument over many files. A read: free to repeat, nothing of it is in the ledger. Kept in the store. */
export interface Verifications {
  /** Answers at once; results are told in `verify.progressed`. Rejects with not-found or not-connected. */
  start(connectionId: string, intakeId: string): Promise<VerifyRun>;
  begin(order: RunOrder): Promise<VerifyRun>;
  /** What is being asked is broken off and stays without answer; what was not asked stays pending. Rejects with not-found. */
  stop(runId: string): Promise<void>;
  /** Goes on with what has no answer yet. `list` for a run whose files are not all listed. Rejects with not-found or bad-input. */
  resume(runId: string, list: (run: StoredRun) => Lister | null): Promise<VerifyRun>;
  /** Asks once more about one file. Rejects with not-found, or bad-input while it is being asked. */
  tryAgain(runId: string, index: number): Promise<void>;
  /** Answers how many files it is. */
  tryGroupAgain(runId: string, group: VerdictGroup): Promise<number>;
  results(
    runId: string,
    page: Page & { readonly group?: VerdictGroup | undefined; readonly change?: FileChange | undefined },
  ): { readonly run: VerifyRun; readonly results: readonly VerifyResult[]; readonly total: number };
  leftOut(runId: string, page: Page): { readonly files: readonly SkippedFile[]; readonly total: number };
  runs(page: Page): { readonly runs: readonly VerifyRun[]; readonly total: number };
  view(run: StoredRun): VerifyRun;
  /** Written to its last answer. Rejects with not-found. */
  stored(runId: string): StoredRun;
  row(runId: string, index: number): { readonly run: StoredRun; readonly row: StoredFile };
  forget(runId: string): void;
  /** Told the id of an audit when one of its runs began or ended. */
  readonly onAudit: Set<(auditId: string) => void>;
  close(): Promise<void>;
}

export function createVerifications(context: Context): Verifications {
  const { verifyRuns, verifyFiles } = context.store;
  const live = new Map<string, LiveRun>();
  const pace = createCallPace();
  const onAudit = new Set<(auditId: string) => void>();
  let closing = false;
  verifyRuns.adopt();
  context.answers.onMeanings.add((table) => {
    for (const run of live.values()) run.flush();
    if (!rereadVerdicts(context, table)) return;
    for (const run of live.values()) run.recount();
    if (!closing) context.emit('verify.runsChanged', null);
  });

  const tellRuns = (run: StoredRun) => {
    if (closing) return;
    context.emit('verify.runsChanged', null);
    if (run.audit_id !== null) for (const tell of onAudit) tell(run.audit_id);
  };
  const stored = (runId: string): StoredRun => {
    live.get(runId)?.flush();
    const run = verifyRuns.get(runId);
    if (!run) throw appError('not-found', 'no such verification');
    return run;
  };
  const view = (run: StoredRun): VerifyRun => live.get(run.id)?.view() ?? runView(run);
  const go = async (run: StoredRun, list: Lister | null, total: number, isPlanned = false): Promise<VerifyRun> => {
    const { parallel, verifyPerMinute } = await context.connections.get(run.connection_id);
    if (closing) throw appError('cancelled', 'the program is closing');
    const tally = tallyOf(run);
    tally.total ||= total;
    const onEnd = () => {
      live.delete(run.id);
      tellRuns(run);
    };
    const started = runVerification(context, {
      run,
      tally,
      list,
      parallel,
      perMinute: verifyPerMinute,
      pace,
      isPlanned,
      onEnd,
    });
    live.set(run.id, started);
    tellRuns(run);
    return started.view();
  };
  /** Only the latest run of an audit may change: the others are history. */
  const changeable = (runId: string): StoredRun => {
    const run = stored(runId);
    if (!live.has(runId) && verifyRuns.isWorkedOn(run))
      throw appError('bad-input', 'another program works on this verification');
    if (run.audit_id !== null && verifyRuns.lastOf(run.audit_id)?.seq !== run.seq)
      throw appError('bad-input', 'a later run of this folder is there: ask in that one');
    return run;
  };
  const again = async (run: StoredRun, rows: readonly StoredFile[]) => {
    // Without credentials nothing is begun.
    await context.connections.client(run.connection_id);
    const running = live.get(run.id);
    if (running) return running.change((tally) => askAgain(context, run, tally, rows));
    const tally = tallyOf(run);
    context.store.together(() => {
      askAgain(context, run, tally, rows);
      const listing = run.listing === 1;
      verifyRuns.save(
        run.id,
        { state: 'running', listing, trouble: null, activeMs: run.active_ms, endedAt: null },
        tally,
      );
      verifyRuns.take(run.id);
    });
    await go(stored(run.id), null, 0);
  };
  const sweep = async () => {
    while (!closing && verifyFiles.sweep(sweptAtOnce)) await nextTurn();
  };
  const makeRoom = (auditId: string | null) => {
    for (const run of verifyRuns.beyond(auditId, keptRuns - 1)) verifyRuns.remove(run);
    void sweep();
  };
  const begin: Verifications['begin'] = async ({ connectionId, auditId, title, ask, total, list, isPlanned }) => {
    // Without credentials nothing is begun.
    await context.connections.client(connectionId);
    makeRoom(auditId);
    const run = verifyRuns.add({ id: randomUUID(), auditId, connectionId, title, ask });
    return go(run, list, total, isPlanned);
  };
  void sweep();

  return {
    begin,
    start: async (connectionId, intakeId) => {
      const files = await context.files.intake(intakeId);
      const leftOut = await context.files.leftOut(intakeId);
      const list = listSelection(context, files, leftOut);
      const total = files.length;
      return begin({
        connectionId,
        auditId: null,
        title: titleOf(files),
        ask: 'changes',
        total,
        list,
        isPlanned: false,
      });
    },
    stop: async (runId) => {
      const running = live.get(runId);
      if (!running) return void stored(runId);
      running.stop();
      await running.ended;
    },
    resume: async (runId, list) => {
      const run = changeable(runId);
      if (live.has(runId)) throw appError('bad-input', 'the verification is going on');
      await context.connections.client(run.connection_id);
      const lister = list(run);
      verifyRuns.take(runId);
      return go(stored(runId), lister, 0);
    },
    tryAgain: async (runId, index) => {
      const run = changeable(runId);
      const row = verifyFiles.inRun(run, index);
      if (!row) throw appError('not-found', 'no such file in this verification');
      if (row.rank === pendingRank) throw appError('bad-input', 'the file is being asked about');
      await again(run, [row]);
    },
    tryGroupAgain: async (runId, group) => {
      const run = changeable(runId);
      const { rows } = verifyFiles.page(run, { group, offset: 0, limit: Number.MAX_SAFE_INTEGER });
      if (rows.length > 0) await again(run, rows);
      return rows.length;
    },
    results: (runId, page) => {
      const run = stored(runId);
      const { rows, total } = verifyFiles.page(run, page);
      const running = live.get(runId);
      const results = rows.map((row) => resultView(context.store, run, row, running?.isAsking(row.seq)));
      return { run: view(run), results, total };
    },
    leftOut: (runId, page) => verifyRuns.leftOut(stored(runId), page),
    runs: (page) => {
      const { rows, total } = verifyRuns.list(page);
      return { runs: rows.map(view), total };
    },
    view,
    stored,
    row: (runId, index) => {
      const run = stored(runId);
      const row = verifyFiles.inRun(run, index);
      if (!row) throw appError('not-found', 'no such file in this verification');
      return { run, row };
    },
    forget: (runId) => {
      const run = stored(runId);
      if (verifyRuns.isWorkedOn(run)) throw appError('bad-input', 'the verification is going on');
      if (run.audit_id !== null && verifyRuns.lastOf(run.audit_id)?.seq === run.seq)
        throw appError('bad-input', 'the last run of a folder is what the next one is compared with');
      verifyRuns.remove(run);
      tellRuns(run);
      void sweep();
    },
    onAudit,
    close: async () => {
      closing = true;
      const running = [...live.values()];
      for (const run of running) run.stop();
      await Promise.all(running.map(({ ended }) => ended));
    },
  };
}

/** The folder's name where all came from one, else the first file's. */
function titleOf(files: readonly LocalFile[]): string {
  const [first] = files;
  if (!first) return '';
  const folder = first.folder.split('/', 1)[0] ?? '';
  const isOne = folder !== '' && files.every((file) => file.folder === folder || file.folder.startsWith(`${folder}/`));
  return isOne ? folder : first.name;
}
