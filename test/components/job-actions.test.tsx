import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Job } from '../../contract/jobs.ts';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { UndoStrip } from '../../renderer/features/undo.tsx';
import { dayBefore } from '../../renderer/parts/days/today.ts';
import { BatchDocuments } from '../../renderer/screens/jobs/batch-head.tsx';
import { JobActions } from '../../renderer/screens/jobs/job-actions.tsx';
import { JobsScreen } from '../../renderer/screens/jobs/jobs-screen.tsx';
import { InDoubt } from '../../renderer/screens/jobs/reconcile-result.tsx';
import { peer } from './harness/core-peer.ts';
import { batchOf, jobOf } from './harness/jobs.ts';
import { connection, removeAll, showScreen } from './harness/show.tsx';

const cancelled = jobOf({ id: 'lease' });

describe('the actions of a job', () => {
  it('do not dismiss it by the second press of a double click on Cancel', async () => {
    peer.answer({
      'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
      'jobs.dismiss': async () => null,
    });
    const dismiss = () => document.querySelector<HTMLElement>('button[aria-label="Dismiss"]');
    const early: HTMLElement[] = [];
    const watch = new MutationObserver(() => {
      const button = dismiss();
      if (!button || early.length > 0) return;
      early.push(button);
      button.click();
    });
    watch.observe(document.body, { childList: true, subtree: true });
    showScreen(
      <JobsProvider>
        <JobActions job={cancelled} isInBatch={false} />
      </JobsProvider>,
    );
    await expect.poll(() => early).toHaveLength(1);
    watch.disconnect();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(peer.asked('jobs.dismiss')).toEqual([]);
    dismiss()?.click();
    await expect.poll(() => peer.asked('jobs.dismiss')).toEqual([{ jobIds: ['lease'] }]);
  });
});

describe('an empty list of jobs', () => {
  it.each([
    [0, 'Nothing has been sent yet'],
    [1, 'Nothing left in this list'],
  ])('tells what was dismissed from what was never sent (%s)', async (dismissedCount, heading) => {
    peer.answer({
      'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
      'jobs.batches': async () => ({ batches: [], total: 0, dismissedCount, correctedCount: 0 }),
    });
    showScreen(
      <JobsProvider>
        <JobsScreen batchId={null} />
      </JobsProvider>,
    );
    await expect.element(page.getByRole('heading', { name: heading })).toBeVisible();
  });
});

describe('what was not taken', () => {
  const refused: Job = { ...cancelled, id: 'refused', title: 'NDA.pdf', state: 'refused' };
  const queue = { ...emptyJobsView.queue, counts: { ...emptyJobsView.queue.counts, refused: 1, done: 2 } };
  const batch = batchOf({ title: 'NDA.pdf', counts: queue.counts });

  it('is neither selected by itself nor dismissed together with what needs nobody', async () => {
    const lists: unknown[] = [];
    peer.answer({
      'jobs.list': async (filter) => {
        lists.push(filter.states);
        return {
          ...queue,
          jobs: filter.states?.join() === 'done,passed-over,cancelled' ? [] : [refused, refused, refused],
          total: 3,
        };
      },
      'jobs.history': async () => [],
      'jobs.batches': async () => ({ batches: [batch], total: 1, dismissedCount: 0, correctedCount: 0 }),
    });
    const { gone } = showScreen(
      <JobsProvider>
        <JobsScreen batchId={null} />
      </JobsProvider>,
    );
    await expect.element(page.getByRole('button', { name: 'Dismiss 2 finished' }).first()).toBeVisible();
    const head = page.getByRole('article', { name: 'NDA.pdf and 2 more' });
    await expect.element(head.getByText('1 Refused · 2 Registered')).toBeVisible();
    await head.getByRole('button', { name: 'Show jobs of NDA.pdf and 2 more' }).click();
    await expect.element(page.getByRole('article', { name: 'NDA.pdf', exact: true }).first()).toBeVisible();
    // A log: nothing in it is selected, and nothing sends.
    expect(page.getByRole('checkbox').elements()).toEqual([]);
    const names = page
      .getByRole('button')
      .elements()
      .map((button) => button.ariaLabel ?? button.textContent ?? '');
    expect(names.filter((name) => /send|retry|resume|correct/i.test(name))).toEqual([]);
    const heights = page
      .getByRole('article')
      .elements()
      .map((line) => line.getBoundingClientRect().height);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(36);
    expect(Math.max(...heights)).toBeLessThanOrEqual(44);
    await page.getByRole('button', { name: 'Open NDA.pdf', exact: true }).first().click();
    expect(gone).toEqual([{ screen: 'jobs', batchId: 'batch', jobId: 'refused' }]);
    await page.getByRole('button', { name: 'Dismiss 2 finished' }).first().click();
    await expect.poll(() => lists).toContainEqual(['done', 'passed-over', 'cancelled']);
    expect(peer.asked('jobs.dismiss').flatMap(({ jobIds }) => jobIds)).not.toContain('refused');
  });
});

