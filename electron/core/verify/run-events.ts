import type { StoredFile, StoredRun } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { resultView } from './result-view.ts';

/** Maximum of results per event; more results go with the next event. */
const resultsPerEvent = 500;

/** Publishes the changed results of a run in `verify.answered`. Its task decides when. */
export type RunEvents = ReturnType<typeof createRunEvents>;

export function createRunEvents(context: Context, run: StoredRun, isAsking: (seq: number) => boolean) {
  const view = resultView(context.store, run);
  const marked = new Map<number, StoredFile>();
  return {
    mark: (rows: readonly StoredFile[]): void => {
      for (const row of rows) marked.set(row.idx, row);
    },
    /** Publishes some of the marked results. True if others are left. */
    publish: (): boolean => {
      if (marked.size === 0) return false;
      const rows = [...marked.values()].slice(0, resultsPerEvent);
      for (const { idx } of rows) marked.delete(idx);
      const results = rows.map((row) => view(row, isAsking(row.seq)));
      context.emit('verify.answered', { runId: run.id, results });
      return marked.size > 0;
    },
  };
}
