import type { Job } from '../../contract/jobs.ts';
import { endOf, type FollowedJob, type Following, isForeign, type JobFollowing } from './job-end.ts';
import { idsPerCall, jobsOfBatch, ledgerJobs } from './ledger-jobs.ts';
import type { Session } from './session.ts';
import { createStoragePatience } from './storage-patience.ts';
import { createWaker } from './waker.ts';

/** Subscribes when it is created, so that events before the jobs are known are not missed. */
export interface JobWatch {
  /** Reports the end of each job of the batch once, in the order in which they end; resolves when all have ended. */
  follow(batchId: string, jobCount: number, following: Following): Promise<void>;
  /** The same for jobs that are already in the ledger. */
  followThese(jobs: readonly Job[], following: Following): Promise<void>;
  stop(): void;
}

/** No event reports what other programs do, so the ledger is read; reading takes at most a fifth of the time. */
export const readEveryMs = 250;
const readShare = 5;
/** The end of a program that works on a job changes nothing in the ledger, so this is checked separately. */
export const checkWorkersMs = 1_000;

export function watchJobs(session: Session): JobWatch {
  const reported = new Map<string, Job>();
  const waker = createWaker();
  let isStale = false;
  const stop = session.listen('jobs.changed', ({ jobs, isIncomplete }) => {
    for (const job of jobs) reported.set(job.id, job);
    // A service that cannot be reached stops all jobs of the connection, and the event may not name all of them.
    if (isIncomplete || jobs.some(({ state, failure }) => state === 'waiting' && failure)) isStale = true;
    waker.wake();
  });
  const signals: Signals = {
    reported,
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
      const jobs = await jobsOfBatch(session, batchId);
      // The caller prints one line for each file.
      if (jobs.length !== jobCount) throw new Error(`${jobs.length} of ${jobCount} jobs are in the ledger`);
      await followAll(session, signals, jobs, following);
    },
    followThese: (jobs, following) => followAll(session, signals, jobs, following),
  };
}

interface Signals {
  /** The latest state of each job from this program's own queue. */
  readonly reported: Map<string, Job>;
  /** Resolves at the next event, or after `ms`. */
  wait(ms: number, interrupted: AbortSignal): Promise<void>;
  /** True once after another program has written to the ledger. */
  takeStale(): boolean;
}

async function followAll(
  session: Session,
  signals: Signals,
  jobs: readonly Job[],
  following: Following,
): Promise<void> {
  const open = new Map<string, FollowedJob>();
  for (const [position, job] of jobs.entries())
    open.set(job.id, { position, own: job, current: job, checked: null, isGone: false, hasRemark: false });
  const work: JobFollowing = { session, following, open, withdrawn: new Map(), storageFailure: null };
  const storageFailureOf = createStoragePatience(session.storagePatienceMs);
  let nextRead = 0;
  let nextWorkerCheck = performance.now() + checkWorkersMs;
  let interruptionHandled = false;
  for (;;) {
    const now = performance.now();
    const isDue = now >= nextWorkerCheck && hasForeign(open);
    if (now >= nextRead && (signals.takeStale() || isDue)) {
      // Events received until now are older than the following read.
      signals.reported.clear();
      await readAgain(session, open);
      const readAt = performance.now();
      nextRead = readAt + Math.max(readEveryMs, (readAt - now) * readShare);
      nextWorkerCheck = readAt + checkWorkersMs;
    } else takeReported(signals.reported, open);
    work.storageFailure = storageFailureOf([...open.values()].map(({ current }) => current));
    await checkAll(work, (following.interrupted.aborted && !interruptionHandled) || work.storageFailure !== null);
    interruptionHandled = following.interrupted.aborted;
    session.underWay.clear();
    for (const { current } of open.values()) if (current.state === 'sending') session.underWay.add(current.id);
    if (open.size === 0) return;
    await signals.wait(readEveryMs, following.interrupted);
  }
}

/** Takes the states that this program's own queue reported. */
function takeReported(reported: Map<string, Job>, open: ReadonlyMap<string, FollowedJob>): void {
  if (reported.size === 0) return;
  for (const followed of open.values()) followed.current = reported.get(followed.current.id) ?? followed.current;
  reported.clear();
}

async function readAgain(session: Session, open: ReadonlyMap<string, FollowedJob>): Promise<void> {
  const all = [...open.values()];
  for (let from = 0; from < all.length; from += idsPerCall) {
    const slice = all.slice(from, from + idsPerCall);
    const found = await ledgerJobs(session, [...new Set(slice.map(({ current }) => current.id))]);
    for (const followed of slice) {
      const job = found.get(followed.current.id);
      if (job) followed.current = job;
      followed.isGone = job === undefined;
    }
  }
}

const hasForeign = (open: ReadonlyMap<string, FollowedJob>) =>
  [...open.values()].some(({ current }) => isForeign(current));

/** Reports the jobs that have ended. `all`: also checks those without a change. */
async function checkAll(work: JobFollowing, all: boolean): Promise<void> {
  const { session, open, following } = work;
  const left: string[] = [];
  for (const [id, followed] of [...open]) {
    if (!all && followed.checked === followed.current && !followed.isGone) continue;
    await followTheSameBytes(session, followed);
    followed.checked = followed.current;
    const ended = await endOf(work, followed);
    if (ended) {
      open.delete(id);
      following.onEnd(ended);
    } else if (isForeign(followed.current) && followed.current.worker === 'nobody') left.push(followed.current.id);
  }
  for (let from = 0; from < left.length; from += idsPerCall)
    await session.ask('jobs.takeOver', { jobIds: left.slice(from, from + idsPerCall) });
}

/** A file may have been skipped because a job with its bytes is on its way: the outcome of that job is the outcome of the file. */
async function followTheSameBytes(session: Session, followed: FollowedJob): Promise<void> {
  // Each hop leads to an earlier job; more hops mean a ring.
  for (let hops = 0; hops < 20; hops += 1) {
    const { state, duplicateOf } = followed.current;
    if (state !== 'cancelled' || !duplicateOf?.jobId) return;
    const other = (await ledgerJobs(session, [duplicateOf.jobId])).get(duplicateOf.jobId);
    if (!other) return;
    followed.current = other;
  }
}
