import { readVerdict } from '../../soap/reply/answers.ts';
import { ranks, tallyOf } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { recount } from './tally.ts';

/** Applies the current meanings to all stored answers and recounts their runs. False if nothing changed. */
export function rereadVerdicts({ store, answers }: Context): boolean {
  const { verifyFiles, verifyRuns } = store;
  return store.together(() => {
    let changed = false;
    // Grouped by the original words, because there are few different ones even for many files.
    for (const { connectionId, raw, answer } of verifyFiles.worded()) {
      const read = readVerdict(raw, answers.table(connectionId));
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
