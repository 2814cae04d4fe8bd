import { useCallback, useEffect, useState } from 'react';
import type { Job } from '../../../contract/jobs.ts';
import { listen } from '../../bridge/client.ts';

/** The jobs that a person selected. A job that changes its state leaves the selection: what can be done with it is something else. */
export function useJobSelection() {
  const [{ jobs, leftCount }, setSelected] = useState(nothing);
  /** Updates the selected ones among these jobs. */
  const update = useCallback((changed: readonly Job[]) => setSelected((before) => withChanges(before, changed)), []);
  useEffect(() => listen('jobs.changed', ({ jobs }) => update(jobs)), [update]);

  /** By what the person does with them: it is not said that they have left. */
  const remove = useCallback(
    (ids: readonly string[]) =>
      setSelected((before) => ({ ...before, jobs: new Map([...before.jobs].filter(([id]) => !ids.includes(id))) })),
    [],
  );
  const select = useCallback(
    (job: Job, isSelected: boolean) =>
      isSelected
        ? setSelected((before) => ({ ...before, jobs: new Map([...before.jobs, [job.id, job]]) }))
        : remove([job.id]),
    [remove],
  );
  const clear = useCallback(() => setSelected(nothing), []);
  return { jobs, leftCount, select, remove, clear, update } as const;
}

interface Selected {
  readonly jobs: ReadonlyMap<string, Job>;
  /** How many left the selection by their change since it was cleared. */
  readonly leftCount: number;
}
const nothing: Selected = { jobs: new Map(), leftCount: 0 };

function withChanges(before: Selected, changed: readonly Job[]): Selected {
  const known = changed.filter((job) => before.jobs.has(job.id) && before.jobs.get(job.id) !== job);
  if (known.length === 0) return before;
  const jobs = new Map(before.jobs);
  for (const job of known) {
    if (before.jobs.get(job.id)?.state === job.state) jobs.set(job.id, job);
    else jobs.delete(job.id);
  }
  return { jobs, leftCount: before.leftCount + before.jobs.size - jobs.size };
}
