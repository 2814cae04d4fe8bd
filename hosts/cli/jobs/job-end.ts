import { type Failure, isOfStorage } from '../../../contract/failure.ts';
import type { DuplicateOf, Job, JobState, LedgerJob } from '../../../contract/jobs.ts';
import { failureText, type Line, lineText, nameOnLine, ownFailure } from '../output/printer.ts';
import { t } from '../output/texts.ts';
import type { Session } from '../session.ts';

const ends: ReadonlySet<JobState> = new Set(['done', 'refused', 'failed', 'in-doubt', 'passed-over', 'cancelled']);

/** The end of one job. Every followed job has exactly one. */
export interface EndedJob {
  readonly job: Job;
  /** Index among the followed jobs, from 0: that of its file in the intake. */
  readonly position: number;
  /** Why the wait is over although nothing was sent: not reachable, paused, cancelled in another program. Null if the job itself has the outcome. */
  readonly cause: Failure | null;
  /** True if it ended after Ctrl-C. */
  readonly isInterrupted: boolean;
  /** True if this command withdrew it. */
  readonly isWithdrawn: boolean;
  /** The job with the same bytes whose end this is; the file itself was not sent again. */
  readonly sameAs: Job | null;
}

export interface Following {
  readonly interrupted: AbortSignal;
  /** What happens to jobs that cannot continue or are interrupted: `cancel` withdraws them, `leave` keeps them waiting in the ledger. */
  readonly unsent: 'cancel' | 'leave';
  readonly remark: (text: string) => void;
  readonly onEnd: (ended: EndedJob) => void;
}

/** A job that is followed and has not ended. */
export interface FollowedJob {
  readonly position: number;
  /** The job that was started for it. */
  readonly own: Job;
  /** The job whose end counts: its own, or the one with the same bytes. */
  current: Job | LedgerJob;
  /** `current` at the last check. */
  checked: Job | null;
  isGone: boolean;
  hasRemark: boolean;
}

export interface JobFollowing {
  readonly session: Session;
  readonly following: Following;
  readonly open: Map<string, FollowedJob>;
  /** Jobs that this command withdrew, with the reason; null for Ctrl-C. */
  readonly withdrawn: Map<string, Failure | null>;
  /** The failure of this program's storage, once the jobs have waited for nothing else for long enough. */
  storageFailure: Failure | null;
  /** True once a job turned out to be no longer as `current` says, which no event tells: the ledger is to be read. */
  isStale: boolean;
}

/** True if another program works on the job, or no running one. */
export const isForeign = (job: Job | LedgerJob): job is LedgerJob => 'worker' in job && job.worker !== 'this-program';

/** The end of a job, or null while it is under way. Withdraws a job that cannot go on. */
export async function endOf(work: JobFollowing, followed: FollowedJob): Promise<EndedJob | null> {
  const { following, withdrawn } = work;
  const { current: job, own, position } = followed;
  const isInterrupted = following.interrupted.aborted;
  const end = (cause: Failure | null = null): EndedJob => ({
    job,
    position,
    cause,
    isInterrupted,
    isWithdrawn: withdrawn.has(job.id),
    sameAs: job.id === own.id ? null : job,
  });
  if (followed.isGone) return end(ownFailure('not-found', t('results.goneFromLedger')));
  if (job.state === 'cancelled' && !job.duplicateOf) {
    if (withdrawn.has(job.id)) return end(withdrawn.get(job.id));
    return end(isInterrupted && job.id !== own.id ? null : ownFailure('cancelled', t('results.notSent.elsewhere')));
  }
  if (ends.has(job.state)) return end();
  const elsewhere = job.state === 'sending' ? 'sentElsewhere' : 'waitsElsewhere';
  if (isForeign(job) && isInterrupted) return end(ownFailure('cancelled', t(`results.${elsewhere}`)));
  const cause = work.storageFailure ?? whyNotNow(job);
  if (job.state === 'sending' && (waitsForStorage(job) || isLeft(job)) && (isInterrupted || cause))
    return end(ownFailure('outcome-unknown', t('results.endNotKept')));
  if (!isInterrupted && (cause === null || job.state === 'sending')) return remarkOn(followed, following);
  if (isForeign(job)) return end(cause);
  return withdraw(work, followed, cause, () => end(cause ?? ownFailure('cancelled', t('results.notSent.waits'))));
}

