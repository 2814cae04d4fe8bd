import type { Batch, Countdown, Job } from '../../../contract/jobs.ts';
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

/** One that runs for nine seconds more, but for what is given. */
export const countdownOf = (more: Partial<Countdown> = {}): Countdown => ({
  batchId: 'b1',
  connectionId: connection.id,
  jobId: 'j1',
  title: 'lease.pdf',
  operation: 'AddNewDocumentESign',
  count: 1,
  bulkId: null,
  leftMs: 9_000,
  isStopped: false,
  isBesideDoubt: false,
  ...more,
});
