import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import type { Job } from '../../contract/jobs.ts';
import { ask, listen } from '../bridge/client.ts';
import { type ActivityView, isOnlyProgress, noActivity, withActivity } from './jobs-view.ts';

interface Activity {
  readonly view: ActivityView;
}

const ActivityContext = createContext<Activity | null>(null);
/** By itself: who needs no more of the queue than this is not drawn anew whenever a byte has left. */
const ReadAgainContext = createContext<(() => Promise<void>) | null>(null);
/** Lists and counts are read again at most so often, however fast jobs change. */
const readEveryMs = 400;

/** Follows the queue: counts, what is being sent, how fast; keeps the pages of jobs that are on show up to date. */
export function ActivityProvider(props: { readonly children: ReactNode }) {
  const client = useQueryClient();
  const [view, tell] = useReducer(withActivity, noActivity);
  const latest = useRef(view);
  useEffect(() => {
    latest.current = view;
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listen('jobs.changed', ({ jobs, isIncomplete, ...queue }) => {
      const isProgress = !isIncomplete && isOnlyProgress(latest.current, jobs);
      tell({ kind: 'changed', queue, jobs, at: performance.now() });
      patchPages(client, jobs);
      if (isProgress) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: ['jobs'] });
      }, readEveryMs);
    });
    void ask('jobs.list', { states: ['sending'] }).then((read) => {
      if (!read.ok) return;
      const { jobs, total: _total, ...queue } = read.value;
      tell({ kind: 'read', queue, jobs, isNew: false });
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client]);

  const readAgain = useCallback(async () => {
    const read = await ask('jobs.list', { limit: 1 });
    if (read.ok) {
      const { jobs: _jobs, total: _total, ...queue } = read.value;
      tell({ kind: 'read', queue, jobs: [], isNew: true });
    }
    await client.invalidateQueries({ queryKey: ['jobs'] });
  }, [client]);

  const activity = useMemo(() => ({ view }), [view]);
  return (
    <ReadAgainContext value={readAgain}>
      <ActivityContext value={activity}>{props.children}</ActivityContext>
    </ReadAgainContext>
  );
}

/** What jobs became is put into the pages on show at once; which page they belong to is read later. */
function patchPages(client: ReturnType<typeof useQueryClient>, jobs: readonly Job[]): void {
  const changed = new Map(jobs.map((job) => [job.id, job]));
  client.setQueriesData<readonly Job[]>({ queryKey: ['jobs', 'jobs'] }, (page) =>
    page?.some((job) => changed.has(job.id)) ? page.map((job) => changed.get(job.id) ?? job) : page,
  );
}

/** The queue. Only below ActivityProvider. */
export function useActivity(): Activity {
  const activity = use(ActivityContext);
  if (!activity) throw new Error('useActivity outside ActivityProvider');
  return activity;
}

/** Reads everything again: after what the core does not tell (dismissed jobs). Only below ActivityProvider. */
export function useReadAgain(): () => Promise<void> {
  const readAgain = use(ReadAgainContext);
  if (!readAgain) throw new Error('useReadAgain outside ActivityProvider');
  return readAgain;
}
