import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '../../../contract/failure.ts';
import type { Job } from '../../../contract/jobs.ts';
import { textOf } from '../arguments/values.ts';
import type { Run } from '../command.ts';
import { type ExitCode, exitCodeOfStart, worstOf } from '../output/exit-code.ts';
import type { Line } from '../output/printer.ts';
import { reportFailure, reportJob } from '../output/report.ts';
import type { Session } from '../session.ts';
import {
  createStoragePatience,
  type EndedJob,
  endOf,
  type FollowedJob,
  type Following,
  isForeign,
  type JobFollowing,
} from './job-end.ts';
import { jobsOfBatch, ledgerJobs, parts } from './select-jobs.ts';

/** No event reports what other programs do, so the ledger is read; reading takes at most a fifth of the time. */
export const readEveryMs = 250;
const readShare = 5;
/** The end of a program that works on a job changes nothing in the ledger, so this is checked separately. */
export const checkWorkersMs = 1_000;

type Started = Envelope<{ readonly batchId: string }>;

/** Starts a batch and reports the end of each of its jobs once, as that of its file; resolves when all have ended. */
export function followBatch(
  session: Session,
  run: Run,
  operation: Line['operation'],
  files: readonly (string | undefined)[],
  start: () => Promise<Started>,
): Promise<ExitCode> {
  return listening(session, async (signals) => {
    const started = await start();
    if (!started.ok) {
      for (const file of files) reportFailure(run.printer, { operation, file }, started.failure);
      return exitCodeOfStart(started.failure);
    }
    const jobs = await jobsOfBatch(session, started.value.batchId);
    if (jobs.length !== files.length) throw new Error(`${jobs.length} of ${files.length} jobs are in the ledger`);
    return followAll(
      session,
      signals,
      jobs,
      followingOf(run, 'cancel', (position) => files[position]),
    );
  });
}

/** Reports the end of each of these jobs, which are in the ledger: those that cannot go on stay in it. */
export function followLedgerJobs(session: Session, run: Run, read: () => Promise<readonly Job[]>): Promise<ExitCode> {
  return listening(session, async (signals) => {
    const jobs = await read();
    return followAll(
      session,
      signals,
      jobs,
      followingOf(run, 'leave', (position) => jobs[position]?.title),
    );
  });
}

function followingOf(
  { printer, interrupted, values }: Run,
  unsent: Following['unsent'],
  nameOf: (position: number) => string | undefined,
): ReportedFollowing {
  const codes: ExitCode[] = [];
  const onEnd = (ended: EndedJob) =>
    codes.push(reportJob(printer, nameOf(ended.position), ended, textOf(values, 'connection')));
  return { interrupted, unsent, remark: printer.remark, onEnd, codes };
}

interface ReportedFollowing extends Following {
  /** Of the jobs that have ended. */
  readonly codes: readonly ExitCode[];
}

/** Listens before the work begins, so that events before the jobs are known are not missed. */
async function listening(session: Session, work: (signals: Signals) => Promise<ExitCode>): Promise<ExitCode> {
  const reported = new Map<string, Job>();
  const waker = createWaker();
  let isStale = false;
  const stop = session.listen('jobs.changed', ({ jobs, isIncomplete }) => {
    for (const job of jobs) reported.set(job.id, job);
    // A service that cannot be reached stops all jobs of the connection, and the event may not name all of them.
    if (isIncomplete || jobs.some(({ state, failure }) => state === 'waiting' && failure)) isStale = true;
    waker.wake();
  });
  const takeStale = () => {
    const was = isStale;
    isStale = false;
    return was;
  };
  try {
    return await work({ reported, wait: waker.wait, takeStale });
  } finally {
    stop();
  }
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
  following: ReportedFollowing,
): Promise<ExitCode> {
  const open = new Map<string, FollowedJob>();
  for (const [position, job] of jobs.entries())
    open.set(job.id, { position, own: job, current: job, checked: null, isGone: false, hasRemark: false });
  const work: JobFollowing = { session, following, open, withdrawn: new Map(), storageFailure: null, isStale: false };
  const storageFailureOf = createStoragePatience(session.storagePatienceMs);
  let nextRead = 0;
  let nextWorkerCheck = performance.now() + checkWorkersMs;
  let interruptionHandled = false;
  for (;;) {
    const now = performance.now();
    const isDue = now >= nextWorkerCheck && hasForeign(open);
    if (now >= nextRead && (signals.takeStale() || work.isStale || isDue)) {
      work.isStale = false;
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
    if (open.size === 0) return worstOf(following.codes);
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
  for (const slice of parts([...open.values()])) {
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
  for (const jobIds of parts(left)) await session.ask('jobs.takeOver', { jobIds });
}

/** A file may have been skipped because a job with its bytes is on its way: the outcome of that job is the outcome of the file. */
async function followTheSameBytes(session: Session, followed: FollowedJob): Promise<void> {
  // Each hop leads to an earlier job; more hops mean a ring.
  for (let hops = 0; hops < 20; hops += 1) {
    const { state, duplicateOf } = followed.current;
    if (state !== 'passed-over' || !duplicateOf?.jobId) return;
    const other = (await ledgerJobs(session, [duplicateOf.jobId])).get(duplicateOf.jobId);
    if (!other) return;
    followed.current = other;
  }
}

/** Lets one loop wait for an event, a time or an interruption. */
function createWaker() {
  let woken = new AbortController();
  return {
    /** Ends the current wait, or the next one if nothing waits. */
    wake: () => woken.abort(),
    /** Resolves at `wake`, after `ms`, or at the moment of the interruption. */
    wait: async (ms: number, interrupted: AbortSignal) => {
      const signal = interrupted.aborted ? woken.signal : AbortSignal.any([woken.signal, interrupted]);
      await sleep(ms, undefined, { signal }).catch(() => undefined);
      woken = new AbortController();
    },
  };
}
