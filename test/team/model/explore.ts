import { brokenIn, hasLead, type Step, type StepKind, stepsFor, take } from './protocol.ts';
import type { Broken } from './register.ts';
import { allRules, type Rules } from './rules.ts';
import { type Claim, type ClaimState, isRegistered, type Job, type JobState, jobOf, type State } from './state.ts';

const jobStates: readonly JobState[] = ['waiting', 'held', 'gone', 'doubt', 'done', 'refused', 'cancelled', 'skipped'];
const claimStates: readonly ClaimState[] = ['none', 'claimed', 'doubt', 'done', 'refused', 'released'];

function orders(count: number): number[][] {
  if (count === 0) return [[]];
  return orders(count - 1).flatMap((order) =>
    Array.from({ length: count }, (_each, at) => [...order.slice(0, at), count - 1, ...order.slice(at)]),
  );
}
const bits = (...all: boolean[]) => all.reduce((sum, bit) => sum * 2 + Number(bit), 0);
const claimCode = ({ state, isSecond, isOutside, isLost }: Claim) =>
  claimStates.indexOf(state) * 8 + bits(isSecond, isOutside, isLost);

function cellText(job: Job, claim: Claim, newNumber: readonly number[]): string {
  const ref = (p: number | null) => (p === null ? 0 : (newNumber[p] ?? 0) + 1);
  const state = (jobStates.indexOf(job.state) * 6 + claimStates.indexOf(job.heldAs)) * 25;
  const flags = bits(
    job.skips,
    job.hasClaim,
    job.isUnreported,
    job.leftOutside,
    job.isPaid,
    job.isTold,
    job.wasCancelled,
    job.wasInDoubt,
  );
  return String.fromCharCode(state + ref(job.heldBy) * 5 + ref(job.besides), flags * 48 + claimCode(claim));
}

function textOf(state: State, programs: readonly number[], documents: readonly number[]): string {
  const newNumber = programs.map((_p, n) => programs.indexOf(n));
  let text = '';
  for (const p of programs) {
    const program = state.programs[p];
    if (!program) continue;
    const { isUp, isMember, isOff, isWithout, isStale, knowsMore, isAhead, wasTold } = program;
    text += String.fromCharCode(
      bits(isUp, isMember, isOff, isWithout, isStale, knowsMore, isAhead, wasTold, state.toldInCopy?.[p] ?? false),
    );
    for (const d of documents) {
      text += cellText(program.jobs[d] as Job, program.claims[d] as Claim, newNumber);
      if (state.copy) text += String.fromCharCode(claimCode(state.copy[p]?.[d] as Claim));
    }
  }
  return text;
}

const headOf = ({ isClosed, isChanged, copy, toldInCopy, left }: State) =>
  String.fromCharCode(bits(isClosed, isChanged, copy !== null, toldInCopy !== null), ...Object.values(left));

/** The same text for states that differ only in which program or document is called what. */
function keyFor(programs: number, documents: number): (state: State) => string {
  const all = orders(programs).flatMap((order) => orders(documents).map((others) => [order, others] as const));
  return (state) => {
    let least = '';
    for (const [order, others] of all) {
      const text = textOf(state, order, others);
      if (least === '' || text < least) least = text;
    }
    return headOf(state) + least;
  };
}

export interface Exploration {
  readonly states: number;
  /** True if there are no more states. */
  readonly isWhole: boolean;
  /** How often each kind of step led to a state that was new. */
  readonly kinds: Readonly<Partial<Record<StepKind, number>>>;
  readonly counterexample: { readonly broken: Broken; readonly steps: readonly Step[] } | null;
}

