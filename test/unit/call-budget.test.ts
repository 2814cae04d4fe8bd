import { afterEach, describe, expect, it, vi } from 'vitest';
import type { CallBudget } from '../../contract/budget.ts';
import { type PersonalName, type SettingValue, settingTable } from '../../contract/settings.ts';
import { createCallBudgets } from '../../electron/core/connections/call-budget.ts';

const minute = 60_000;
const start = Date.parse('2026-03-01T10:00:30Z');

function budgets(kept = new Map<string, string>(), ms = start) {
  const clock = { ms };
  const settings = {
    get: (key: string) => kept.get(key) ?? null,
    put: (key: string, value: string) => void kept.set(key, value),
    putUnsynced: () => undefined,
    remove: (key: string) => void kept.delete(key),
  };
  const policy = {
    personal: <N extends PersonalName>(name: N, chosen: SettingValue<N> | undefined) =>
      chosen ?? (settingTable[name].builtIn as SettingValue<N>),
    assertFree: () => undefined,
    onChange: new Set<() => void>(),
  };
  const told: CallBudget[] = [];
  const emit = (_name: string, state: unknown) => void told.push(state as CallBudget);
  return { clock, kept, told, book: createCallBudgets({ settings, policy, emit, now: () => clock.ms }) };
}

afterEach(() => void vi.useRealTimers());

describe('the call budget', () => {
  it('allows so many calls in any hour and says when the next is free', () => {
    const { clock, book } = budgets();
    book.set({ perHour: 3, isAutomatic: true });
    expect([book.take(), book.take()]).toEqual([true, true]);
    clock.ms += 20 * minute;
    expect([book.take(), book.take()]).toEqual([true, false]);
    expect(book.state()).toEqual({ perHour: 3, used: 3, isAutomatic: true, freeAt: '2026-03-01T11:01:00.000Z' });
    clock.ms = Date.parse('2026-03-01T11:01:00Z');
    expect([book.take(), book.take(), book.take()]).toEqual([true, true, false]);
  });

  it('is kept over a restart, and over a clock that is set back or stands wrong', () => {
    const kept = new Map<string, string>();
    const first = budgets(kept);
    first.book.set({ perHour: 1, isAutomatic: true });
    expect(first.book.take()).toBe(true);
    const second = budgets(kept);
    expect(second.book.take()).toBe(false);
    second.clock.ms -= 30 * minute;
    expect(second.book.take()).toBe(false);
    // Years back: what was counted then says nothing.
    second.clock.ms -= 100_000 * minute;
    expect(second.book.take()).toBe(true);
    kept.set('call-budget', '{"perHour":"many"');
    expect(budgets(kept).book.state()).toMatchObject({ perHour: 120, used: 0 });
  });

  it('tells when a call is an hour old, which nobody does anything for, and then says no past time', () => {
    vi.useFakeTimers();
    const { clock, kept, book, told } = budgets();
    const pass = (ms: number) => {
      clock.ms += ms;
      vi.advanceTimersByTime(ms);
    };
    book.set({ perHour: 1, isAutomatic: true });
    book.take();
    pass(minute);
    expect(told.at(-1)).toMatchObject({ used: 1, freeAt: '2026-03-01T11:01:00.000Z' });
    // To the last second before that.
    pass(59 * minute + 29_000);
    expect([told.at(-1)?.used, book.take()]).toEqual([1, false]);
    pass(1_000);
    const all = told.length;
    expect(told.at(-1)).toEqual({ perHour: 1, used: 0, isAutomatic: true, freeAt: null });
    // With none there is nothing more to tell.
    pass(10 * minute);
    expect(told).toHaveLength(all);
    book.take();
    book.close();
    // The next start tells it too, also after a sleep in which no timer ran.
    const next = budgets(kept, clock.ms);
    next.clock.ms += 90 * minute;
    vi.advanceTimersByTime(2 * minute);
    expect(next.told.at(-1)).toMatchObject({ used: 0, freeAt: null });
    next.book.close();
  });

  it('asks nothing by itself where that is off, and nothing at all where nothing is allowed', () => {
    const { book } = budgets();
    book.set({ perHour: 5, isAutomatic: false });
    expect(book.take()).toBe(false);
    book.set({ perHour: 0, isAutomatic: true });
    expect(book.take()).toBe(false);
  });
});
