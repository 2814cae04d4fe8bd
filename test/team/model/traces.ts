import { settleStep } from './explore.ts';
import { type Step, type StepKind, stepKinds, take } from './protocol.ts';
import { initialState, jobOf, type State } from './state.ts';

/** What somebody does in a trace; the rest happens by itself. A report that is cut is one of an answer. */
export type ActionKind = Exclude<StepKind, 'report' | 'follow' | 'send without'>;
export interface Action {
  readonly kind: ActionKind;
  readonly p: number;
  readonly d: number;
}

/** A state in which programs do at once what they do by themselves. A job is asked for first when a person lets it go. */
export interface World {
  readonly state: State;
  readonly asked: readonly (readonly boolean[])[];
}

export function newWorld(members: readonly boolean[], documents: number): World {
  const many = { crash: 9, cut: 9, off: 99, restore: 1, leave: 2, refuse: 9 };
  const state = initialState(members, documents, many);
  return { state, asked: state.programs.map(({ jobs }) => jobs.map(() => false)) };
}

/** Steps that were taken, for the tally. */
type Tally = (kind: StepKind) => void;

const isOn = ({ state }: World, p: number) => {
  const program = state.programs[p];
  return program?.isUp === true && program.isMember && !program.isOff;
};

/** Two programs that would ask for the same at the same moment: either may win. */
function isRace({ state, asked }: World): boolean {
  const waits = (d: number) =>
    state.programs.filter(
      (_p, p) => isOn({ state, asked }, p) && asked[p]?.[d] && jobOf(state, p, d).state === 'waiting',
    );
  return !state.isClosed && state.programs[0]?.jobs.some((_job, d) => waits(d).length > 1) === true;
}

/** What happens by itself after an action; null if it is not certain what. Throws if something is wrong with it. */
function settleDown(world: World, tally: Tally): World | null {
  let { state } = world;
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false;
    for (const [p, { jobs }] of state.programs.entries()) {
      for (const kind of ['report', 'follow'] as const) {
        const taken = take(state, { kind, p, d: 0 });
        if (!taken || JSON.stringify(taken.state) === JSON.stringify(state)) continue;
        [state, hasChanged] = [taken.state, true];
        tally(kind);
      }
      if (isRace({ ...world, state })) return null;
      for (const d of jobs.keys()) {
        if (!world.asked[p]?.[d]) continue;
        const { isMember, isOff, isWithout } = state.programs[p] ?? {};
        const kind = isMember && isOff && isWithout ? 'send without' : 'ask, send';
        const taken = take(state, { kind, p, d });
        if (!taken || JSON.stringify(taken.state) === JSON.stringify(state)) continue;
        if (taken.broken) throw new Error(taken.broken);
        [state, hasChanged] = [taken.state, true];
        tally(kind);
      }
    }
  }
  return { ...world, state };
}

const off = (state: State, p: number): State => ({
  ...state,
  programs: state.programs.map((program, n) => (n === p ? { ...program, isOff: true } : program)),
});

/** The world after an action; null if it is not possible, or not certain what follows. */
export function act(world: World, { kind, p, d }: Action, tally: Tally = () => undefined): World | null {
  const { state } = world;
  const asked = world.asked.map((all, n) => all.map((is, at) => is || (n === p && at === d && kind.startsWith('ask'))));
  if (
    kind.startsWith('ask') &&
    (world.asked[p]?.[d] || jobOf(state, p, d).state !== 'waiting' || !state.programs[p]?.isUp)
  )
    return null;
  if (kind === 'ask, send') return settleDown({ state, asked }, tally);
  if (kind === 'report, cut after' || kind === 'report, cut before') {
    // Where nothing else is reported: the connection breaks at the report of an answer.
    const answered = isOn(world, p) && !state.isClosed ? take(state, { kind: 'answer, done', p, d }) : null;
    const cut = answered && take(answered.state, { kind, p, d });
    if (!cut) return null;
    for (const one of ['answer, done', kind] as const) tally(one);
    return settleDown({ state: off(cut.state, p), asked }, tally);
  }
  const taken = take(state, { kind, p, d });
  if (!taken) return null;
  if (kind.startsWith('ask') && (state.isClosed || !take(state, { kind: 'ask, cut after', p, d }))) return null;
  tally(kind);
  return settleDown({ state: kind.startsWith('ask') ? off(taken.state, p) : taken.state, asked }, tally);
}

/** What people do at the end, and what comes back, until there is nothing left; null if it is not certain what follows. */
export function endOf(world: World, tally?: Tally): Action[] | null {
  const actions: Action[] = [];
  for (let now = world; ; ) {
    const next = settleStep(now.state);
    if (!next) return actions;
    const action = next.step as Action;
    const after = act(now, action, tally);
    if (!after || actions.length > 60) return null;
    actions.push(action);
    now = after;
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let at = seed;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let t = Math.imul(at ^ (at >>> 15), 1 | at);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Trace {
  readonly members: readonly boolean[];
  readonly documents: number;
  readonly actions: readonly Action[];
  /** Each kind of step in it, with those that happen by themselves. */
  readonly kinds: ReadonlySet<StepKind>;
}

const byItself: ReadonlySet<StepKind> = new Set<StepKind>(['report', 'follow', 'send without']);
const isOfAll = (kind: StepKind) => ['take a copy', 'restore', 'restore, closed', 'resume'].includes(kind);
const isOfDocument = (kind: StepKind) => /^(ask|answer|cancel|decide to|settle|declare|report)/.test(kind);

function everyAction(programs: number, documents: number): Action[] {
  const steps: Step[] = stepKinds.flatMap((kind) =>
    Array.from({ length: programs * documents }, (_each, n) => ({
      kind,
      p: Math.floor(n / documents),
      d: n % documents,
    })),
  );
  return steps.filter(
    ({ kind, p, d }) => !byItself.has(kind) && (d === 0 || isOfDocument(kind)) && (p === 0 || !isOfAll(kind)),
  ) as Action[];
}

/** A trace of so many actions, and of what ends it. Kinds that were seldom chosen before are chosen rather. */
export function newTrace(seed: number, length: number, chosen: Map<StepKind, number>): Trace {
  const random = randomFrom(seed);
  for (;;) {
    const members = random() < 0.25 ? [true, true, true] : [random() < 0.7, true];
    const documents = random() < 0.5 ? 1 : 2;
    const all = everyAction(members.length, documents);
    const kinds = new Set<StepKind>();
    const actions: Action[] = [];
    let world = newWorld(members, documents);
    for (let n = 0; n < length; n += 1) {
      const possible = all.flatMap((action) => {
        const seen: StepKind[] = [];
        const after = act(world, action, (kind) => seen.push(kind));
        return after ? [{ action, after, seen, weight: 1 / (1 + (chosen.get(action.kind) ?? 0)) }] : [];
      });
      const sums = possible.map((_each, at) => possible.slice(0, at + 1).reduce((sum, { weight }) => sum + weight, 0));
      const drawn = random() * (sums.at(-1) ?? 0);
      const next = possible[sums.findIndex((sum) => drawn <= sum)];
      if (!next) break;
      actions.push(next.action);
      for (const kind of next.seen) kinds.add(kind);
      chosen.set(next.action.kind, (chosen.get(next.action.kind) ?? 0) + 1);
      world = next.after;
    }
    const end = endOf(world, (kind) => kinds.add(kind));
    if (end) return { members, documents, actions: [...actions, ...end], kinds };
  }
}
