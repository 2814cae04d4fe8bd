import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { CallInput, CallOutput } from '../../../contract/index.ts';
import type { Task } from '../../../contract/tasks.ts';
import type { Audit, VerifyRun } from '../../../contract/verify.ts';
import type { FileHistory, VerifyResult } from '../../../contract/verify-result.ts';
import { askValue, listen } from '../../bridge/client.ts';
import { followTold, readTold, type Told } from '../../bridge/read-told.ts';
import { useTaskStore, useTasks } from '../../bridge/tasks.tsx';
import { useWindowed } from '../../features/list/pages.ts';

const runsAtOnce = 20;

/** The filter of a run's results. */
type ResultFilter = Pick<CallInput<'verify.results'>, 'group' | 'change' | 'own' | 'search'>;

type ResultPage = Omit<CallOutput<'verify.results'>, 'results'> & { readonly rows: readonly VerifyResult[] };

/** Minimum time in milliseconds between two reads of the order while a run is going on; changes of known rows are shown at once. */
const pauseMs = 400;

/** A run and its results that match a filter, failures first. Every event about it leads to a read that starts after it, so the final order is always reached. */
export function useRunResults(runId: string, filter: ResultFilter) {
  const client = useQueryClient();
  const told = useMemo(() => toldOf(runId), [runId]);
  const list = useWindowed(['verify-results', runId], filter, (page) =>
    readTold<ResultPage>(async () => {
      const { results, ...rest } = await askValue('verify.results', { runId, ...page });
      return { ...rest, rows: results };
    }, told),
  );
  useEffect(() => {
    const queryKey = ['verify-results', runId];
    const [readSoon, stopReading] = spaced(() => client.invalidateQueries({ queryKey }));
    const isIt = (task: Task) => task.kind === 'verification' && task.progress.run.runId === runId;
    const stops = [
      followTold(client, queryKey, told),
      listen('verify.answered', (answered) => answered.runId === runId && readSoon(pauseMs)),
      listen('tasks.started', (task) => isIt(task) && readSoon(pauseMs)),
      listen('tasks.progressed', (task) => isIt(task) && readSoon(pauseMs)),
      listen('tasks.ended', (task) => isIt(task) && readSoon(0)),
      // Words got a meaning, so results may have changed their group.
      listen('answers.changed', () => readSoon(0)),
      stopReading,
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, runId, told]);
  return list;
}

/** What events change in a page of results. The order stays until the next read. */
function toldOf(runId: string): Told<ResultPage> {
  const withTask = (page: ResultPage, { kind, progress }: Task): ResultPage => {
    if (kind === 'verification' && progress.run.runId === runId) return { ...page, run: progress.run };
    if (kind !== 'comparison' || progress.runId !== runId) return page;
    const { index, comparison } = progress;
    return { ...page, rows: page.rows.map((row) => (row.index === index ? { ...row, comparison } : row)) };
  };
  return {
    'verify.answered': (page, { runId: answered, results }) => {
      if (answered !== runId) return page;
      const changed = new Map(results.map((result) => [result.index, result]));
      return { ...page, rows: page.rows.map((row) => changed.get(row.index) ?? row) };
    },
    'tasks.started': withTask,
    'tasks.progressed': withTask,
    'tasks.ended': withTask,
  };
}

/** Reads after a pause; what asks for it during a read gets another one after it. A slow read is never begun anew, so that it ends. */
function spaced(read: () => Promise<unknown>) {
  let isReading = false;
  let nextMs: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = (ms: number) => {
    nextMs = Math.min(ms, nextMs ?? ms);
    if (isReading || (timer !== undefined && ms > 0)) return;
    clearTimeout(timer);
    timer = setTimeout(async () => {
      [isReading, timer, nextMs] = [true, undefined, null];
      await read();
      isReading = false;
      if (nextMs !== null) soon(nextMs);
    }, nextMs);
  };
  const stop = () => {
    clearTimeout(timer);
    isReading = true;
  };
  return [soon, stop] as const;
}

/** The stored runs, newest first; running ones are shown with their current state. */
export function useRuns() {
  const client = useQueryClient();
  const query = useInfiniteQuery({
    queryKey: ['verify-runs'],
    queryFn: ({ pageParam }) => askValue('verify.runs', { offset: pageParam, limit: runsAtOnce }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const have = pages.reduce((sum, page) => sum + page.runs.length, 0);
      return have < last.total && last.runs.length > 0 ? have : null;
    },
  });
  useEffect(
    () => listen('verify.runsChanged', () => void client.invalidateQueries({ queryKey: ['verify-runs'] })),
    [client],
  );
  const now = useRunNow(query.dataUpdatedAt);
  const runs = query.data?.pages.flatMap((page) => page.runs).map(now);
  return { runs: runs ?? null, query };
}

/**
 * Returns the newer of a run read at `readAtMs` and the last state from its task. An ended run can change without a task: then the newer read counts.
 */
function useRunNow(readAtMs: number): (run: VerifyRun) => VerifyRun {
  const latest = new Map(useTasks('verification').map(({ progress: { run } }) => [run.runId, run]));
  return (read) => {
    const run = latest.get(read.runId);
    return run && (run.endedAt === null || Date.parse(run.endedAt) >= readAtMs) ? run : read;
  };
}

const toldAudits: Told<readonly Audit[]> = { 'audits.changed': (_, audits) => audits };

/** The watched folders with their last runs as they are now. */
export function useAudits() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['audits'],
    queryFn: () => readTold(() => askValue('audits.list', {}), toldAudits),
  });
  useEffect(() => followTold(client, ['audits'], toldAudits), [client]);
  const now = useRunNow(query.dataUpdatedAt);
  const audits = query.data?.map((audit) => ({ ...audit, lastRun: audit.lastRun && now(audit.lastRun) }));
  return { audits: audits ?? null, query };
}

