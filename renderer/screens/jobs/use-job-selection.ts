import { useCallback, useEffect, useState } from 'react';
import type { Job } from '../../../contract/jobs.ts';
import { listen } from '../../bridge/client.ts';

/** The jobs that a person selected. A job that changes its state leaves the selection: what can be done with it is something else. */
export function useJobSelection() {
  const [jobs, setJobs] = useState<ReadonlyMap<string, Job>>(new Map());
  /** Updates the selected ones among these jobs. */
  const update = useCallback((changed: readonly Job[]) => setJobs((before) => withChanges(before, changed)), []);
  useEffect(() => listen('jobs.changed', ({ jobs }) => update(jobs)), [update]);

  const select = useCallback(
    (job: Job, isSelected: boolean) =>
      setJobs((before) => {
        const next = new Map(before);
        if (isSelected) next.set(job.id, job);
        else next.delete(job.id);
        return next;
      }),
    [],
  );
  const clear = useCallback(() => setJobs(new Map()), []);
  return { jobs, select, clear, update } as const;
}

function withChanges(before: ReadonlyMap<string, Job>, changed: readonly Job[]): ReadonlyMap<string, Job> {
  const known = changed.filter((job) => before.has(job.id) && before.get(job.id) !== job);
  if (known.length === 0) return before;
  const next = new Map(before);
  for (const job of known) {
    if (before.get(job.id)?.state === job.state) next.set(job.id, job);
    else next.delete(job.id);
  }
  return next;
}
