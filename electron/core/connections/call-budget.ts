import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { CallBudget } from '../../../contract/budget.ts';
import { budgetTable } from '../../../contract/settings.ts';
import type { KeyValueTable } from '../../store/settings/key-values.ts';
import { appError } from '../foundation/app-error.ts';
import type { Emit } from '../foundation/event-emitter.ts';
import { isBusy } from '../foundation/retry-while-busy.ts';
import { throttled } from '../foundation/throttled.ts';
import type { Policy } from '../settings/policy.ts';

/**
 * Limits how many calls the program may make to services on its own within any hour; see contract/budget.ts. One
 * budget covers all connections and all automatic reads. It is stored, so that a restart does not begin a new hour.
 */
export interface CallBudgets {
  /** Returns true and counts one call if the budget allows it; if it returns false, the caller skips the call. */
  take(): boolean;
  /** Whether `take` would count one. */
  allows(): boolean;
  state(): CallBudget;
  /** Stores the person's choice. Throws bad-input (managed) if it changes what the policy sets. */
  set(limits: Limits): CallBudget;
  /** Forgets the person's choice. */
  reset(): void;
  /** Called at every change of the state, also by time alone, throttled. */
  readonly onChange: Set<() => void>;
  close(): void;
}

const hourMs = 3_600_000;
const settingKey = 'call-budget';
const changesEveryMs = 1_000;

const limits = z.object({
  perHour: budgetTable.callsPerHour.schema.optional().catch(undefined),
  isAutomatic: budgetTable.automaticCalls.schema.optional().catch(undefined),
});

const storedBudget = z.object({
  /** What the person chose. */
  chosen: limits.catch({}),
  /** Pairs: start of a minute (milliseconds since 1970), number of calls in it. */
  minutes: z
    .array(z.tuple([z.number(), z.int().min(0)]))
    .max(100)
    .catch([]),
});
type StoredBudget = z.output<typeof storedBudget>;

interface Needs {
  readonly settings: KeyValueTable;
  readonly policy: Pick<Policy, 'personal' | 'assertFree' | 'onChange'>;
  readonly emit: Emit;
  /** For tests: milliseconds since 1970. */
  readonly now?: () => number;
}

/** Opens the stored call budget; an unreadable one is replaced by an empty one without the person's choice. */
export function createCallBudgets({ settings, policy, emit, now = Date.now }: Needs): CallBudgets {
  let own = readStored(settings);
  const inHour = () => inHourOf(own.minutes, now());
  const state = (): CallBudget => {
    const minutes = inHour();
    const used = minutes.reduce((sum, [, calls]) => sum + calls, 0);
    const perHour = policy.personal('callsPerHour', own.chosen.perHour);
    const isAutomatic = policy.personal('automaticCalls', own.chosen.isAutomatic);
    return { perHour, used, isAutomatic, freeAt: freeAt(minutes, used, perHour) };
  };
  const allows = ({ perHour, freeAt, isAutomatic } = state()) => isAutomatic && freeAt === null && perHour > 0;
  let aging: NodeJS.Timeout | undefined;
  // Calls leave the hour at whole minutes: nobody does anything then that would tell of it.
  const age = () => {
    clearTimeout(aging);
    if (inHour().length > 0) aging = setTimeout(notify.request, 60_000 - (now() % 60_000)).unref();
  };
  const onChange = new Set<() => void>([() => emit('budget.changed', state()), age]);
  const notify = throttled(changesEveryMs, () => {
    for (const listener of [...onChange]) listener();
  });
  const change = (next: Partial<StoredBudget>) => {
    own = { ...own, minutes: inHour(), ...next };
    try {
      settings.put(settingKey, JSON.stringify(own));
    } catch (error) {
      // The change holds in this run, and is written with the next change.
      if (!isBusy(error)) throw error;
    }
    notify.request();
  };
  policy.onChange.add(notify.request);
  age();
  return {
    allows,
    take: () => {
      if (!allows()) return false;
      const minute = Math.floor(now() / 60_000) * 60_000;
      const others = inHour().filter(([at]) => at !== minute);
      const before = own.minutes.find(([at]) => at === minute)?.[1] ?? 0;
      change({ minutes: [...others, [minute, before + 1]] });
      return true;
    },
    state,
    set: (wanted) => {
      change({ chosen: { ...own.chosen, ...choiceOf(wanted, state(), policy) } });
      return state();
    },
    reset: () => change({ chosen: {} }),
    onChange,
    close: () => {
      policy.onChange.delete(notify.request);
      notify.stop();
      clearTimeout(aging);
    },
  };
}

