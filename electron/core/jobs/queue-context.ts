import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, isOfStorage } from '../../../contract/failure.ts';
import type { Job, QueueState } from '../../../contract/jobs.ts';
import type { StoredJob } from '../../store/jobs/job-rows.ts';
import type { NewPerson } from '../../store/people/people.ts';
import type { KeyValueTable } from '../../store/settings/key-values.ts';
import type { Context } from '../context.ts';
import { failureOf } from '../foundation/app-error.ts';
import { asLongAsItTakes, isBusy, retryWhileBusy } from '../foundation/retry-while-busy.ts';
import { type Throttled, throttled } from '../foundation/throttled.ts';
import { traceOf } from '../foundation/unexpected.ts';
import type { CircuitBreaker } from '../lasting-work/circuit-breaker.ts';
import type { Countdowns } from './countdowns.ts';
import type { DoubtBreaker } from './doubt-breaker.ts';
import type { GrowingCopies } from './growing-copies.ts';
import type { JobSecrets } from './job-secrets.ts';
import type { Spool } from './spool.ts';
import type { SpoolBreaker } from './spool-breaker.ts';

/** Progress of a job that is being copied or sent, in memory only. */
export interface LiveJob {
  readonly controller: AbortController;
  sentBytes: number;
  totalBytes: number;
  /** When the last byte left, ISO 8601, while the answer is awaited; else null. */
  answerAwaitedSince: string | null;
  /** When the answer began, ISO 8601; null before. It is recorded with the end: a program that ends meanwhile has no answer. */
  answerBeganAt: string | null;
  /** Why the job's copy or outcome cannot be recorded for now: the ledger has no room. */
  unwritten: Failure | null;
  /** True if a person cancelled the job; an abort without it means that the program ends. */
  isCancelled: boolean;
  /** True while the team register is asked for the right to send it: nothing has left. */
  awaitsClaim: boolean;
}

/** Progress of a job that has just started. */
export function newLiveJob(): LiveJob {
  return {
    controller: new AbortController(),
    sentBytes: 0,
    totalBytes: 0,
    answerAwaitedSince: null,
    answerBeganAt: null,
    unwritten: null,
    isCancelled: false,
    awaitsClaim: false,
  };
}

/** The state that copying, sending and the queue's calls share. */
export interface QueueContext {
  readonly context: Context;
  readonly spool: Spool;
  readonly growing: GrowingCopies;
  readonly secrets: JobSecrets;
  readonly circuitBreaker: CircuitBreaker;
  readonly spoolBreaker: SpoolBreaker;
  readonly doubtBreaker: DoubtBreaker;
  /** Called when a connection is held because its adds got no answer, and when it is released. */
  readonly onHeld: (isHeld: boolean) => void;
  /** Called when an add may have got in doubt. */
  readonly onDoubt: () => void;
  readonly pause: QueuePause;
  readonly countdowns: Countdowns;
  readonly live: Map<string, LiveJob>;
  readonly changes: ReturnType<typeof jobChanges>;
  /** Aborted when the program ends. */
  readonly closing: AbortSignal;
}

/** Pause after the ledger could not be read. */
const changesAgainAfterMs = 1_000;
/** How many waiting jobs of a connection are marked at once when it is held or released. */
const waitingMarkedAtOnce = 200;
/** Jobs in one event; more follow in the next events. */
const jobsPerEvent = 100;

type Views = Pick<QueueContext, 'context' | 'live' | 'circuitBreaker' | 'spoolBreaker' | 'doubtBreaker' | 'pause'>;

