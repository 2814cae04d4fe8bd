import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DuplicateRule, RepeatRule } from '../../../contract/jobs.ts';
import type { OperationName } from '../../../contract/operation.ts';
import type { DocumentRecord, Gate, NewJob, PlainArguments, StoredJob } from '../../store/jobs/job-rows.ts';
import type { LocalFile } from '../files/local-file.ts';
import { appError } from '../foundation/app-error.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { clearUp } from './kept-copies.ts';
import { type QueueContext, writeDown } from './queue-context.ts';

/** One add operation to be carried out exactly once. */
export interface JobOrder {
  readonly operation: OperationName;
  /** How a person recognises the job: file name, template or note. */
  readonly title: string;
  /** Children by the interface's names, without apiKey, apiSig, Document, AdditionalImage and SecretWord. */
  readonly args: PlainArguments;
  /** Sent as Document. */
  readonly file?: LocalFile;
  /** Sent as AdditionalImage. */
  readonly image?: LocalFile;
  /** A secret: sent as SecretWord; kept in the keychain or for this run only. */
  readonly secretWord?: string;
  /**
   * SHA-256 of the file as it was checked, in lower-case hex: another file at the same path is not sent
   * (file-changed).
   */
  readonly expectedSha256?: string;
  /** The same of the image. */
  readonly expectedImageSha256?: string;
  /** Null if the operation makes no document (AddQuickNote). */
  readonly record: DocumentRecord | null;
  /** What to do if a file with the same bytes, or the same request, was sent through the connection before; `send` unless given. */
  readonly duplicates?: DuplicateRule | RepeatRule;
}

/** Its secret word is not kept. `bind` ties the row to the job that it becomes, in the transaction that writes it; false if it cannot be taken back any more. */
export type TakenBackOrder = JobOrder & { readonly bind: (jobId: string) => boolean };

/** Jobs written in one transaction: small enough that the window stays responsive while 10,000 jobs are added. */
const jobsPerWrite = 100;

/**
 * Writes all orders to the ledger as `prepared`, in slices. Resolves when all are written; if one fails, the whole
 * batch is removed and the call rejects.
 */
export async function enqueue(
  queue: QueueContext,
  connectionId: string,
  orders: Iterable<JobOrder>,
): Promise<{ batchId: string; jobIds: string[] }> {
  const { jobs } = queue.context.store;
  const { closing: signal } = queue;
  const batch = await retryWhileBusy(() => jobs.beginBatch(), { signal });
  const jobIds: string[] = [];
  const secrets: string[] = [];
  let slice: NewJob[] = [];
  let seconds = 0;
  const write = async () => {
    await retryWhileBusy(() => jobs.add(batch, slice), { signal });
    // After the rows: a file in the spool without a job counts as left over and may be removed.
    await keepOwnFiles(queue, slice);
    slice = [];
    await nextTurn();
  };
  try {
    for (const order of orders) {
      const gate = gateOf(queue, order.operation);
      if (gate === 'counting') seconds = queue.countdowns.secondsOf(order.operation);
      const job = newJob(connectionId, order, gate);
      if (order.secretWord !== undefined) {
        secrets.push(job.id);
        await queue.secrets.keep(job.id, order.secretWord);
      }
      slice.push(job);
      jobIds.push(job.id);
      if (slice.length === jobsPerWrite) await write();
    }
    await write();
    await retryWhileBusy(() => jobs.completeBatch(batch), { signal });
    if (seconds > 0) queue.countdowns.start(batch.id, seconds);
  } catch (error) {
    // Nothing of an incomplete batch is sent. Where the disk is full it is removed when there is room, else at the next start: until then its jobs are counted.
    await retryWhileBusy(() => jobs.dropBatch(batch), { signal }).catch(() => {
      void writeDown(queue, () => jobs.dropBatch(batch)).then(() => queue.changes.mark());
    });
    for (const id of jobIds) await queue.spool.remove(id);
    // No job refers to these secret words any more.
    for (const id of secrets) await queue.secrets.forget(id);
    throw error;
  }
  for (const id of jobIds) queue.changes.mark(id);
  return { batchId: batch.id, jobIds };
}

/** How a job of this operation enters the queue when a person sends it. */
export function gateOf({ countdowns }: Pick<QueueContext, 'countdowns'>, operation: OperationName): Gate {
  return countdowns.secondsOf(operation) > 0 ? 'counting' : 'open';
}

/**
 * Adds one order to a batch, in the same transaction as `bind`. Null if `bind` returned false; then nothing was
 * written.
 */
