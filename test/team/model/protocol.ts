/**
 * The protocol of the team register as a model: programs, their ledgers, the register and the service, without time, SQL or sockets. Each step is a pure function
 * from state to state. What the program does is described in docs/team-register.md; explore.ts tries all orders of these steps.
 */

/** A document in the ledger of a program. `gone`: it departed, and nobody knows yet whether the service takes it. */
export type JobState = 'waiting' | 'held' | 'gone' | 'doubt' | 'done' | 'refused' | 'cancelled' | 'skipped';
/** The claim that a program has in the register for a document. */
export type ClaimState = 'none' | 'claimed' | 'doubt' | 'done' | 'refused' | 'released';

export interface Job {
  readonly state: JobState;
  /** The program whose claim holds it, and how that stood when it was last seen. */
  readonly heldBy: number | null;
  readonly heldAs: ClaimState;
  /** A person wants it to be skipped once the other one is registered. */
  readonly skips: boolean;
  /** The program beside whose claim a person wants it to be sent. */
  readonly besides: number | null;
  /** The ledger has written down a claim, and has to report what became of it. */
  readonly hasClaim: boolean;
  readonly isUnreported: boolean;
  /** It left without a claim. */
  readonly leftOutside: boolean;
  /** A person decided to send it without the register while that is away. */
  readonly isWithout: boolean;
  /** What is so, whatever the ledger knows: the service has it. */
  readonly isPaid: boolean;
  /** The register had its claim at some time. */
  readonly isTold: boolean;
  /** A person cancelled it. */
  readonly wasCancelled: boolean;
}

export interface Claim {
  readonly state: ClaimState;
  /** Made beside another one. */
  readonly isSecond: boolean;
  /** Of what left although the register had let nobody in, or somebody else. */
  readonly isOutside: boolean;
  /** A restore took it away, and nothing has brought it back. */
  readonly isLost: boolean;
}

export interface Program {
  readonly isUp: boolean;
  readonly isMember: boolean;
  /** It does not reach the register. */
  readonly isOff: boolean;
  /** It knows a change of the register that is younger than the copy. */
  readonly knowsMore: boolean;
  /** The same after the restore: the register went back behind what it knows. */
  readonly isAhead: boolean;
  readonly jobs: readonly Job[];
  readonly claims: readonly Claim[];
}

export interface State {
  readonly programs: readonly Program[];
  /** The register was restored, and lets nobody claim until a lead lets it go on. */
  readonly isClosed: boolean;
  /** Copy of all claims, for a restore; by program and document. */
  readonly copy: readonly (readonly Claim[])[] | null;
  /** True if the register changed since that copy. */
  readonly isChanged: boolean;
  /** Faults that may still happen. */
  readonly left: Readonly<Record<Fault, number>>;
}

export type Fault = 'crash' | 'cut' | 'off' | 'restore' | 'leave' | 'refuse';

/** Rules of the protocol. Each can be switched off, to see what it is there for. */
export interface Rules {
  /** Without it the add departs first, and the claim is made afterwards. */
  readonly claimsFirst: boolean;
  /** Without it the claim of a program that is not up is as good as none. */
  readonly claimsStay: boolean;
  /** Without it the register is trusted whatever it has forgotten. */
  readonly noticesRestores: boolean;
  /** Without it a restore is noticed by what was followed only, not by what the program did or was told itself. */
  readonly ownAnswersCount: boolean;
  /** Without it a lead may let the register go on before all have reported again. */
  readonly resumesWhenAllReported: boolean;
  /** Without it the decision to send without the register holds when that is back, too. */
  readonly bypassEnds: boolean;
  /** Without it the register does not learn what left before joining. */
  readonly joiningReports: boolean;
  /** Without it a cancel is forgotten while the register is asked. */
  readonly cancelCounts: boolean;
  /** Without it Skip trusts a claim that may still fail. */
  readonly skipWaits: boolean;
  /** Without it a claim stays as it is when its program leaves, and a lead may not decide it. */
  readonly leavingHandsOver: boolean;
  /** Without it an outcome is sent once, whether it arrives or not. */
  readonly outboxRepeats: boolean;
  /** Without it an add that has departed and got no answer counts as done. */
  readonly doubtsAreNamed: boolean;
  /** Without it a claim that was made is good for another try, whatever colleagues have reported meanwhile. */
  readonly asksAgain: boolean;
  /** Without it a doubt that a person decided to send again keeps its claim. */
  readonly doubtsAreReleased: boolean;
}

