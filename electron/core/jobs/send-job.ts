import type { Connection } from '../../../contract/connections.ts';
import type { Arguments, Peer } from '../../soap/client.ts';
import { soapVersionFor } from '../../soap/soap-version.ts';
import type { Departure, StoredJob } from '../../store/jobs/job-rows.ts';
import { failing, failureOf } from '../foundation/app-error.ts';
import { asOwn } from '../files/fs-errors.ts';
import { type JobDesk, type LiveJob, newLiveJob } from './queue-context.ts';
import { type Ending, endOfAnswer, endOfFailure } from './job-outcome.ts';
import { wordMissing } from './job-secrets.ts';
import { writeEnding } from './record-outcome.ts';

/**
 * Sends one job that the ledger has as `sending`, once, and writes down how it ended. Never rejects. The order is the promise: intent in the ledger, departure
 * in the ledger, first byte, answer, end in the ledger.
 */
export async function sendJob(desk: JobDesk, job: StoredJob): Promise<void> {
  const live = newLiveJob();
  desk.live.set(job.id, live);
  desk.changes.mark(job.id);
  const ending = await attempt(desk, job, live);
  try {
    await writeEnding(desk, job, live, ending);
  } catch (error) {
    // The end is written; what could not be done besides is done at the next start.
    desk.context.ports.log.error('clearing up after a job failed', { jobId: job.id, code: failureOf(error)?.code });
  }
  // A refused one may be on its way again already.
  if (desk.live.get(job.id) === live) desk.live.delete(job.id);
  desk.changes.mark(job.id);
}

async function attempt(desk: JobDesk, job: StoredJob, live: LiveJob): Promise<Ending> {
  const { store, connections, ports } = desk.context;
  const signal = AbortSignal.any([live.controller.signal, desk.closing]);
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
    const args = await argumentsOf(desk, job);
    if (signal.aborted) throw failing('cancelled', 'cancelled before anything left');
    const reply = await client.invoke(job.operation, args, {
      signal,
      onSent: (sentBytes, totalBytes) => {
        live.sentBytes = sentBytes;
        live.totalBytes = totalBytes;
        if (sentBytes >= totalBytes) live.answerAwaitedSince ??= new Date().toISOString();
        desk.changes.mark(job.id);
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
    return endOfAnswer(reply, desk.context.answers.table());
  } catch (error) {
    const cause = departed || storageTrouble === null ? error : storageTrouble;
    const told = failureOf(cause) ?? failing('bug', 'sending failed in an unexpected way').failure;
    // What is sent is the spool's: that it cannot be read now says nothing about the file that was chosen. Of one that is gone the job is told: sent again, it is copied anew.
    const failure = departed || told.detail === 'file-missing' ? told : asOwn(told);
    if (failure.code === 'bug') ports.log.error('sending failed', { jobId: job.id, error: errorName(error) });
    return endOfFailure(failure, { departed, isCancelled: live.isCancelled, isClosing: desk.closing.aborted });
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

async function argumentsOf(desk: JobDesk, job: StoredJob): Promise<Arguments> {
  const args: Record<string, Arguments[string]> = { ...job.args };
  if (job.sourcePath !== null)
    args.Document = { path: desk.spool.pathOf(job.id, 'document'), sizeBytes: job.sizeBytes };
  if (job.imagePath !== null)
    args.AdditionalImage = { path: desk.spool.pathOf(job.id, 'image'), sizeBytes: job.imageBytes };
  if (job.hasSecret) {
    const word = await desk.secrets.find(job.id);
    if (word === null) throw wordMissing();
    args.SecretWord = word;
  }
  return args;
}
