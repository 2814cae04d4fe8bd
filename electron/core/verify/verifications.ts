import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Removed } from '../../../contract/call.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { SkippedFile } from '../../../contract/files.ts';
import type { CallOutput } from '../../../contract/index.ts';
import type { FileVerdict } from '../../../contract/pdf-signatures.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import { canTryAgain } from '../../../locales/answer-meaning.ts';
import type { NewFile } from '../../store/verify/verify-file-versions.ts';
import type { FileFilter, FoundCount } from '../../store/verify/verify-lists.ts';
import { type Asking, emptyTally, runView, type StoredFile, type StoredRun } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import type { LocalFile } from '../files/local-file.ts';
import { appError, failureOf, orNotFound } from '../foundation/app-error.ts';
import { createLiveRuns, type LiveRuns } from './live-runs.ts';
import { resultView } from './result-view.ts';
import { continueWith, createRetries } from './retries.ts';
import { askAgain, recount } from './run-record.ts';
import type { Lister } from './run-verification.ts';
import type { VerifyContext } from './verify-file.ts';

/** Number of runs kept, of plain runs and of each audit. */
const keptRuns = 100;
const sweptAtOnce = 2_000;

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Parameters of a new run. */
export interface RunOrder {
  /** Null if no service is to be asked. */
  readonly connectionId: string | null;
  readonly auditId: string | null;
  readonly title: string;
  readonly ask: Asking;
  /** Number of files known before they are listed. */
  readonly total: number;
  readonly list: Lister;
  /** True if the program started the run, not a person. */
  readonly isPlanned: boolean;
}

/**
 * Runs of ValidateDocument over many files. The call is a read and can be repeated, so runs are not in the ledger. They are kept in the store; each
 * is a task while it is going on.
 */
export type Verifications = ReturnType<typeof createVerifications>;

export function createVerifications(context: VerifyContext) {
  const { verifyRuns } = context.store;
  verifyRuns.adopt();
  const runs = createLiveRuns(context);
  const sweep = createSweep(context);
  const begin = async ({ connectionId, auditId, title, ask, ...how }: RunOrder) => {
    const trouble = connectionId === null ? null : await troubleWith(context, connectionId, how.isPlanned);
    for (const old of verifyRuns.beyond(auditId, keptRuns - 1)) verifyRuns.remove(old.id);
    void sweep();
    return runs.go(verifyRuns.add({ id: randomUUID(), auditId, connectionId: connectionId ?? '', title, ask }), {
      ...how,
      trouble,
    });
  };
  void sweep();
  return {
    begin,
    /** Rejects with not-found. */
    start: async (connectionId: string | null, intakeId: string): Promise<VerifyRun> => {
      const files = await context.files.intake(intakeId);
      const list = listSelection(context, files, await context.files.leftOut(intakeId));
      const [title, total] = [titleOf(files), files.length];
      return begin({ connectionId, auditId: null, title, ask: 'changes', total, list, isPlanned: false });
    },
    /** Adds files to a run; rejects as `addFiles` does. */
    add: (runId: string, intakeId: string): Promise<VerifyRun> => addFiles(context, runs, runId, intakeId),
    /** Throws not-found, and bad-input while the run is going on or if it is the latest of an audit. */
    forget: (runId: string): Removed => {
      const run = runs.stored(runId);
      if (verifyRuns.isWorkedOn(run)) throw appError('bad-input', 'the verification is going on');
      if (run.audit_id !== null && verifyRuns.lastOf(run.audit_id)?.seq === run.seq)
        throw appError('bad-input', 'the last run of a folder is what the next one is compared with');
      return context.removals.keep(
        verifyRuns.hide(runId),
        () => runs.changed(run),
        () => {
          verifyRuns.remove(runId);
          void sweep();
        },
      );
    },
    ...createRetries(context, runs),
    ...createRunQueries(context, runs),
    stored: runs.stored,
    view: runs.view,
    onAudit: runs.onAudit,
  };
}

/** Null if the service can be asked, the failure if credentials are missing: then the files are only looked at. What nobody started rejects with it. */
async function troubleWith(context: VerifyContext, connectionId: string, isPlanned: boolean): Promise<Failure | null> {
  try {
    await context.connections.client(connectionId);
    return null;
  } catch (error) {
    const failure = failureOf(error);
    if (isPlanned || failure?.code !== 'not-connected') throw error;
    return failure;
  }
}

/** Removes the rows of removed runs in batches. Never rejects: rows that cannot be removed now are removed by the next sweep. */
function createSweep({ store, tasks, ports }: VerifyContext): () => Promise<void> {
  return async () => {
    try {
      while (!tasks.isClosing && store.verifyFiles.sweep(sweptAtOnce)) await nextTurn();
    } catch (error) {
      ports.log.error('rows of removed verifications were not removed', { code: failureOf(error)?.code });
    }
  };
}

