import type { Listen } from '../../../contract/client.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { Ask, CallInput, EventValue } from '../../../contract/index.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { VerifyResult } from '../../../contract/verify-result.ts';

/** Which results of a run. */
export type ResultFilter = Pick<CallInput<'verify.results'>, 'group' | 'change'>;

/** What a window knows of a run now. */
export interface RunSnapshot {
  /** Null until the first read has come. */
  readonly run: VerifyRun | null;
  /** Of the filter. */
  readonly total: number;
  /** By place in the order of the core: failures first. Only what was looked at lately is here. */
  readonly rows: ReadonlyMap<number, VerifyResult>;
  /** Why the last read failed; what was read before stays. */
  readonly failure: Failure | null;
}

export interface RunReader {
  sight(): RunSnapshot;
  /** These places are being looked at: they are read where they are not known, and again as the run goes on. */
  lookAt(first: number, last: number): void;
  readAgain(): void;
  stop(): void;
}

export interface ReaderDoor {
  readonly ask: Ask;
  readonly listen: Listen;
}

const pageSize = 100;
/** While a run goes on its order is read anew this often at most; what changed in rows that are here is shown at once. */
const pauseMs = 400;

export const emptySnapshot: RunSnapshot = { run: null, total: 0, rows: new Map(), failure: null };

/**
 * Follows one run: listens first, then reads, so that nothing is missed. Answers come later than they were made: whatever is told while a
 * read is under way is newer than the read and stands over it, and is read anew afterwards. Every told change leads to a read that began
 * after it, so the last state is always reached.
 */
export function followRun(
  door: ReaderDoor,
  runId: string,
  filter: ResultFilter,
  changed: () => void,
  pause: number = pauseMs,
): RunReader {
  let sight = emptySnapshot;
  let wanted = { first: 0, last: 0 };
  let isStopped = false;
  let isReading = false;
  /** Something was told, or other places are looked at, since the last read began. */
  let isStale = true;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let told: { run: VerifyRun | null; readonly results: Map<number, VerifyResult> } = { run: null, results: new Map() };

  const show = (next: Partial<RunSnapshot>) => {
    sight = { ...sight, ...next };
    changed();
  };
  const read = async () => {
    clearTimeout(timer);
    timer = undefined;
    if (isReading || isStopped) return;
    isReading = true;
    isStale = false;
    told = { run: null, results: new Map() };
    const pages = await readPages(door.ask, runId, filter, wanted);
    isReading = false;
    if (isStopped) return;
    show(pages.failure ? { failure: pages.failure } : afterRead(pages, told));
    // A read that failed is not repeated by itself: the next event or the person does.
    if (isStale && !pages.failure) schedule();
  };
  const schedule = () => {
    isStale = true;
    if (isReading || isStopped) return;
    // The end of a run is shown at once.
    timer ??= setTimeout(() => void read(), sight.run?.state === 'running' ? pause : 0);
  };
  const stops = [
    door.listen('verify.progressed', (value) => {
      if (value.run.runId !== runId) return;
      take(value);
    }),
    door.listen('verify.compared', (value) => {
      const known = [...sight.rows.values()].find((row) => row.index === value.index);
      if (value.runId !== runId || !known) return;
      show({ rows: patched(sight.rows, new Map([[value.index, { ...known, comparison: value.comparison }]])) });
    }),
    // Words were sorted: groups of results may be others.
    door.listen('answers.changed', () => schedule()),
  ];
  const take = ({ run, results }: EventValue<'verify.progressed'>) => {
    const byIndex = new Map(results.map((result) => [result.index, result]));
    for (const [index, result] of byIndex) told.results.set(index, result);
    told.run = run;
    show({ run, rows: patched(sight.rows, byIndex) });
    if (run.state !== 'running') clearTimer();
    schedule();
  };
  const clearTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  void read();
  return {
    sight: () => sight,
    lookAt: (first, last) => {
      const missing = firstMissing(sight, first, last);
      wanted = { first, last };
      if (!missing) return;
      clearTimer();
      if (isReading) isStale = true;
      else void read();
    },
    readAgain: () => void read(),
    stop: () => {
      isStopped = true;
      clearTimer();
      for (const stop of stops) stop();
    },
  };
}

interface Pages {
  readonly run: VerifyRun | null;
  readonly total: number;
  readonly rows: ReadonlyMap<number, VerifyResult>;
  readonly failure: Failure | null;
}

/** The pages that hold the wanted places. */
async function readPages(
  ask: Ask,
  runId: string,
  filter: ResultFilter,
  wanted: { readonly first: number; readonly last: number },
): Promise<Pages> {
  const rows = new Map<number, VerifyResult>();
  let run: VerifyRun | null = null;
  let total = 0;
  for (let offset = Math.floor(wanted.first / pageSize) * pageSize; offset <= wanted.last; offset += pageSize) {
    const answer = await ask('verify.results', { runId, ...filter, offset, limit: pageSize });
    if (!answer.ok) return { run, total, rows, failure: answer.failure };
    run = answer.value.run;
    total = answer.value.total;
    answer.value.results.forEach((result, at) => void rows.set(offset + at, result));
    if (offset + pageSize >= total) break;
  }
  return { run, total, rows, failure: null };
}

function afterRead(
  pages: Pages,
  told: { readonly run: VerifyRun | null; readonly results: ReadonlyMap<number, VerifyResult> },
): RunSnapshot {
  return {
    run: told.run ?? pages.run,
    total: pages.total,
    rows: patched(pages.rows, told.results),
    failure: null,
  };
}

/** Rows with what was told of them; the places stay until the next read. */
function patched(
  rows: ReadonlyMap<number, VerifyResult>,
  told: ReadonlyMap<number, VerifyResult>,
): ReadonlyMap<number, VerifyResult> {
  if (told.size === 0) return rows;
  return new Map([...rows].map(([place, row]) => [place, told.get(row.index) ?? row]));
}

function firstMissing(sight: RunSnapshot, first: number, last: number): boolean {
  for (let place = first; place <= Math.min(last, sight.total - 1); place += 1) {
    if (!sight.rows.has(place)) return true;
  }
  return false;
}
