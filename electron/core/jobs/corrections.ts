import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { FileToken } from '../../../contract/files.ts';
import { type Correction, isCorrectable } from '../../../contract/forms.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { KeptFile } from '../../store/signatures/forms.ts';
import type { Files } from '../files/file-tokens.ts';
import { durablePath } from '../files/own-files.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import type { SpoolPart } from './spool.ts';
import type { Jobs } from './start-jobs.ts';

/** Gives the input of jobs that the service did not accept back for correction. */
export interface Corrections {
  /** Rejects with not-found, and with bad-input if the job is being sent or was accepted. */
  open(jobId: string): Promise<Correction>;
}

interface Needs {
  readonly find: (jobId: string) => StoredJob | null;
  readonly files: Files;
  readonly jobs: Pick<Jobs, 'copyOf'>;
  /** The id of the draft of a request that was not accepted. Rejects with not-found if its connection was removed. */
  readonly draftOf: (job: StoredJob) => Promise<string>;
  readonly dataDir: string;
}

/** Whether a job can be corrected: on the list, and not accepted by the service. */
export function canCorrect(job: Pick<StoredJob, 'state' | 'dismissed'>): boolean {
  return !job.dismissed && isCorrectable(job.state);
}

/** Creates the corrections of jobs. */
export function createCorrections({ find, files, jobs, draftOf, dataDir }: Needs): Corrections {
  return {
    open: async (jobId) => {
      const job = find(jobId);
      if (!job || job.dismissed) throw appError('not-found', 'no such job');
      const { connectionId, state, failure, isBesideDoubt, args } = job;
      if (!isCorrectable(state)) throw appError('bad-input', `a job that is ${state} cannot be corrected`);
      const text = (name: string) => String(args[name] ?? '');
      const common = { jobId, connectionId, state, failure, isBesideDoubt, description: '' };
      if (job.operation === 'AddQuickNote')
        return { kind: 'note', ...common, message: text('QuickNoteMessage'), description: text('description') };
      if (job.operation === 'AddNewDocument') {
        return {
          kind: 'register',
          ...common,
          file: await tokenOf(job),
          fileName: job.record?.fileName ?? job.title,
          name: text('DocumentName'),
          description: text('Description'),
          clientId: text('ClientID'),
          creditType: typeof args.creditType === 'number' ? args.creditType : null,
        };
      }
      return { kind: 'request', draftId: await draftOf(job) };
    },
  };

  /**
   * The queue's copy is removed with the corrected job. A copy beside the drafts stays until the new job has read it
   * (FormStore.sweep).
   */
  async function tokenOf(job: StoredJob): Promise<FileToken | null> {
    const kept = await fileOfJob(job, 'document', jobs);
    if (!kept) return null;
    try {
      const path = await durablePath({ dataDir, into: join(dataDir, 'drafts', job.id) }, kept.path, 'document');
      return await files.accept(path, { name: kept.name });
    } catch (error) {
      if (failureOf(error)?.code === 'file-unreadable') return null;
      throw error;
    }
  }
}

/**
 * A file of a job: at its original place, else the queue's copy, unless that was changed. If both are gone, the original path is returned
 * although nothing is there. Null if the job has no such file.
 */
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
