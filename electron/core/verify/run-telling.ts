import type { StoredFile, StoredRun } from '../../store/verify/verify-rows.ts';
import type { Context } from '../context.ts';
import { throttled } from '../foundation/throttled.ts';
import { resultView } from './result-view.ts';
import type { RunRecord } from './run-record.ts';

const tellEveryMs = 100;
/** More changes than this are told in the next turns. */
const resultsPerEvent = 500;

/** Tells `verify.progressed` at most ten times a second with the results that changed since. */
export interface RunEvents {
  mark(rows: readonly StoredFile[]): void;
  /** Also without a result that changed. */
  request(): void;
  /** Tells all that is left at once, the end of the run with it, and nothing after: the store may be closed then. */
  end(): void;
}

interface Asking {
  readonly isAsking: (seq: number) => boolean;
  readonly beforeTelling: () => void;
}

export function createRunEvents(
  context: Context,
  run: StoredRun,
  record: RunRecord,
  { isAsking, beforeTelling }: Asking,
): RunEvents {
  const marked = new Map<number, StoredFile>();
  const tellSome = () => {
    const rows = [...marked.values()].slice(0, resultsPerEvent);
    for (const { idx } of rows) marked.delete(idx);
    const results = rows.map((row) => resultView(context.store, run, row, isAsking(row.seq)));
    context.emit('verify.progressed', { run: record.view(), results });
  };
  const tell = throttled(tellEveryMs, () => {
    beforeTelling();
    tellSome();
    if (marked.size > 0) tell.request();
  });
  return {
    mark: (rows) => {
      for (const row of rows) marked.set(row.idx, row);
      if (rows.length > 0) tell.request();
    },
    request: tell.request,
    end: () => {
      tell.request();
      tell.flush();
      while (marked.size > 0) tellSome();
      tell.stop();
    },
  };
}
