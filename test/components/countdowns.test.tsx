import { cloneElement } from 'react';
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Countdown } from '../../contract/jobs.ts';
import { Countdowns } from '../../renderer/app/countdowns.tsx';
import { CountdownStrip } from '../../renderer/app/status-bar.tsx';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { RequestOutcome } from '../../renderer/features/jobs/request-outcome.tsx';
import { BatchHead } from '../../renderer/screens/jobs/batch-head.tsx';
import { JobActions } from '../../renderer/screens/jobs/job-actions.tsx';
import { LogHead, LogLine } from '../../renderer/screens/jobs/log-line.tsx';
import { noPolicyState } from '../harness/no-policy.ts';
import { peer } from './harness/core-peer.ts';
import { batchOf, countdownOf, jobOf } from './harness/jobs.ts';
import { removeAll, showScreen } from './harness/show.tsx';
import { tags } from './harness/texts.ts';

function show(countdowns: readonly Countdown[], taken: readonly string[] = ['j1'], language = 'en') {
  const asked: unknown[] = [];
  peer.answer({
    'jobs.takeBack': async (which) => {
      asked.push(['takeBack', which]);
      return { jobIds: taken };
    },
    'jobs.sendNow': async (which) => {
      asked.push(['sendNow', which]);
      return null;
    },
    'corrections.open': async () => ({ kind: 'request', draftId: 'd1' }),
  });
  const shown = showScreen(
    <Countdowns countdowns={countdowns} total={countdowns.length} />,
    'desktop',
    noPolicyState,
    language,
  );
  return { ...shown, asked };
}

const date = '2027-01-04T09:00:00.000Z';
const card = (
  <RequestOutcome
    title="lease.pdf"
    state="waiting"
    raw={null}
    documentId={null}
    failure={null}
    at={date}
    jobId="j1"
    kind={null}
    canCorrect={false}
  />
);

const button = (name: string) => page.getByRole('button', { name });

it('shows the seconds that are left, which go down, and says them once, and again when more of a bulk were added', async () => {
  const { draw } = show([countdownOf({ leftMs: 30_000 })]);
  const seconds = () => Number(/(\d+) seconds left/.exec(page.getByRole('listitem').element().textContent)?.[1]);
  await expect.poll(seconds).toBeGreaterThan(15);
  const first = seconds();
  await expect.element(page.getByText(/^lease\.pdf: Can be taken back, \d+ seconds left$/)).toBeInTheDocument();
  const said = page.getByText(/^lease\.pdf: Can be taken back/).element().textContent;
  // Longer than the shortest time between two announcements.
  await expect.poll(seconds, { timeout: 9_000 }).toBeLessThan(first - 4);
  expect(page.getByText(/^lease\.pdf: Can be taken back/).element().textContent).toBe(said);
  draw(<Countdowns countdowns={[countdownOf({ count: 88 })]} total={1} />);
  await expect.element(page.getByText(/^lease\.pdf and 87 more: Can be taken back/)).toBeInTheDocument();
});

