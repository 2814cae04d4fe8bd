import type { Handlers, HandlersOf } from '../../../contract/index.ts';
import { type SentNote, unsentNote } from '../../../contract/service.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { Context } from '../context.ts';
import { canCorrect } from '../jobs/corrections.ts';
import type { Jobs } from '../jobs/start-jobs.ts';

/** Length of the job's title, taken from the note's text, in UTF-16 units. */
const titleLength = 60;

/** Calls about quick notes: writing and sending one, and the list of sent ones. */
export function noteCalls(
  { connections, store }: Context,
  jobs: Jobs,
): HandlersOf<'notes'> & Pick<Handlers, 'service.addQuickNote'> {
  const keyOf = (connectionId: string) => `note.${connectionId}`;
  return {
    'notes.unsent': async ({ connectionId }) => {
      const text = store.settings.get(keyOf(connectionId));
      return text === null ? null : unsentNote.parse(JSON.parse(text));
    },
    'notes.keepUnsent': async ({ connectionId, ...note }) => {
      await connections.get(connectionId);
      if (note.message === '' && note.description === '') store.settings.remove(keyOf(connectionId));
      else store.settings.put(keyOf(connectionId), JSON.stringify(note));
    },
    'service.addQuickNote': async ({ connectionId, message, description, corrects }) => {
      await connections.get(connectionId);
      const args = { QuickNoteMessage: message, description };
      const order = { operation: 'AddQuickNote', title: titleOf(message), args, record: null } as const;
      // In the same write: after a kill what is sent is not there to be sent once more.
      return await jobs.enqueueOne(connectionId, order, () => {
        if (!corrects) store.settings.remove(keyOf(connectionId));
        return corrects ?? null;
      });
    },
    'notes.list': async ({ connectionId, offset, limit }) => {
      const found = store.sent.list({ operations: ['AddQuickNote'], connectionId, offset, limit });
      return { notes: found.jobs.map((job) => sentNote(job, jobs.pausedBy(job))), total: found.total };
    },
  };
}

function sentNote(job: StoredJob, pausedBy: SentNote['pausedBy']): SentNote {
  const { QuickNoteMessage: message, description } = job.args;
  return {
    jobId: job.id,
    connectionId: job.connectionId,
    message: String(message ?? ''),
    description: String(description ?? ''),
    state: job.state,
    pausedBy,
    isByWord: job.isByWord,
    raw: job.raw,
    answer: job.answer,
    failure: job.failure,
    canCorrect: canCorrect(job),
    createdAt: job.createdAt,
    at: job.at,
  };
}

function titleOf(message: string): string {
  const line = message.replaceAll(/\s+/g, ' ').trim();
  return line.length > titleLength ? `${line.slice(0, titleLength)}…` : line || 'Quick note';
}
