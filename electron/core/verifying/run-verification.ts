import type { VerifyResult, VerifyRun } from '../../../contract/verify.ts';
import type { Context, LocalFile } from '../context.ts';
import { failing } from '../failing.ts';
import { throttled } from '../throttled.ts';
import { verifyFile } from './verify-file.ts';
import { viewOfRun } from './verify-results.ts';

const tellEveryMs = 100;
/** More changes than this are told in the next turns. */
const resultsPerEvent = 500;

export interface Verification {
  readonly runId: string;
  readonly connectionId: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly results: readonly VerifyResult[];
  state(): VerifyRun['state'];
  stop(): void;
  tryAgain(index: number): void;
  /** Resolves when nothing is asked any more. */
  idle(): Promise<void>;
}

interface Order {
  readonly runId: string;
  readonly connectionId: string;
  readonly files: readonly LocalFile[];
  readonly parallel: number;
}

/** Asks about all files, so many at the same time, in the order of the drop. Begins at once. */
export function runVerification(context: Context, { runId, connectionId, files, parallel }: Order): Verification {
  const results = files.map(pending);
  const queue = results.map(({ index }) => index).reverse();
  const asking = new Map<number, Promise<void>>();
  let stopping = new AbortController();
  const change = (index: number, changed: Partial<VerifyResult>) => {
    const result = results[index];
    if (!result) return;
    results[index] = { ...result, ...changed };
    changes.mark(index);
  };
  const state = () => {
    if (asking.size > 0) return 'running';
    return results.every((result) => result.state === 'answered') ? 'finished' : 'stopped';
  };
  const ask = async (index: number, file: LocalFile) => {
    // Not before it counts as being asked: else the first event would say that the run has stopped.
    await Promise.resolve();
    change(index, { state: 'asking', answer: null, raw: null, failure: null });
    change(index, await verifyFile(context, connectionId, file, stopping.signal));
  };
  const fill = () => {
    while (asking.size < parallel && !stopping.signal.aborted) {
      const index = queue.pop();
      const file = index === undefined ? undefined : files[index];
      if (index === undefined || !file) break;
      const asked = ask(index, file).finally(() => {
        asking.delete(index);
        fill();
        if (asking.size === 0) changes.flush();
      });
      asking.set(index, asked);
    }
  };
  const run: Verification = {
    runId,
    connectionId,
    startedAt: new Date().toISOString(),
    results,
    state,
    stop: () => {
      stopping.abort();
      queue.length = 0;
      if (asking.size === 0) changes.flush();
    },
    tryAgain: (index) => {
      const result = results[index];
      if (!result) throw failing('not-found', 'no such file in this verification');
      if (asking.has(index) || queue.includes(index)) throw failing('bad-input', 'the file is being asked about');
      if (stopping.signal.aborted) stopping = new AbortController();
      change(index, { state: 'pending', answer: null, failure: null, raw: null });
      queue.push(index);
      fill();
    },
    idle: async () => {
      await Promise.allSettled([...asking.values()]);
    },
  };
  const changes = tellChanges(context, run);
  fill();
  return run;
}

function pending(file: LocalFile, index: number): VerifyResult {
  return {
    index,
    name: file.name,
    folder: file.folder,
    sizeBytes: file.sizeBytes,
    sha256: null,
    state: 'pending',
    answer: null,
    raw: null,
    failure: null,
    askedAt: null,
    knownHere: null,
    qualification: null,
    change: null,
    earlier: null,
    comparison: null,
  };
}

/** Tells `verify.progressed` at most ten times a second with the results that changed since. */
function tellChanges(context: Context, run: Verification): { mark(index: number): void; flush(): void } {
  const marked = new Set<number>();
  const tell = throttled(tellEveryMs, () => {
    const indices = [...marked].slice(0, resultsPerEvent);
    for (const index of indices) marked.delete(index);
    const results = indices.map((index) => run.results[index]).filter((result) => result !== undefined);
    context.emit('verify.progressed', { run: viewOfRun(run), results });
    if (marked.size > 0) tell.request();
  });
  return {
    mark: (index) => {
      marked.add(index);
      tell.request();
    },
    // The end of a run is always told, although no result changed after the last event.
    flush: () => tell.request(),
  };
}
