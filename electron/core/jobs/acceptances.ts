import { speaksForIt } from '../../../contract/jobs.ts';
import { documentIdKey } from '../../../contract/text.ts';
import { documentOfJob, type StoredJob } from '../../store/jobs/job-rows.ts';
import type { BeforeAccepted } from '../../store/jobs/jobs.ts';
import { appError } from '../foundation/app-error.ts';
import { givenDocumentId } from '../foundation/given-document-id.ts';
import type { KeptCopies } from './kept-copies.ts';
import { otherReason, peopleAsked, type QueueContext } from './queue-context.ts';
import { knownJob } from './user-actions.ts';

/** A person's decisions about what became of adds in doubt; each can be undone for as long as the job's copy is kept. Nothing is sent. */
export function acceptances(queue: QueueContext, copies: KeptCopies) {
  const { store, emit } = queue.context;
  const before = new Map<string, BeforeAccepted>();
  const changed = ({ id, connectionId }: StoredJob) => {
    queue.changes.mark(id);
    emit('documents.changed', { connectionId });
    emit('people.changed', null);
  };
  return {
    /** Records a person's decision that a job in doubt made this document, or, of a note, that the service has it. Rejects with not-found, bad-input. */
    accept: async (jobId: string, given: string | null, isUnchecked: boolean) => {
      const job = knownJob(queue, jobId);
      // Nothing at the service can be asked about a note: a person's word is all that settles it.
      const isNote = job.record === null;
      if (isNote && given !== null) throw appError('bad-input', 'no document comes of this kind of job');
      const documentId = given === null ? null : acceptedId(queue, job, given);
      if (!isNote && documentId === null && !isKnownByFile(queue, job))
        throw appError('bad-input', 'nothing says that the service has it', { fields: { documentId: 'is missing' } });
      const isWord = isNote || (documentId !== null && !isSaidByService(job, documentId));
      if (isWord && !isNote && !isUnchecked)
        throw appError('bad-input', 'nothing that the service answered says that this is its document', {
          fields: { documentId: 'the service does not confirm it' },
        });
      const people = await peopleAsked(queue.context, job);
      const was = store.together(() => {
        const accepted = store.jobs.accept(jobId, documentId, documentOfJob(job, documentId, job.at), isWord);
        if (accepted) store.people.used(people);
        return accepted;
      });
      if (!was) throw appError('bad-input', `a job that is ${job.state} is not in doubt`);
      // Only what can still be undone is remembered.
      for (const id of before.keys()) if (!copies.isKept(id)) before.delete(id);
      before.set(jobId, was);
      copies.keep([jobId]);
      // A secret word is never kept longer than its job: it is asked for again.
      if (job.hasSecret) await queue.secrets.forget(jobId);
      changed(job);
    },
    /** Undoes that for a while. Rejects with bad-input if it is over. */
    undoAccept: (jobId: string) => {
      const was = before.get(jobId);
      if (!was || !copies.isKept(jobId) || !store.jobs.undoAccept(jobId, was))
        throw appError('bad-input', 'it is too late to undo this');
      before.delete(jobId);
      copies.release(jobId);
      changed(knownJob(queue, jobId));
    },
  };
}

/** True if the job's last look asked about the document, and what the service answered speaks for it. */
function isSaidByService({ look }: StoredJob, documentId: string): boolean {
  const asked = look?.candidates.find((candidate) => documentIdKey(candidate.documentId) === documentIdKey(documentId));
  return asked !== undefined && speaksForIt(asked);
}

/** Throws bad-input for what is no ID, and for the document of another job. */
function acceptedId({ context }: QueueContext, job: StoredJob, given: string): string {
  // A service may use another form of ID: what it answered itself is taken as it is.
  const isServices = job.look?.candidates.some((candidate) => candidate.documentId === given) ?? false;
  const documentId = isServices ? given : givenDocumentId(given);
  const taken = context.store.documents.byDocumentId(job.connectionId, documentId);
  if (taken?.jobId && taken.jobId !== job.id)
    throw appError('bad-input', 'another job made this document', {
      detail: 'id-taken',
      knownAs: taken.name,
      fields: { documentId: 'belongs to another job' },
    });
  return documentId;
}

/** True if the service knows the job's file, and still nothing else can be the reason. */
function isKnownByFile(queue: QueueContext, job: StoredJob): boolean {
  const isAsked = job.look?.questions.some(({ operation }) => operation === 'ValidateDocument') ?? false;
  return isAsked && job.look?.verdict === 'found' && otherReason(queue, job) === null;
}
