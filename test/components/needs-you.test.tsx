import { expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import type { Bulk } from '../../contract/bulk.ts';
import type { Job, QueueState, Reconciliation } from '../../contract/jobs.ts';
import { ConnectionStateText } from '../../renderer/features/connection-state.tsx';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { countNeeds, emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { UndoStrip } from '../../renderer/features/undo.tsx';
import { NeedsYou } from '../../renderer/screens/start/needs-you.tsx';
import { peer } from './harness/core-peer.ts';
import { jobOf } from './harness/jobs.ts';
import { connection, showScreen } from './harness/show.tsx';

const job = (id: string, more: Partial<Job>): Job =>
  jobOf({ id, batchId: `batch ${id}`, title: `${id}.pdf`, state: 'in-doubt', ...more });

const candidate = {
  documentId: 'A1',
  documentName: 'Lease',
  name: null,
  email: null,
  clientId: null,
  createdDate: null,
  createdAt: null,
  fits: ['time' as const],
  differs: [],
  isTaken: false,
} as const;
const look = (verdict: Reconciliation['verdict'], candidates: Reconciliation['candidates']): Reconciliation => ({
  verdict,
  askedAt: '2027-01-04T09:05:00.000Z',
  candidates,
  questions: [],
});

function show(jobs: readonly Job[], queue: QueueState, bulks: readonly Bulk[] = []) {
  peer.answer({
    'jobs.list': async ({ states, limit }) => ({
      ...queue,
      jobs: jobs.filter(({ state }) => !states || states.includes(state)).slice(0, limit),
      total: jobs.length,
    }),
    'jobs.accept': async () => null,
    'bulk.list': async () => bulks,
    'jobs.reconcile': async () => look('not-found', []),
  });
  return showScreen(
    <JobsProvider>
      <NeedsYou count={countNeeds(queue) + bulks.length} />
      <UndoStrip />
    </JobsProvider>,
  );
}

const line = (id: string) => page.getByRole('listitem', { name: `${id}.pdf` });

it('names what waits with the number of all, adds in doubt first, and the next right step of each', async () => {
  const jobs = [
    job('refused', { state: 'refused' }),
    job('found', { look: look('found', [candidate]) }),
    job('unsure', { look: look('cannot-tell', [candidate, { ...candidate, documentId: 'A2' }]) }),
    job('new', {}),
    ...['x', 'y'].map((id) => job(id, { state: 'failed' })),
  ];
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 3, refused: 1, failed: 2, done: 5, waiting: 2 };
  const { gone } = show(jobs, { ...emptyJobsView.queue, counts });
  await expect.element(page.getByRole('heading', { name: 'Needs you (6)' })).toBeVisible();
  const lines = () => page.getByRole('listitem').elements();
  const titles = ['found.pdf', 'unsure.pdf', 'new.pdf', 'refused.pdf'];
  await expect.poll(() => lines().map((element) => element.getAttribute('aria-label'))).toEqual(titles);
  await expect.element(line('refused').getByRole('button', { name: /^Correct/ })).toBeVisible();
  await expect.element(line('found').getByText(/^Found at the service · No clear answer /)).toBeVisible();
  await expect.element(line('new').getByText(/^File can be checked · No clear answer /)).toBeVisible();
  await line('new').getByRole('button', { name: 'Check the file' }).click();
  await expect.poll(() => peer.asked('jobs.reconcile')).toEqual([{ jobId: 'new', withFile: true }]);
  await line('unsure').getByRole('button', { name: 'Decide…' }).click();
  expect(gone).toEqual([{ screen: 'jobs', batchId: 'batch unsure', jobId: 'unsure' }]);
  await line('found').getByRole('button', { name: 'It’s this one' }).click();
  await expect.poll(() => peer.asked('jobs.accept')).toEqual([{ jobId: 'found', documentId: 'A1' }]);
  expect(page.getByRole('alertdialog').elements()).toEqual([]);
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect
    .poll(() => lines().map((element) => element.getAttribute('aria-label')))
    .toEqual([...titles, 'x.pdf', 'y.pdf']);
  expect(page.getByRole('button', { name: 'Show all' }).elements()).toEqual([]);
});

it('offers no others where one line stands for several', async () => {
  const counts = { ...emptyJobsView.queue.counts, waiting: 9 };
  show([], { ...emptyJobsView.queue, counts, askingCount: 9 });
  await expect.element(page.getByRole('heading', { name: 'Needs you (9)' })).toBeVisible();
  await expect.poll(() => page.getByRole('listitem').elements().length).toBe(1);
  expect(page.getByRole('button', { name: 'Show all' }).elements()).toEqual([]);
});

it('says that a list of the service ended before all of it was seen, instead of that an add is not there', async () => {
  const cut = { operation: 'GetESignList', about: 'Open', entries: 100, isCutOff: true, failure: null } as const;
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 1 };
  show([job('cut', { look: { ...look('cannot-tell', []), questions: [cut] } })], { ...emptyJobsView.queue, counts });
  await expect.element(line('cut').getByText(/^Not in the service’s list, which may go on · /)).toBeVisible();
});