describe('the log', () => {
  it('keeps what was dismissed, behind a chip that counts it, and is narrowed to days', async () => {
    const queue = { ...emptyJobsView.queue, counts: { ...emptyJobsView.queue.counts } };
    const signed: Job = { ...cancelled, id: 'signed', title: 'Deed.pdf', state: 'done', documentId: 'doc-1' };
    const found = { counts: queue.counts, askingCount: 0, stoppedCount: 0, dismissedCount: 2, correctedCount: 0 };
    peer.answer({
      'jobs.list': async ({ dismissed, from, search }) =>
        dismissed || from || search
          ? {
              ...queue,
              jobs: dismissed ? [signed, cancelled].map((job) => ({ ...job, isDismissed: true })) : [],
              total: dismissed ? 2 : 0,
              found,
            }
          : { ...queue, jobs: [], total: 0 },
      'jobs.batches': async () => ({ batches: [], total: 0, dismissedCount: 2, correctedCount: 0 }),
    });
    const { gone } = showScreen(
      <JobsProvider>
        <JobsScreen batchId={null} />
      </JobsProvider>,
    );
    await page.getByRole('radio', { name: 'Off the list: 2' }).click();
    await expect.element(page.getByRole('article', { name: 'Lease.pdf' })).toBeVisible();
    // Nothing more can be done with them; the document stands among the documents.
    expect(
      page
        .getByRole('button', { name: /^Open / })
        .elements()
        .map(({ ariaLabel }) => ariaLabel),
    ).toEqual(['Open Deed.pdf']);
    await page.getByRole('button', { name: 'Open Deed.pdf' }).click();
    expect(gone).toEqual([{ screen: 'documents', open: { connectionId: connection.id, documentId: 'doc-1' } }]);
    await page.getByRole('button', { name: 'When', exact: true }).click();
    await page.getByRole('radio', { name: 'Last 7 days' }).click();
    const from = new Date(`${dayBefore(7)}T00:00:00`).toISOString();
    await expect.poll(() => peer.asked('jobs.list').at(-1)).toMatchObject({ dismissed: true, from });
    await userEvent.keyboard('{Escape}');
    peer.answer({ 'documents.saveBatch': async () => ({ fileName: 'Activity.csv', rowCount: 1 }) });
    await page.getByRole('button', { name: 'Save list…' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    await expect.poll(() => peer.asked('documents.saveBatch')).toMatchObject([{ dismissed: true, from }]);
    await page.getByRole('button', { name: /^Remove filter: Since/ }).click();
    await expect.element(page.getByRole('article', { name: 'Lease.pdf' })).toBeVisible();
  });
});

it('says of a batch what needs a decision, and does not say that it waits', async () => {
  const counts = { ...emptyJobsView.queue.counts, waiting: 3, done: 1 };
  const batch = batchOf({ counts, askingCount: 1, stoppedCount: 2 });
  peer.answer({
    'jobs.list': async () => ({ ...emptyJobsView.queue, counts, jobs: [], total: 4 }),
    'jobs.batches': async () => ({ batches: [batch], total: 1, dismissedCount: 0, correctedCount: 0 }),
  });
  showScreen(
    <JobsProvider>
      <JobsScreen batchId={null} />
    </JobsProvider>,
  );
  await expect
    .element(page.getByText('1 Needs your decision · 2 Not sent: need your decision · 1 Registered'))
    .toBeVisible();
});

describe('a search among what was sent', () => {
  it('counts what it finds, and saves what it shows', async () => {
    const counts = { ...emptyJobsView.queue.counts, cancelled: 2, done: 40 };
    const queue = { ...emptyJobsView.queue, counts };
    const inSearch = {
      counts: { ...counts, cancelled: 1, done: 0 },
      askingCount: 0,
      stoppedCount: 0,
      dismissedCount: 0,
      correctedCount: 0,
    };
    const batch = batchOf({ counts });
    peer.answer({
      'jobs.list': async ({ search }) =>
        search === 'lease'
          ? { ...queue, jobs: [cancelled], total: 1, found: inSearch }
          : { ...queue, jobs: [cancelled, cancelled], total: 42 },
      'jobs.batches': async () => ({ batches: [batch], total: 1, dismissedCount: 0, correctedCount: 0 }),
      'documents.saveBatch': async () => ({ fileName: 'Documents.csv', rowCount: 1 }),
    });
    showScreen(
      <JobsProvider>
        <JobsScreen batchId={null} />
      </JobsProvider>,
    );
    await expect.element(page.getByRole('radio', { name: '40 Done' })).toBeVisible();
    await page.getByRole('searchbox').fill('lease');
    await expect.element(page.getByRole('radio', { name: '1 Cancelled' })).toBeVisible();
    expect(page.getByRole('radio', { name: /Done/ }).elements()).toEqual([]);
    await page.getByRole('radio', { name: '1 Cancelled' }).click();
    await expect.element(page.getByRole('article', { name: 'Lease.pdf' })).toBeVisible();
    await page.getByRole('button', { name: 'Save list…' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    const shown = { search: 'lease', states: ['cancelled'], format: 'csv', language: 'en' };
    await expect.poll(() => peer.asked('documents.saveBatch')).toMatchObject([shown]);
    // What is dismissed is all that is finished, found or not.
    await expect.element(page.getByRole('button', { name: 'Dismiss 42 finished' })).toBeVisible();
  });
});

describe('the documents of a batch', () => {
  it('are saved as they are shown: of a state those alone, with their number', async () => {
    const counts = { ...emptyJobsView.queue.counts, done: 2, refused: 1 };
    peer.answer({ 'documents.saveBatch': async () => ({ fileName: 'Refused.csv', rowCount: 1 }) });
    showScreen(<BatchDocuments batch={batchOf({ counts })} filter="refused" />);
    await page.getByRole('button', { name: 'Save list…' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    await expect.element(page.getByText('Saved as Refused.csv · 1 row', { exact: true })).toBeVisible();
    const { batchId } = batchOf({});
    expect(peer.asked('documents.saveBatch')).toMatchObject([{ batchId, states: ['refused'] }]);
  });

  it('are copied without those that were dismissed', async () => {
    const read = { ...cancelled, state: 'done', worker: 'nobody', waitsFor: null, isDismissed: false } as const;
    const jobs = [
      { ...read, documentId: 'A1' },
      { ...read, documentId: 'B2', isDismissed: true },
    ] as const;
    peer.answer({ 'jobs.read': async () => jobs as never });
    const counts = { ...emptyJobsView.queue.counts, done: 1 };
    const batch = batchOf({ counts });
    const copied: string[] = [];
    const writeText = async (text: string) => void copied.push(text);
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
    showScreen(<BatchDocuments batch={batch} filter={null} />);
    await page.getByRole('button', { name: 'Copy IDs' }).click();
    await expect.poll(() => copied).toEqual(['A1']);
  });
});

describe('what was dismissed', () => {
  // It was sent again later.
  const at = '2027-01-04T09:06:00.000Z';
  const done: Job = { ...cancelled, id: 'done', title: 'Lease.pdf', state: 'done', at };

  it('is among what was sent today, to which Home leads, and opens its document', async () => {
    const sent = { connectionId: connection.id, from: at };
    const found = {
      counts: { ...emptyJobsView.queue.counts, done: 1 },
      askingCount: 0,
      stoppedCount: 0,
      dismissedCount: 1,
      correctedCount: 0,
    };
    peer.answer({
      'jobs.list': async ({ sent: asked }) => ({
        ...emptyJobsView.queue,
        ...(asked ? { jobs: [{ ...done, isDismissed: true }], total: 1, found } : { jobs: [], total: 0 }),
      }),
      'jobs.batches': async () => ({ batches: [], total: 0, dismissedCount: 1, correctedCount: 0 }),
    });
    const { gone } = showScreen(
      <JobsProvider>
        <JobsScreen batchId={null} sent={sent} />
      </JobsProvider>,
    );
    await page.getByRole('button', { name: 'Open Lease.pdf' }).click();
    const open = { connectionId: connection.id, documentId: done.documentId ?? done.id };
    expect(gone).toEqual([{ screen: 'documents', open }]);
    expect(peer.asked('jobs.list')).toContainEqual(expect.objectContaining({ sent, dismissed: false }));
    await page.getByRole('button', { name: 'Sent today', exact: false }).click();
    await expect.element(page.getByRole('heading', { name: 'Nothing left in this list' })).toBeVisible();
  });

  it('can be put back for some seconds', async () => {
    let isGone = false;
    const queue = () => ({ ...emptyJobsView.queue, counts: { ...emptyJobsView.queue.counts, done: isGone ? 0 : 1 } });
    const batch = () => batchOf({ counts: queue().counts });
    peer.answer({
      'jobs.list': async () => ({ ...queue(), jobs: isGone ? [] : [done], total: isGone ? 0 : 1 }),
      'jobs.history': async () => [],
      'jobs.batches': async () => ({
        batches: isGone ? [] : [batch()],
        total: isGone ? 0 : 1,
        dismissedCount: isGone ? 1 : 0,
        correctedCount: 0,
      }),
      'jobs.dismiss': async () => {
        isGone = true;
        return null;
      },
      'jobs.restoreDismissed': async ({ jobIds }) => {
        isGone = false;
        return { count: jobIds.length };
      },
    });
    showScreen(
      <JobsProvider>
        <UndoStrip />
        <JobsScreen batchId={null} />
      </JobsProvider>,
    );
    await page.getByRole('button', { name: 'Dismiss 1 finished' }).click();
    await expect.element(page.getByRole('heading', { name: 'Nothing left in this list' })).toBeVisible();
    await expect.element(page.getByText('Dismissed: 1').first()).toBeVisible();
    await page.getByRole('button', { name: 'Undo: Dismissed: 1' }).click();
    await expect.poll(() => peer.asked('jobs.restoreDismissed')).toEqual([{ jobIds: ['done'] }]);
    const line = page.getByRole('article', { name: 'Lease.pdf' });
    await expect.element(line).toBeVisible();
    // Lines stand in the order in which they began: each says that time.
    expect(line.element().querySelector('time')?.dateTime).toBe(cancelled.createdAt);
    expect(page.getByText('Dismissed: 1').elements()).toEqual([]);
  });
});

describe('a job in doubt', () => {
  it('shows what the service has before it offers to send again', async () => {
    const candidate = {
      documentId: 'A1',
      documentName: 'Lease',
      name: null,
      email: null,
      clientId: null,
      createdDate: null,
      createdAt: null,
      fits: [],
      differs: [],
      isTaken: false,
    } as const;
    const look = { verdict: 'found', askedAt: cancelled.at, candidates: [candidate], questions: [] } as const;
    showScreen(<InDoubt job={{ ...cancelled, state: 'in-doubt', look }} />);
    await expect.element(page.getByRole('button', { name: 'It’s this one' })).toBeVisible();
    const names = () =>
      page
        .getByRole('button')
        .elements()
        .flatMap((button) => button.textContent || []);
    const [accept, check, ...last] = names();
    expect([accept, check]).toEqual(['It’s this one', 'Check the file']);
    expect(last).toEqual(['Correct and send again', 'Send again…']);
    await removeAll();
    showScreen(<InDoubt job={{ ...cancelled, state: 'in-doubt', sameFileAs: 'Deed' }} />);
    await expect.element(page.getByText(/^Checking the file settles nothing: “Deed” is the same file/)).toBeVisible();
    expect(names()).toEqual(['Check this ID', ...last, 'Check the file']);
  });

  it('says whom the lists show of those asked, where they show only some of them', async () => {
    const candidate = {
      documentId: 'A1',
      documentName: 'Lease',
      name: null,
      email: 'bob@example.com',
      clientId: null,
      createdDate: null,
      createdAt: null,
      fits: ['document-name'],
      differs: [],
      unlisted: ['ann@example.com'],
      isTaken: false,
    } as const;
    const look = { verdict: 'cannot-tell', askedAt: cancelled.at, candidates: [candidate], questions: [] } as const;
    showScreen(<InDoubt job={{ ...cancelled, state: 'in-doubt', look }} />);
    await expect
      .element(page.getByText('The service’s lists show bob@example.com, but not ann@example.com'))
      .toBeVisible();
    expect(page.getByText(/^Different/).elements()).toEqual([]);
  });

  it('names what else explains that the service knows its file, and offers to give no meaning to an answer that has one', async () => {
    const question = {
      operation: 'ValidateDocument',
      about: 'Valid',
      entries: null,
      isCutOff: false,
      failure: null,
    } as const;
    const look = { verdict: 'cannot-tell', askedAt: cancelled.at, candidates: [], questions: [question] } as const;
    const job: Job = { ...cancelled, state: 'in-doubt', look: { ...look, explainedBy: 'Annex' } };
    peer.answer({ 'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }) });
    showScreen(
      <JobsProvider>
        <InDoubt job={job} />
      </JobsProvider>,
    );
    await expect.element(page.getByText('The service knows the file', { exact: true })).toBeVisible();
    await expect
      .element(page.getByText(/settles nothing: “Annex” is the same file and is registered, or may be/))
      .toBeVisible();
    expect(page.getByRole('button', { name: /meaning|registered/i }).elements()).toEqual([]);
  });

  it('of a note, which no list of the service has, is not looked for: a person says that it is there', async () => {
    peer.answer({ 'jobs.accept': async () => null });
    showScreen(<InDoubt job={{ ...cancelled, operation: 'AddQuickNote', state: 'in-doubt' }} />);
    await expect.element(page.getByText(/^The service lists no notes/)).toBeVisible();
    const names = page
      .getByRole('button')
      .elements()
      .map((button) => button.textContent);
    expect(names.filter(Boolean)).toEqual(['The service has it', 'Correct and send again', 'Send again…']);
    expect(page.getByRole('textbox').elements()).toEqual([]);
    await page.getByRole('button', { name: 'The service has it' }).click();
    await expect.poll(() => peer.asked('jobs.accept')).toEqual([{ jobId: cancelled.id, documentId: null }]);
  });
});