/** The three answers about a file, read again when one of them changes. */
export function useFileHistory(runId: string, index: number) {
  const client = useQueryClient();
  const told = useMemo((): Told<FileHistory> => {
    const withCopy = (history: FileHistory, task: Task) => withComparison(history, task, runId, index);
    return { 'tasks.started': withCopy, 'tasks.progressed': withCopy, 'tasks.ended': withCopy };
  }, [runId, index]);
  const query = useQuery({
    queryKey: ['verify-history', runId, index],
    queryFn: () => readTold(() => askValue('verify.history', { runId, index }), told),
  });
  useEffect(() => {
    const queryKey = ['verify-history', runId, index];
    const again = () => void client.invalidateQueries({ queryKey });
    const stops = [
      listen('verify.answered', (answered) => {
        if (answered.runId === runId && answered.results.some((result) => result.index === index)) again();
      }),
      followTold(client, queryKey, told),
      listen('answers.changed', again),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, runId, index, told]);
  return query;
}

function withComparison(history: FileHistory, { kind, progress }: Task, runId: string, index: number): FileHistory {
  const isOfFile = kind === 'comparison' && progress.runId === runId && progress.index === index;
  return isOfFile ? { ...history, copy: progress.comparison } : history;
}

/** Reports of a run that are being written, and the last one that is, unless it was saved before the run had its result. `dismiss` removes all that are written. */
export function useReports(runId: string, endedAt: string | null) {
  const { add, dismiss } = useTaskStore();
  const all = useTasks('report').filter(({ progress }) => progress.runId === runId);
  const ended = all.filter(({ state }) => state !== 'running');
  const last = ended.slice(-1).filter(({ state, startedAt }) => state !== 'done' || startedAt >= (endedAt ?? ''));
  return {
    reports: [...last, ...all.filter(({ state }) => state === 'running')],
    add,
    dismiss: () => ended.map(({ taskId }) => dismiss(taskId)),
  };
}