export const allRules: Rules = {
  claimsFirst: true,
  claimsStay: true,
  noticesRestores: true,
  ownAnswersCount: true,
  resumesWhenAllReported: true,
  bypassEnds: true,
  joiningReports: true,
  cancelCounts: true,
  skipWaits: true,
  leavingHandsOver: true,
  outboxRepeats: true,
  doubtsAreNamed: true,
  asksAgain: true,
  doubtsAreReleased: true,
};

const newJob: Job = {
  state: 'waiting',
  heldBy: null,
  heldAs: 'none',
  skips: false,
  besides: null,
  hasClaim: false,
  isUnreported: false,
  leftOutside: false,
  isWithout: false,
  isPaid: false,
  isTold: false,
  wasCancelled: false,
};
const noClaim: Claim = { state: 'none', isSecond: false, isOutside: false, isLost: false };

/** Programs with the same documents to send, each of which waits. `members`: who has joined the team. */
export function initialState(members: readonly boolean[], documents: number, left: Partial<State['left']>): State {
  const each = <T>(value: T) => Array.from({ length: documents }, () => value);
  return {
    programs: members.map((isMember) => ({
      ...{ isUp: true, isMember, isOff: false, knowsMore: false, isAhead: false },
      ...{ jobs: each(newJob), claims: each(noClaim) },
    })),
    isClosed: false,
    copy: null,
    isChanged: false,
    left: { crash: 0, cut: 0, off: 0, restore: 0, leave: 0, refuse: 0, ...left },
  };
}

const live: ReadonlySet<ClaimState> = new Set<ClaimState>(['claimed', 'doubt', 'done']);
export const isLive = ({ state }: Claim) => live.has(state);
const isConnected = ({ isUp, isMember, isOff }: Program) => isUp && isMember && !isOff;

type Change<T> = { readonly [K in keyof T]?: T[K] };

const withProgram = (state: State, p: number, change: Change<Program>): State => ({
  ...state,
  programs: state.programs.map((program, n) => (n === p ? { ...program, ...change } : program)),
});
const withAt = <T>(all: readonly T[], d: number, change: Change<T>) =>
  all.map((one, n) => (n === d ? { ...one, ...change } : one));
const withJob = (state: State, p: number, d: number, change: Change<Job>) =>
  withProgram(state, p, { jobs: withAt(of(state, p).jobs, d, change) });
const of = ({ programs }: State, p: number) => programs[p] as Program;
export const jobOf = (state: State, p: number, d: number) => of(state, p).jobs[d] as Job;
export const claimOf = (state: State, p: number, d: number) => of(state, p).claims[d] as Claim;
const spend = (state: State, fault: Fault): State => ({
  ...state,
  left: { ...state.left, [fault]: state.left[fault] - 1 },
});

/** Writes a claim: the register has changed, and its program knows. */
function withClaim(state: State, p: number, d: number, change: Change<Claim>): State {
  const { claims, jobs } = of(state, p);
  const next = withProgram(state, p, {
    claims: withAt(claims, d, { isLost: false, ...change }),
    jobs: withAt(jobs, d, { isTold: true }),
  });
  return { ...next, isChanged: state.copy !== null };
}

/** An answer of the register reached the program: it knows how far the register had come. */
const told = (state: State, p: number, rules: Rules, isFollowing = false): State =>
  state.isChanged && (rules.ownAnswersCount || isFollowing) ? withProgram(state, p, { knowsMore: true }) : state;

/** The live claims of others on a document, first ones before second ones. */
function others(state: State, p: number, d: number): number[] {
  const found = state.programs.flatMap(({ claims }, q) => (q !== p && isLive(claims[d] as Claim) ? [q] : []));
  return found.sort(
    (one, other) => Number(claimOf(state, one, d).isSecond) - Number(claimOf(state, other, d).isSecond),
  );
}

/** What a look at the register finds out first: whether it went back. Then it is closed for all, and the program reports again all that it knows. */
function notice(state: State, p: number, rules: Rules): State {
  const program = of(state, p);
  if (!program.isAhead || !rules.noticesRestores) return state;
  const jobs = program.jobs.map((job) => (job.hasClaim ? { ...job, isUnreported: isToReport(job) } : job));
  return { ...withoutForgotten(withProgram(state, p, { isAhead: false, jobs }), p, rules), isClosed: true };
}

