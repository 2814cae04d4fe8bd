import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SkippedFile } from '../../../contract/files.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { NewFile } from '../../store/verify/verify-file-versions.ts';
import type { Context } from '../context.ts';
import type { LocalFile } from '../files/local-file.ts';
import { appError } from '../foundation/app-error.ts';
import type { LiveRuns } from './live-runs.ts';
import { continueWith } from './retries.ts';
import { askAgain } from './run-record.ts';
import type { Lister } from './run-verification.ts';

/**
 * Adds the files of an intake to a run, which continues. A file that the run already has is verified once more, in its row. Rejects with not-found,
 * and with bad-input for a run of an audit, whose files are those of its folder, and while files of the run are being listed.
 */
export async function addFiles(context: Context, runs: LiveRuns, runId: string, intakeId: string): Promise<VerifyRun> {
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
export function listSelection(context: Context, files: readonly LocalFile[], leftOut: readonly SkippedFile[]): Lister {
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