function inHourOf(minutes: StoredBudget['minutes'], at: number): StoredBudget['minutes'] {
  // Minutes in the future were recorded before the clock was set back: they count for at most an hour from now.
  return minutes.filter((one) => leavesAt(one) > at && one[0] <= at + hourMs);
}

/** When the last call that a minute may have is an hour old. */
const leavesAt = ([minute]: StoredBudget['minutes'][number]): number => minute + hourMs + 60_000;

type Limits = Pick<CallBudget, 'perHour' | 'isAutomatic'>;

/** The window sends both limits: only one that differs is a choice. */
function choiceOf({ perHour, isAutomatic }: Limits, current: Limits, policy: Needs['policy']): Partial<Limits> {
  const isOther = { perHour: perHour !== current.perHour, isAutomatic: isAutomatic !== current.isAutomatic };
  if (isOther.perHour) policy.assertFree(['callsPerHour']);
  if (isOther.isAutomatic) policy.assertFree(['automaticCalls']);
  return { ...(isOther.perHour && { perHour }), ...(isOther.isAutomatic && { isAutomatic }) };
}

/** Counts calls of a team (core/team). True without one, or while its register is away. */
interface TeamCalls {
  countCall(connectionId: string, perHour: number): Promise<boolean>;
}

/** Counts one call of a connection: within the program's own budget and, in a team, within the team's. If false, the caller skips the call. */
export async function takeCall({ budget, team }: Budgets, connectionId: string): Promise<boolean> {
  // The team is asked first: while it has no call left, none of the program's own is used up by asking again.
  if (!budget.allows() || !(await team.countCall(connectionId, budget.state().perHour))) return false;
  return budget.take();
}

interface Budgets {
  readonly budget: CallBudgets;
  readonly team: TeamCalls;
}

/** Time between two checks of the budget, which frees calls by the minute, not by the second. */
const budgetCheckMs = 15_000;

/** Waits until the program may make one more call by itself. Rejects with cancelled. */
export async function callInTurn(budgets: Budgets, connectionId: string, signal: AbortSignal): Promise<void> {
  while (!(await takeCall(budgets, connectionId))) {
    const changed = new AbortController();
    const onChange = () => changed.abort();
    budgets.budget.onChange.add(onChange);
    await sleep(budgetCheckMs, undefined, { signal: AbortSignal.any([signal, changed.signal]) }).catch(() => undefined);
    budgets.budget.onChange.delete(onChange);
    if (signal.aborted) throw appError('cancelled', 'cancelled while waiting for the hourly limit');
  }
}

/** When enough of the counted minutes are more than an hour old that a call is allowed again; null if one is allowed now. */
function freeAt(minutes: StoredBudget['minutes'], used: number, perHour: number): string | null {
  let left = used;
  if (left < perHour || perHour === 0) return null;
  for (const one of [...minutes].sort(([a], [b]) => a - b)) {
    left -= one[1];
    if (left < perHour) return new Date(leavesAt(one)).toISOString();
  }
  return null;
}

function readStored(settings: KeyValueTable): StoredBudget {
  try {
    const stored: unknown = JSON.parse(settings.get(settingKey) ?? '{}');
    const own = storedBudget.parse(stored);
    return stored !== null && typeof stored === 'object' && 'chosen' in stored
      ? own
      : { ...own, chosen: earlierChoice(stored) };
  } catch {
    return storedBudget.parse({});
  }
}

/** Earlier versions stored the limits in force: one that was not built in was the person's choice. */
function earlierChoice(stored: unknown): StoredBudget['chosen'] {
  const { perHour, isAutomatic } = limits.catch({}).parse(stored);
  const { callsPerHour, automaticCalls } = budgetTable;
  return {
    ...(perHour === callsPerHour.builtIn ? {} : { perHour }),
    ...(isAutomatic === automaticCalls.builtIn ? {} : { isAutomatic }),
  };
}
