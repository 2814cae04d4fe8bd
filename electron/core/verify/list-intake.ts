import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SkippedFile } from '../../../contract/files.ts';
import type { NewFile } from '../../store/verify/verify-file-versions.ts';
import type { Context } from '../context.ts';
import type { LocalFile } from '../files/local-file.ts';
import type { Lister } from './run-verification.ts';

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
export function newRow({ path, name, folder, sizeBytes }: LocalFile, idx: number): NewFile {
  return { idx, path, name, folder, sortKey: String(idx).padStart(9, '0'), sizeBytes, stamp: null };
}
