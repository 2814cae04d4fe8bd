import { join } from 'node:path';
import { type Correction, isCorrectable } from '../../../contract/corrections.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import { durablePath } from '../files/durable-copy.ts';
import type { Files } from '../files/file-tokens.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { fileOfJob } from './file-of-job.ts';
import type { Jobs } from './jobs.ts';

/** What was typed for jobs that were not taken. */
export interface Corrections {
  /** Rejects with not-found, and with bad-input where the job is under way or was taken. */
  open(jobId: string): Promise<Correction>;
}

interface Needs {
  readonly find: (jobId: string) => StoredJob | null;
  readonly files: Files;
  readonly jobs: Pick<Jobs, 'copyOf'>;
  /** The id of the draft of a request that was not taken. Rejects with not-found where its connection is gone. */
  readonly draftOf: (job: StoredJob) => Promise<string>;
  readonly dataDir: string;
}

export function canCorrect(job: Pick<StoredJob, 'state' | 'dismissed'>): boolean {
  return !job.dismissed && isCorrectable(job.state);
}

export function createCorrections({ find, files, jobs, draftOf, dataDir }: Needs): Corrections {
  return {
    open: async (jobId) => {
      const job = find(jobId);
      if (!job || job.dismissed) throw appError('not-found', 'no such job');
      const { connectionId, state, failure, args } = job;
      if (!isCorrectable(state)) throw appError('bad-input', `a job that is ${state} cannot be corrected`);
      const text = (name: string) => String(args[name] ?? '');
      const common = { jobId, connectionId, state, failure, description: '' };
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

  /** The queue's copy goes with the job that is corrected. One beside the drafts lasts until the new job has read it (DraftStore.sweep). */
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
