import type { Connection } from '../../../contract/connections.ts';
import type { Arguments, Peer } from '../../soap/client.ts';
import { soapVersionFor } from '../../soap/soap-version.ts';
import type { Departure, StoredJob } from '../../store/jobs/job-rows.ts';
import { asOwn } from '../files/fs-errors.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { type Outcome, outcomeOfAnswer, outcomeOfFailure } from './job-outcome.ts';
import { wordMissing } from './job-secrets.ts';
import { type LiveJob, newLiveJob, type QueueContext } from './queue-context.ts';
import { recordOutcome } from './record-outcome.ts';

/**
 * Sends one job that the ledger has as `sending`, once, and writes down how it ended. Never rejects. The order is the promise: intent in the ledger, departure
 * in the ledger, first byte, answer, end in the ledger.
 */
export async function sendJob(queue: QueueContext, job: StoredJob): Promise<void> {
  const live = newLiveJob();
  queue.live.set(job.id, live);
  queue.changes.mark(job.id);
  const outcome = await attempt(queue, job, live);
  try {
    await recordOutcome(queue, job, live, outcome);
  } catch (error) {
    // The end is written; what could not be done besides is done at the next start.
    queue.context.ports.log.error('clearing up after a job failed', { jobId: job.id, code: failureOf(error)?.code });
  }
  // A refused one may be on its way again already.
  if (queue.live.get(job.id) === live) queue.live.delete(job.id);
  queue.changes.mark(job.id);
}

async function attempt(queue: QueueContext, job: StoredJob, live: LiveJob): Promise<Outcome> {
  const { store, connections, ports } = queue.context;
  const signal = AbortSignal.any([live.controller.signal, queue.closing]);
  let departed = false;
  let storageTrouble: unknown = null;
  /** The SOAP client calls these between bytes: nothing may be thrown into it. */
  const recorded = (write: () => void) => {
    try {
      write();
      return true;
    } catch (error) {
      storageTrouble ??= error;
      return false;
    }
  };
  try {
    const connection = await connections.get(job.connectionId);
    const client = await connections.client(job.connectionId);
    const args = await argumentsOf(queue, job);
    if (signal.aborted) throw appError('cancelled', 'cancelled before anything left');
    const reply = await client.invoke(job.operation, args, {
      signal,
      onSent: (sentBytes, totalBytes) => {
        live.sentBytes = sentBytes;
        live.totalBytes = totalBytes;
        if (sentBytes >= totalBytes) live.answerAwaitedSince ??= new Date().toISOString();
        queue.changes.mark(job.id);
      },
      onDeparture: (peer) => {
        departed = recorded(() => store.jobs.depart(job.id, departureOf(ports.version, job, connection, peer)));
        // What cannot be written down must not leave: the abort ends the connection before its first byte.
        if (!departed) live.controller.abort();
      },
      onAnswer: () => {
        live.answerAwaitedSince = null;
        recorded(() => store.jobs.beginAnswer(job.id));
      },
    });
    return outcomeOfAnswer(reply, queue.context.answers.table());
  } catch (error) {
    const cause = departed || storageTrouble === null ? error : storageTrouble;
    const told = failureOf(cause) ?? appError('bug', 'sending failed in an unexpected way').failure;
    // What is sent is the spool's: that it cannot be read now says nothing about the file that was chosen. Of one that is gone the job is told: sent again, it is copied anew.
    const failure = departed || told.detail === 'file-missing' ? told : asOwn(told);
    if (failure.code === 'bug') ports.log.error('sending failed', { jobId: job.id, error: errorName(error) });
    return outcomeOfFailure(failure, { departed, isCancelled: live.isCancelled, isClosing: queue.closing.aborted });
  }
}

function departureOf(
  program: string,
  { operation }: StoredJob,
  connection: Connection,
  peer: Peer,
): Omit<Departure, 'id'> {
  const { name, namespaceUri } = connection;
  const { address, certificateFingerprint, certificateIssuer } = peer;
  return {
    program,
    connection: { name, address, namespaceUri, soapVersion: soapVersionFor(connection, operation) },
    certificateFingerprint,
    certificateIssuer,
  };
}

/** Only the kind of an unexpected error: its text could hold what was sent. */
function errorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

async function argumentsOf(queue: QueueContext, job: StoredJob): Promise<Arguments> {
  const args: Record<string, Arguments[string]> = { ...job.args };
  if (job.sourcePath !== null)
    args.Document = { path: queue.spool.pathOf(job.id, 'document'), sizeBytes: job.sizeBytes };
  if (job.imagePath !== null)
    args.AdditionalImage = { path: queue.spool.pathOf(job.id, 'image'), sizeBytes: job.imageBytes };
  if (job.hasSecret) {
    const word = await queue.secrets.find(job.id);
    if (word === null) throw wordMissing();
    args.SecretWord = word;
  }
  return args;
}
