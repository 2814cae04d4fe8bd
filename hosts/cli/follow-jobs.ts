import { setTimeout as sleep } from 'node:timers/promises';
import type { Failure } from '../../contract/failure.ts';
import type { Hold, Job, JobState, LedgerJob } from '../../contract/jobs.ts';
import { AppError, appError } from '../../electron/core/foundation/app-error.ts';
import { nameOnLine } from './printer.ts';
import type { Session } from './session.ts';
import { createStoragePatience, waitsForStorage } from './storage-patience.ts';

const ends: ReadonlySet<JobState> = new Set(['done', 'refused', 'failed', 'in-doubt', 'cancelled']);

/** The end of one piece of work, however it came: every job that is followed has exactly one. */
export interface EndedJob {
  readonly job: Job;
  /** Its place among the jobs that are followed, from 0: that of its file in the intake. */
  readonly position: number;
  /** Why it is over although nothing of it was sent: not reachable, paused, cancelled in another program. Null where the job itself says how it ended. */
  readonly cause: Failure | null;
  /** It ended after Ctrl-C. */
  readonly isInterrupted: boolean;
  /** The job with the same bytes whose end this is; the file itself was not sent once more. */
  readonly sameAs: Job | null;
}

export interface Following {
  readonly interrupted: AbortSignal;
  /** What becomes of jobs that cannot go on now or are interrupted: `cancel` withdraws them; `leave` lets them wait in the ledger. */
  readonly unsent: 'cancel' | 'leave';
  readonly remark: (text: string) => void;
  readonly onEnd: (ended: EndedJob) => void;
}

/** Listens from the moment it is made, so that nothing told before the jobs are known is missed. */
export interface JobWatch {
  /** Tells the end of each job of the batch, once, as they come; resolves when all have ended. */
  follow(batchId: string, jobCount: number, following: Following): Promise<void>;
  /** As `follow`, of jobs that are in the ledger already. */
  followThese(jobs: readonly Job[], following: Following): Promise<void>;
  stop(): void;
}

/** What other programs do is not told but read; at most a fifth of the time goes into reading. */
const readEveryMs = 250;
const readShare = 5;
/** Whether the program that works on a job is still there shows in no change of the ledger. */
const lookForWorkersMs = 1_000;
const idsPerRead = 500;

export function watchJobs(session: Session): JobWatch {
  const told = new Map<string, Job>();
  const waker = createWaker();
  let isStale = false;
  const stop = session.listen('jobs.changed', ({ jobs, isIncomplete }) => {
    for (const job of jobs) told.set(job.id, job);
    // A service that cannot be reached keeps all jobs of the connection, of which not all are told.
    if (isIncomplete || jobs.some(({ state, failure }) => state === 'waiting' && failure)) isStale = true;
    waker.wake();
  });
  const signals: Signals = {
    told,
    wait: (ms, interrupted) => waker.wait(ms, interrupted),
    takeStale: () => {
      const was = isStale;
      isStale = false;
      return was;
    },
  };
  return {
    stop,
    follow: async (batchId, jobCount, following) => {
      const jobs = await jobsOf(session, batchId);
      // Whatever became of the others: the caller counts on a line for each.
      if (jobs.length !== jobCount) throw new Error(`${jobs.length} of ${jobCount} jobs are in the ledger`);
      await followAll(session, signals, jobs, following);
    },
    followThese: (jobs, following) => followAll(session, signals, jobs, following),
  };
}

interface Signals {
  /** The last that this program's own queue told of each job. */
  readonly told: Map<string, Job>;
  /** Resolves at the next event, or after `ms`. */
  wait(ms: number, interrupted: AbortSignal): Promise<void>;
  /** Once after another program has written to the ledger. */
  takeStale(): boolean;
}

/** One that is waited for. */
interface Awaited {
  readonly position: number;
  /** The job that was started for it. */
  readonly own: Job;
  /** The job whose end counts: its own, or the one with the same bytes. */
  current: Job | LedgerJob;
  /** As `current` was when it was judged last. */
  judged: Job | null;
  isGone: boolean;
  hasRemark: boolean;
}

interface Work {
  readonly session: Session;
  readonly following: Following;
  readonly open: Map<string, Awaited>;
  /** Jobs that this command withdrew, and why; null for Ctrl-C. */
  readonly withdrawn: Map<string, Failure | null>;
  /** The program's own storage, where nothing else has been waited for long enough. */
  storageTrouble: Failure | null;
}

