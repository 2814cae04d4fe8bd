import type { Rules } from './rules.ts';
import {
  type Claim,
  type ClaimState,
  claimOf,
  isLive,
  type Job,
  type JobState,
  jobOf,
  live,
  of,
  type State,
  withClaim,
  withJob,
  withProgram,
} from './state.ts';

/** An answer of the register reached the program: it knows how far the register had come. */
export const told = (state: State, p: number, rules: Rules, isFollowing = false): State =>
  state.isChanged && (rules.ownAnswersCount || isFollowing) ? withProgram(state, p, { knowsMore: true }) : state;

/** The live claims of others on a document, first ones before second ones. */
export function others(state: State, p: number, d: number): number[] {
  const found = state.programs.flatMap(({ claims }, q) => (q !== p && isLive(claims[d] as Claim) ? [q] : []));
  return found.sort(
    (one, other) => Number(claimOf(state, one, d).isSecond) - Number(claimOf(state, other, d).isSecond),
  );
}

/** What a look at the register finds out first: whether it went back. Then it is closed for all, and the program reports again all that it knows. */
export function notice(state: State, p: number, rules: Rules): State {
  const program = of(state, p);
  if (!program.isAhead || !rules.noticesRestores) return state;
  const jobs = program.jobs.map((job) => (job.hasClaim ? { ...job, isUnreported: isToReport(job) } : job));
  return { ...withoutForgotten(withProgram(state, p, { isAhead: false, jobs }), p, rules), isClosed: true };
}

/** Releases the program's claims that it gave up when it left, and could not tell then, or that a restore brought back: nothing had left. */
export function withoutForgotten(state: State, p: number, rules: Rules): State {
  const { claims, jobs } = of(state, p);
  const forgotten = (claim: Claim, d: number) => isLive(claim) && !jobs[d]?.hasClaim && rules.leavingHandsOver;
  if (!claims.some(forgotten)) return state;
  const released = claims.map((claim, d) => (forgotten(claim, d) ? { ...claim, state: 'released' as const } : claim));
  return { ...withProgram(state, p, { claims: released }), isChanged: state.copy !== null };
}

/** A job with its outcome, which is reported. */
export function ended(job: Job, state: JobState): Job {
  const isDoubted = job.wasInDoubt && (state === 'refused' || state === 'cancelled' || state === 'skipped');
  const end = isDoubted ? ({ state: 'doubt', heldBy: null, skips: false } as const) : { state };
  return { ...job, ...end, isUnreported: job.hasClaim };
}

/** A job that has not left asks again itself. */
export const isToReport = ({ state }: Job) => state !== 'waiting' && state !== 'held';

export type Broken =
  | 'paid twice without a decision'
  | 'a cancelled one was sent'
  | 'done, but the service does not have it'
  | 'skipped, and nobody has it'
  | 'waits for ever';

/** Whether the add of another program, of which this one did not know, is one that it had to know of. */
function hadToKnow(state: State, p: number, q: number, d: number): boolean {
  const [theirs, claim] = [jobOf(state, q, d), claimOf(state, q, d)];
  // Whoever decides to send beside a claim decides about both.
  if (theirs.besides === p) return false;
  const stands = theirs.state === 'gone' || theirs.isPaid;
  // What left outside of the team, or without the register, is known once it is reported.
  const isUntold = !theirs.isTold && (!of(state, q).isMember || theirs.isUnreported);
  // What a restore took away nobody can know who did not know it before.
  return stands && !isUntold && !(claim.isLost && !of(state, p).isAhead);
}

/** The first byte leaves. `isFree`: outside of the team, or by a person's decision. */
export function depart(state: State, p: number, d: number, isFree: boolean): Taken {
  const job = jobOf(state, p, d);
  // Whoever decides to send beside one claim decides about this add, whoever else decided so, too.
  const isDouble = job.besides === null && state.programs.some((_q, q) => q !== p && hadToKnow(state, p, q, d));
  const broken = job.wasCancelled
    ? 'a cancelled one was sent'
    : isDouble && !isFree
      ? 'paid twice without a decision'
      : null;
  const change = { state: 'gone', leftOutside: isFree, ...(isFree ? { isTold: false } : {}) } as const;
  return { state: withJob(state, p, d, change), broken };
}

export interface Taken {
  readonly state: State;
  readonly broken: Broken | null;
}

