import {
  type Broken,
  claim,
  depart,
  ended,
  follow,
  isToReport,
  noted,
  notice,
  report,
  reported,
  type Taken,
  told,
  withoutForgotten,
} from './register.ts';
import { allRules, type Rules } from './rules.ts';
import {
  type Claim,
  claimOf,
  isConnected,
  isLive,
  isOnItsWay,
  isRegistered,
  type Job,
  jobOf,
  noClaim,
  of,
  type Program,
  type State,
  spend,
  withClaim,
  withJob,
  withProgram,
} from './state.ts';

/** A step of somebody. `p`: the program; `d`: the document. */
export interface Step {
  readonly kind: StepKind;
  readonly p: number;
  readonly d: number;
}

/** What a ledger says after its program was killed: what had departed is in doubt. */
const afterCrash = (jobs: readonly Job[], rules: Rules, isPaid: boolean): Job[] =>
  jobs.map((job) => (job.state === 'gone' ? { ...ended(job, rules.doubtsAreNamed ? 'doubt' : 'done'), isPaid } : job));

type Move = (state: State, p: number, d: number, rules: Rules) => State | Taken | null;

/** A step is not possible where its function answers null. */
const moves = {
  /** Asks for a claim and, if it is granted, departs. */
  'ask, send': (state, p, d, rules) => {
    const [program, job] = [of(state, p), jobOf(state, p, d)];
    if (!program.isUp || job.state !== 'waiting') return null;
    if (!program.isMember) {
      // Of what it had left in doubt the register knows.
      const gone = depart(state, p, d, true);
      return { ...gone, state: withJob(gone.state, p, d, { leftOutside: !job.hasClaim }) };
    }
    if (program.isWithout && !rules.bypassEnds) return sendWithout(state, p, d);
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
    const { isUp, isMember, isOff, isWithout } = of(state, p);
    const mayBypass = isUp && isMember && isOff && isWithout;
    return mayBypass && jobOf(state, p, d).state === 'waiting' ? sendWithout(state, p, d) : null;
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
  start: (state, p, _d, rules) => (of(state, p).isUp ? null : back(withProgram(state, p, { isUp: true }), p, rules)),
  'go off': (state, p) => {
    const { isUp, isMember, isOff } = of(state, p);
    return isUp && isMember && !isOff && state.left.off > 0
      ? spend(withProgram(state, p, { isOff: true }), 'off')
      : null;
  },
  'come back': (state, p, _d, rules) =>
    of(state, p).isOff ? back(withProgram(state, p, { isOff: false }), p, rules) : null,
  'decide without': (state, p) => {
    const { isUp, isMember, isOff, isWithout, isStale, jobs } = of(state, p);
    const isNew = (!isWithout || isStale) && jobs.some((job) => job.state === 'waiting');
    return isUp && isMember && isOff && isNew ? withProgram(state, p, { isWithout: true, isStale: false }) : null;
  },
  cancel: (state, p, d, rules) => {
    const job = jobOf(state, p, d);
    if (!of(state, p).isUp || job.wasCancelled || (job.state !== 'waiting' && job.state !== 'held')) return null;
    // A request for a claim is on its way as long as the register has not answered.
    const isForgotten = !rules.cancelCounts && job.state === 'waiting' && job.hasClaim;
    const cancelled = isForgotten ? job : { ...ended(job, 'cancelled'), heldBy: null };
    return withJob(state, p, d, { ...cancelled, wasCancelled: cancelled.state !== 'doubt' });
  },
  'decide to send': (state, p, d) => {
    const { state: now, heldBy } = jobOf(state, p, d);
    if (!of(state, p).isUp || now !== 'held') return null;
    return withJob(state, p, d, { state: 'waiting', besides: heldBy, heldBy: null, heldAs: 'none', skips: false });
  },
  'decide to skip': (state, p, d, rules) => {
    const job = jobOf(state, p, d);
    if (!of(state, p).isUp || job.state !== 'held' || job.skips) return null;
    // After leaving nobody tells how it ends: the person decides about what was last seen, also that nobody need have it.
    if (job.heldBy === null && job.heldAs !== 'done')
      return withJob(state, p, d, { ...ended(job, 'cancelled'), skips: true });
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
      isRegistered(state, d)
        ? ended(job, 'done')
        : { state: 'waiting', isUnreported: false, leftOutside: false, wasInDoubt: true },
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
    const known = (job: Job): Job => {
      if (job.hasClaim) return { ...job, isUnreported: isToReport(job) };
      return earlier(job) && rules.joiningReports
        ? { ...job, hasClaim: true, isUnreported: true, leftOutside: true }
        : job;
    };
    const joined = back(withProgram(state, p, { isMember: true, jobs: jobs.map(known) }), p, rules);
    return told(withoutForgotten(joined, p, rules), p, rules);
  },
  leave: (state, p, _d, rules) => {
    const { isUp, isMember, jobs } = of(state, p);
    if (!isUp || !isMember || state.left.leave === 0 || jobs.some(({ isUnreported }) => isUnreported)) return null;
    const handed = rules.leavingHandsOver && isConnected(of(state, p)) ? handOver(state, p) : state;
    // Who comes back goes on with the claims of what had left.
    const given = (job: Job): Job => ({
      ...job,
      hasClaim: job.hasClaim && isToReport(job),
      isUnreported: false,
      skips: false,
      heldBy: null,
    });
    const after = { isMember: false, knowsMore: false, isAhead: false, jobs: of(handed, p).jobs.map(given) };
    return spend(withProgram(handed, p, after), 'leave');
  },
  'take a copy': (state, _p, _d, rules) =>
    state.copy === null && state.left.restore > 0
      ? {
          ...state,
          copy: state.programs.map(({ claims }) => claims),
          toldInCopy: state.isClosed ? state.programs.map((program) => hasTold(program, rules)) : null,
          isChanged: false,
          programs: state.programs.map((program) => ({ ...program, knowsMore: false })),
        }
      : null,
  /** The rows are put back while connections live on. */
  restore: (state, _p, _d, rules) => (state.copy && state.isChanged ? restore(state, false, rules) : null),
  /** The same by the book: closed before programs are let in. */
  'restore, closed': (state, _p, _d, rules) => (state.copy && state.isChanged ? restore(state, true, rules) : null),
  resume: (state, _p, _d, rules) => {
    // Asked just now, a program answers only while it is there.
    const answers = (program: Program) => hasTold(program, rules) || (program.wasTold && !rules.asksAnew);
    return state.isClosed && (!rules.resumesWhenAllReported || state.programs.every(answers))
      ? withoutLosses({ ...state, isClosed: false })
      : null;
  },
} satisfies Record<string, Move>;

export type StepKind = keyof typeof moves;
export const stepKinds = Object.keys(moves) as StepKind[];

const hasTold = (program: Program, { noticesRestores }: Rules) =>
  !program.isMember ||
  (isConnected(program) && !(program.isAhead && noticesRestores) && !program.jobs.some((job) => job.isUnreported));

const mayAsk = (state: State, p: number, d: number) =>
  isConnected(of(state, p)) && jobOf(state, p, d).state === 'waiting' && state.left.cut > 0;
const mayReport = (state: State, p: number) =>
  isConnected(of(state, p)) && of(state, p).jobs.some(({ isUnreported }) => isUnreported);

/** Somebody else who can decide, as a lead. */
export const hasLead = (state: State, p: number) =>
  !state.isClosed && state.programs.some((program, q) => q !== p && isConnected(program) && !program.isAhead);

/** The register is there, open or closed: what has not left is claimed as usual. */
function back(state: State, p: number, { bypassEnds, bypassIsOnce }: Rules): State {
  const program = of(state, p);
  if (!isConnected(program) || !program.isWithout) return state;
  return withProgram(state, p, bypassEnds && bypassIsOnce ? { isWithout: false } : { isStale: true });
}

function sendWithout(state: State, p: number, d: number): Taken {
  const { isOff, isStale } = of(state, p);
  const gone = depart(state, p, d, isOff && !isStale);
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

/** Ends the claims of a program that says goodbye: released where nothing has ever left, else in doubt. */
function handOver(state: State, p: number): State {
  return of(state, p).claims.reduce((before, { state: now }, d) => {
    const job = jobOf(before, p, d);
    if (now !== 'claimed' || !['waiting', 'held', 'gone'].includes(job.state)) return before;
    return withClaim(before, p, d, { state: job.state === 'gone' || job.wasInDoubt ? 'doubt' : 'released' });
  }, state);
}

function restore(state: State, isClosed: boolean, { asksAnew }: Rules): State {
  const programs = state.programs.map((program, p) => {
    const claims = program.claims.map((claim, d): Claim => {
      const was = state.copy?.[p]?.[d] ?? noClaim;
      return { ...was, isLost: was.isLost || (isLive(claim) && !isLive(was)) };
    });
    const wasTold = !asksAnew && state.toldInCopy?.[p] === true;
    return {
      ...program,
      claims,
      isAhead: program.isMember && (program.isAhead || program.knowsMore),
      knowsMore: false,
      wasTold,
    };
  });
  return {
    ...spend(state, 'restore'),
    programs,
    copy: null,
    toldInCopy: null,
    isChanged: false,
    isClosed: isClosed || state.isClosed || state.toldInCopy !== null,
  };
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