async function followAll(
  session: Session,
  signals: Signals,
  jobs: readonly Job[],
  following: Following,
): Promise<void> {
  const open = new Map<string, Awaited>();
  for (const [position, job] of jobs.entries())
    open.set(job.id, { position, own: job, current: job, judged: null, isGone: false, hasRemark: false });
  const work: Work = { session, following, open, withdrawn: new Map(), storageTrouble: null };
  const storageTroubleOf = createStoragePatience();
  let nextRead = 0;
  let nextLook = performance.now() + lookForWorkersMs;
  let isTold = false;
  for (;;) {
    const now = performance.now();
    const isDue = now >= nextLook && hasForeign(open);
    if (now >= nextRead && (signals.takeStale() || isDue)) {
      // What was told until now is older than what is read now.
      signals.told.clear();
      await readAgain(session, open);
      const readAt = performance.now();
      nextRead = readAt + Math.max(readEveryMs, (readAt - now) * readShare);
      nextLook = readAt + lookForWorkersMs;
    } else takeTold(signals.told, open);
    work.storageTrouble = storageTroubleOf([...open.values()].map(({ current }) => current));
    await judgeAll(work, (following.interrupted.aborted && !isTold) || work.storageTrouble !== null);
    isTold = following.interrupted.aborted;
    session.underWay.clear();
    for (const { current } of open.values()) if (current.state === 'sending') session.underWay.add(current.id);
    if (open.size === 0) return;
    await signals.wait(readEveryMs, following.interrupted);
  }
}

/** What this program does is told by its own queue. */
function takeTold(told: Map<string, Job>, open: ReadonlyMap<string, Awaited>): void {
  if (told.size === 0) return;
  for (const awaited of open.values()) awaited.current = told.get(awaited.current.id) ?? awaited.current;
  told.clear();
}

async function readAgain(session: Session, open: ReadonlyMap<string, Awaited>): Promise<void> {
  const all = [...open.values()];
  for (let from = 0; from < all.length; from += idsPerRead) {
    const slice = all.slice(from, from + idsPerRead);
    const found = await ledgerJobs(session, [...new Set(slice.map(({ current }) => current.id))]);
    for (const awaited of slice) {
      const job = found.get(awaited.current.id);
      if (job) awaited.current = job;
      awaited.isGone = job === undefined;
    }
  }
}

const isForeign = (job: Job | LedgerJob): job is LedgerJob => 'worker' in job && job.worker !== 'this-program';
const hasForeign = (open: ReadonlyMap<string, Awaited>) => [...open.values()].some(({ current }) => isForeign(current));

/** `all`: also those of which nothing changed. */
async function judgeAll(work: Work, all: boolean): Promise<void> {
  const { session, open, following } = work;
  const left: string[] = [];
  for (const [id, awaited] of [...open]) {
    if (!all && awaited.judged === awaited.current && !awaited.isGone) continue;
    await followTheSameBytes(session, awaited);
    awaited.judged = awaited.current;
    const ended = await endOf(work, awaited);
    if (ended) {
      open.delete(id);
      following.onEnd(ended);
    } else if (isForeign(awaited.current) && awaited.current.worker === 'nobody') left.push(awaited.current.id);
  }
  for (let from = 0; from < left.length; from += idsPerRead)
    await session.ask('jobs.takeOver', { jobIds: left.slice(from, from + idsPerRead) });
}

/** A file that was passed over because a job with its bytes is on its way: what becomes of that one is what becomes of the file. */
async function followTheSameBytes(session: Session, awaited: Awaited): Promise<void> {
  // Each hop leads to a job that came first; more would be a ring.
  for (let hops = 0; hops < 20; hops += 1) {
    const { state, duplicateOf } = awaited.current;
    if (state !== 'cancelled' || !duplicateOf?.jobId) return;
    const other = (await ledgerJobs(session, [duplicateOf.jobId])).get(duplicateOf.jobId);
    if (!other) return;
    awaited.current = other;
  }
}

/** Null while it is under way. Withdraws what cannot go on. */
async function endOf(work: Work, awaited: Awaited): Promise<EndedJob | null> {
  const { following, withdrawn } = work;
  const { current: job, own, position } = awaited;
  const isInterrupted = following.interrupted.aborted;
  const end = (cause: Failure | null = null): EndedJob => ({
    job,
    position,
    cause,
    isInterrupted,
    sameAs: job.id === own.id ? null : job,
  });
  if (awaited.isGone) return end(gone());
  if (job.state === 'cancelled' && !job.duplicateOf) {
    if (withdrawn.has(job.id)) return end(withdrawn.get(job.id));
    return end(isInterrupted && job.id !== own.id ? null : cancelledElsewhere());
  }
  if (ends.has(job.state)) return end();
  if (isForeign(job) && isInterrupted) return end(waitsElsewhere(job));
  const cause = work.storageTrouble ?? whyNotNow(job);
  if (job.state === 'sending' && waitsForStorage(job) && (isInterrupted || cause)) return end(endNotKept());
  if (!isInterrupted && (cause === null || job.state === 'sending')) return remarkOn(awaited, following);
  if (isForeign(job)) return end(cause);
  return withdraw(work, job, cause, () => end(cause ?? leftWaiting()));
}

