import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Audit } from '../../../contract/audits.ts';
import type { Task } from '../../../contract/tasks.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import type { FileHistory } from '../../../contract/verify-result.ts';
import { ask, askValue, listen } from '../../bridge/client.ts';
import { readTold } from '../../bridge/read-told.ts';
import { useTaskStore, useTasks } from '../../bridge/tasks.tsx';
import { emptySnapshot, followRun, type ResultFilter, type RunReader, type RunSnapshot } from './verify-reader.ts';

const runsAtOnce = 20;

/** Follows a run while the component is mounted. `setVisible` sets the visible rows of the list. */
export function useRunSnapshot(runId: string, filter: ResultFilter) {
  const [snapshot, setSight] = useState<RunSnapshot>(emptySnapshot);
  const reader = useRef<RunReader | null>(null);
  const inSight = useRef({ first: 0, last: 0 });
  const { group, change, own, search } = filter;
  useEffect(() => {
    // The counters stay visible while the results of another filter are being read.
    setSight((before) => ({ ...emptySnapshot, run: before.run?.runId === runId ? before.run : null }));
    const following = followRun(
      { ask, listen },
      runId,
      {
        ...(group ? { group } : {}),
        ...(change ? { change } : {}),
        ...(own ? { own } : {}),
        ...(search ? { search } : {}),
      },
      () => setSight((before) => ({ ...following.snapshot(), run: following.snapshot().run ?? before.run })),
    );
    following.setVisible(inSight.current.first, inSight.current.last);
    reader.current = following;
    return () => {
      following.stop();
      reader.current = null;
    };
  }, [runId, group, change, own, search]);
  const setVisible = useCallback((first: number, last: number) => {
    inSight.current = { first, last };
    reader.current?.setVisible(first, last);
  }, []);
  const readAgain = useCallback(() => reader.current?.readAgain(), []);
  return { snapshot, setVisible, readAgain };
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

/** The watched folders with their last runs as they are now. */
export function useAudits() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: ['audits'],
    queryFn: () => readTold(() => askValue('audits.list', {}), { 'audits.changed': (_, audits) => audits }),
  });
  useEffect(
    () => listen('audits.changed', (audits) => void client.setQueryData<readonly Audit[]>(['audits'], audits)),
    [client],
  );
  const now = useRunNow(query.dataUpdatedAt);
  const audits = query.data?.map((audit) => ({ ...audit, lastRun: audit.lastRun && now(audit.lastRun) }));
  return { audits: audits ?? null, query };
}

/** The three answers about a file, read again when one of them changes. */
export function useFileHistory(runId: string, index: number) {
  const client = useQueryClient();
  const withCopy = (history: FileHistory, task: Task) => withComparison(history, task, runId, index);
  const query = useQuery({
    queryKey: ['verify-story', runId, index],
    queryFn: () =>
      readTold(() => askValue('verify.history', { runId, index }), {
        'tasks.started': withCopy,
        'tasks.progressed': withCopy,
        'tasks.ended': withCopy,
      }),
  });
  useEffect(() => {
    const queryKey = ['verify-story', runId, index];
    const again = () => void client.invalidateQueries({ queryKey });
    const followComparison = (task: Task) =>
      void client.setQueryData<FileHistory>(
        queryKey,
        (history) => history && withComparison(history, task, runId, index),
      );
    const stops = [
      listen('verify.answered', (answered) => {
        if (answered.runId === runId && answered.results.some((result) => result.index === index)) again();
      }),
      listen('tasks.started', followComparison),
      listen('tasks.progressed', followComparison),
      listen('tasks.ended', followComparison),
      listen('answers.changed', again),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [client, runId, index]);
  return query;
}

function withComparison(history: FileHistory, { kind, progress }: Task, runId: string, index: number): FileHistory {
  const isOfFile = kind === 'comparison' && progress.runId === runId && progress.index === index;
  return isOfFile ? { ...history, copy: progress.comparison } : history;
}

/** Reports of a run, finished or being written, in the order of the request. */
export function useReports(runId: string) {
  const { add, dismiss } = useTaskStore();
  const reports = useTasks('report').filter(({ progress }) => progress.runId === runId);
  return { reports, add, dismiss };
}
