import { describe, expect, it } from 'vitest';
import { type PersonalName, type SettingValue, settingTable } from '../../contract/settings.ts';
import { createCallBudgets } from '../../electron/core/connections/call-budget.ts';

const minute = 60_000;
const start = Date.parse('2026-03-01T10:00:30Z');

function budgets(kept = new Map<string, string>()) {
  const clock = { ms: start };
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
  return { clock, kept, book: createCallBudgets({ settings, policy, emit: () => undefined, now: () => clock.ms }) };
}

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

  it('asks nothing by itself where that is off, and nothing at all where nothing is allowed', () => {
    const { book } = budgets();
    book.set({ perHour: 5, isAutomatic: false });
    expect(book.take()).toBe(false);
    book.set({ perHour: 0, isAutomatic: true });
    expect(book.take()).toBe(false);
  });
});
