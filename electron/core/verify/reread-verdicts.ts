import { type AnswersTable, readVerdict } from '../../soap/answers.ts';
import { ranks, tallyOf } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { recount } from './tally.ts';

/** Gives kept answers the meaning that the table has now, in all runs, and counts these anew. False where nothing changed. */
export function rereadVerdicts({ store }: Context, table: AnswersTable): boolean {
  const { verifyFiles, verifyRuns } = store;
  return store.together(() => {
    let changed = false;
    // By the words as they came: there are few different ones, however many files.
    for (const { raw, answer } of verifyFiles.worded()) {
      const read = readVerdict(raw, table);
      const now = JSON.stringify(read);
      if (now === answer) continue;
      verifyFiles.reword(raw, answer, now, ranks[read.group]);
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