it('has a search that got no answer again as the next step, and keeps what was found before', async () => {
  const unanswered = { askedAt: '2026-11-23T13:00:00Z', questions: [] };
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 4 };
  const jobs = [
    job('lost', { operation: 'AddNewDocumentESign', look: look('unanswered', []) }),
    job('file', { look: look('unanswered', []) }),
    job('kept', { look: { ...look('found', [candidate]), unanswered } }),
    job('twice', { sameFileAs: 'Deed' }),
  ];
  show(jobs, { ...emptyJobsView.queue, counts });
  await expect.element(line('lost').getByText(/^Not completed: no answer from the service · /)).toBeVisible();
  await expect.element(line('lost').getByRole('button', { name: /^Search the service/ })).toBeVisible();
  await expect.element(line('file').getByRole('button', { name: /^Check the file/ })).toBeVisible();
  await expect.element(line('kept').getByText(/^Found at the service · /)).toBeVisible();
  await expect.element(line('kept').getByRole('button', { name: /^It’s this one/ })).toBeVisible();
  // A check settles nothing where the same file is known besides.
  await expect.element(line('twice').getByText(/^“Deed” is the same file · No clear answer /)).toBeVisible();
  await expect.element(line('twice').getByRole('button', { name: 'Decide…' })).toBeVisible();
});

it('says beside the connection’s name that sending is on hold, not that all works', async () => {
  const held = [{ connectionId: connection.id, doubtsInRow: 3, since: '2027-01-04T09:00:00.000Z', openJobs: 2 }];
  peer.answer({ 'jobs.list': async () => ({ ...emptyJobsView.queue, held, jobs: [], total: 0 }) });
  showScreen(
    <JobsProvider>
      <ConnectionStateText connection={{ ...connection, kind: 'service' }} />
    </JobsProvider>,
  );
  await expect.element(page.getByText('Sending over Practice is on hold')).toBeVisible();
});

it('says that sending is stopped and what waits, asks before it goes on, and stays where many others need a person', async () => {
  const jobs = ['a', 'b', 'c', 'd', 'e'].map((id) => job(id, {}));
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 5, refused: 3, waiting: 2 };
  const since = '2027-01-04T09:00:00.000Z';
  const held = [{ connectionId: connection.id, doubtsInRow: 1, since, openJobs: 2 }];
  const { gone } = show(jobs, { ...emptyJobsView.queue, counts, held });
  peer.answer({ 'jobs.resume': async () => null });
  const stopped = page.getByRole('listitem', { name: 'Sending over Practice stopped' });
  await expect.element(page.getByRole('heading', { name: 'Needs you (9)' })).toBeVisible();
  await expect.poll(() => page.getByRole('listitem').elements().length).toBe(4);
  // No line has room for what was refused: it is counted, and a way leads to it.
  await page.getByRole('button', { name: '3 Refused' }).click();
  await expect.element(stopped.getByText(/^2 wait\./)).toBeVisible();
  await stopped.getByRole('button', { name: 'Resume…' }).click();
  expect(peer.asked('jobs.resume')).toEqual([]);
  const question = page.getByRole('alertdialog');
  await expect.element(question.getByText(/ 5 are in doubt in all\.$/)).toBeVisible();
  await question.getByRole('button', { name: 'Show all in doubt' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Resume sending' }).click();
  await expect.poll(() => peer.asked('jobs.resume')).toEqual([{ what: 'connection', connectionId: connection.id }]);
  await line('a').getByRole('button', { name: 'Open a.pdf' }).click();
  expect(gone).toEqual([
    { screen: 'jobs', filter: 'refused' },
    { screen: 'jobs', filter: 'in-doubt' },
    { screen: 'jobs', batchId: 'batch a', jobId: 'a' },
  ]);
});

it('names doubts also where many countdowns were stopped', async () => {
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 3 };
  const countdowns = Array.from({ length: 6 }, (_, at) => ({
    batchId: `b${at}`,
    connectionId: connection.id,
    jobId: `j${at}`,
    title: `stopped ${at}.pdf`,
    count: 1,
    operation: 'AddNewDocumentESign' as const,
    bulkId: null,
    leftMs: null,
    isStopped: true,
    isBesideDoubt: at === 0,
  }));
  show([job('new', {}), job('newer', {}), job('newest', {})], { ...emptyJobsView.queue, counts, countdowns });
  const titles = ['new.pdf', 'newer.pdf', 'stopped 0.pdf', 'stopped 1.pdf'];
  await expect
    .poll(() =>
      page
        .getByRole('listitem')
        .elements()
        .map((each) => each.getAttribute('aria-label')),
    )
    .toEqual(titles);
  // What corrects a doubt says, where it is sent, that the first may have arrived.
  const stopped = (at: number) => page.getByRole('listitem', { name: `stopped ${at}.pdf` });
  await expect
    .element(stopped(0).getByText(/^Not sent: needs your decision · The first may have arrived: /))
    .toBeVisible();
  await expect.element(stopped(1).getByText('Not sent: needs your decision', { exact: true })).toBeVisible();
});

