import { z } from 'zod';
import type { CallBudget } from '../../../contract/budget.ts';
import type { SettingTable } from '../../store/settings/settings.ts';
import type { Emit } from '../foundation/event-emitter.ts';
import { isBusy } from '../foundation/retry-while-busy.ts';
import { throttled } from '../foundation/throttled.ts';

/**
 * How many questions the program may ask services by itself within any hour; see contract/budget.ts. One for all connections and all
 * automatic reads. Kept in the store, so that a restart does not begin a new hour.
 */
export interface CallBudgets {
  /** True, and counted, where a call is free; else the caller leaves it. `onAccount`: the program begins it by itself, without a person. */
  take(onAccount?: 'program' | 'person'): boolean;
  state(): CallBudget;
  set(limits: Pick<CallBudget, 'perHour' | 'isAutomatic'>): CallBudget;
  /** Takes a listener for every change of the state; answers what stops it. Throttled. */
  onChange(listener: (state: CallBudget) => void): () => void;
  close(): void;
}

const hourMs = 3_600_000;
const settingKey = 'call-budget';
const changesEveryMs = 1_000;

const kept = z.object({
  perHour: z.int().min(0).max(100_000).catch(120),
  isAutomatic: z.boolean().catch(true),
  /** Start of a minute and calls in it. */
  minutes: z
    .array(z.tuple([z.number(), z.int().min(0)]))
    .max(100)
    .catch([]),
});
type Kept = z.output<typeof kept>;

interface Needs {
  readonly settings: SettingTable;
  readonly emit: Emit;
  /** For tests: milliseconds since 1970. */
  readonly now?: () => number;
}

export function createCallBudgets({ settings, emit, now = Date.now }: Needs): CallBudgets {
  let own = readKept(settings);
  const listeners = new Set<(state: CallBudget) => void>();
  const inHour = () => {
    const at = now();
    // Minutes ahead of the clock come from before it was set back: they count no longer than an hour from here.
    return own.minutes.filter(([minute]) => minute > at - hourMs && minute <= at + hourMs);
  };
  const state = (): CallBudget => {
    const minutes = inHour();
    const used = minutes.reduce((sum, [, calls]) => sum + calls, 0);
    return { perHour: own.perHour, used, isAutomatic: own.isAutomatic, freeAt: freeAt(minutes, used, own.perHour) };
  };
  const tell = throttled(changesEveryMs, () => {
    const told = state();
    emit('budget.changed', told);
    for (const listener of [...listeners]) listener(told);
  });
  const change = (next: Partial<Kept>) => {
    own = { ...own, minutes: inHour(), ...next };
    try {
      settings.put(settingKey, JSON.stringify(own));
    } catch (error) {
      // It counts in this run, and is written with the next change.
      if (!isBusy(error)) throw error;
    }
    tell.request();
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
    close: () => tell.stop(),
  };
}

/** When so many of the counted minutes are more than an hour old that a call is free. */
function freeAt(minutes: readonly (readonly [number, number])[], used: number, perHour: number): string | null {
  let left = used;
  if (left < perHour || perHour === 0) return null;
  for (const [minute, calls] of [...minutes].sort(([a], [b]) => a - b)) {
    left -= calls;
    if (left < perHour) return new Date(minute + hourMs + 60_000).toISOString();
  }
  return null;
}

function readKept(settings: SettingTable): Kept {
  try {
    return kept.parse(JSON.parse(settings.get(settingKey) ?? '{}'));
  } catch {
    return kept.parse({});
  }
}
