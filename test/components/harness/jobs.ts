import type { Batch, Job } from '../../../contract/jobs.ts';
import { emptyJobsView } from '../../../renderer/features/jobs/jobs-view.ts';
import { connection } from './show.tsx';

const createdAt = '2027-01-04T09:00:00.000Z';

/** A registration that was cancelled before it was sent, but for what is given. */
export const jobOf = (more: Partial<Job>): Job => ({
  id: 'job',
  batchId: 'batch',
  connectionId: connection.id,
  operation: 'AddNewDocument',
  title: 'Lease.pdf',
  sentTo: '',
  sizeBytes: 1,
  sha256: null,
  state: 'cancelled',
  sentBytes: 0,
  totalBytes: 1,
  raw: null,
  answer: null,
  documentId: null,
  failure: null,
  pausedBy: null,
  answerAwaitedSince: null,
  duplicateOf: null,
  look: null,
  createdAt,
  at: createdAt,
  ...more,
});

/** A batch of registrations, but for what is given. */
export const batchOf = (more: Partial<Batch>): Batch => ({
  batchId: 'batch',
  connectionId: connection.id,
  title: 'Lease.pdf',
  operation: 'AddNewDocument',
  counts: emptyJobsView.queue.counts,
  createdAt,
  totalBytes: 3,
  pausedCount: 0,
  stoppedCount: 0,
  correctedCount: 0,
  askingCount: 0,
  ...more,
});