/** Where the withdrawal itself cannot be written the job stays in the ledger, and the end of this program releases it. */
async function withdraw(
  work: JobFollowing,
  { current: job, own }: FollowedJob,
  cause: Failure | null,
  left: () => EndedJob,
): Promise<EndedJob | null> {
  const { session, following, withdrawn } = work;
  const isTakenBack = job.pausedBy === 'countdown' && following.interrupted.aborted;
  // Of another batch, which has the same bytes, a person decides.
  const leaves = following.unsent === 'leave' || job.batchId !== own.batchId;
  if (leaves && job.state !== 'sending' && !isTakenBack) {
    const answer = await session.ask('jobs.release', { jobIds: [job.id] });
    if (!answer.ok) return isOfStorage(answer.failure) ? left() : null;
    // Given up already, as the job whose end is that of another file, too.
    const isGivenUp = answer.value.count === 0;
    work.isStale ||= isGivenUp;
    return isGivenUp ? null : left();
  }
  if (withdrawn.has(job.id)) return null;
  const answer = isTakenBack
    ? await session.ask('jobs.takeBack', { jobIds: [job.id] })
    : await session.ask('jobs.cancel', { jobId: job.id });
  if (!answer.ok && isOfStorage(answer.failure)) return left();
  withdrawn.set(job.id, cause);
  return null;
}

function remarkOn(followed: FollowedJob, { remark }: Following): null {
  const { current: job, own } = followed;
  const about =
    job.pausedBy === 'batch' || job.pausedBy === 'job'
      ? 'pausedElsewhere'
      : isForeign(job) && job.worker === 'another-program'
        ? 'sameBytesElsewhere'
        : null;
  if (about !== null && !followed.hasRemark) remark(lineText(own.title, t(`results.${about}`)));
  followed.hasRemark = about !== null;
  return null;
}

/** Why a job that was not sent cannot continue without a person; null if it can, or if a person has paused just this job and will resume it. */
function whyNotNow(job: Job): Failure | null {
  // Before that it is not known whether the service has its bytes already.
  if (job.state !== 'waiting') return null;
  // Disk space may become free, and another program holds the ledger only for a moment.
  if (waitsForStorage(job)) return null;
  const { failure, pausedBy, duplicateOf } = job;
  if (failure?.detail === 'sending-held')
    return { ...failure, note: t('results.resumeHeld', { text: failureText(failure) }) };
  if (failure) return failure;
  if (pausedBy === null || pausedBy === 'job' || pausedBy === 'batch' || pausedBy === 'countdown') return null;
  if (pausedBy === 'duplicate' && duplicateOf?.by)
    return ownFailure('cancelled', t('results.notSent.colleague', { before: sentBefore(duplicateOf) }));
  const why = pausedBy === 'connection' ? 'other' : pausedBy;
  return ownFailure('cancelled', t(`results.notSent.${why}`, { batch: job.batchId, id: job.id }));
}

/** Sending jobs frees space and closes files, so a full disk may recover; one that stays full must not block a script for ever. */
export const usualPatienceMs = 10_000;

/**
 * Returns the storage failure once all open jobs have waited for nothing but the program's own storage for `patienceMs` without interruption; null before that.
 * Nothing of such a job was sent.
 */
export function createStoragePatience(
  patienceMs = usualPatienceMs,
  now: () => number = () => performance.now(),
): (open: Iterable<Job | LedgerJob>) => Failure | null {
  let since: number | null = null;
  const goesOn = () => {
    since = null;
    return null;
  };
  return (open) => {
    let failure: Failure | null = null;
    for (const job of open) {
      if (waitsForStorage(job)) failure = job.failure;
      else if (job.state !== 'waiting' && !isLeft(job)) return goesOn();
    }
    // A job that waits for its turn counts only if no job before it waits for storage.
    if (!failure) return goesOn();
    since ??= now();
    return now() - since >= patienceMs ? failure : null;
  };
}

/** A job that an ended program left: it goes on only after it was taken over, which is written to the ledger too. */
export const isLeft = (job: Job | LedgerJob) => 'worker' in job && job.worker === 'nobody';

/** The job's copy, departure or outcome cannot be written. */
export function waitsForStorage({ state, failure }: Pick<Job, 'state' | 'failure'>): boolean {
  return ['prepared', 'waiting', 'sending'].includes(state) && failure !== null && isOfStorage(failure);
}

/** Who or what has the same as a job, in words: a colleague of the team by name. */
export function sentBefore(of: DuplicateOf | null, isRequest = false): string {
  const title = nameOnLine(of?.title ?? '');
  if (of?.by) {
    const who = { person: nameOnLine(of.by.person), computer: nameOnLine(of.by.computer) };
    const state = of.state === 'done' ? 'done' : of.state === 'in-doubt' ? 'doubt' : 'sending';
    return t(`results.team.by.${state}`, { ...who, what: of.documentId ?? title });
  }
  if (of?.state === 'waiting' || of?.state === 'sending') return t('results.inQueueToo', { title });
  const what = of?.documentId ?? (of?.state === 'in-doubt' ? t('results.inDoubtToo', { title }) : title);
  return isRequest ? t('results.requestedBefore', { what, when: of?.at ?? '' }) : t('results.sentBefore', { what });
}

/** The colleague who has the same as a job, as `--json` prints it, with the job that a person may decide about; undefined if it is nobody of the team. */
export function colleagueOf({ id, duplicateOf }: Job): Line['details'] {
  if (!duplicateOf?.by) return undefined;
  const { by, state, at } = duplicateOf;
  return { jobId: id, claimedBy: { person: by.person, computer: by.computer, state, at } };
}
