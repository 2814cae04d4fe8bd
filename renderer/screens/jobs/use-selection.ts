import { useCallback, useEffect, useState } from 'react';
import type { Job } from '../../../contract/jobs.ts';
import { listen } from '../../bridge/client.ts';

interface Selection {
  readonly jobs: ReadonlyMap<string, Job>;
  /** Failed ones that a person took out again. */
  readonly left: ReadonlySet<string>;
}

const nothing: Selection = { jobs: new Map(), left: new Set() };

/** What is selected. Jobs that failed or were refused are selected by themselves and stay so until they are sent again or taken out. */
export function useSelection() {
  const [selection, setSelection] = useState(nothing);
  /** Takes what is known of jobs now: those that failed come in, those that are no longer as they were selected go. */
  const meet = useCallback((jobs: readonly Job[]) => setSelection((before) => withMet(before, jobs)), []);
  useEffect(() => listen('jobs.changed', ({ jobs }) => meet(jobs)), [meet]);

  const select = useCallback(
    (job: Job, isSelected: boolean) =>
      setSelection(({ jobs, left }) => {
        const next = new Map(jobs);
        const out = new Set(left);
        if (isSelected) {
          next.set(job.id, job);
          out.delete(job.id);
        } else {
          next.delete(job.id);
          out.add(job.id);
        }
        return { jobs: next, left: out };
      }),
    [],
  );
  const clear = useCallback(
    () => setSelection(({ jobs, left }) => ({ jobs: new Map(), left: new Set([...left, ...jobs.keys()]) })),
    [],
  );
  return { jobs: selection.jobs, select, clear, meet } as const;
}

function withMet(before: Selection, met: readonly Job[]): Selection {
  let jobs: Map<string, Job> | null = null;
  for (const job of met) {
    const known = before.jobs.get(job.id);
    const isFailed = job.state === 'failed' || job.state === 'refused';
    if (known === job || (!known && !(isFailed && !before.left.has(job.id)))) continue;
    jobs ??= new Map(before.jobs);
    if (known && known.state !== job.state && !isFailed) jobs.delete(job.id);
    else jobs.set(job.id, job);
  }
  return jobs ? { ...before, jobs } : before;
}