/** A job as the window sees it: its ledger entry, its progress, and why it waits. */
export function jobView(queue: Views, job: StoredJob): Job {
  // After its end there may still be something to clear up: nothing of it is under way.
  const live = job.state === 'prepared' || job.state === 'sending' ? queue.live.get(job.id) : undefined;
  const isNotSent = job.state === 'prepared' || job.state === 'waiting';
  const heldFor = isNotSent ? queue.doubtBreaker.failure(job.connectionId) : null;
  const notHeldItself = queue.pause.isOn() ? 'all' : heldFor && 'connection';
  // What was taken back for good replaced itself.
  const correction =
    job.supersededBy === null || !job.dismissed ? null : queue.context.store.jobs.get(job.supersededBy);
  const other = job.state === 'in-doubt' && job.operation === 'AddNewDocument' ? otherReason(queue, job) : null;
  return {
    id: job.id,
    batchId: job.batchId,
    connectionId: job.connectionId,
    operation: job.operation,
    title: job.title,
    sentTo: job.record?.signers ?? '',
    sizeBytes: job.sizeBytes,
    sha256: job.sha256,
    state: job.state,
    sentBytes: live?.sentBytes ?? 0,
    totalBytes: live?.totalBytes ?? 0,
    raw: job.raw,
    answer: job.answer,
    documentId: job.documentId,
    failure: isNotSent ? waitsFor(queue, job, heldFor) : (live?.unwritten ?? job.failure),
    pausedBy: isNotSent ? (job.held ?? job.countdown ?? notHeldItself) : null,
    answerAwaitedSince: live?.answerAwaitedSince ?? null,
    duplicateOf: job.duplicateOf,
    look: job.look,
    ...(job.departedAt === null ? {} : { departedAt: job.departedAt }),
    ...(job.dismissed ? { isDismissed: true } : {}),
    ...(correction?.dismissed === false && { correction: { batchId: correction.batchId, jobId: correction.id } }),
    ...(job.isByWord ? { isByWord: true } : {}),
    ...(job.isBesideDoubt ? { isBesideDoubt: true } : {}),
    ...(other === null ? {} : { sameFileAs: other }),
    createdAt: job.createdAt,
    at: job.at,
  };
}

/**
 * Title of what else may be the reason that the service knows the job's bytes: a document here or in the team, another job that may have registered them, on any
 * connection, or what the job repeats; null if there is nothing. A job of which nothing has left is no reason.
 */
export function otherReason({ context }: Pick<QueueContext, 'context'>, job: StoredJob): string | null {
  const { documents, jobs } = context.store;
  const { id, connectionId, sha256, duplicateOf } = job;
  if (sha256 === null) return job.title;
  const document = documents.knownBySha256(sha256, connectionId);
  if (document) return document.name;
  const isJobHere = duplicateOf?.kind === 'job' && duplicateOf.jobId !== null && jobs.get(duplicateOf.jobId) !== null;
  return jobs.mayHaveRegistered(sha256, id)?.title ?? (isJobHere ? null : (duplicateOf?.title ?? null));
}

/** Why a job that has not left does not continue; null if it waits for its turn. `heldFor`: why its connection is held. */
function waitsFor(
  { live, circuitBreaker, spoolBreaker }: Views,
  job: StoredJob,
  heldFor: Failure | null,
): Failure | null {
  if (job.state === 'waiting') return heldFor ?? circuitBreaker.failure(job.connectionId);
  const copied = live.get(job.id);
  return copied ? copied.unwritten : spoolBreaker.failure();
}

type StateSources = Views & Pick<QueueContext, 'countdowns'>;

/** The state of the queue as a whole: counts, pause, and connections that are backing off or held. */
export function queueState(sources: StateSources): QueueState {
  const { context, pause, circuitBreaker, spoolBreaker, doubtBreaker, countdowns, live } = sources;
  const { jobs } = context.store;
  const unwritten = [...live.values()].find((one) => one.unwritten)?.unwritten ?? null;
  // A circuit stays open until its service answers; without a job that waits for it nobody has to know.
  const waiting = circuitBreaker
    .backingOff()
    .map((circuit) => ({ ...circuit, openJobs: jobs.onwardCount(circuit.connectionId) }))
    .filter(({ openJobs }) => openJobs > 0);
  const isStorage = ({ failure }: (typeof waiting)[number]) => isOfStorage(failure);
  return {
    counts: jobs.counts(),
    isPaused: pause.isOn(),
    askingCount: jobs.askingCount(),
    stoppedCount: jobs.stoppedCount(),
    restoredCount: jobs.restoredCount(),
    backingOff: waiting.filter((circuit) => !isStorage(circuit)),
    held: doubtBreaker.held(),
    storage: unwritten ?? spoolBreaker.failure() ?? waiting.find(isStorage)?.failure ?? null,
    ...countdowns.state(),
  };
}

