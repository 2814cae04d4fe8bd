import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TrackedEntry } from '../../contract/tracking.ts';
import { useFormat } from '../../renderer/parts/format.ts';
import { useSignerState } from '../../renderer/screens/tracking/state-chips.tsx';
import { showPart } from './harness/show.tsx';
import { tags } from './harness/texts.ts';

const sent = new Date(2027, 0, 4, 9, 23);
const entry = {
  state: 'waiting',
  createdAt: sent.toISOString(),
  status: null,
  signedAt: null,
  mark: null,
  listType: 1,
} as unknown as TrackedEntry;

function Times(props: { readonly iso: string }) {
  const format = useFormat();
  return (
    <p>
      {format.momentInText(props.iso)}; {format.moment(props.iso)}; {useSignerState()(entry, undefined)}
    </p>
  );
}

// Only the clock and the timer that looks at it: React and its scheduler go on.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

const words: Readonly<Record<string, readonly [string, string, string]>> = {
  en: ['today', 'yesterday', 'Waiting 2 days'],
  de: ['heute', 'gestern', 'Wartet seit 2 Tagen'],
  fr: ['aujourd’hui', 'hier', 'En attente depuis 2 jours'],
  es: ['hoy', 'ayer', '2 días en espera'],
  ar: ['اليوم', 'أمس', 'ينتظر منذ يومين'],
};

describe('a time on screen', () => {
  it.each(tags)('is today, yesterday and then a date, while the window stays open (%s)', async (tag) => {
    const [today, yesterday, waiting] = words[tag] ?? [];
    vi.setSystemTime(new Date(2027, 0, 4, 23, 59, 50));
    const { box } = showPart(<Times iso={sent.toISOString()} />, tag);
    const text = () => (box.textContent ?? '').replaceAll("'", '’');
    // By itself the time is enough for today.
    await expect.poll(text).toMatch(new RegExp(`^${today} ([^;]+); \\1;`));
    const goOnTo = (date: number, hour = 0) => {
      vi.setSystemTime(new Date(2027, 0, date, hour, 0, 5));
      vi.advanceTimersByTime(30_000);
    };
    goOnTo(5);
    const alone = `${yesterday?.charAt(0).toLocaleUpperCase(tag)}${yesterday?.slice(1)}`;
    await expect.poll(text).toMatch(new RegExp(`^${yesterday} ([^;]+); ${alone} \\1;`));
    // A day is over after 24 hours, not at midnight.
    goOnTo(6, 9);
    await expect.poll(text).not.toMatch(new RegExp(`${today}|${yesterday}`, 'i'));
    expect(text()).not.toContain(waiting);
    goOnTo(6, 10);
    await expect.poll(text).toContain(waiting);
  });

  it('that is only a day is that day in every time zone', async () => {
    function Day() {
      return <p>{useFormat().date('2027-01-04')}</p>;
    }
    vi.setSystemTime(sent);
    const { box } = showPart(<Day />);
    await expect.poll(() => box.textContent).toMatch(/4 Jan|Jan 4/);
  });
});
