import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { KeptFile } from '../../store/signatures/drafts.ts';
import type { Jobs } from './jobs.ts';
import type { SpoolPart } from './spool.ts';

/** A file of a job: where it was chosen, else the queue's copy. Where both are gone, its path leads nowhere. Null where the job has none. */
export async function fileOfJob(job: StoredJob, part: SpoolPart, jobs: Pick<Jobs, 'copyOf'>): Promise<KeptFile | null> {
  const source = part === 'document' ? job.sourcePath : job.imagePath;
  if (source === null) return null;
  const isThere = await stat(source).then(
    (seen) => seen.isFile(),
    () => false,
  );
  const path = isThere ? source : ((await jobs.copyOf(job.id, part)) ?? source);
  return { path, name: part === 'document' ? (job.record?.fileName ?? job.title) : basename(source) };
}