/** Emits `jobs.changed` at most ten times a second and at the end of the last job, with the jobs that were marked since, also by `before`. */
export function jobChanges(
  context: Context,
  view: (job: StoredJob) => Job,
  state: () => QueueState,
  before: () => void,
) {
  const marked = new Set<string>();
  /** Jobs that the last event about them showed as being sent: their next progress changes no count. */
  const sending = new Set<string>();
  let isIncomplete = false;
  let retry: NodeJS.Timeout | undefined;
  const publish: Throttled = throttled(context.pauses.jobEventsMs, () => {
    try {
      before();
      const ids = [...marked].slice(0, jobsPerEvent);
      const jobs = ids.map((id) => context.store.jobs.get(id)).filter((job) => job !== null);
      const shown = jobs.filter((job) => !job.dismissed);
      const moved = jobs.filter(({ id, state }) => state !== 'sending' || !sending.has(id));
      const event = {
        jobs: shown.map(view),
        batches: context.store.jobs.batchesOf([...new Set(moved.map(({ batchId }) => batchId))]),
        isIncomplete: isIncomplete || shown.length < ids.length,
        ...state(),
      };
      for (const id of ids) marked.delete(id);
      for (const { id, state: now } of jobs) {
        if (now === 'sending') sending.add(id);
        else sending.delete(id);
      }
      isIncomplete = false;
      context.emit('jobs.changed', event);
      if (marked.size > 0) publish.request();
    } catch (error) {
      // The marks stay, and are published with the next event.
      context.ports.log.error('changes of jobs could not be published', { code: failureOf(error)?.code });
      retry ??= setTimeout(() => {
        retry = undefined;
        publish.request();
      }, changesAgainAfterMs).unref();
    }
  });
  return {
    /** Marks a job as changed; without an id, the queue as a whole or jobs that are not named. */
    mark: (jobId?: string) => {
      if (jobId === undefined) isIncomplete = true;
      else marked.add(jobId);
      publish.request();
    },
    /** Publishes at once what is marked. */
    flush: publish.flush,
    stop: () => {
      clearTimeout(retry);
      publish.flush();
      publish.stop();
    },
  };
}

/** Marks the waiting jobs of a connection as changed, because their reason to wait has changed. */
export function markWaiting({ context, changes }: QueueContext, connectionId: string): void {
  for (const { id } of context.store.jobs.waiting(connectionId, { order: 'old', limit: waitingMarkedAtOnce }))
    changes.mark(id);
  changes.mark();
}

/**
 * Records an outcome, however long the disk takes: what happened at the service must not be lost because the disk is
 * full for a while. Tries again until the program ends; the ledger then says that the job left, and the next start
 * treats it as in doubt. `onTrouble` gets the reason for each wait.
 */
export async function writeDown(
  queue: QueueContext,
  write: () => void | Promise<void>,
  onTrouble: (failure: Failure | null) => void = () => undefined,
): Promise<void> {
  for (;;) {
    try {
      return await retryWhileBusy(write, { limitMs: asLongAsItTakes, signal: queue.closing });
    } catch (error) {
      if (isBusy(error)) return;
      const failure = failureOf(error);
      const why = failure ? { code: failure.code, note: failure.note } : traceOf(error);
      queue.context.ports.log.error('the ledger cannot be written', why);
      if (queue.closing.aborted) return;
      onTrouble(failure);
      await sleep(queue.context.pauses.ledgerMs, undefined, { signal: queue.closing }).catch(() => undefined);
    }
  }
}

/** For the address book: the people whom a request went to, once the service has it. */
export async function peopleAsked({ connections }: Context, { args, connectionId }: StoredJob): Promise<NewPerson[]> {
  if (!args.Emails) return [];
  const connection = await connections.get(connectionId).catch(() => null);
  if (!connection) return [];
  const parts = (text: unknown) => String(text ?? '').split(connection.separator);
  const names = parts(args.Names);
  return parts(args.Emails).map((email, at) => ({ email: email.trim(), name: names[at]?.trim() ?? '' }));
}

/** The pause of the whole queue. Kept over restarts. */
type QueuePause = ReturnType<typeof queuePause>;

const settingKey = 'queue.paused';

/** Opens the pause in the settings table. */
export function queuePause(settings: KeyValueTable) {
  const isStored = () => settings.get(settingKey) === 'yes';
  let isOn = isStored();
  return {
    isOn: (): boolean => isOn,
    set: (on: boolean): void => {
      if (on) settings.put(settingKey, 'yes');
      else settings.remove(settingKey);
      isOn = on;
    },
    /** Reads the setting again: another program may have changed it. */
    readAgain: (): void => {
      isOn = isStored();
    },
  };
}
