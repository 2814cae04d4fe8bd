import { expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { LogHead, LogLine } from '../../renderer/screens/jobs/log-line.tsx';
import { noPolicyState } from '../harness/no-policy.ts';
import { peer } from './harness/core-peer.ts';
import { batchOf, countdownOf, jobOf } from './harness/jobs.ts';
import { showScreen } from './harness/show.tsx';
import { tags } from './harness/texts.ts';

const job = jobOf({
  operation: 'AddNewEasySignDocument',
  title: 'Agreement 1.pdf',
  sentTo: 'dan@firm.example eve@firm.example',
  state: 'done',
  documentId: 'A1',
});

it('a line of the log opens what it is about by a click anywhere, once, and by keys', async () => {
  const { gone } = showScreen(<LogLine job={job} isUnderHead={false} />);
  const open = { screen: 'jobs', batchId: 'batch', jobId: 'job' };
  await page.getByRole('article', { name: 'Agreement 1.pdf' }).getByText('Sent', { exact: true }).click();
  expect(gone).toEqual([open]);
  await page.getByRole('button', { name: 'Open Agreement 1.pdf' }).click();
  expect(gone).toEqual([open, open]);
  await userEvent.keyboard('{Enter}');
  expect(gone).toEqual([open, open, open]);
});

it('a line of the log says when a request left as when it was sent, though its answer came a minute later', async () => {
  const times = { createdAt: '2027-01-04T09:00:00.000Z', at: '2027-01-04T09:05:00.322Z' };
  showScreen(<LogLine job={{ ...job, ...times, departedAt: '2027-01-04T09:04:59.963Z' }} isUnderHead={false} />);
  await expect.element(page.getByRole('article')).toMatchTextContent(/Sent · Jan 4, 2027, 9:04/);
});

it('a line of what was sent says when that left, when it was answered, and what replaced it, which it opens', async () => {
  const times = { createdAt: '2027-01-04T09:00:00.000Z', departedAt: '2027-01-04T09:04:00.000Z' };
  const correction = { batchId: 'later', jobId: 'mended' };
  const refused = { ...job, ...times, state: 'refused', at: '2027-01-04T09:06:00.000Z', isDismissed: true } as const;
  const { gone } = showScreen(<LogLine job={{ ...refused, correction }} isUnderHead={false} isSent />);
  const line = page.getByRole('article');
  await expect.element(line).toMatchTextContent(/Refused · Corrected since · Jan 4, 2027, 9:06.*9:04/);
  await line.click();
  expect(gone).toEqual([{ screen: 'jobs', ...correction }]);
});

it.each(tags.flatMap((tag) => [[tag, 1280, 800, 1054] as const, [tag, 720, 600, 654] as const]))(
  'a line of the log says its whole state, and that a job corrects one in doubt, in the height of one row (%s, %i × %i)',
  async (tag, width, height, inlineSize) => {
    const { queue } = emptyJobsView;
    const listed = { ...queue, countdowns: [countdownOf({ batchId: 'batch' })], countdownCount: 1, jobs: [], total: 0 };
    peer.answer({ 'jobs.list': async () => listed });
    const correction = { batchId: 'later', jobId: 'mended' };
    const waits = { state: 'waiting', isBesideDoubt: true } as const;
    const jobs = [
      { ...waits, pausedBy: 'countdown' },
      { ...waits, pausedBy: 'countdown-stopped' },
      { ...waits, pausedBy: 'restored' },
      { state: 'in-doubt', correction },
      { state: 'failed', correction, at: new Date(new Date().getFullYear(), 0, 14, 19, 16).toISOString() },
    ] as const;
    const counts = { ...queue.counts, waiting: 27, done: 2, cancelled: 1 };
    const head = { batch: batchOf({ batchId: 'other', counts, stoppedCount: 27 }), isOpen: false, onToggle: () => {} };
    await page.viewport(width, height);
    onTestFinished(() => page.viewport(1280, 800));
    const { box } = showScreen(
      <div style={{ inlineSize }} dir={tag === 'ar' ? 'rtl' : 'ltr'}>
        <JobsProvider>
          {jobs.map((more) => (
            <LogLine key={JSON.stringify(more)} job={jobOf(more)} isUnderHead={false} isSent={'correction' in more} />
          ))}
          <LogHead {...head} />
        </JobsProvider>
      </div>,
      'desktop',
      noPolicyState,
      tag,
    );
    const states = () => [...box.querySelectorAll('article > span:last-of-type')];
    await expect.poll(() => states()[0]?.textContent).toMatch(/\d/);
    const whole = [...states(), ...box.querySelectorAll('article p')];
    for (const { textContent, scrollWidth, clientWidth, scrollHeight, clientHeight } of whole)
      expect([textContent, scrollWidth, scrollHeight]).toEqual([textContent, clientWidth, clientHeight]);
    const heights = [...box.querySelectorAll('article')].map((line) => line.getBoundingClientRect().height);
    // The head of a drop in many states has one more line of text, where there is no room.
    expect(heights.map((one) => one - 40)).toEqual([...jobs.map(() => 0), expect.toSatisfy((more) => more < 20)]);
  },
);

it('a line of the log says of what was passed over what has the same, and that it is no cancelling', async () => {
  const same = { kind: 'document', documentId: 'A1', jobId: null, title: 'Lease 2027', state: 'done' } as const;
  const duplicateOf = { ...same, at: '2027-01-04T09:00:00.000Z' };
  showScreen(<LogLine job={jobOf({ state: 'passed-over', duplicateOf })} isUnderHead={false} />);
  const line = page.getByRole('article', { name: 'Lease.pdf' });
  await expect.element(line).toMatchTextContent(/Already registered as “Lease 2027”/);
  await expect.element(line.getByText('Skipped: duplicate', { exact: true })).toBeVisible();
});

it('a line of the log in Arabic shows the beginning of the addresses where not all of them have room', async () => {
  const { box } = showScreen(
    <div dir="rtl" style={{ inlineSize: 900 }}>
      <LogLine job={job} isUnderHead={false} />
    </div>,
    'desktop',
    noPolicyState,
    'ar',
  );
  const about = () => box.querySelector('article > span:nth-of-type(2)');
  await expect.poll(() => about()?.textContent).toContain('dan@');
  /** Where the first letter of the first address is drawn, from the left edge of what may show it. */
  const room = () => {
    const all = document.createTreeWalker(about() ?? box, NodeFilter.SHOW_TEXT);
    let last: Node | null = null;
    for (let node = all.nextNode(); node; node = all.nextNode()) if (node.textContent?.includes('dan')) last = node;
    const range = document.createRange();
    const at = last?.textContent?.indexOf('dan') ?? 0;
    if (last) range.setStart(last, at);
    if (last) range.setEnd(last, at + 3);
    return range.getBoundingClientRect().left - (about()?.getBoundingClientRect().left ?? 0);
  };
  await expect.poll(room).toBeGreaterThan(0);
});