/** All states that can be reached from these, breadth first: what is found first is a shortest way to it. Each state is also settled. */
export function explore(
  starts: readonly State[],
  depth: number,
  rules: Rules = allRules,
  // False for a shortest way to what breaks while something happens: settling finds it earlier, on a longer way.
  { looksAhead = true } = {},
): Exploration {
  const [first] = starts;
  if (!first) throw new Error('no state to start from');
  const key = keyFor(first.programs.length, first.programs[0]?.jobs.length ?? 0);
  const steps = stepsFor(first);
  const settles = createSettling(key, rules, first, looksAhead);
  const known = new Set<string>();
  /** For each state: the one before, and the step from there, as a number. */
  const before: number[] = [];
  const by: number[] = [];
  const kinds: Partial<Record<StepKind, number>> = {};
  let level: { readonly state: State; readonly n: number }[] = [];
  const add = (state: State, from: number, step: number, into: typeof level) => {
    const text = key(state);
    if (known.has(text)) return;
    const n = before.length;
    known.add(text);
    before.push(from);
    by.push(step);
    const kind = steps[step]?.kind;
    if (kind) kinds[kind] = (kinds[kind] ?? 0) + 1;
    into.push({ state, n });
  };
  const wayTo = (n: number): Step[] => {
    const way: Step[] = [];
    for (let at = n; before[at] !== -1; at = before[at] as number) way.unshift(steps[by[at] as number] as Step);
    return way;
  };
  for (const start of starts) add(start, -1, -1, level);
  const found = (counterexample: Exploration['counterexample']) => ({
    states: before.length,
    isWhole: level.length === 0,
    kinds,
    counterexample,
  });
  for (let at = 0; at < depth; at += 1) {
    const next: typeof level = [];
    for (const { state, n } of level) {
      const stuck = settles(state);
      if (stuck) return found({ broken: stuck, steps: wayTo(n) });
      for (const [number, step] of steps.entries()) {
        const taken = take(state, step, rules);
        if (!taken) continue;
        const broken = taken.broken ?? brokenIn(taken.state);
        if (broken) return found({ broken, steps: [...wayTo(n), step] });
        add(taken.state, n, number, next);
      }
    }
    level = next;
  }
  return found(null);
}

/** Steps that happen by themselves, or that people take sooner or later, in the order in which `settle` tries them. */
const sooner: readonly StepKind[] = [
  ...(['come back', 'start', 'answer, done', 'report', 'resume', 'follow', 'settle own'] as const),
  ...(['declare', 'settle for another', 'ask, send', 'decide to skip'] as const),
];

/** The next of these steps that changes something; null if everything has come to its end. */
export function settleStep(
  state: State,
  rules: Rules = allRules,
  steps = stepsFor(state),
): { step: Step; state: State; broken: Broken | null } | null {
  for (const kind of sooner) {
    for (const step of steps) {
      if (step.kind !== kind) continue;
      const isTheirs = kind === 'declare' || kind === 'settle for another';
      // A program that comes back tells itself what became of its claim.
      const isOwn = isTheirs && state.programs[step.p]?.isMember && jobOf(state, step.p, step.d).hasClaim;
      const taken = isOwn ? null : take(state, step, rules);
      if (taken && !isSame(taken.state, state)) return { step, ...taken };
    }
  }
  return null;
}

function isSame(one: State, other: State): boolean {
  const [programs, documents] = [one.programs.map((_p, n) => n), (one.programs[0]?.jobs ?? []).map((_d, n) => n)];
  const text = (state: State) => headOf(state) + textOf(state, programs, documents);
  return text(one) === text(other);
}

/** What is wrong once nothing fails any more and everybody has done what there is to do. */
function brokenAtEnd(state: State): Broken | null {
  for (const [p, { isMember, jobs, claims }] of state.programs.entries()) {
    for (const [d, job] of jobs.entries()) {
      if (job.state === 'skipped' && !isRegistered(state, d)) return 'skipped, and nobody has it';
      const claim = claims[d] as Claim;
      const isOpen = isMember && (claim.state === 'claimed' || claim.state === 'doubt');
      // A claim that its own program has forgotten is for somebody else to decide.
      const needsLead = (isOpen && !job.hasClaim) || job.heldBy === p;
      if (needsLead && !hasLead(state, p)) continue;
      if (isOpen || ['waiting', 'held', 'gone', 'doubt'].includes(job.state)) return 'waits for ever';
    }
  }
  return null;
}

/** Settles states; what one comes to is remembered for all states on the way. */
function createSettling(key: (state: State) => string, rules: Rules, first: State, looksAhead: boolean) {
  const steps = stepsFor(first);
  const ends = new Map<string, Broken | null>();
  return (state: State): Broken | null => {
    const way: string[] = [];
    const onWay = new Set<string>();
    let end: Broken | null = null;
    for (let at = state; ; ) {
      const text = key(at);
      const known = ends.get(text);
      if (known !== undefined) {
        end = known;
        break;
      }
      way.push(text);
      if (onWay.has(text)) {
        end = 'waits for ever';
        break;
      }
      onWay.add(text);
      const next = settleStep(at, rules, steps);
      const broken = next ? (next.broken ?? brokenIn(next.state)) : brokenAtEnd(at);
      if (!next || looksAhead) end = broken;
      if (!next || broken) break;
      at = next.state;
    }
    for (const text of way) ends.set(text, end);
    return end;
  };
}