async function withdraw(
  { session, following, withdrawn }: Work,
  job: Job,
  cause: Failure | null,
  left: () => EndedJob,
): Promise<EndedJob | null> {
  if (following.unsent === 'leave' && job.state !== 'sending') {
    const answer = await session.ask('jobs.release', { jobIds: [job.id] });
    return answer.ok && answer.value.count === 1 ? left() : null;
  }
  if (withdrawn.has(job.id)) return null;
  const answer = await session.ask('jobs.cancel', { jobId: job.id });
  // Not even that can be written: it waits in the ledger.
  if (!answer.ok && answer.failure.code.startsWith('storage-')) return left();
  withdrawn.set(job.id, cause);
  return null;
}

function remarkOn(awaited: Awaited, { remark }: Following): null {
  const { current: job, own } = awaited;
  const text =
    job.pausedBy === 'batch' || job.pausedBy === 'job'
      ? `${nameOnLine(own.title)}: paused in another program; it goes on when it is resumed. Ctrl-C withdraws it.`
      : isForeign(job) && job.worker === 'another-program'
        ? `${nameOnLine(own.title)}: another program is about to send the same bytes; its answer is waited for. Ctrl-C ends the waiting.`
        : null;
  if (text !== null && !awaited.hasRemark) remark(text);
  awaited.hasRemark = text !== null;
  return null;
}

/** Why a job that has not left cannot go on without a person; null where it can, or where a person has paused just this and will resume it. */
function whyNotNow(job: Job): Failure | null {
  // Before that it is not known whether the service has its bytes already.
  if (job.state !== 'waiting') return null;
  // Room comes back, and another program has the ledger for a moment only.
  if (waitsForStorage(job)) return null;
  if (job.failure) {
    const { detail, note } = job.failure;
    return detail === 'sending-held' ? { ...job.failure, note: `${note} (sealdesk jobs resume --held)` } : job.failure;
  }
  if (job.pausedBy === null || job.pausedBy === 'job' || job.pausedBy === 'batch') return null;
  return appError('cancelled', `not sent: ${reasons[job.pausedBy] ?? 'it is held'}`).failure;
}

const reasons: Readonly<Partial<Record<Hold, string>>> = {
  all: 'the queue is paused. Resume it in the app or with "sealdesk jobs resume --queue", then try again',
  restored:
    'the register is older than what was sent from it. Compare with the service, then resume in the app or with "sealdesk jobs resume --restored"',
  duplicate:
    'the same bytes were sent before, and a person has to decide: in the app or with "sealdesk jobs decide --send|--skip JOB"',
};

function gone(): Failure {
  return appError('not-found', 'the job is not in the ledger any more').failure;
}

function endNotKept(): Failure {
  return appError(
    'outcome-unknown',
    'it was sent, and how it ended cannot be written into the register: the disk is full or cannot be used',
  ).failure;
}

function leftWaiting(): Failure {
  return appError('cancelled', 'not sent: it still waits in the queue').failure;
}

function cancelledElsewhere(): Failure {
  return appError('cancelled', 'not sent: it was cancelled in another program').failure;
}

function waitsElsewhere(job: Job): Failure {
  const what = job.state === 'sending' ? 'is being sent by' : 'waits in';
  return appError('cancelled', `the document ${what} another program: its end was not waited for`).failure;
}

async function ledgerJobs(session: Session, jobIds: readonly string[]): Promise<ReadonlyMap<string, LedgerJob>> {
  for (;;) {
    const answer = await session.ask('jobs.read', { jobIds: [...jobIds] });
    if (answer.ok) return new Map(answer.value.map((job) => [job.id, job]));
    // A disk or a lock: what was sent must still be told.
    if (answer.failure.code !== 'storage-unusable' && answer.failure.code !== 'storage-full')
      throw new AppError(answer.failure);
    await sleep(1_000);
  }
}

async function jobsOf(session: Session, batchId: string): Promise<readonly LedgerJob[]> {
  const jobs: LedgerJob[] = [];
  for (;;) {
    const page = await session.ask('jobs.read', { batchId, offset: jobs.length, limit: idsPerRead });
    if (!page.ok) throw new AppError(page.failure);
    if (page.value.length === 0) return jobs;
    jobs.push(...page.value);
  }
}

function createWaker() {
  let isAwake = false;
  let wakeUp: () => void = () => undefined;
  return {
    wake: () => {
      isAwake = true;
      wakeUp();
    },
    /** Also wakes at the interruption, once. */
    wait: (ms: number, interrupted: AbortSignal) =>
      new Promise<void>((resolve) => {
        const done = () => {
          clearTimeout(timer);
          interrupted.removeEventListener('abort', done);
          isAwake = false;
          wakeUp = () => undefined;
          resolve();
        };
        const timer = setTimeout(done, ms);
        if (isAwake) return done();
        wakeUp = done;
        interrupted.addEventListener('abort', done, { once: true });
      }),
  };
}