export async function enqueueBound(
  queue: QueueContext,
  connectionId: string,
  order: JobOrder,
  { batchId, gate }: { readonly batchId: string | null; readonly gate: Gate },
  bind: (jobId: string, batchId: string) => boolean,
): Promise<{ batchId: string; jobId: string } | null> {
  const job = newJob(connectionId, order, gate);
  // Within the transaction: a countdown of the batch that ends meanwhile must not let this job go.
  const count = (batch: string) => {
    if (gate === 'counting' || gate === 'counting-paced')
      queue.countdowns.start(batch, queue.countdowns.secondsOf(order.operation));
    return true;
  };
  if (order.secretWord !== undefined) await queue.secrets.keep(job.id, order.secretWord);
  let taken: string | null = null;
  try {
    // Before the transaction: the job that this one replaces may hold the only copy, which is removed once the
    // transaction is written.
    await keepOwnFiles(queue, [job]);
    const { jobs } = queue.context.store;
    taken = await retryWhileBusy(() => jobs.addBound(batchId, job, (batch) => bind(job.id, batch) && count(batch)), {
      signal: queue.closing,
    });
  } finally {
    if (taken === null) {
      await queue.spool.remove(job.id);
      if (order.secretWord !== undefined) await queue.secrets.forget(job.id);
    }
  }
  if (taken === null) return null;
  queue.changes.mark(job.id);
  return { batchId: taken, jobId: job.id };
}

/** Writes orders that a person took back before they were in the queue, as jobs that are cancelled from the first. */
export async function addTakenBack(
  queue: QueueContext,
  connectionId: string,
  orders: readonly TakenBackOrder[],
  batchId: string | null,
): Promise<string | null> {
  const jobs = orders.map((order) => ({ ...newJob(connectionId, order, 'open'), bind: order.bind }));
  const taken = await retryWhileBusy(() => queue.context.store.jobs.addTakenBack(batchId, jobs), {
    signal: queue.closing,
  });
  for (const { id } of jobs) queue.changes.mark(id);
  return taken;
}

/**
 * Adds one order as a batch of its own. If `bind` names a job that was not accepted, the new one replaces it in the
 * same transaction.
 */
export async function enqueueOne(
  queue: QueueContext,
  connectionId: string,
  order: JobOrder,
  bind: (jobId: string) => string | null,
): Promise<{ batchId: string; jobId: string }> {
  let corrected: StoredJob | null = null;
  const how = { batchId: null, gate: gateOf(queue, order.operation) };
  const taken = await enqueueBound(queue, connectionId, order, how, (jobId) => {
    const oldId = bind(jobId);
    if (oldId !== null) corrected = supersedeJob(queue, { connectionId, order, oldId, jobId });
    return true;
  });
  if (!taken) throw new Error('nothing said that the order has a job already');
  const old = corrected as StoredJob | null;
  if (old) {
    await clearUp(queue, old.id);
    queue.changes.mark(old.id);
  }
  return taken;
}

function supersedeJob(
  { context: { store } }: QueueContext,
  given: { readonly connectionId: string; readonly order: JobOrder; readonly oldId: string; readonly jobId: string },
): StoredJob {
  const old = store.jobs.get(given.oldId);
  if (!old || old.dismissed) throw appError('not-found', 'the job that is corrected is not on the list');
  if (old.connectionId !== given.connectionId) throw appError('bad-input', 'the job was sent with another connection');
  if (kindOf(old.operation) !== kindOf(given.order.operation))
    throw appError('bad-input', 'the job was something else');
  if (!store.jobs.supersede(old.id, given.jobId))
    throw appError('bad-input', `a job that is ${old.state} cannot be corrected`);
  return old;
}

/** The kind of an operation. A corrected signature request may become a request of another kind. */
function kindOf(operation: OperationName): string {
  return operation === 'AddNewDocument' || operation === 'AddQuickNote' ? operation : 'request';
}

/**
 * Copies files that the window sent as bytes into the spool before the batch counts: their originals are removed when
 * the program ends.
 */
async function keepOwnFiles({ spool }: QueueContext, jobs: readonly NewJob[]): Promise<void> {
  await spool.keepOwn(
    jobs.flatMap(({ id, sourcePath, imagePath }) => [
      ...(sourcePath === null ? [] : [{ jobId: id, part: 'document' as const, path: sourcePath }]),
      ...(imagePath === null ? [] : [{ jobId: id, part: 'image' as const, path: imagePath }]),
    ]),
  );
}

function newJob(connectionId: string, order: JobOrder, gate: Gate): NewJob {
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
    imageModifiedMs: order.image?.modifiedMs ?? null,
    imageIdentity: order.image?.identity ?? null,
    imageSha256: order.expectedImageSha256 ?? null,
    hasSecret: order.secretWord !== undefined,
    sizeBytes: order.file?.sizeBytes ?? 0,
    modifiedMs: order.file?.modifiedMs ?? null,
    identity: order.file?.identity ?? null,
    expectedSha256: order.expectedSha256,
    duplicates: order.duplicates,
    gate,
  };
}
