import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewJob } from '../../store/job-rows.ts';
import { patiently } from '../patiently.ts';
import type { JobDesk } from './job-desk.ts';
import type { JobOrder } from './jobs.ts';

/** Jobs written in one transaction: the window stays responsive while 10,000 are taken in. */
const jobsPerWrite = 100;

/** Answers when all orders are in the ledger as `prepared`, in slices. */
export async function enqueue(
  desk: JobDesk,
  connectionId: string,
  orders: Iterable<JobOrder>,
): Promise<{ batchId: string; jobIds: string[] }> {
  const { jobs } = desk.context.store;
  const { closing: signal } = desk;
  const batch = await patiently(() => jobs.beginBatch(), { signal });
  const jobIds: string[] = [];
  let slice: NewJob[] = [];
  const write = async () => {
    await patiently(() => jobs.add(batch, slice), { signal });
    slice = [];
    await nextTurn();
  };
  try {
    for (const order of orders) {
      const job = newJob(connectionId, order);
      if (order.secretWord !== undefined) await desk.secrets.keep(job.id, order.secretWord);
      slice.push(job);
      jobIds.push(job.id);
      if (slice.length === jobsPerWrite) await write();
    }
    await write();
    await patiently(() => jobs.completeBatch(batch), { signal });
  } catch (error) {
    // Where it cannot be taken back now, the next start does it: nothing of a batch that is not complete is sent.
    await patiently(() => jobs.dropBatch(batch), { signal }).catch(() => undefined);
    throw error;
  }
  for (const id of jobIds) desk.changes.mark(id);
  return { batchId: batch.id, jobIds };
}

/** One order into a batch, in one transaction with what it is bound to; null where `bind` says no. */
export async function enqueueBound(
  desk: JobDesk,
  connectionId: string,
  order: JobOrder,
  batchId: string | null,
  bind: (jobId: string, batchId: string) => boolean,
): Promise<{ batchId: string; jobId: string } | null> {
  const job = newJob(connectionId, order);
  if (order.secretWord !== undefined) await desk.secrets.keep(job.id, order.secretWord);
  const { jobs } = desk.context.store;
  const taken = await patiently(() => jobs.addBound(batchId, job, (batch) => bind(job.id, batch)), {
    signal: desk.closing,
  });
  if (taken === null) {
    await desk.secrets.forget(job.id);
    return null;
  }
  desk.changes.mark(job.id);
  return { batchId: taken, jobId: job.id };
}

function newJob(connectionId: string, order: JobOrder): NewJob {
  return {
    id: randomUUID(),
    connectionId,
    operation: order.operation,
    title: order.title,
    args: order.args,
    record: order.record,
    sourcePath: order.file?.path ?? null,
    imagePath: order.image?.path ?? null,
    imageBytes: order.image?.sizeBytes ?? 0,
    hasSecret: order.secretWord !== undefined,
    sizeBytes: order.file?.sizeBytes ?? 0,
    expectedSha256: order.expectedSha256,
    duplicates: order.duplicates,
  };
}
