import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { NewJob } from '../../store/job-rows.ts';
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
  const batch = jobs.beginBatch();
  const jobIds: string[] = [];
  const secrets: string[] = [];
  let slice: NewJob[] = [];
  const write = async () => {
    jobs.add(batch, slice);
    // After their rows: a file in the spool without a job is one that is left over.
    await keepOwnFiles(desk, slice);
    slice = [];
    await nextTurn();
  };
  try {
    for (const order of orders) {
      const job = newJob(connectionId, order);
      if (order.secretWord !== undefined) {
        secrets.push(job.id);
        await desk.secrets.keep(job.id, order.secretWord);
      }
      slice.push(job);
      jobIds.push(job.id);
      if (slice.length === jobsPerWrite) await write();
    }
    await write();
    jobs.completeBatch(batch);
  } catch (error) {
    jobs.dropBatch(batch);
    for (const id of jobIds) await desk.spool.remove(id);
    // Nobody would ever ask for them again.
    for (const id of secrets) await desk.secrets.forget(id);
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
  const taken = desk.context.store.jobs.addBound(batchId, job, (batch) => bind(job.id, batch));
  if (taken === null) {
    await desk.secrets.forget(job.id);
    return null;
  }
  // Where this fails the file is still in the folder of what the job was made of, and is taken from there.
  await keepOwnFiles(desk, [job]).catch(() => undefined);
  desk.changes.mark(job.id);
  return { batchId: taken, jobId: job.id };
}

/** A file that came as bytes goes when the program ends: the spool has it before the batch counts. */
async function keepOwnFiles({ spool }: JobDesk, jobs: readonly NewJob[]): Promise<void> {
  await spool.keepOwn(
    jobs.flatMap(({ id, sourcePath, imagePath }) => [
      ...(sourcePath === null ? [] : [{ jobId: id, part: 'document' as const, path: sourcePath }]),
      ...(imagePath === null ? [] : [{ jobId: id, part: 'image' as const, path: imagePath }]),
    ]),
  );
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
