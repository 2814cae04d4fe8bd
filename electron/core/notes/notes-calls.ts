import type { Handlers } from '../../../contract/index.ts';
import type { SentNote } from '../../../contract/notes.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { Context } from '../context.ts';
import { canCorrect } from '../jobs/corrections.ts';

/** Quick notes that were sent. */
export function noteCalls({ store }: Context): Pick<Handlers, 'notes.list'> {
  return {
    'notes.list': async ({ connectionId, offset, limit }) => {
      const { jobs, total } = store.sent.list({ operations: ['AddQuickNote'], connectionId, offset, limit });
      return { notes: jobs.map(sentNote), total };
    },
  };
}

function sentNote(job: StoredJob): SentNote {
  const { QuickNoteMessage: message, description } = job.args;
  return {
    jobId: job.id,
    connectionId: job.connectionId,
    message: String(message ?? ''),
    description: String(description ?? ''),
    state: job.state,
    raw: job.raw,
    answer: job.answer,
    failure: job.failure,
    canCorrect: canCorrect(job),
    createdAt: job.createdAt,
    updatedAt: job.updatedAt,
  };
}
