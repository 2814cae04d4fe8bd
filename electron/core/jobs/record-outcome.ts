import type { NewDocument } from '../../store/documents/documents.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { EndOfAttempt } from '../../store/jobs/jobs.ts';
import type { Outcome } from './job-outcome.ts';
import { type LiveJob, type QueueContext, writeDown } from './queue-context.ts';

/** How many waiting jobs of a connection are told anew at once when something holds or frees them. */
const toldAtOnce = 200;

/** Writes down how an attempt ended, in one transaction with the new document and what it says about the connection. */
export async function recordOutcome(
  queue: QueueContext,
  job: StoredJob,
  live: LiveJob,
  outcome: Outcome,
): Promise<void> {
  const { state, change, rest } = outcome;
  const document = state === 'done' ? newDocument(job, change.documentId ?? null) : null;
  const answer = await answerOf(queue, job, live, outcome);
  let holds = false;
  await writeDown(
    queue,
    () => {
      holds = queue.context.store.jobs.end(job.id, state, change, { connectionId: job.connectionId, document, answer });
    },
    (failure) => {
      live.unwritten = failure;
      queue.changes.mark(job.id);
    },
  );
  if (rest) {
    queue.circuitBreaker.open(job.connectionId, rest);
    markWaiting(queue, job.connectionId);
  } else if (state !== 'waiting' && state !== 'cancelled' && state !== 'failed') {
    // Something came through: the connection's jobs wait for nothing but their turn.
    if (queue.circuitBreaker.close(job.connectionId)) markWaiting(queue, job.connectionId);
  }
  if (holds) tellHeld(queue, job.connectionId);
  if (document) queue.context.emit('documents.changed', { connectionId: job.connectionId });
  await clearUp(queue, job.id);
}

/** What the end says about the connection. What was broken off here tells nothing: nobody waited for the answer. */
async function answerOf(
  queue: QueueContext,
  { connectionId }: StoredJob,
  { isCancelled }: LiveJob,
  { state }: Outcome,
): Promise<EndOfAttempt['answer']> {
  if (state === 'done' || state === 'refused') return 'came';
  if (state !== 'in-doubt' || isCancelled || queue.closing.aborted) return null;
  const connection = await queue.context.connections.get(connectionId).catch(() => null);
  return connection && { lostWithLimit: connection.doubtLimit };
}

function tellHeld(queue: QueueContext, connectionId: string): void {
  queue.context.ports.log.error('a connection is held: adds in a row got no answer', { connectionId });
  queue.onHeld(true);
  markWaiting(queue, connectionId);
}

/** What keeps the waiting jobs of a connection has changed. */
export function markWaiting(queue: QueueContext, connectionId: string): void {
  for (const { id } of queue.context.store.jobs.waiting(connectionId, { order: 'old', limit: toldAtOnce }))
    queue.changes.mark(id);
  queue.changes.mark();
}

/** True where a job can never be sent again: only then are its copies and its secret word needed no more. No way leads back from here. */
export function isOver({ state, dismissed }: Pick<StoredJob, 'state' | 'dismissed'>): boolean {
  return dismissed || state === 'done';
}

/** Removes copies and secret word of a job that the ledger says is over; leaves every other alone, whatever the caller believes. */
export async function clearUp(queue: QueueContext, jobId: string): Promise<void> {
  const job = queue.context.store.jobs.get(jobId);
  if (!job || !isOver(job)) return;
  await queue.spool.remove(jobId);
  if (job.hasSecret) await queue.secrets.forget(jobId);
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
