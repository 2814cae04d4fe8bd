import type { Listen } from '../../../contract/client.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { Ask, CallInput, CallOutput } from '../../../contract/index.ts';
import type { Task } from '../../../contract/tasks.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { VerifyResult } from '../../../contract/verify-result.ts';

/** The filter of a run's results. */
export type ResultFilter = Pick<CallInput<'verify.results'>, 'group' | 'change' | 'own' | 'search'>;

/** The state of a run as the window knows it. */
export interface RunSnapshot {
  /** Null until the first read. */
  readonly run: VerifyRun | null;
  /** Number of results that match the filter. */
  readonly total: number;
  /** By index in the order of the core: failures first. Contains only the rows read last. */
  readonly rows: ReadonlyMap<number, VerifyResult>;
  /** Numbers of all signed files of the run by what they themselves prove. */
  readonly ownCounts: OwnCounts;
  /** Why the last read failed; rows read before stay. */
  readonly failure: Failure | null;
}

export type OwnCounts = CallOutput<'verify.results'>['ownCounts'];

export interface RunReader {
  snapshot(): RunSnapshot;
  /** Sets the visible rows: they are read if they are not known, and again while the run is going on. */
  setVisible(first: number, last: number): void;
  readAgain(): void;
  stop(): void;
}

export interface ReaderClient {
  readonly ask: Ask;
  readonly listen: Listen;
}

const pageSize = 100;
/** Minimum time in milliseconds between two reads of the order while a run is going on; changes of known rows are shown at once. */
const pauseMs = 400;

export const emptySnapshot: RunSnapshot = { run: null, total: 0, rows: new Map(), ownCounts: {}, failure: null };

/**
 * Follows one run: subscribes first, then reads, so that nothing is missed. Events that arrive during a read are newer than its result: they are
 * applied to it, and another read follows. Every event leads to a read that started after it, so the final state is always reached.
 */
export function followRun(
  client: ReaderClient,
  runId: string,
  filter: ResultFilter,
  changed: () => void,
  pause: number = pauseMs,
): RunReader {
  const known = createKnownRun(changed);
  let wanted = { first: 0, last: 0 };
  let isStopped = false;
  let isReading = false;
  /** True if an event arrived, or the visible rows changed, since the last read started. */
  let isStale = true;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const clearTimer = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const read = async () => {
    clearTimer();
    if (isReading || isStopped) return;
    isReading = true;
    isStale = false;
    known.startRead();
    const pages = await readPages(client.ask, runId, filter, wanted);
    isReading = false;
    if (isStopped) return;
    known.endRead(pages);
    // A failed read is not repeated automatically: the next event or the person triggers it.
    if (isStale && !pages.failure) schedule();
  };
  const schedule = () => {
    isStale = true;
    if (isReading || isStopped) return;
    // The end of a run is shown at once.
    timer ??= setTimeout(() => void read(), known.snapshot().run?.state === 'running' ? pause : 0);
  };
  const stopListening = listenToRun(client, runId, {
    onResults: (results) => {
      known.apply(null, results);
      schedule();
    },
    onRun: (run) => {
      known.apply(run, []);
      if (run.state !== 'running') clearTimer();
      schedule();
    },
    onComparison: known.applyComparison,
    onRegrouped: schedule,
  });
  void read();
  return {
    snapshot: known.snapshot,
    setVisible: (first, last) => {
      const missing = firstMissing(known.snapshot(), first, last);
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
      stopListening();
    },
  };
}

/** Events about one run. */
interface RunListeners {
  readonly onResults: (results: readonly VerifyResult[]) => void;
  readonly onRun: (run: VerifyRun) => void;
  readonly onComparison: (index: number, comparison: VerifyResult['comparison']) => void;
  /** Words got a meaning, so results may have changed their group. */
  readonly onRegrouped: () => void;
}

