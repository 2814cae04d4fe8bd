import type { Preferences } from '../../../contract/app.ts';
import type { Countdown } from '../../../contract/jobs.ts';
import type { OperationName } from '../../../contract/operation.ts';
import type { JobTable } from '../../store/jobs/jobs.ts';
import { failureOf } from '../foundation/app-error.ts';
import type { Pauses } from '../foundation/pauses.ts';
import type { Log, SteadyClock } from '../foundation/ports.ts';

/** A pause between two looks, or time that the clock did not count, from which on the computer slept or the program stood still: nobody saw the countdown. */
const unseenMs = 5_000;
/** Batches with a countdown that are published. */
const shownAtOnce = 20;

/** Counts down before batches are sent, so that a person can take them back. Which jobs wait for it is in the ledger; the time that is left is in memory only. */
export interface Countdowns {
  /** Seconds before something of this kind is sent. */
  secondsOf(operation: OperationName): number;
  /** Begins a countdown, anew if one runs: the jobs of a batch have one. */
  start(batchId: string, seconds: number): void;
  isRunning(batchId: string): boolean;
  /** Ends the countdown of a batch, whoever counts it. `isStopped`: of those alone whose countdown was stopped, or was not. */
  sendNow(batchId: string, isStopped?: boolean): void;
  /** Lets the next row of a bulk go whose countdown is over; false if there is none. */
  openNext(batchId: string): boolean;
  /** What is kept back by countdowns, for the window. */
  state(): { readonly countdowns: readonly Countdown[]; readonly countdownCount: number };
  stop(): void;
}

interface Needs {
  readonly jobs: JobTable;
  readonly preferences: () => Preferences;
  /** Of a host whose user gives it with each command; null if the preferences hold. */
  readonly waitBeforeSeconds: number | null;
  readonly clock: SteadyClock;
  readonly pauses: Pauses;
  readonly log: Log;
  /** Called after gates were opened, or countdowns were stopped. */
  readonly onChange: () => void;
}

/** Opens the countdowns of this run. */
export function createCountdowns(needs: Needs): Countdowns {
  const { jobs, clock, pauses, log, onChange } = needs;
  /** Moments on the steady clock at which the countdowns end. */
  const endsAt = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let seen = clock();
  let isBroken = false;
  const halt = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const tick = () => {
    const now = clock();
    const wasUnseen = isUnseen(seen, now);
    try {
      if (wasUnseen) {
        jobs.stopCountdowns();
        endsAt.clear();
        onChange();
      }
      for (const [batchId, endMs] of endsAt) {
        if (endMs > now.steadyMs) continue;
        jobs.openGates(batchId, 'own');
        endsAt.delete(batchId);
        onChange();
      }
      seen = now;
      isBroken = false;
    } catch (error) {
      // The ledger cannot be written for now: nothing of it is sent meanwhile, and the next tick tries again. A sleep stays unseen until it is written.
      if (!wasUnseen) seen = now;
      if (!isBroken) log.error('the end of a countdown could not be recorded', { code: failureOf(error)?.code });
      isBroken = true;
    }
    if (endsAt.size === 0) halt();
  };
  return {
    secondsOf: (operation) => secondsBefore(operation, needs),
    start: (batchId, seconds) => {
      // A sleep that no tick has seen yet stops what was counted until now.
      if (timer) tick();
      if (!timer) seen = clock();
      endsAt.set(batchId, clock().steadyMs + seconds * 1_000);
      timer ??= setInterval(tick, pauses.countdownMs);
    },
    isRunning: (batchId) => endsAt.has(batchId),
    sendNow: (batchId, isStopped) => {
      jobs.openGates(batchId, isStopped === undefined ? 'anyone' : isStopped ? 'stopped' : 'counting');
      if (!isStopped) endsAt.delete(batchId);
      onChange();
    },
    openNext: (batchId) => {
      const isOpen = jobs.openNextPaced(batchId);
      if (isOpen) onChange();
      return isOpen;
    },
    state: () => stateOf(jobs.gated(shownAtOnce), endsAt, clock().steadyMs),
    stop: halt,
  };
}

function secondsBefore(operation: OperationName, { waitBeforeSeconds, preferences }: Needs): number {
  if (waitBeforeSeconds !== null) return waitBeforeSeconds;
  const { requestWait, registerWait } = preferences();
  return operation === 'AddNewDocument' ? registerWait : requestWait;
}

/** True if more time passed between two looks than passes while a person can watch a countdown. */
function isUnseen(seen: ReturnType<SteadyClock>, now: ReturnType<SteadyClock>): boolean {
  const slept = now.sinceBootMs - now.steadyMs - (seen.sinceBootMs - seen.steadyMs);
  return now.steadyMs - seen.steadyMs > unseenMs || slept > unseenMs;
}

function stateOf(
  { batches, total }: ReturnType<JobTable['gated']>,
  endsAt: ReadonlyMap<string, number>,
  nowMs: number,
) {
  const countdowns = batches.map(({ isStopped, isBesideDoubt, ...batch }) => {
    const endMs = isStopped ? undefined : endsAt.get(batch.batchId);
    const leftMs = endMs === undefined ? null : Math.max(0, Math.round(endMs - nowMs));
    return { ...batch, leftMs, isStopped: isStopped === 1, isBesideDoubt: isBesideDoubt === 1 };
  });
  return { countdowns, countdownCount: total };
}
