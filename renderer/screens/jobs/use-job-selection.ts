import { useCallback, useEffect, useState } from 'react';
import type { Job } from '../../../contract/jobs.ts';
import { listen } from '../../bridge/client.ts';

interface Selection {
  readonly jobs: ReadonlyMap<string, Job>;
  /** Failed jobs that a person removed from the selection. */
  readonly deselected: ReadonlySet<string>;
}

const nothing: Selection = { jobs: new Map(), deselected: new Set() };

/** The selected jobs. Failed and refused jobs are selected automatically and stay so until they are sent again or removed. */
export function useJobSelection() {
  const [selection, setSelection] = useState(nothing);
  /** Updates the selection: failed jobs are added, jobs that left the state in which they were selected are removed. */
  const update = useCallback((jobs: readonly Job[]) => setSelection((before) => withUpdate(before, jobs)), []);
  useEffect(() => listen('jobs.changed', ({ jobs }) => update(jobs)), [update]);

  const select = useCallback(
    (job: Job, isSelected: boolean) =>
      setSelection(({ jobs, deselected }) => {
        const next = new Map(jobs);
        const out = new Set(deselected);
        if (isSelected) {
          next.set(job.id, job);
          out.delete(job.id);
        } else {
          next.delete(job.id);
          out.add(job.id);
        }
        return { jobs: next, deselected: out };
      }),
    [],
  );
  const clear = useCallback(
    () =>
      setSelection(({ jobs, deselected }) => ({
        jobs: new Map(),
        deselected: new Set([...deselected, ...jobs.keys()]),
      })),
    [],
  );
  return { jobs: selection.jobs, select, clear, update } as const;
}

function withUpdate(before: Selection, jobsNow: readonly Job[]): Selection {
  let jobs: Map<string, Job> | null = null;
  for (const job of jobsNow) {
    const known = before.jobs.get(job.id);
    const isFailed = job.state === 'failed' || job.state === 'refused';
    if (known === job || (!known && !(isFailed && !before.deselected.has(job.id)))) continue;
    jobs ??= new Map(before.jobs);
    if (known && known.state !== job.state && !isFailed) jobs.delete(job.id);
    else jobs.set(job.id, job);
  }
  return jobs ? { ...before, jobs } : before;
}