/** What is asked of the register for one document: the answer, with the state afterwards. */
export function claim(state: State, p: number, d: number, rules: Rules): { state: State; isGranted: boolean } {
  const seen = notice(state, p, rules);
  if (seen.isClosed) return { state: noted(seen, p, d), isGranted: false };
  const { besides, hasClaim } = jobOf(seen, p, d);
  const own = claimOf(seen, p, d);
  // Of an earlier membership: its ledger has forgotten what that was about.
  if (isLive(own) && !hasClaim) return { state: held(seen, p, d, p, rules), isGranted: false };
  const asking = withJob(seen, p, d, { hasClaim: true });
  const isOver = (q: number) => !rules.claimsStay && claimOf(seen, q, d).state === 'claimed' && !of(seen, q).isUp;
  const [first] = others(seen, p, d).filter((q) => !isOver(q));
  const isGood = own.state === 'claimed' && !own.isOutside;
  const isAgain = isGood || (isLive(own) && !rules.doubtsAreReleased);
  // One that is asked for again: meanwhile somebody may have reported what left without being let in.
  const isBefore = (q: number) => claimOf(seen, q, d).isOutside || claimOf(seen, q, d).state === 'done';
  const [reported] = rules.asksAgain ? others(seen, p, d).filter((q) => q !== besides && isBefore(q)) : [];
  const inTheWay = isAgain ? reported : first === besides ? undefined : first;
  if (inTheWay !== undefined) {
    const ended = isLive(own) && !isAgain ? withClaim(asking, p, d, { state: 'released' }) : asking;
    return { state: held(ended, p, d, inTheWay, rules), isGranted: false };
  }
  const made = { state: 'claimed', isSecond: isAgain ? own.isSecond : first !== undefined, isOutside: false } as const;
  return { state: told(withClaim(asking, p, d, made), p, rules), isGranted: true };
}

/** The claim is written to the ledger before the register is asked, whether it can be asked or not. */
export const noted = (state: State, p: number, d: number): State =>
  isLive(claimOf(state, p, d)) ? state : withJob(state, p, d, { hasClaim: true });

const held = (state: State, p: number, d: number, heldBy: number, rules: Rules): State =>
  told(
    withJob(state, p, d, { state: 'held', heldBy, besides: null, heldAs: claimOf(state, heldBy, d).state }),
    p,
    rules,
  );

/** The outcome that a job has for its claim. */
const outcomes: Readonly<Record<JobState, ClaimState>> = {
  waiting: 'released',
  held: 'released',
  gone: 'claimed',
  doubt: 'doubt',
  done: 'done',
  refused: 'refused',
  cancelled: 'released',
  skipped: 'released',
};

/** Sends the outbox: all in one statement. */
export function report(state: State, p: number): State {
  return of(state, p).jobs.reduce((before, job, d) => {
    if (!job.isUnreported) return before;
    const outcome = outcomes[job.state];
    const was = claimOf(before, p, d);
    // Somebody else was let in meanwhile, because this one was settled, forgotten by a restore, or left outside.
    const isLate = !was.isSecond && live.has(outcome) && firstOf(before, p, d) !== undefined;
    const isOutside = was.isOutside || job.leftOutside || isLate;
    return withClaim(before, p, d, { state: outcome, isSecond: was.isSecond || isLate, isOutside });
  }, state);
}
const firstOf = (state: State, p: number, d: number) => others(state, p, d).find((q) => !claimOf(state, q, d).isSecond);

export const reported = (state: State, p: number): State =>
  withProgram(state, p, { jobs: of(state, p).jobs.map((job) => ({ ...job, isUnreported: false })) });

/** Takes over what became of the claims that hold the program's jobs. */
export function follow(state: State, p: number, rules: Rules): State {
  const seen = notice(state, p, rules);
  if (seen.isClosed) return seen;
  const jobs = of(seen, p).jobs.map((job, d): Job => {
    if (job.state !== 'held' || job.heldBy === null) return job;
    const now = claimOf(seen, job.heldBy, d).state;
    // Lost by a restore, and nobody has reported it again: a person decides about what was last seen.
    if (now === 'none') return { ...job, heldBy: null, heldAs: job.heldAs === 'done' ? 'done' : 'doubt', skips: false };
    if (!live.has(now)) return { ...job, state: 'waiting', heldBy: null, heldAs: 'none', skips: false };
    if (now === 'done' && job.skips) return ended({ ...job, heldAs: now }, 'skipped');
    return { ...job, heldAs: now };
  });
  return told(withProgram(seen, p, { jobs }), p, rules, true);
}
