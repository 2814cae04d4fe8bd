import type { Connection } from '../../../contract/connections.ts';
import type { Failure, FailureCode } from '../../../contract/failure.ts';
import type { DuplicateOf, JobState } from '../../../contract/jobs.ts';
import { type AnswersTable, readAddAnswer, showsSuccess } from '../../soap/reply/answers.ts';
import { refusal } from '../../soap/reply/refusal.ts';
import { isRefusedOnTheWay } from '../../soap/request/settle-failure.ts';
import type { Arguments, GrowingFile, Reply } from '../../soap/service/client.ts';
import { soapVersionFor } from '../../soap/service/operations.ts';
import type { Peer } from '../../soap/trust/trust.ts';
import type { JobChange } from '../../store/jobs/job-moves.ts';
import { type Departure, documentOfJob, type StoredJob } from '../../store/jobs/job-rows.ts';
import type { EndOfAttempt } from '../../store/jobs/jobs.ts';
import { hashFile } from '../files/hash-file.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { asOwn } from '../foundation/fs-errors.ts';
import { retryWhileBusy } from '../foundation/retry-while-busy.ts';
import type { FollowedCopy } from './growing-copies.ts';
import { wordMissing } from './job-secrets.ts';
import { clearUp } from './kept-copies.ts';
import { type LiveJob, markWaiting, newLiveJob, peopleAsked, type QueueContext, writeDown } from './queue-context.ts';
import type { SpoolPart } from './spool.ts';

/**
 * Sends one job once and records its outcome. The job must be staged (staging.ts), chosen (scheduler.ts) and claimed.
 * Never rejects. The order of the steps guarantees that no add is sent twice: claim in the ledger, departure in the
 * ledger, first byte, answer, outcome in the ledger. With a team register its claim is committed before the departure.
 * A job whose copy is still being made (growing-copies.ts) begins to be sent before: claim and departure come before the last
 * block of its document and all that follows it, without which no service has a request. If it is not admitted, staging has recorded why.
 */
export async function sendJob(queue: QueueContext, chosen: StoredJob): Promise<void> {
  const copy = queue.growing.of(chosen.id);
  // Of a copy that grows it is that of who makes it.
  const live = (copy && queue.live.get(chosen.id)) ?? newLiveJob();
  queue.live.set(chosen.id, live);
  queue.changes.mark(chosen.id);
  const outcome = await attempt(queue, chosen, live, copy);
  const job = copy ? await copy.admitted : chosen;
  try {
    if (job && outcome.state === 'held') await holdForTeam(queue, job, live, outcome.duplicate);
    else if (job && outcome.state !== 'held') await recordOutcome(queue, job, live, outcome);
  } catch (error) {
    // The outcome is recorded; the next start finishes the clean-up.
    queue.context.ports.log.error('clearing up after a job failed', { jobId: chosen.id, code: failureOf(error)?.code });
  }
  // A refused job may already be on its way again.
  if (queue.live.get(chosen.id) === live) queue.live.delete(chosen.id);
  queue.changes.mark(chosen.id);
  queue.context.team.report(chosen.connectionId);
}