it('says that nothing needs anybody', async () => {
  show([], emptyJobsView.queue);
  await expect.element(page.getByText('Nothing needs you.')).toBeVisible();
});

it('counts a registration whose file the service knows as registered, on a person’s word', async () => {
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 1 };
  show([job('known', { look: look('found', []) })], { ...emptyJobsView.queue, counts });
  await expect.element(line('known').getByText(/^The service knows the file · No clear answer /)).toBeVisible();
  await line('known').getByRole('button', { name: 'Count as registered' }).click();
  await expect.poll(() => peer.asked('jobs.accept')).toEqual([{ jobId: 'known', documentId: null }]);
});

it('names the connection of what is of another one than all else on the screen, before what can be cut', async () => {
  const office = { ...connection, id: 'office', name: 'Office', kind: 'service' as const };
  const jobs = [job('own', {}), job('theirs', { connectionId: office.id, sentTo: 'ana@example.com' })];
  const gone = job('gone', { connectionId: 'removed', state: 'refused' });
  const countdown = { ...{ batchId: 'b', jobId: 'j', title: 'stopped.pdf', count: 1, bulkId: null, leftMs: null } };
  const stopped = {
    ...countdown,
    connectionId: office.id,
    operation: 'AddNewDocument' as const,
    isStopped: true,
    isBesideDoubt: false,
  };
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 2, refused: 1 };
  show([...jobs, gone], { ...emptyJobsView.queue, counts, countdowns: [stopped] });
  peer.answer({
    'connections.state': async () => ({
      connections: [connection, office],
      health: {},
      currentId: connection.id,
      offeredId: null,
    }),
  });
  await expect.element(line('theirs').getByText(/^Office · .* · ana@example\.com$/)).toBeVisible();
  await expect.element(line('stopped').getByText(/^Office · /)).toBeVisible();
  await expect.element(line('gone').getByText(/^Connection removed · /)).toBeVisible();
  await expect.element(line('own').getByText(/^File can be checked · /)).toBeVisible();
});

it('undoes what was accepted, on any screen for ten seconds', async () => {
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 1 };
  peer.answer({ 'jobs.undoAccept': async () => null });
  show([job('found', { look: look('found', [candidate]) })], { ...emptyJobsView.queue, counts });
  await line('found').getByRole('button', { name: 'It’s this one' }).click();
  const undo = page.getByRole('button', { name: 'Undo: “found.pdf” counts as registered' });
  await undo.click();
  await expect.poll(() => peer.asked('jobs.undoAccept')).toEqual([{ jobId: 'found' }]);
  await expect.poll(() => undo.elements()).toEqual([]);
});

it('says of a request that it counts as sent, not that it is registered', async () => {
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 1 };
  const request = job('lease', { operation: 'AddNewDocumentESign', look: look('found', [candidate]) });
  show([request], { ...emptyJobsView.queue, counts });
  await line('lease').getByRole('button', { name: 'It’s this one' }).click();
  const undo = page.getByRole('button', { name: 'Undo: Signature request “lease.pdf” counts as sent' });
  await expect.element(undo).toBeVisible();
});

it('says that the disk is full, above what goes on when it is not', async () => {
  const storage = { code: 'storage-full', note: '', retryable: true } as const;
  show([], { ...emptyJobsView.queue, storage });
  await expect.element(page.getByRole('heading', { name: 'Needs you (1)' })).toBeVisible();
  await expect.element(page.getByRole('listitem', { name: 'The disk is full' })).toBeVisible();
  await expect.element(page.getByText('Free some space, then try again.')).toBeVisible();
});

it('says what the service answered about a file where that settles nothing, not that it was not found', async () => {
  const answered = {
    operation: 'ValidateDocument',
    about: 'Document is valid',
    entries: null,
    isCutOff: false,
  } as const;
  const questions = [{ ...answered, failure: null }];
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 1 };
  show([job('odd', { look: { ...look('cannot-tell', []), questions } })], { ...emptyJobsView.queue, counts });
  await expect.element(line('odd').getByText(/“Document is valid”/)).toBeVisible();
  expect(
    line('odd')
      .getByText(/Not found/)
      .elements(),
  ).toEqual([]);
});