/** Puts the program's claims in doubt of which its ledger knows nothing, as after leaving without the register: a lead can decide them. */
function withoutForgotten(state: State, p: number, rules: Rules): State {
  const { claims, jobs } = of(state, p);
  const forgotten = ({ state: now }: Claim, d: number) =>
    now === 'claimed' && !jobs[d]?.hasClaim && rules.leavingHandsOver;
  if (!claims.some(forgotten)) return state;
  const doubts = claims.map((claim, d) => (forgotten(claim, d) ? { ...claim, state: 'doubt' as const } : claim));
  return { ...withProgram(state, p, { claims: doubts }), isChanged: state.copy !== null };
}

/** A job that has not left asks again itself. */
const isToReport = ({ state }: Job) => state !== 'waiting' && state !== 'held';

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
function depart(state: State, p: number, d: number, isFree: boolean): Taken {
  const job = jobOf(state, p, d);
  const isDouble = state.programs.some((_q, q) => q !== p && q !== job.besides && hadToKnow(state, p, q, d));
  const broken = job.wasCancelled
    ? 'a cancelled one was sent'
    : isDouble && !isFree
      ? 'paid twice without a decision'
      : null;
  const change = { state: 'gone', leftOutside: isFree, ...(isFree ? { isTold: false } : {}) } as const;
  return { state: withJob(state, p, d, change), broken };
}

/** A step of somebody. `p`: the program; `d`: the document. */
export interface Step {
  readonly kind: StepKind;
  readonly p: number;
  readonly d: number;
}

export interface Taken {
  readonly state: State;
  readonly broken: Broken | null;
}