async function attempt(
  queue: QueueContext,
  job: StoredJob,
  live: LiveJob,
  copy: FollowedCopy | undefined,
): Promise<Outcome | HeldForTeam> {
  const { connections, ports, answers } = queue.context;
  const signal = AbortSignal.any([live.controller.signal, queue.closing]);
  const leaving = createLeaving(queue, live, signal);
  let depart = async () => {};
  try {
    const connection = await connections.get(job.connectionId);
    const client = await connections.client(job.connectionId);
    const args = await argumentsOf(queue, job, copy && { ...copy, whole: leaving.whole(copy, () => depart()) });
    if (!copy) await leaving.ask(job);
    const reply = await client.invoke(job.operation, args, {
      signal,
      onSent: (sentBytes, totalBytes) => {
        live.sentBytes = sentBytes;
        live.totalBytes = totalBytes;
        if (sentBytes >= totalBytes) live.answerAwaitedSince ??= new Date().toISOString();
        queue.changes.mark(job.id);
      },
      onDeparture: (peer) => {
        depart = () => leaving.depart(job.id, departureOf(ports.version, job, connection, peer));
        return copy ? undefined : depart();
      },
      onAnswer: () => {
        live.answerAwaitedSince = null;
        live.answerBeganAt = new Date().toISOString();
      },
    });
    return outcomeOfAnswer(job, reply, answers.table(job.connectionId));
  } catch (error) {
    const { duplicate } = leaving.state;
    if (duplicate) return { state: 'held', duplicate };
    await leaving.settled();
    // A service that says it has what it got half of may be right: the ledger says that it left, as of every doubt.
    const isClaimedHad = failureOf(error)?.code === 'outcome-unknown' && (await copy?.admitted);
    if (isClaimedHad && !leaving.state.departed) await depart();
    const { departed, hindrance } = leaving.state;
    const cause = departed || isClaimedHad || hindrance === null ? error : hindrance;
    const reason = failureOf(cause) ?? appError('bug', 'sending failed in an unexpected way').failure;
    // The copy in the spool is what is sent: an error while it is read says nothing about the original file. Only a
    // missing copy stays file-missing: when the job is sent again, the file is copied again.
    const failure =
      (departed && reason.code === 'file-unreadable') || reason.detail === 'file-missing' ? reason : asOwn(reason);
    if (failure.code === 'bug') ports.log.error('sending failed', { jobId: job.id, error: errorName(error) });
    return outcomeOfFailure(failure, { departed, isCancelled: live.isCancelled, isClosing: queue.closing.aborted });
  }
}

/** What an attempt needs before it may leave, and how far it came: the right of its team, then the departure in the ledger. */
function createLeaving({ context }: QueueContext, live: LiveJob, signal: AbortSignal) {
  let departing = Promise.resolve();
  let mayStillLeave = () => true;
  const state = {
    departed: false,
    /** Why it must not depart. */
    hindrance: null as unknown,
    /** What a colleague has claimed. */
    duplicate: null as DuplicateOf | null,
  };
  const noted = async (jobId: string, departure: Omit<Departure, 'id'>) => {
    state.departed = false;
    try {
      const depart = () => {
        if (!mayStillLeave())
          throw appError('not-connected', 'too long ago asked the team register', { detail: 'team-away' });
        return context.store.jobs.depart(jobId, departure);
      };
      await departPatiently(depart, signal);
      state.departed = true;
    } catch (error) {
      state.hindrance ??= error;
      // A departure that cannot be recorded must not happen: the abort ends the connection before a whole request has left.
      live.controller.abort();
    }
  };
  const ask = async (job: StoredJob) => {
    live.awaitsClaim = true;
    const permission = await unlessAborted(context.team.claim(job), signal);
    live.awaitsClaim = false;
    if (signal.aborted) throw notLeft();
    if (permission.isGranted) mayStillLeave = permission.mayStillLeave;
    else state.duplicate = permission.duplicate;
    if (state.duplicate) throw notLeft();
  };
  return {
    state,
    /** Rejects if the team does not let the job leave. */
    ask,
    /** Notes the departure. Never rejects. */
    depart: (jobId: string, departure: Omit<Departure, 'id'>): Promise<void> => {
      departing = noted(jobId, departure);
      return departing;
    },
    /** Resolves when no departure is being noted. */
    settled: () => departing,
    /** Resolves when a request may become whole that leaves as its copy grows: the copy is complete, the job admitted with the bytes that were read, and its departure noted. */
    whole:
      ({ admitted }: FollowedCopy, depart: () => Promise<void>): GrowingFile['whole'] =>
      async (sha256, over) => {
        const job = await admitted;
        if (!job) throw notLeft();
        if (job.sha256 !== sha256) throw appError('file-changed', 'what was read of the copy is not what was copied');
        await ask(job);
        if (over.aborted) throw notLeft();
        await depart();
        if (!state.departed) throw notLeft();
      },
  };
}

/** How long a departure waits for another program that holds the database, with the connection to the service open: as long as a command line does. */
const departurePatienceMs = 5_000;

/** Rejects with storage-busy, and with cancelled if that came while it waited: then it departs no more. */
async function departPatiently(depart: () => Promise<void>, signal: AbortSignal): Promise<void> {
  let isAgain = false;
  const once = () => {
    if (isAgain && signal.aborted) throw notLeft();
    isAgain = true;
    return depart();
  };
  await retryWhileBusy(once, { limitMs: departurePatienceMs, signal });
}

