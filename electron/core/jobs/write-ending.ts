import type { NewDocument } from '../../store/documents.ts';
import type { StoredJob } from '../../store/job-rows.ts';
import { type JobDesk, writeDown } from './job-desk.ts';
import type { Ending } from './job-endings.ts';

/** How many waiting jobs of a connection that rests are told anew at once. */
const toldWhenResting = 200;

/** Writes down how an attempt ended, in one transaction with the new document, and clears up what is needed no more. */
export async function writeEnding(desk: JobDesk, job: StoredJob, { state, change, rest }: Ending): Promise<void> {
  const { jobs } = desk.context.store;
  const document = state === 'done' ? newDocument(job, change.documentId ?? null) : null;
  await writeDown(desk, () => {
    if (state === 'done') jobs.finish(job.id, change, document);
    else jobs.move(job.id, ['sending'], state, change);
  });
  if (rest) {
    desk.gates.shut(job.connectionId, rest);
    for (const { id } of jobs.waiting(job.connectionId, { order: 'old', limit: toldWhenResting }))
      desk.changes.mark(id);
  } else if (state !== 'waiting' && state !== 'cancelled' && state !== 'failed') {
    reopen(desk, job.connectionId);
  }
  if (document) desk.context.emit('documents.changed', { connectionId: job.connectionId });
  // What was not taken may be corrected, or sent again: its copies and its secret word stay until it is taken off the list.
  if (state === 'done') await clearUp(desk, job);
}

/** Something came through: the connection's jobs wait for nothing but their turn. */
function reopen(desk: JobDesk, connectionId: string): void {
  if (!desk.gates.open(connectionId)) return;
  for (const { id } of desk.context.store.jobs.waiting(connectionId, { order: 'old', limit: toldWhenResting }))
    desk.changes.mark(id);
}

export async function clearUp(desk: JobDesk, { id, hasSecret }: Pick<StoredJob, 'id' | 'hasSecret'>): Promise<void> {
  await desk.spool.remove(id);
  if (hasSecret) await desk.secrets.forget(id);
}

/** What goes into the register for a job that made this document; null where it made none. */
export function newDocument(job: StoredJob, documentId: string | null): NewDocument | null {
  if (documentId === null || job.record === null) return null;
  const isFile = job.sourcePath !== null;
  return {
    connectionId: job.connectionId,
    documentId,
    jobId: job.id,
    ...job.record,
    sizeBytes: isFile ? job.sizeBytes : null,
    sha256: job.sha256,
    registeredAt: new Date().toISOString(),
  };
}