it('has its words on the card of a request that was just sent, which merely waited there', async () => {
  peer.answer({ 'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }) });
  showScreen(<JobsProvider>{card}</JobsProvider>);
  const head = page.getByRole('article', { name: 'lease.pdf' }).getByRole('heading');
  await expect.element(head).toHaveTextContent('Waiting');
  // It listens from the moment on in which it asks: what comes before is in the answer.
  await expect.poll(() => peer.asked('jobs.list')).toHaveLength(1);
  const counted = { ...emptyJobsView.queue, countdowns: [countdownOf()], countdownCount: 1 };
  peer.send('jobs.changed', { ...counted, jobs: [], batches: [], isIncomplete: true });
  await expect.element(head).toMatchTextContent(/^Can be taken back · \d seconds left$/);
  peer.send('jobs.changed', { ...emptyJobsView.queue, jobs: [], batches: [], isIncomplete: true });
  await expect.element(head).toHaveTextContent('Waiting');
});

it('asks on the card of a request that was just sent, where it merely waited, when the same was sent meanwhile', async () => {
  const same = { kind: 'job', jobId: 'j0', title: 'old.pdf', documentId: null, state: 'done', at: date } as const;
  const held = { state: 'waiting', pausedBy: 'duplicate', duplicateOf: same } as const;
  const job = jobOf({ id: 'j1', operation: 'AddNewDocumentESign', ...held });
  peer.answer({
    'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
    'jobs.decide': async () => null,
  });
  showScreen(<JobsProvider>{cloneElement(card, { asking: job })}</JobsProvider>);
  const article = page.getByRole('article', { name: 'lease.pdf' });
  await expect.element(article.getByRole('heading')).toHaveTextContent('Needs your decision');
  await expect.element(article.getByText(/^Same request: “old.pdf” .*, Sent/)).toBeInTheDocument();
  await expect.element(button('Send anyway…')).toBeInTheDocument();
  await button('Skip').click();
  await expect.poll(() => peer.asked('jobs.decide')).toEqual([{ jobIds: ['j1'], decision: 'skip' }]);
});

it('asks on the card of a request that was just sent when nobody saw it', async () => {
  const stopped = countdownOf({ leftMs: null, isStopped: true });
  const queue = { ...emptyJobsView.queue, countdowns: [stopped], countdownCount: 1 };
  peer.answer({ 'jobs.list': async () => ({ ...queue, jobs: [], total: 0 }), 'jobs.sendNow': async () => null });
  const job = jobOf({ id: 'j1', batchId: 'b1', title: 'lease.pdf', state: 'waiting', pausedBy: 'countdown-stopped' });
  showScreen(<JobsProvider>{cloneElement(card, { asking: job })}</JobsProvider>);
  const article = page.getByRole('article', { name: 'lease.pdf' });
  await expect.element(article.getByRole('heading')).toHaveTextContent('Not sent: needs your decision');
  await expect.element(article.getByText(/^Sealdesk ended, or the computer slept, .*taken back$/)).toBeVisible();
  await expect.element(article.getByRole('button', { name: /^Take back/ })).toBeVisible();
  await button('Send now: lease.pdf').click();
  await expect.poll(() => peer.asked('jobs.sendNow')).toEqual([{ batchId: 'b1', isStopped: true }]);
});

const waiting = (count: number, stoppedCount: number) => ({
  counts: { ...emptyJobsView.queue.counts, waiting: count },
  stoppedCount,
});

it('has what is paused and cancelled counted without what nobody saw the countdown of', async () => {
  peer.answer({ 'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }) });
  showScreen(
    <JobsProvider>
      <BatchHead batch={batchOf({ batchId: 'b1', ...waiting(5, 3) })} isOpen={false} onToggle={() => undefined} />
    </JobsProvider>,
  );
  await expect.element(button('Pause')).toBeVisible();
  await expect.element(button('Cancel 2 waiting…')).toBeVisible();
});

it('is sent from its job and from its batch in Activity, too, when nobody saw it', async () => {
  const stopped = countdownOf({ leftMs: null, isStopped: true });
  const queue = { ...emptyJobsView.queue, countdowns: [stopped], countdownCount: 1 };
  peer.answer({ 'jobs.list': async () => ({ ...queue, jobs: [], total: 0 }), 'jobs.sendNow': async () => null });
  const job = jobOf({ id: 'j1', batchId: 'b1', state: 'waiting', pausedBy: 'countdown-stopped' });
  showScreen(
    <JobsProvider>
      <JobActions job={job} isInBatch={false} />
      <BatchHead batch={batchOf({ batchId: 'b1', ...waiting(2, 2) })} isOpen={false} onToggle={() => undefined} />
    </JobsProvider>,
  );
  await expect.element(page.getByRole('region').getByRole('button', { name: 'Take back: lease.pdf' })).toBeVisible();
  expect(button('Pause').elements()).toEqual([]);
  expect(page.getByText(/waiting…/).elements()).toEqual([]);
  for (const times of [1, 2]) {
    await button('Send now: lease.pdf')
      .nth(times - 1)
      .click();
    const asked = Array.from({ length: times }, () => ({ batchId: 'b1', isStopped: true }));
    await expect.poll(() => peer.asked('jobs.sendNow')).toEqual(asked);
  }
});

it('has its seconds in the heads and lines of Activity, where they go down', async () => {
  const held = { ...emptyJobsView.queue, countdowns: [countdownOf({ count: 3, leftMs: 55_000 })], countdownCount: 1 };
  peer.answer({ 'jobs.list': async () => ({ ...held, jobs: [], total: 0 }) });
  const counts = { ...emptyJobsView.queue.counts, waiting: 3 };
  const batch = batchOf({ batchId: 'b1', counts });
  const job = jobOf({ batchId: 'b1', state: 'waiting', pausedBy: 'countdown', title: 'deed.pdf' });
  const head = { batch, isOpen: false, onToggle: () => undefined };
  const { draw } = showScreen(
    <JobsProvider>
      <LogHead {...head} />
      <BatchHead {...head} />
      <LogLine job={job} isUnderHead={false} />
    </JobsProvider>,
  );
  const said = () => [...document.body.textContent.matchAll(/(\d+) seconds left/g)].map(([, left]) => Number(left));
  await expect.poll(() => said().length).toBe(3);
  const first = Math.max(...said());
  await expect.poll(() => Math.max(...said()), { timeout: 9_000 }).toBeLessThan(first - 2);
  await expect.element(page.getByText(/^\d+ seconds left · 3 Waiting$/)).toBeVisible();
  await expect.element(page.getByText(/^Can be taken back · \d+ seconds left$/)).toBeVisible();
  await expect.element(page.getByText(/^\d+ seconds left · Can be taken back$/)).toBeVisible();
  // What is opened later has what is left by then.
  draw(
    <JobsProvider>
      <LogHead {...head} />
      <BatchHead {...head} />
      <LogLine job={job} isUnderHead={false} />
      <LogHead {...head} batch={{ ...batch, title: 'opened.pdf' }} />
    </JobsProvider>,
  );
  await expect.poll(() => said().length).toBe(4);
  expect(Math.max(...said()) - Math.min(...said())).toBeLessThan(2);
});

it('leaves nothing of it to screen readers when it is over', async () => {
  const { draw } = show([countdownOf(), countdownOf({ batchId: 'b2', title: 'deed.pdf' })]);
  await expect
    .element(page.getByText(/^deed\.pdf: Can be taken back|\. deed\.pdf: Can be taken back/))
    .toBeInTheDocument();
  draw(<Countdowns countdowns={[]} total={0} />);
  await expect.poll(() => document.querySelector('[data-live-announcer]')?.textContent).toBe('');
});

it('opens the form of a request that is taken back, also by the keys', async () => {
  const { asked, gone } = show([countdownOf()]);
  await button('Take back: lease.pdf').click();
  await expect.poll(() => gone.at(-1)).toEqual({ screen: 'compose', draftId: 'd1', fresh: expect.any(String) });
  expect(asked).toEqual([['takeBack', { batchId: 'b1', isStopped: false }]]);
  await userEvent.keyboard('{Control>}.{/Control}');
  await expect.poll(() => asked).toHaveLength(2);
});

it('shows what was sent again and stands as before, also of a bulk: no form was sent', async () => {
  const { gone } = show([countdownOf({ bulkId: 'k1' })]);
  peer.answer({ 'jobs.takeBack': async () => ({ jobIds: ['j1'], wereSentAgain: true }) });
  await button('Take back: lease.pdf').click();
  await expect.poll(() => gone).toEqual([{ screen: 'jobs', batchId: 'b1' }]);
});

it('says that it was too late, and shows what became of it', async () => {
  const { gone } = show([countdownOf()], []);
  await button('Take back: lease.pdf').click();
  await expect.element(page.getByText(/Too late to take it back/), { timeout: 9_000 }).toBeInTheDocument();
  expect(gone).toEqual([{ screen: 'jobs', batchId: 'b1' }]);
});

it('asks about what nobody saw, without a number of seconds, also beside what counts down of the same batch, and sends each by its button', async () => {
  const stopped = { leftMs: null, isStopped: true, title: 'stopped.pdf' };
  const { asked } = show([countdownOf(), countdownOf({ ...stopped, count: 3 })]);
  const line = page.getByRole('listitem').nth(1);
  await expect.element(line).toMatchTextContent(/stopped\.pdf and 2 more.*Not sent: needs your decision/);
  expect(line.element().textContent).not.toContain('left');
  await button('Send now: stopped.pdf and 2 more').click();
  await button('Send now: lease.pdf').click();
  const of = (isStopped: boolean) => ['sendNow', { batchId: 'b1', isStopped }];
  await expect.poll(() => asked).toEqual([of(true), of(false)]);
});

it('stands on Home only above what counts down, also with more stopped than are listed', async () => {
  const stopped = Array.from({ length: 20 }, (_, at) =>
    countdownOf({ batchId: `s${at}`, leftMs: null, isStopped: true }),
  );
  let queue = { ...emptyJobsView.queue, countdowns: [countdownOf(), ...stopped], countdownCount: 30 };
  peer.answer({ 'jobs.list': async () => ({ ...queue, jobs: [], total: 0 }) });
  showScreen(
    <JobsProvider>
      <CountdownStrip runningOnly />
    </JobsProvider>,
  );
  await expect.poll(() => page.getByRole('listitem').elements().length).toBe(1);
  expect(document.body.textContent).not.toContain('Show all');
  queue = { ...queue, countdowns: stopped, countdownCount: 29 };
  peer.send('jobs.changed', { ...queue, jobs: [], batches: [], isIncomplete: true });
  await expect.poll(() => page.getByRole('region').elements()).toEqual([]);
});

it('opens the bulk of rows that are taken back', async () => {
  const { gone } = show([countdownOf({ bulkId: 'k1', count: 40 })]);
  await button('Take back: lease.pdf and 39 more').click();
  await expect.poll(() => gone.at(-1)).toEqual({ screen: 'bulk', bulkId: 'k1' });
});

it.each([
  [360, 300],
  [640, 400],
  [720, 600],
])('says whole what can be taken back, in every language, at %i × %i', async (width, height) => {
  await page.viewport(width, height);
  const title = 'contract-2026-between-harbour-trading-ltd-and-farid-nasser-final-v2.pdf';
  for (const language of tags) {
    show([countdownOf({ title, count: 3 }), countdownOf({ batchId: 'b2' })], [], language);
    await expect.poll(() => document.querySelectorAll('section button').length).toBeGreaterThan(2);
    const strip = document.querySelector('section') as HTMLElement;
    const boxes = [...strip.querySelectorAll('button')].map((one) => one.getBoundingClientRect());
    expect(strip.scrollWidth, language).toBeLessThanOrEqual(width);
    expect(Math.max(...boxes.map(({ right }) => right)), language).toBeLessThanOrEqual(width);
    expect(Math.max(...boxes.map((box) => box.height)), language).toBeLessThan(40);
    expect(strip.getBoundingClientRect().height, language).toBeLessThan(125);
    expect(strip.textContent).not.toContain('U+');
    await removeAll();
  }
  await page.viewport(1280, 800);
});