const notLeft = () => appError('cancelled', 'cancelled before anything left that could be whole');

/**
 * Resolves or rejects with `work`, or rejects as soon as the signal is aborted: a person who cancels does not wait for a register that does not answer. A claim that is
 * made after that is reported as released, like every claim of a job that did not leave.
 */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(notLeft());
    signal.addEventListener('abort', onAbort, { once: true });
  });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function argumentsOf(queue: QueueContext, job: StoredJob, growing?: GrowingFile): Promise<Arguments> {
  const args: Record<string, Arguments[string]> = { ...job.args };
  const copyOf = async (part: SpoolPart, sizeBytes: number, known: string | GrowingFile | null) => {
    const path = queue.spool.pathOf(job.id, part);
    // Earlier versions did not keep the hash of a picture.
    return { path, sizeBytes, sha256: known ?? (await hashFile(path)).sha256 };
  };
  if (job.sourcePath !== null) args.Document = await copyOf('document', job.sizeBytes, growing ?? job.sha256);
  if (job.imagePath !== null) args.AdditionalImage = await copyOf('image', job.imageBytes, job.imageSha256);
  if (job.hasSecret) {
    const word = await queue.secrets.find(job.id);
    if (word === null) throw wordMissing();
    args.SecretWord = word;
  }
  return args;
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

/**
 * The outcome of one attempt to send a job. `backOff`: nothing was sent, and this failure holds back the whole
 * connection for a while.
 */
interface Outcome {
  readonly state: JobState;
  readonly change: JobChange;
  readonly backOff: Failure | null;
}

/** A colleague has claimed the same: nothing was sent, and a person decides. */
interface HeldForTeam {
  readonly state: 'held';
  readonly duplicate: DuplicateOf;
}

/** True for a job of which nothing left, and that a person cancelled while the ledger could not be written: the cancel counts, not what was to be written. */
function endIfCancelled({ context }: QueueContext, { id }: StoredJob, { isCancelled }: LiveJob): boolean {
  return isCancelled && context.store.jobs.move(id, ['sending'], 'cancelled', { failure: null });
}

async function holdForTeam(queue: QueueContext, job: StoredJob, live: LiveJob, duplicate: DuplicateOf): Promise<void> {
  await writeDown(
    queue,
    () => {
      if (!endIfCancelled(queue, job, live)) queue.context.store.jobs.holdForTeam(job.id, duplicate);
    },
    (failure) => {
      live.unwritten = failure;
      queue.changes.mark(job.id);
    },
  );
  if (queue.circuitBreaker.close(job.connectionId)) markWaiting(queue, job.connectionId);
}

/**
 * The outcome of an answer: `done` if it shows that the service has it, `refused` for a negative code, else in doubt. If the element has another name than the result,
 * a negative number may be anything.
 */
function outcomeOfAnswer({ operation }: StoredJob, { raw, resultName }: Reply, table: AnswersTable): Outcome {
  const answer = readAddAnswer(raw, table);
  if (answer.code !== undefined && resultName === undefined) {
    const { failure } = refusal(answer.code, raw ?? '');
    return { state: 'refused', change: { raw, answer, failure }, backOff: null };
  }
  if (!showsSuccess(operation, answer)) {
    const failure = appError('outcome-unknown', 'the answer names no document', { detail: 'unclear-answer' }).failure;
    return { state: 'in-doubt', change: { raw, answer, failure }, backOff: null };
  }
  const documentId = answer.kind === 'document-id' ? (raw?.trim() ?? null) : null;
  return { state: 'done', change: { raw, answer, documentId, failure: null }, backOff: null };
}

/** Failures that are answers: the service has read the request and will not carry it out. */
const refusals: ReadonlySet<FailureCode> = new Set(['service-refused', 'credentials-rejected']);

/** Failures before anything left that may pass with time: the job waits. */
const waitable: ReadonlySet<FailureCode> = new Set([
  'service-unreachable',
  'service-timeout',
  'not-connected',
  'storage-full',
  'storage-busy',
  'storage-unusable',
]);

/**
 * The outcome of a failure. It depends first on whether the request had departed, then on the failure. After
 * departure the SOAP client reports outcome-unknown unless it is certain that the service did not carry out the
 * request (settle-failure.ts there): refused by HTTP, a proxy or TLS, or aborted here before the last byte. Even then a person
 * decides whether it is sent again.
 */
function outcomeOfFailure(
  failure: Failure,
  how: { readonly departed: boolean; readonly isCancelled: boolean; readonly isClosing: boolean },
): Outcome {
  const raw = failure.raw ?? null;
  // Nothing left: a cancel wins over whatever else went wrong meanwhile.
  if (how.isCancelled && (!how.departed || failure.code === 'cancelled'))
    return { state: 'cancelled', change: { failure: null }, backOff: null };
  if (refusals.has(failure.code)) return { state: 'refused', change: { raw, failure }, backOff: null };
  if (how.departed || failure.code === 'outcome-unknown') {
    if (notCarriedOut.has(failure.code) || isRefusedOnTheWay(failure))
      return { state: 'failed', change: { raw, failure }, backOff: null };
    return { state: 'in-doubt', change: { raw, failure: inDoubt(failure) }, backOff: null };
  }
  if (how.isClosing) return { state: 'waiting', change: { failure: null }, backOff: null };
  if (waitable.has(failure.code)) return { state: 'waiting', change: { failure }, backOff: failure };
  return { state: 'failed', change: { failure }, backOff: null };
}

const notCarriedOut: ReadonlySet<FailureCode> = new Set(['reply-unreadable', 'file-changed', 'file-unreadable']);

function inDoubt(failure: Failure): Failure {
  if (failure.code === 'outcome-unknown') return failure;
  return appError('outcome-unknown', `after the request had begun to leave: ${failure.code}, ${failure.note}`, {
    detail: failure.detail,
    raw: failure.raw,
  }).failure;
}

/**
 * Records the outcome of an attempt, in one transaction with the new document and the answer that counts for the
 * connection.
 */
async function recordOutcome(queue: QueueContext, job: StoredJob, live: LiveJob, outcome: Outcome): Promise<void> {
  const { state, change, backOff } = outcome;
  const { store } = queue.context;
  const document = state === 'done' ? documentOfJob(job, change.documentId ?? null) : null;
  const people = state === 'done' ? await peopleAsked(queue.context, job) : [];
  const answer = await answerOf(queue, job, live, outcome);
  let holds = false;
  await writeDown(
    queue,
    () =>
      store.grouped(() => {
        if (state === 'waiting' && endIfCancelled(queue, job, live)) return;
        const ended = { ...change, ...(live.answerBeganAt && { answerBeganAt: live.answerBeganAt }) };
        holds = store.jobs.end(job.id, state, ended, { connectionId: job.connectionId, document, answer });
        store.people.used(people);
      }),
    (failure) => {
      live.unwritten = failure;
      queue.changes.mark(job.id);
    },
  );
  if (backOff) {
    queue.circuitBreaker.open(job.connectionId, backOff);
    markWaiting(queue, job.connectionId);
  } else if (state !== 'waiting' && state !== 'cancelled' && state !== 'failed') {
    // The service answered: the connection's jobs wait only for their turn.
    if (queue.circuitBreaker.close(job.connectionId)) markWaiting(queue, job.connectionId);
  }
  if (holds) reportHeld(queue, job.connectionId);
  // It, or what it was a correction of, is in doubt, perhaps because it was before.
  if (state !== 'done' && state !== 'waiting') queue.onDoubt();
  if (document) queue.context.emit('documents.changed', { connectionId: job.connectionId });
  if (people.length > 0) queue.context.emit('people.changed', null);
  await clearUp(queue, job.id);
}

/** What the outcome says about the connection. An add that was aborted here says nothing: nobody waited for the answer. */
async function answerOf(
  queue: QueueContext,
  { connectionId }: StoredJob,
  { isCancelled }: LiveJob,
  { state, change }: Outcome,
): Promise<EndOfAttempt['answer']> {
  if (state === 'done' || state === 'refused' || change.answer) return 'came';
  if (state !== 'in-doubt' || isCancelled || queue.closing.aborted) return null;
  const connection = await queue.context.connections.get(connectionId).catch(() => null);
  return connection && { lostWithLimit: connection.doubtLimit };
}

function reportHeld(queue: QueueContext, connectionId: string): void {
  queue.context.ports.log.error('a connection is held: several adds in a row got no answer', { connectionId });
  queue.onHeld(true);
  markWaiting(queue, connectionId);
}