/** Queries about runs. All but `runs` throw not-found. */
function createRunQueries({ store }: VerifyContext, runs: LiveRuns) {
  const { verifyRuns, verifyFiles } = store;
  /** The counters of what a search leaves of a run. */
  const counted = (run: StoredRun, found: readonly FoundCount[]) => {
    const tally = emptyTally();
    recount(tally, found, run.audit_id === null ? [] : found);
    const { counts, changes } = runView(run, tally);
    return { counts, changes };
  };
  return {
    results: (runId: string, page: Page & FileFilter): CallOutput<'verify.results'> => {
      const run = runs.stored(runId);
      const { rows, total, found } = verifyFiles.page(run, page);
      const live = runs.get(runId);
      const view = resultView(store, run);
      const results = rows.map((row) => view(row, live?.isAsking(row.seq)));
      const ownCounts: Partial<Record<FileVerdict, number>> = {};
      for (const { verdict, n } of found ?? verifyFiles.ownCounts(run))
        if (verdict !== null) ownCounts[verdict] = (ownCounts[verdict] ?? 0) + n;
      const againCount = verifyFiles
        .withoutAnswer(run)
        .reduce((sum, { answer, n }) => (canTryAgain(JSON.parse(answer)) ? sum + n : sum), 0);
      return {
        run: runs.view(run),
        results,
        total,
        found: found && counted(run, found),
        ownCounts,
        againCount,
      };
    },
    leftOut: (runId: string, page: Page): { readonly files: readonly SkippedFile[]; readonly total: number } =>
      verifyRuns.leftOut(runs.stored(runId), page),
    runs: (page: Page): { readonly runs: readonly VerifyRun[]; readonly total: number } => {
      const { rows, total } = verifyRuns.list(page);
      return { runs: rows.map(runs.view), total };
    },
    row: (runId: string, index: number): { readonly run: StoredRun; readonly row: StoredFile } => {
      const run = runs.stored(runId);
      const row = orNotFound(verifyFiles.inRun(run, index), 'no such file in this verification');
      return { run, row };
    },
  };
}

/** The name of the folder if all files came from one, else the first file's name. */
function titleOf(files: readonly LocalFile[]): string {
  const [first] = files;
  if (!first) return '';
  const folder = first.folder.split('/', 1)[0] ?? '';
  const isOne = folder !== '' && files.every((file) => file.folder === folder || file.folder.startsWith(`${folder}/`));
  return isOne ? folder : first.name;
}

/**
 * Adds the files of an intake to a run, which continues. A file that the run already has is verified once more, in its row. Rejects with not-found,
 * and with bad-input for a run of an audit, whose files are those of its folder, and while files of the run are being listed.
 */
async function addFiles(context: Context, runs: LiveRuns, runId: string, intakeId: string): Promise<VerifyRun> {
  const { verifyRuns, verifyFiles } = context.store;
  const [files, leftOut] = [await context.files.intake(intakeId), await context.files.leftOut(intakeId)];
  const run = runs.stored(runId);
  if (run.audit_id !== null) throw appError('bad-input', 'the files of an audit are those of its folder');
  if (run.listing === 1) throw appError('bad-input', 'files of this verification are still being listed');
  if (!runs.get(runId) && verifyRuns.isWorkedOn(run))
    throw appError('bad-input', 'another program works on this verification');
  await continueWith(context, runs, run, (tally) => {
    let next = verifyFiles.nextIdx(run.scope);
    const add = (file: LocalFile) => {
      verifyFiles.add(run, newRow(file, next));
      next += 1;
      tally.total += 1;
    };
    for (const file of files) {
      const known = verifyFiles.open(run.scope, file.path);
      if (known) askAgain(context, run, tally, [known]);
      else add(file);
    }
    const before = verifyRuns.leftOut(run, { offset: 0, limit: Number.MAX_SAFE_INTEGER }).files;
    verifyRuns.putLeftOut(run, [...before, ...leftOut]);
    tally.leftOut = before.length + leftOut.length;
  });
  return runs.view(runs.stored(runId));
}

const rowsAtOnce = 200;

/** Lists the dropped files in their order. Not interruptible: the intake is gone when the run is resumed. */
function listSelection(context: Context, files: readonly LocalFile[], leftOut: readonly SkippedFile[]): Lister {
  return async ({ run, tally, write }) => {
    tally.total = files.length;
    tally.leftOut = leftOut.length;
    await nextTurn();
    for (let at = 0; at < Math.max(files.length, 1); at += rowsAtOnce) {
      await write(() => {
        if (at === 0) context.store.verifyRuns.putLeftOut(run, leftOut);
        files.slice(at, at + rowsAtOnce).forEach((file, offset) => {
          context.store.verifyFiles.add(run, newRow(file, at + offset));
        });
      });
      await nextTurn();
    }
  };
}

/** The row of a chosen file; `idx`: its place in the run. */
function newRow({ path, name, folder, sizeBytes }: LocalFile, idx: number): NewFile {
  return { idx, path, name, folder, sortKey: String(idx).padStart(9, '0'), sizeBytes, stamp: null };
}