/** Passes on the events that concern this run; returns the function that stops that. */
function listenToRun({ listen }: ReaderClient, runId: string, listeners: RunListeners): () => void {
  const takeTask = ({ kind, progress }: Task) => {
    if (kind === 'verification' && progress.run.runId === runId) listeners.onRun(progress.run);
    if (kind === 'comparison' && progress.runId === runId) listeners.onComparison(progress.index, progress.comparison);
  };
  const stops = [
    listen('verify.answered', ({ runId: answered, results }) => {
      if (answered === runId) listeners.onResults(results);
    }),
    ...(['tasks.started', 'tasks.progressed', 'tasks.ended'] as const).map((name) => listen(name, takeTask)),
    listen('answers.changed', () => listeners.onRegrouped()),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** The snapshot, and the events that arrived since the last read started: they are newer than what it will return. */
function createKnownRun(changed: () => void) {
  let snapshot = emptySnapshot;
  let published: { run: VerifyRun | null; readonly results: Map<number, VerifyResult> } = {
    run: null,
    results: new Map(),
  };
  const show = (next: Partial<RunSnapshot>) => {
    snapshot = { ...snapshot, ...next };
    changed();
  };
  return {
    snapshot: () => snapshot,
    startRead: () => {
      published = { run: null, results: new Map() };
    },
    endRead: (pages: Pages) => show(pages.failure ? { failure: pages.failure } : afterRead(pages, published)),
    apply: (run: VerifyRun | null, results: readonly VerifyResult[]) => {
      const byIndex = new Map(results.map((result) => [result.index, result]));
      for (const [index, result] of byIndex) published.results.set(index, result);
      if (run) published.run = run;
      show({ ...(run ? { run } : {}), rows: patched(snapshot.rows, byIndex) });
    },
    applyComparison: (index: number, comparison: VerifyResult['comparison']) => {
      const row = [...snapshot.rows.values()].find((one) => one.index === index);
      if (row) show({ rows: patched(snapshot.rows, new Map([[index, { ...row, comparison }]])) });
    },
  };
}

interface Pages {
  readonly run: VerifyRun | null;
  readonly total: number;
  readonly rows: ReadonlyMap<number, VerifyResult>;
  readonly ownCounts: OwnCounts;
  readonly failure: Failure | null;
}

/** Reads the pages that contain the wanted rows. */
async function readPages(
  ask: Ask,
  runId: string,
  filter: ResultFilter,
  wanted: { readonly first: number; readonly last: number },
): Promise<Pages> {
  const rows = new Map<number, VerifyResult>();
  let run: VerifyRun | null = null;
  let total = 0;
  let ownCounts: OwnCounts = {};
  for (let offset = Math.floor(wanted.first / pageSize) * pageSize; offset <= wanted.last; offset += pageSize) {
    const answer = await ask('verify.results', { runId, ...filter, offset, limit: pageSize });
    if (!answer.ok) return { run, total, rows, ownCounts, failure: answer.failure };
    ({ run, total, ownCounts } = answer.value);
    answer.value.results.forEach((result, at) => void rows.set(offset + at, result));
    if (offset + pageSize >= total) break;
  }
  return { run, total, rows, ownCounts, failure: null };
}

function afterRead(
  pages: Pages,
  published: { readonly run: VerifyRun | null; readonly results: ReadonlyMap<number, VerifyResult> },
): RunSnapshot {
  return {
    run: published.run ?? pages.run,
    total: pages.total,
    rows: patched(pages.rows, published.results),
    ownCounts: pages.ownCounts,
    failure: null,
  };
}

/** Applies changed results to known rows; the order stays until the next read. */
function patched(
  rows: ReadonlyMap<number, VerifyResult>,
  published: ReadonlyMap<number, VerifyResult>,
): ReadonlyMap<number, VerifyResult> {
  if (published.size === 0) return rows;
  return new Map([...rows].map(([place, row]) => [place, published.get(row.index) ?? row]));
}

function firstMissing(snapshot: RunSnapshot, first: number, last: number): boolean {
  for (let place = first; place <= Math.min(last, snapshot.total - 1); place += 1) {
    if (!snapshot.rows.has(place)) return true;
  }
  return false;
}
