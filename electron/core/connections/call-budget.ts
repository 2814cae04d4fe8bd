import { z } from 'zod';
import type { CallBudget } from '../../../contract/budget.ts';
import type { SettingTable } from '../../store/settings/settings.ts';
import type { Emit } from '../foundation/event-emitter.ts';
import { isBusy } from '../foundation/retry-while-busy.ts';
import { throttled } from '../foundation/throttled.ts';

/**
 * Limits how many calls the program may make to services on its own within any hour; see contract/budget.ts. One
 * budget covers all connections and all automatic reads. It is stored, so that a restart does not begin a new hour.
 */
export interface CallBudgets {
  /**
   * Returns true and counts one call if the budget allows it; if it returns false, the caller skips the call.
   * `onAccount`: `program` for a call that no person asked for.
   */
  take(onAccount?: 'program' | 'person'): boolean;
  state(): CallBudget;
  set(limits: Pick<CallBudget, 'perHour' | 'isAutomatic'>): CallBudget;
  /** Adds a listener for every change of the state, throttled. Returns a function that removes it. */
  onChange(listener: (state: CallBudget) => void): () => void;
  close(): void;
}

const hourMs = 3_600_000;
const settingKey = 'call-budget';
const changesEveryMs = 1_000;

const storedBudget = z.object({
  perHour: z.int().min(0).max(100_000).catch(120),
  isAutomatic: z.boolean().catch(true),
  /** Pairs: start of a minute (milliseconds since 1970), number of calls in it. */
  minutes: z
    .array(z.tuple([z.number(), z.int().min(0)]))
    .max(100)
    .catch([]),
});
type StoredBudget = z.output<typeof storedBudget>;

interface Needs {
  readonly settings: SettingTable;
  readonly emit: Emit;
  /** For tests: milliseconds since 1970. */
  readonly now?: () => number;
}

/** Opens the stored call budget; an unreadable one is replaced by the defaults (120 calls per hour, automatic). */
export function createCallBudgets({ settings, emit, now = Date.now }: Needs): CallBudgets {
  let own = readStored(settings);
  const listeners = new Set<(state: CallBudget) => void>();
  const inHour = () => {
    const at = now();
    // Minutes in the future were recorded before the clock was set back: they count for at most an hour from now.
    return own.minutes.filter(([minute]) => minute > at - hourMs && minute <= at + hourMs);
  };
  const state = (): CallBudget => {
    const minutes = inHour();
    const used = minutes.reduce((sum, [, calls]) => sum + calls, 0);
    return { perHour: own.perHour, used, isAutomatic: own.isAutomatic, freeAt: freeAt(minutes, used, own.perHour) };
  };
  const notify = throttled(changesEveryMs, () => {
    const current = state();
    emit('budget.changed', current);
    for (const listener of [...listeners]) listener(current);
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
  return {
    take: (onAccount = 'program') => {
      if (onAccount === 'program' && !own.isAutomatic) return false;
      if (state().freeAt !== null || own.perHour === 0) return false;
      const minute = Math.floor(now() / 60_000) * 60_000;
      const others = inHour().filter(([at]) => at !== minute);
      const before = own.minutes.find(([at]) => at === minute)?.[1] ?? 0;
      change({ minutes: [...others, [minute, before + 1]] });
      return true;
    },
    state,
    set: ({ perHour, isAutomatic }) => {
      change({ perHour, isAutomatic });
      return state();
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    close: () => notify.stop(),
  };
}

/**
 * When enough of the counted minutes are more than an hour old that a call is allowed again; null if one is allowed
 * now.
 */
function freeAt(minutes: readonly (readonly [number, number])[], used: number, perHour: number): string | null {
  let left = used;
  if (left < perHour || perHour === 0) return null;
  for (const [minute, calls] of [...minutes].sort(([a], [b]) => a - b)) {
    left -= calls;
    if (left < perHour) return new Date(minute + hourMs + 60_000).toISOString();
  }
  return null;
}

function readStored(settings: SettingTable): StoredBudget {
  try {
    return storedBudget.parse(JSON.parse(settings.get(settingKey) ?? '{}'));
  } catch {
    return storedBudget.parse({});
  }
}
