/**
 * The protocol of the team register as a model: programs, their ledgers, the register and the service, without time, SQL or sockets. Each step is a pure function
 * from state to state (protocol.ts; what the register does in them is in register.ts). What the program does is described in docs/team-register.md; explore.ts tries all orders of these steps.
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
  /** What is so, whatever the ledger knows: the service has it. */
  readonly isPaid: boolean;
  /** The register had its claim at some time. */
  readonly isTold: boolean;
  /** A person cancelled it. */
  readonly wasCancelled: boolean;
  /** It was in doubt, and a person sent it again: what does not end it as done leaves it in doubt. */
  readonly wasInDoubt: boolean;
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
  /** A person decided to send what waits without the register while that is away. */
  readonly isWithout: boolean;
  /** The register was back since: the decision should be over. */
  readonly isStale: boolean;
  /** It knows a change of the register that is younger than the copy. */
  readonly knowsMore: boolean;
  /** The same after the restore: the register went back behind what it knows. */
  readonly isAhead: boolean;
  /** The register says that it has told all since that was closed, although a restore brought these words along. */
  readonly wasTold: boolean;
  readonly jobs: readonly Job[];
  readonly claims: readonly Claim[];
}

export interface State {
  readonly programs: readonly Program[];
  /** The register was restored, and lets nobody claim until a lead lets it go on. */
  readonly isClosed: boolean;
  /** Copy of all claims, for a restore; by program and document. */
  readonly copy: readonly (readonly Claim[])[] | null;
  /** Who had told all by then; null if the register was open. */
  readonly toldInCopy: readonly boolean[] | null;
  /** True if the register changed since that copy. */
  readonly isChanged: boolean;
  /** Faults that may still happen. */
  readonly left: Readonly<Record<Fault, number>>;
}

export type Fault = 'crash' | 'cut' | 'off' | 'restore' | 'leave' | 'refuse';

const newJob: Job = {
  state: 'waiting',
  heldBy: null,
  heldAs: 'none',
  skips: false,
  besides: null,
  hasClaim: false,
  isUnreported: false,
  leftOutside: false,
  isPaid: false,
  isTold: false,
  wasCancelled: false,
  wasInDoubt: false,
};
export const noClaim: Claim = { state: 'none', isSecond: false, isOutside: false, isLost: false };

/** Programs with the same documents to send, each of which waits. `members`: who has joined the team. */
export function initialState(members: readonly boolean[], documents: number, left: Partial<State['left']>): State {
  const each = <T>(value: T) => Array.from({ length: documents }, () => value);
  return {
    programs: members.map((isMember) => ({
      isUp: true,
      isMember,
      isOff: false,
      isWithout: false,
      isStale: false,
      knowsMore: false,
      isAhead: false,
      wasTold: false,
      jobs: each(newJob),
      claims: each(noClaim),
    })),
    isClosed: false,
    copy: null,
    toldInCopy: null,
    isChanged: false,
    left: { crash: 0, cut: 0, off: 0, restore: 0, leave: 0, refuse: 0, ...left },
  };
}

export const live: ReadonlySet<ClaimState> = new Set<ClaimState>(['claimed', 'doubt', 'done']);
export const isLive = ({ state }: Claim) => live.has(state);
export const isConnected = ({ isUp, isMember, isOff }: Program) => isUp && isMember && !isOff;

export type Change<T> = { readonly [K in keyof T]?: T[K] };

export const withProgram = (state: State, p: number, change: Change<Program>): State => ({
  ...state,
  programs: state.programs.map((program, n) => (n === p ? { ...program, ...change } : program)),
});
export const withAt = <T>(all: readonly T[], d: number, change: Change<T>) =>
  all.map((one, n) => (n === d ? { ...one, ...change } : one));
export const withJob = (state: State, p: number, d: number, change: Change<Job>) =>
  withProgram(state, p, { jobs: withAt(of(state, p).jobs, d, change) });
export const of = ({ programs }: State, p: number) => programs[p] as Program;
export const jobOf = (state: State, p: number, d: number) => of(state, p).jobs[d] as Job;
export const claimOf = (state: State, p: number, d: number) => of(state, p).claims[d] as Claim;
export const spend = (state: State, fault: Fault): State => ({
  ...state,
  left: { ...state.left, [fault]: state.left[fault] - 1 },
});

/** Writes a claim: the register has changed, and its program knows. */
export function withClaim(state: State, p: number, d: number, change: Change<Claim>): State {
  const { claims, jobs } = of(state, p);
  const next = withProgram(state, p, {
    claims: withAt(claims, d, { isLost: false, ...change }),
    jobs: withAt(jobs, d, { isTold: true }),
  });
  return { ...next, isChanged: state.copy !== null };
}

/** Registered at all: what a person finds out by verifying the file at the service. */
export const isRegistered = ({ programs }: State, d: number) => programs.some(({ jobs }) => jobs[d]?.isPaid);
export const isOnItsWay = ({ programs }: State, d: number) => programs.some(({ jobs }) => jobs[d]?.state === 'gone');