it('names a bulk that somebody paused, with how much of it was sent', async () => {
  const paused: Bulk = {
    id: 'bulk-1',
    connectionId: connection.id,
    kind: 'easy-sign',
    fileName: 'leases.csv',
    state: 'paused',
    draftId: null,
    columns: [],
    rowCount: 82,
    failure: null,
    perMinute: 30,
    includeWarnings: false,
    batchId: 'batch-1',
    createdAt: '2027-01-04T09:12:00.000Z',
    updatedAt: '2027-01-04T09:12:00.000Z',
    counts: {
      ready: 38,
      withErrors: 0,
      withWarnings: 0,
      sentBefore: 0,
      queued: 42,
      waiting: 0,
      done: 42,
      refused: 0,
      failed: 0,
      inDoubt: 0,
      asking: 0,
      cancelled: 2,
      passedOver: 0,
      sentLastMinute: 0,
    },
  };
  const most = { ...paused.counts, ready: 0, queued: 59, done: 57, inDoubt: 2, withErrors: 1, cancelled: 0 };
  const counts = { ...most, withWarnings: 22, sentBefore: 18 };
  const { gone } = show([], emptyJobsView.queue, [
    paused,
    { ...paused, id: 'bulk-2', fileName: 'members.csv', counts },
  ]);
  const shown = page.getByRole('listitem', { name: 'leases.csv' });
  await expect.element(shown.getByText('Not all sent · 42 of 82 requests sent · 2 cancelled')).toBeVisible();
  const said =
    'Not all sent · 57 of 82 requests sent · 1 to correct · 4 warnings · 2 in doubt · 18 already sent before';
  await expect.element(page.getByRole('listitem', { name: 'members.csv' }).getByText(said)).toBeVisible();
  await shown.getByRole('button', { name: 'Open leases.csv' }).click();
  expect(gone).toEqual([{ screen: 'bulk', bulkId: 'bulk-1' }]);
});

it('takes no second click for what has moved under the pointer', async () => {
  const jobs = [job('first', { look: look('found', [candidate]) }), job('second', {})];
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 2 };
  show(jobs, { ...emptyJobsView.queue, counts });
  const accept = line('first').getByRole('button', { name: 'It’s this one' });
  await expect.element(accept).toBeVisible();
  const { left, top } = accept.element().getBoundingClientRect();
  const isFor = (id: string) =>
    document.elementFromPoint(left + 4, top + 4)?.closest(`[aria-label="${id}.pdf"]`) !== null;
  await accept.click();
  jobs.shift();
  peer.send('jobs.changed', { ...emptyJobsView.queue, counts, jobs: [], batches: [], isIncomplete: true });
  await expect.poll(() => line('first').elements()).toEqual([]);
  expect(isFor('second')).toBe(false);
  await expect.poll(() => isFor('second')).toBe(true);
});

it('says whose request it is, as those of a spreadsheet have one document, behind what was found and when: many addresses cut only themselves', async () => {
  await page.viewport(720, 600);
  onTestFinished(() => page.viewport(1280, 800));
  const counts = { ...emptyJobsView.queue.counts, 'in-doubt': 2 };
  const sentTo = Array.from({ length: 5 }, (_, n) => `tenant-${n}@harbour-street.example.com`).join(' ');
  const jobs = [job('lease', { sentTo: 'greta@example.com Greta Weber' }), job('many', { sentTo })];
  const found = look('found', [candidate]);
  const { box } = show(
    jobs.map((one) => ({ ...one, look: found })),
    { ...emptyJobsView.queue, counts },
  );
  box.style.inlineSize = '614px';
  await expect.element(line('lease').getByText(/ · Greta Weber$/)).toBeVisible();
  const why = line('many').getByText(/tenant-0@/);
  await expect.element(why).toBeVisible();
  const { bottom, right } = why.element().getBoundingClientRect();
  const words = why.element().firstChild as Text;
  const before = document.createRange();
  before.setStart(words, 0);
  before.setEnd(words, /Found at the service · No clear answer [^·]+ · /.exec(words.data)?.[0].length ?? 0);
  expect(before.toString()).toMatch(/^Found at the service · No clear answer /);
  expect(before.getBoundingClientRect().bottom).toBeLessThanOrEqual(bottom + 1);
  expect(before.getBoundingClientRect().right).toBeLessThanOrEqual(right + 1);
  // A row has two lines: its name has the first one alone.
  expect(line('many').element().getBoundingClientRect().height).toBeLessThan(50);
});