/** What is asked of the register for one document: the answer, with the state afterwards. */
function claim(state: State, p: number, d: number, rules: Rules): { state: State; isGranted: boolean } {
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
const noted = (state: State, p: number, d: number): State =>
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
function report(state: State, p: number): State {
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

const reported = (state: State, p: number): State =>
  withProgram(state, p, { jobs: of(state, p).jobs.map((job) => ({ ...job, isUnreported: false })) });

/** Takes over what became of the claims that hold the program's jobs. */
function follow(state: State, p: number, rules: Rules): State {
  const seen = notice(state, p, rules);
  if (seen.isClosed) return seen;
  const jobs = of(seen, p).jobs.map((job, d): Job => {
    if (job.state !== 'held' || job.heldBy === null) return job;
    const now = claimOf(seen, job.heldBy, d).state;
    // Also a claim that is not in the register: it was lost by a restore, and nobody has reported it again.
    if (!live.has(now)) return { ...job, state: 'waiting', heldBy: null, heldAs: 'none', skips: false };
    if (now === 'done' && job.skips) return { ...job, state: 'skipped', heldAs: now, isUnreported: job.hasClaim };
    return { ...job, heldAs: now };
  });
  return told(withProgram(seen, p, { jobs }), p, rules, true);
}

/** What a ledger says after its program was killed: what had departed is in doubt. */
const afterCrash = (jobs: readonly Job[], rules: Rules, isPaid: boolean): Job[] =>
  jobs.map((job) => (job.state === 'gone' ? { ...ended(job, rules.doubtsAreNamed ? 'doubt' : 'done'), isPaid } : job));

/** A job with its outcome, which is reported. */
const ended = (job: Job, state: JobState): Job => ({ ...job, state, isUnreported: job.hasClaim });

/** Registered at all: what a person finds out by verifying the file at the service. */
export const isRegistered = ({ programs }: State, d: number) => programs.some(({ jobs }) => jobs[d]?.isPaid);
const isOnItsWay = ({ programs }: State, d: number) => programs.some(({ jobs }) => jobs[d]?.state === 'gone');

type Move = (state: State, p: number, d: number, rules: Rules) => State | Taken | null;

/** A step is not possible where its function answers null. */
const moves = {
  /** Asks for a claim and, if it is granted, departs. */
  'ask, send': (state, p, d, rules) => {
    const [program, job] = [of(state, p), jobOf(state, p, d)];
    if (!program.isUp || job.state !== 'waiting') return null;
    if (!program.isMember) return depart(state, p, d, true);
    if (job.isWithout && !rules.bypassEnds) return sendWithout(state, p, d);
    if (!isConnected(program)) return noted(state, p, d);
    if (!rules.claimsFirst) {
      const gone = depart(state, p, d, false);
      return { ...gone, state: withJob(claim(gone.state, p, d, rules).state, p, d, { state: 'gone' }) };
    }
    const asked = claim(state, p, d, rules);
    return asked.isGranted ? depart(asked.state, p, d, false) : asked.state;
  },
  /** The same, but the connection breaks before the register commits: the ledger alone knows that it asked. */
  'ask, cut before': (state, p, d) =>
    mayAsk(state, p, d) ? spend(withJob(state, p, d, { hasClaim: true }), 'cut') : null,
  /** The register has the claim, and its answer is lost; or the service is not reached. */
  'ask, cut after': (state, p, d, rules) => {
    if (!mayAsk(state, p, d)) return null;
    const asked = claim(state, p, d, rules);
    return asked.isGranted ? spend(withProgram(asked.state, p, { knowsMore: of(state, p).knowsMore }), 'cut') : null;
  },
  'send without': (state, p, d) => {
    const { isUp, isMember, isOff } = of(state, p);
    const job = jobOf(state, p, d);
    return isUp && isMember && isOff && job.isWithout && job.state === 'waiting' ? sendWithout(state, p, d) : null;
  },
  'answer, done': (state, p, d) => answer(state, p, d, (job) => ({ ...ended(job, 'done'), isPaid: true })),
  'answer, refused': (state, p, d) => {
    if (state.left.refuse === 0) return null;
    const next = answer(state, p, d, (job) => ended(job, 'refused'));
    return next && spend(next, 'refuse');
  },
  'answer, lost after': (state, p, d, rules) => lose(state, p, d, rules, true),
  'answer, lost before': (state, p, d, rules) => lose(state, p, d, rules, false),
  report: (state, p, _d, rules) => {
    if (!mayReport(state, p)) return null;
    return told(reported(report(notice(state, p, rules), p), p), p, rules);
  },
  'report, cut before': (state, p, _d, rules) =>
    mayReport(state, p) && state.left.cut > 0 ? spend(rules.outboxRepeats ? state : reported(state, p), 'cut') : null,
  'report, cut after': (state, p, _d, rules) => {
    if (!mayReport(state, p) || state.left.cut === 0) return null;
    const sent = spend(report(notice(state, p, rules), p), 'cut');
    return rules.outboxRepeats ? sent : reported(sent, p);
  },
  follow: (state, p, _d, rules) => (isConnected(of(state, p)) ? follow(state, p, rules) : null),
  'crash, lost after': (state, p, _d, rules) =>
    of(state, p).jobs.some((job) => job.state === 'gone') ? crash(state, p, rules, true) : null,
  crash: (state, p, _d, rules) => crash(state, p, rules, false),
  start: (state, p) => (of(state, p).isUp ? null : withProgram(state, p, { isUp: true })),
  'go off': (state, p) => {
    const { isUp, isMember, isOff } = of(state, p);
    return isUp && isMember && !isOff && state.left.off > 0
      ? spend(withProgram(state, p, { isOff: true }), 'off')
      : null;
  },
  'come back': (state, p) => (of(state, p).isOff ? withProgram(state, p, { isOff: false }) : null),
  'decide without': (state, p) => {
    const { isUp, isMember, isOff, jobs } = of(state, p);
    const waits = (job: Job) => job.state === 'waiting' && !job.isWithout;
    if (!(isUp && isMember && isOff && jobs.some(waits))) return null;
    return withProgram(state, p, { jobs: jobs.map((job) => (waits(job) ? { ...job, isWithout: true } : job)) });
  },
  cancel: (state, p, d, rules) => {
    const job = jobOf(state, p, d);
    if (!of(state, p).isUp || job.wasCancelled || (job.state !== 'waiting' && job.state !== 'held')) return null;
    // A request for a claim is on its way as long as the register has not answered.
    const isForgotten = !rules.cancelCounts && job.state === 'waiting' && job.hasClaim;
    const cancelled = isForgotten ? job : { ...ended(job, 'cancelled'), heldBy: null };
    return withJob(state, p, d, { ...cancelled, wasCancelled: true });
  },
  'decide to send': (state, p, d) => {
    const { state: now, heldBy } = jobOf(state, p, d);
    if (!of(state, p).isUp || now !== 'held') return null;
    return withJob(state, p, d, { state: 'waiting', besides: heldBy, heldBy: null, heldAs: 'none', skips: false });
  },
  'decide to skip': (state, p, d, rules) => {
    const job = jobOf(state, p, d);
    if (!of(state, p).isUp || job.state !== 'held' || job.skips) return null;
    // After leaving nobody tells how it ends: the person decides about what was last seen.
    if (job.heldBy === null && job.heldAs !== 'done') return withJob(state, p, d, ended(job, 'cancelled'));
    if (job.heldAs === 'done' || !rules.skipWaits) return withJob(state, p, d, ended(job, 'skipped'));
    return withJob(state, p, d, { skips: true });
  },
  /** A person verifies the file at the service. */
  'settle own': (state, p, d) => {
    const job = jobOf(state, p, d);
    if (!of(state, p).isUp || job.state !== 'doubt' || isOnItsWay(state, d)) return null;
    return withJob(
      state,
      p,
      d,
      isRegistered(state, d) ? ended(job, 'done') : { state: 'waiting', isUnreported: false, leftOutside: false },
    );
  },
  /** A lead declares the claim of a program that is not heard of in doubt. */
  declare: (state, p, d, rules) => {
    const { isUp, isMember } = of(state, p);
    const isSilent = !isUp || (!isMember && rules.leavingHandsOver);
    if (claimOf(state, p, d).state !== 'claimed' || !isSilent || !hasLead(state, p)) return null;
    return withClaim(state, p, d, { state: 'doubt' });
  },
  /** And settles it, after verifying the file. */
  'settle for another': (state, p, d) => {
    if (claimOf(state, p, d).state !== 'doubt' || isOnItsWay(state, d) || !hasLead(state, p)) return null;
    return withClaim(state, p, d, { state: isRegistered(state, d) ? 'done' : 'released' });
  },
  join: (state, p, _d, rules) => {
    const { isUp, isMember, isOff, jobs } = of(state, p);
    if (!isUp || isMember || isOff) return null;
    const earlier = (job: Job) => ['gone', 'doubt', 'done'].includes(job.state);
    const known = (job: Job): Job =>
      earlier(job) && rules.joiningReports ? { ...job, hasClaim: true, isUnreported: true, leftOutside: true } : job;
    const entered = withoutForgotten(withProgram(state, p, { isMember: true }), p, rules);
    return told(withProgram(entered, p, { jobs: jobs.map(known) }), p, rules);
  },
  leave: (state, p, _d, rules) => {
    const { isUp, isMember, jobs } = of(state, p);
    if (!isUp || !isMember || state.left.leave === 0 || jobs.some(({ isUnreported }) => isUnreported)) return null;
    const handed = rules.leavingHandsOver && isConnected(of(state, p)) ? handOver(state, p) : state;
    const forgotten = (job: Job): Job => ({
      ...job,
      ...{ hasClaim: false, isUnreported: false, skips: false, heldBy: null },
    });
    const after = { isMember: false, knowsMore: false, isAhead: false, jobs: of(handed, p).jobs.map(forgotten) };
    return spend(withProgram(handed, p, after), 'leave');
  },
  'take a copy': (state) =>
    state.copy === null && state.left.restore > 0
      ? {
          ...{ ...state, copy: state.programs.map(({ claims }) => claims), isChanged: false },
          programs: state.programs.map((program) => ({ ...program, knowsMore: false })),
        }
      : null,
  /** The rows are put back while connections live on. */
  restore: (state) => (state.copy && state.isChanged ? restore(state, false) : null),
  /** The same by the book: closed before programs are let in. */
  'restore, closed': (state) => (state.copy && state.isChanged ? restore(state, true) : null),
  resume: (state, _p, _d, rules) => {
    const hasReported = ({ isMember, isAhead, jobs, ...program }: Program) =>
      !isMember ||
      (isConnected({ ...program, isMember, isAhead, jobs }) &&
        !(isAhead && rules.noticesRestores) &&
        !jobs.some((job) => job.isUnreported));
    return state.isClosed && (!rules.resumesWhenAllReported || state.programs.every(hasReported))
      ? withoutLosses({ ...state, isClosed: false })
      : null;
  },
} satisfies Record<string, Move>;

export type StepKind = keyof typeof moves;
export const stepKinds = Object.keys(moves) as StepKind[];

const mayAsk = (state: State, p: number, d: number) =>
  isConnected(of(state, p)) && jobOf(state, p, d).state === 'waiting' && state.left.cut > 0;
const mayReport = (state: State, p: number) =>
  isConnected(of(state, p)) && of(state, p).jobs.some(({ isUnreported }) => isUnreported);

/** Somebody else who can decide, as a lead. */
export const hasLead = (state: State, p: number) =>
  !state.isClosed && state.programs.some((program, q) => q !== p && isConnected(program) && !program.isAhead);

function sendWithout(state: State, p: number, d: number): Taken {
  const gone = depart(state, p, d, of(state, p).isOff);
  return { ...gone, state: withJob(gone.state, p, d, { hasClaim: true, isUnreported: true }) };
}

function answer(state: State, p: number, d: number, end: (job: Job) => Job): State | null {
  const job = jobOf(state, p, d);
  return job.state === 'gone' && of(state, p).isUp ? withJob(state, p, d, end(job)) : null;
}

function lose(state: State, p: number, d: number, rules: Rules, isPaid: boolean): State | null {
  if (state.left.cut === 0) return null;
  const next = answer(state, p, d, (job) => ({ ...ended(job, rules.doubtsAreNamed ? 'doubt' : 'done'), isPaid }));
  return next && spend(next, 'cut');
}

function crash(state: State, p: number, rules: Rules, isPaid: boolean): State | null {
  const program = of(state, p);
  if (!program.isUp || state.left.crash === 0) return null;
  return spend(withProgram(state, p, { isUp: false, jobs: afterCrash(program.jobs, rules, isPaid) }), 'crash');
}

/** Ends the claims of a program that says goodbye: released where nothing left, else in doubt. */
function handOver(state: State, p: number): State {
  return of(state, p).claims.reduce((before, { state: now }, d) => {
    const job = jobOf(before, p, d);
    if (now !== 'claimed' || !['waiting', 'held', 'gone'].includes(job.state)) return before;
    return withClaim(before, p, d, { state: job.state === 'gone' ? 'doubt' : 'released' });
  }, state);
}

function restore(state: State, isClosed: boolean): State {
  const programs = state.programs.map((program, p) => {
    const claims = program.claims.map((claim, d): Claim => {
      const was = state.copy?.[p]?.[d] ?? noClaim;
      return { ...was, isLost: was.isLost || (isLive(claim) && !isLive(was)) };
    });
    return { ...program, claims, isAhead: program.isMember && program.knowsMore, knowsMore: false };
  });
  return { ...spend(state, 'restore'), programs, copy: null, isChanged: false, isClosed: isClosed || state.isClosed };
}

/** From here on the register has to know what its members know. Of a program that has left nobody reports again. */
const withoutLosses = (state: State): State => ({
  ...state,
  programs: state.programs.map((program) =>
    program.isMember ? { ...program, claims: program.claims.map((claim) => ({ ...claim, isLost: false })) } : program,
  ),
});

/** What follows from a step; null if it is not possible now. */
export function take(state: State, { kind, p, d }: Step, rules: Rules = allRules): Taken | null {
  const next = (moves[kind] as Move)(state, p, d, rules);
  if (next === null) return null;
  return 'broken' in next ? next : { state: next, broken: null };
}

const ofDocument = /^(ask|send|answer|cancel|decide to|settle|declare)/;
const ofAll: ReadonlySet<StepKind> = new Set<StepKind>(['take a copy', 'restore', 'restore, closed', 'resume']);

/** All steps that there are for so many programs and documents. */
export function stepsFor({ programs }: Pick<State, 'programs'>): Step[] {
  const documents = programs[0]?.jobs.length ?? 0;
  return stepKinds.flatMap((kind) =>
    programs.flatMap((_program, p) =>
      Array.from({ length: documents }, (_document, d) => ({ kind, p, d })).filter(
        (step) => (ofDocument.test(kind) || step.d === 0) && (!ofAll.has(kind) || step.p === 0),
      ),
    ),
  );
}

/** What is wrong with a state, whatever led to it. */
export function brokenIn(state: State): Broken | null {
  const isUntrue = (program: Program) =>
    program.jobs.some(
      (job, d) => (job.state === 'done' || program.claims[d]?.state === 'done') && !isRegistered(state, d),
    );
  return state.programs.some(isUntrue) ? 'done, but the service does not have it' : null;
}
