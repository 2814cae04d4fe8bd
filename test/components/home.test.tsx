import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Failure } from '../../contract/failure.ts';
import type { HomeSummary } from '../../contract/home.ts';
import type { TrackingState } from '../../contract/tracking.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { StartScreen } from '../../renderer/screens/start/start-screen.tsx';
import { peer } from './harness/core-peer.ts';
import { batchOf } from './harness/jobs.ts';
import { connection, removeAll, showScreen } from './harness/show.tsx';

const empty: HomeSummary = {
  isEmpty: true,
  waiting: { count: 0, longCount: 0, longUntil: '2026-12-20', unknownLongCount: 0 },
  signed: { since: null, count: 0, requests: [] },
  sent: { count: 0, taken: 0 },
};

const lease = {
  documentName: 'Lease unit 3',
  signerCount: 3,
  signedCount: 3,
  hasUnknown: false,
  at: '2027-01-04T09:00:00.000Z',
};
const annex = { ...lease, origDocumentId: 'A2', documentName: 'Annex', signedCount: 1, hasUnknown: true };
const filled: HomeSummary = {
  isEmpty: false,
  waiting: { count: 1259, longCount: 31, longUntil: '2026-12-20', unknownLongCount: 4 },
  signed: { since: '2027-01-03T09:00:00.000Z', count: 10, requests: [{ ...lease, origDocumentId: 'A1' }, annex] },
  sent: { count: 12, taken: 12 },
};

const list = {
  name: '',
  meaning: 'none' as const,
  nilEntries: 0,
  newCount: 0,
  movedCount: 0,
  readBy: null,
  isRefreshing: false,
};
const tracking: TrackingState = {
  connectionId: connection.id,
  lists: [
    { ...list, listType: 1, total: 100, asOf: '2027-01-04T09:00:00.000Z', failure: null, nextAt: null },
    { ...list, listType: 2, total: 100, asOf: '2027-01-03T09:00:00.000Z', failure: null, nextAt: null },
  ],
  requests: {
    'needs-you': 0,
    'not-sent': 0,
    waiting: 1200,
    'partly-signed': 59,
    complete: 20,
    'not-known': 18,
    elsewhere: 0,
  },
  budget: { perHour: 120, used: 0, isAutomatic: true, freeAt: null },
  dueCount: 0,
  unlistedChanges: 0,
};

function show(summary: HomeSummary, notKnown = 18, state = tracking) {
  peer.answer({
    'home.summary': async () => summary,
    'forms.list': async () => [],
    'bulk.list': async () => [],
    'tasks.list': async () => [],
    'tracking.state': async () => ({ ...state, requests: { ...state.requests, 'not-known': notKnown } }),
    'budget.state': async () => state.budget,
    'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
  });
  return showScreen(
    <JobsProvider>
      <TasksProvider>
        <StartScreen />
      </TasksProvider>
    </JobsProvider>,
  );
}

const sum = (name: string) => page.getByRole('region', { name });

it('shows the large drop target as long as nothing was sent', async () => {
  show(empty);
  await expect.element(page.getByRole('heading', { name: 'Drop documents here' })).toBeVisible();
  expect(page.getByRole('heading', { name: /^Needs you/ }).elements()).toEqual([]);
  await expect.poll(() => peer.asked('home.summary')[0]).toMatchObject({ connectionId: connection.id });
});

it('says how many wait, since when, what was signed and sent, and leads to each', async () => {
  const { gone } = show(filled);
  await expect.element(page.getByRole('heading', { name: 'Needs you (0)' })).toBeVisible();
  expect(page.getByRole('heading', { name: 'Drop documents here' }).elements()).toEqual([]);
  await expect.element(page.getByRole('button', { name: 'Choose files…' })).toBeVisible();
  await sum('Waiting for others 1,259').getByRole('button', { name: '31 longer than 2 weeks' }).click();
  await sum('Waiting for others 1,259')
    .getByRole('button', { name: 'Not counted here: 18 requests, not known whether signed · 4 longer than 2 weeks' })
    .click();
  await sum('Waiting for others 1,259').getByRole('button', { name: 'Show all' }).click();
  await sum('Signed since you were here 10')
    .getByRole('button', { name: /Lease unit 3.*3 of 3/ })
    .click();
  await expect.element(page.getByRole('button', { name: /Annex.*seen: 1 of 3/ })).toBeVisible();
  await expect.element(sum('Sent today 12').getByText('The service has all of them')).toBeVisible();
  await sum('Sent today 12').getByRole('button', { name: 'Show all' }).click();
  const from = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
  expect(gone.at(-1)).toEqual({ screen: 'jobs', sent: { connectionId: connection.id, from } });
  expect(gone.slice(0, -1)).toEqual([
    { screen: 'signatures', open: { until: '2026-12-20' } },
    { screen: 'signatures', open: { until: null, state: 'not-known' } },
    { screen: 'signatures', open: { until: null } },
    { screen: 'signatures', request: 'A1' },
  ]);
});

it('answers what is late and what is connected, with the times of the readings that are shown', async () => {
  const noneLong = { ...filled, waiting: { ...filled.waiting, longCount: 0 } };
  show(noneLong);
  await expect
    .element(page.getByRole('button', { name: /^Not counted here: 18 requests.* · 4 longer than 2 weeks$/ }))
    .toBeVisible();
  expect(page.getByText('None longer than 2 weeks').elements()).toEqual([]);
  await removeAll();
  show(noneLong, 0);
  await expect.element(sum('Waiting for others 1,259').getByText('None longer than 2 weeks')).toBeVisible();
  await expect.element(page.getByText(/^Practice · List updated Jan 3, 2027, 9:00.AM to Jan 4, 2027/)).toBeVisible();
});

it('says that lists are being read for the first time, and no time before all of them were', async () => {
  const lists = tracking.lists.map((one) => (one.listType === 2 ? { ...one, asOf: null, isRefreshing: true } : one));
  show(filled, 18, { ...tracking, lists });
  await expect.element(page.getByText(/^Practice · Loading list…$/)).toBeVisible();
});

it('says of which list there is no copy yet, and no number that needs it', async () => {
  const [out, signed] = [
    { ...list, name: 'Out for signature', meaning: 'waiting' as const, listType: 1, total: 100, nextAt: null },
    { ...list, name: 'Signed', meaning: 'signed' as const, listType: 2, total: 100, nextAt: null },
  ];
  const asOf = '2027-01-04T09:00:00.000Z';
  const failed = { asOf: null, failure: { code: 'service-unreachable' as const, note: '', retryable: true } };
  const read = { asOf, failure: null };
  const times = page.getByText(/List updated/);
  show({ ...filled, signed: { ...filled.signed, count: null, requests: [] } }, 18, {
    ...tracking,
    lists: [
      { ...out, ...read },
      { ...signed, ...failed },
    ],
  });
  await expect.element(page.getByText(/^Practice · “Signed”: not loaded yet$/)).toBeVisible();
  await expect
    .element(sum('Signed since you were here not loaded yet'))
    .toHaveTextContent('Signed since you were here –not loaded yet');
  await expect.element(sum('Waiting for others 1,259')).toBeVisible();
  expect(times.elements()).toEqual([]);
  await removeAll();
  show({ ...filled, waiting: { ...filled.waiting, count: null, longCount: 0 } }, 18, {
    ...tracking,
    lists: [
      { ...out, ...failed },
      { ...signed, ...failed },
    ],
  });
  await expect.element(page.getByText(/^Practice · “Out for signature”, “Signed”: not loaded yet$/)).toBeVisible();
  const waiting = sum('Waiting for others not loaded yet');
  await expect.element(waiting.getByRole('button', { name: /^Not counted here: 18 requests/ })).toBeVisible();
  expect(waiting.getByRole('button', { name: 'Show all' }).elements()).toEqual([]);
  await removeAll();
  show(filled, 18, { ...tracking, lists: [out, signed].map((one) => ({ ...one, ...read })) });
  await expect.element(times).toBeVisible();
  await expect.element(sum('Waiting for others 1,259')).toBeVisible();
  await expect.element(sum('Signed since you were here 10')).toBeVisible();
});

it('says when lists are read by themselves again, where the calls of this hour are used up', async () => {
  const [soon, later] = ['2027-01-04T09:02:00.000Z', '2027-01-04T09:45:00.000Z'];
  const lists = tracking.lists.map((one) => ({ ...one, nextAt: soon }));
  const rests = page.getByText(/^Practice · List updated .* · Auto-refresh again from Jan 4, 2027.*:45/);
  show(filled, 18, { ...tracking, lists, budget: { ...tracking.budget, used: 120, freeAt: later } });
  await expect.element(rests).toBeVisible();
  await removeAll();
  show(filled, 18, { ...tracking, lists });
  await expect.element(page.getByText(/^Practice · List updated/)).toBeVisible();
  expect(rests.elements()).toEqual([]);
});

it('says which connection is away, and what waits for it', async () => {
  show(filled);
  await expect.element(page.getByRole('heading', { name: 'Needs you (0)' })).toBeVisible();
  const failure = { code: 'service-unreachable', note: '', retryable: true } as const;
  const tell = (nextTryAt: string | null) =>
    peer.send('jobs.changed', {
      ...emptyJobsView.queue,
      jobs: [],
      batches: [],
      isIncomplete: true,
      backingOff: [{ connectionId: connection.id, openJobs: 3, failure, nextTryAt }],
    });
  peer.answer({
    'jobs.tryNow': async () => {
      tell(null);
      return null;
    },
  });
  tell('2027-01-04T09:00:00.000Z');
  const strip = page.getByRole('region', { name: 'Practice cannot be reached' });
  await expect
    .element(strip.getByText(/^Practice cannot be reached · 3 jobs wait and continue automatically. · .*Next try: /))
    .toBeVisible();
  await strip.getByRole('button', { name: 'Try now' }).click();
  await expect.element(strip.getByText(/ · Trying now$/)).toBeVisible();
  // Held back while it is being tried.
  await strip.getByRole('button', { name: 'Try now' }).click({ force: true });
  tell('2027-01-04T09:00:10.000Z');
  await expect.element(strip.getByText(/Next try: /)).toBeVisible();
  expect(peer.asked('jobs.tryNow')).toEqual([{ connectionId: connection.id }]);
});

it('does not say of a service that answers with an error status that it cannot be reached', async () => {
  show(filled);
  await expect.element(page.getByRole('heading', { name: 'Needs you (0)' })).toBeVisible();
  const failure = { code: 'reply-unreadable', detail: 'http-status', serviceCode: '503', note: '', retryable: true };
  peer.send('jobs.changed', {
    ...emptyJobsView.queue,
    jobs: [],
    batches: [],
    isIncomplete: true,
    backingOff: [
      { connectionId: connection.id, openJobs: 3, failure: failure as Failure, nextTryAt: '2027-01-04T09:00:00.000Z' },
    ],
  });
  const strip = page.getByRole('region', { name: 'Practice answers with an error for now' });
  await expect.element(strip.getByText(/continue automatically. · Next try: /)).toBeVisible();
  expect(page.getByText(/cannot be reached/).elements()).toEqual([]);
});

it.each([
  ['html-page', 'page', 'A web page came instead of an answer', / · A web page answers instead \(/, /a sign-in page/],
  ['redirected', 'redirected', 'Another address came instead of an answer', / · Points to another address \(/, /moved/],
] as const)(
  'says of a service instead of which something else answers what came, and what to do: %s',
  async (...given) => {
    const [detail, state, came, said, advice] = given;
    show(filled);
    await expect.element(page.getByRole('heading', { name: 'Needs you (0)' })).toBeVisible();
    const health = { [connection.id]: { state, at: '2027-01-04T09:00:00.000Z' } };
    const service = { ...connection, kind: 'service' } as const;
    peer.send('connections.changed', { connections: [service], health, currentId: service.id, offeredId: null });
    const failure = { code: 'reply-unreadable', detail, note: '', retryable: true } as const;
    peer.send('jobs.changed', {
      ...emptyJobsView.queue,
      jobs: [],
      batches: [],
      isIncomplete: true,
      backingOff: [{ connectionId: service.id, openJobs: 3, failure, nextTryAt: '2027-01-04T09:00:00.000Z' }],
    });
    const strip = page.getByRole('region', { name: `Practice: ${came}` });
    await expect.element(strip.getByText(advice)).toBeVisible();
    await expect.element(page.getByTitle(advice)).toMatchTextContent(said);
    expect(page.getByText(/cannot be reached|not reachable/i).elements()).toEqual([]);
  },
);

it('counts a connection without credentials among what needs the person, with the way there', async () => {
  show(filled);
  await expect.element(page.getByRole('heading', { name: 'Needs you (0)' })).toBeVisible();
  const failure = { code: 'not-connected', note: '', retryable: false } as const;
  peer.send('jobs.changed', {
    ...emptyJobsView.queue,
    jobs: [],
    batches: [],
    isIncomplete: true,
    backingOff: [{ connectionId: connection.id, openJobs: 3, failure, nextTryAt: null }],
  });
  await expect.element(page.getByRole('heading', { name: 'Needs you (1)' })).toBeVisible();
  const line = page.getByRole('listitem', { name: 'Practice has no credentials' });
  await expect.element(line.getByRole('button', { name: 'Go to Connections' })).toBeVisible();
  expect(page.getByText('Practice has no credentials').elements()).toHaveLength(1);
});

it('says of a team register that is away what it is, and not that credentials are missing', async () => {
  show(filled);
  await expect.element(page.getByRole('heading', { name: 'Needs you (0)' })).toBeVisible();
  const failure = { code: 'not-connected', detail: 'team-away', note: '', retryable: true } as const;
  peer.send('jobs.changed', {
    ...emptyJobsView.queue,
    jobs: [],
    batches: [],
    isIncomplete: true,
    backingOff: [{ connectionId: connection.id, openJobs: 3, failure, nextTryAt: null }],
  });
  const strip = page.getByRole('region', { name: 'The team register is not reachable' });
  await expect.element(strip.getByRole('button', { name: 'Try now' })).toBeVisible();
  expect(page.getByText(/has no credentials/).elements()).toEqual([]);
});

it('says in which part of a service the check found a problem, or saw nothing', async () => {
  show(filled);
  await expect.element(page.getByRole('heading', { name: 'Needs you (0)' })).toBeVisible();
  const service = { ...connection, kind: 'service' } as const;
  const tell = (state: 'faulty' | 'unclear') => {
    const known = { state, at: '2027-01-04T09:00:00.000Z', faultStep: 'easy-sign' } as const;
    peer.send('connections.changed', {
      connections: [service],
      health: { [service.id]: known },
      currentId: service.id,
      offeredId: null,
    });
  };
  tell('faulty');
  await expect.element(page.getByText(/^Practice · Problem found: Easy Sign path \(/)).toBeVisible();
  tell('unclear');
  await expect.element(page.getByText(/^Practice · Reachable. Not confirmed: Easy Sign path \(/)).toBeVisible();
});

it('stays in reach above files that are chosen, in one line that opens', async () => {
  const files = [{ token: 'a', source: 'a', name: 'Lease.pdf', isFolder: false }];
  const none = { fileCount: 0, folderCount: 0, totalBytes: 0, skippedCount: 0, files: [], skipped: [] };
  const one = { ...none, id: 'intake', fileCount: 1 };
  peer.answer({
    'files.samples': async () => files,
    'files.scanForAll': async () => ({ register: one, verify: one, requestable: ['a'] }),
  });
  for (const [count, shown] of [
    [1259, '1,259'],
    [null, 'not loaded yet'],
  ] as const) {
    await removeAll();
    show({ ...filled, waiting: { ...filled.waiting, count } });
    await page.getByRole('button', { name: 'Use sample documents' }).click();
    await expect.element(page.getByRole('heading', { name: 'Selected files' })).toBeVisible();
    await page.getByRole('button', { name: `Needs you (0) · Waiting for others ${shown}` }).click();
    await expect.element(sum(`Waiting for others ${shown}`)).toBeVisible();
  }
});

it.each([
  [['a'], 'Request signatures', 'a'],
  [['a', 'b'], 'Request signatures (choose 1 of 2)', ''],
])('takes for a request the only one of the files %j, and of several none by itself', async (ids, name, file) => {
  const files = ids.map((id) => ({ token: id, source: id, name: `Lease ${id}.pdf`, isFolder: false }));
  const none = { fileCount: 0, folderCount: 0, totalBytes: 0, skippedCount: 0, files: [], skipped: [] };
  const found = { ...none, id: 'intake', fileCount: ids.length };
  peer.answer({
    'files.samples': async () => files,
    'files.scanForAll': async () => ({ register: found, verify: found, requestable: ids }),
  });
  const { gone } = show(filled);
  await page.getByRole('button', { name: 'Use sample documents' }).click();
  await page.getByRole('button', { name }).click();
  expect(gone.at(-1)).toMatchObject({ screen: 'compose', file });
});

it('says of how many sent today the service has not answered that it has them', async () => {
  show({ ...filled, sent: { count: 12, taken: 9 } });
  await expect.element(sum('Sent today 12').getByText('The service confirmed 9 of 12')).toBeVisible();
});

it('greets, and shows what runs in one strip with its panel: pause, cancel, retry', async () => {
  show(filled);
  await expect
    .element(page.getByRole('heading', { level: 1, name: /^Good (morning|afternoon|evening)$/ }))
    .toBeVisible();
  expect(sum('Running now').elements()).toEqual([]);
  const { queue } = emptyJobsView;
  const batch = batchOf({
    batchId: 'b',
    title: 'Protocol 1',
    counts: { ...queue.counts, sending: 1, waiting: 5, done: 15, refused: 2, 'in-doubt': 3 },
    totalBytes: 1,
    askingCount: 1,
  });
  const [connectionId, ofAway] = ['away', { ...queue.counts, waiting: 1 }];
  const away = { ...batch, batchId: 'away', connectionId, counts: ofAway, askingCount: 0 };
  const failure = { code: 'service-unreachable', note: '', retryable: true } as const;
  peer.answer({
    'jobs.pause': async () => null,
    'jobs.batches': async () => ({ batches: [batch, away], total: 2, dismissedCount: 0, correctedCount: 0 }),
    'jobs.cancelWaiting': async () => ({ count: 5 }),
    'jobs.previewAgain': async (which) => {
      expect(which).toEqual({});
      return { credits: 2, requests: 0, notes: 0, people: [], peopleCount: 0, prepaidCount: 0, idChecks: 0 };
    },
    'jobs.retryAll': async () => ({ count: 2, asking: 0, skipped: 0 }),
  });
  const wait = (waiting: number, sending = 1, askingCount = 0) =>
    peer.send('jobs.changed', {
      ...queue,
      counts: { ...queue.counts, sending, waiting, failed: 2 },
      askingCount,
      jobs: [],
      batches: [],
      isIncomplete: true,
      backingOff: [{ connectionId: 'away', openJobs: 1, failure, nextTryAt: batch.createdAt }],
    });
  // What asks is not being sent.
  wait(2, 0, 1);
  await expect.element(sum('Running now').getByText('1 waits for its connection', { exact: true })).toBeVisible();
  expect(peer.asked('jobs.batches')).toEqual([]);
  wait(5);
  // What was sent, is sent and waits adds up, also what got no clear answer; what waits for its connection is counted by itself.
  await expect.element(sum('Running now').getByText('20 of 25 sent · 1 waits for its connection')).toBeVisible();
  await sum('Running now').getByRole('button', { name: '1 running' }).click();
  await expect.element(page.getByText('1 upload · 4 waiting · 1 waits for its connection · 2 Failed')).toBeVisible();
  await page.getByRole('button', { name: 'Pause all' }).click();
  await expect.poll(() => peer.asked('jobs.pause')).toEqual([{ what: 'all' }]);
  await page.getByRole('button', { name: 'Cancel 5 waiting…' }).click();
  // While it asks all are sent.
  wait(0);
  await expect.element(page.getByRole('alertdialog', { name: 'Nothing waits any more' })).toBeVisible();
  expect(page.getByRole('alertdialog').getByRole('button').elements()).toHaveLength(1);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Close' }).click();
  // One more that asks does not wait.
  wait(6, 1, 1);
  await page.getByRole('button', { name: 'Cancel 5 waiting…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel 5 documents' }).click();
  await expect.poll(() => peer.asked('jobs.cancelWaiting')).toEqual([{}]);
  await page.getByRole('button', { name: 'Retry 2 failed…' }).click();
  await expect.element(page.getByRole('alertdialog').getByText('Uses 2 credits')).toBeVisible();
  expect(peer.asked('jobs.retryAll')).toEqual([]);
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send 2 again' }).click();
  await expect.poll(() => peer.asked('jobs.retryAll')).toEqual([{ states: ['failed'] }]);
});

it('names all that were signed in the same place, and beyond a hundred leads to the requests', async () => {
  const requests = Array.from({ length: 120 }, (_, at) => ({
    ...lease,
    origDocumentId: `A${at}`,
    documentName: `Lease unit ${at}`,
  }));
  const of = (count: number, most = 3) => ({
    ...filled,
    signed: { since: null, count, requests: requests.slice(0, Math.min(count, most)) },
  });
  const { gone } = show(of(8));
  peer.answer({ 'home.summary': async ({ most }) => of(8, most) });
  const signed = sum('Signed since you were here 8');
  await expect.poll(() => signed.getByRole('button', { name: /^Lease unit/ }).elements()).toHaveLength(3);
  await signed.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => signed.getByRole('button', { name: /^Lease unit/ }).elements()).toHaveLength(8);
  expect(signed.getByRole('button', { name: 'Show all' }).elements()).toEqual([]);
  await signed.getByRole('button', { name: 'Show fewer' }).click();
  await expect.poll(() => signed.getByRole('button', { name: /^Lease unit/ }).elements()).toHaveLength(3);
  await expect.element(signed.getByRole('button', { name: 'Show all' })).toBeVisible();
  expect(gone).toEqual([]);
  await removeAll();
  const more = show(of(120));
  peer.answer({ 'home.summary': async ({ most }) => of(120, most) });
  const all = sum('Signed since you were here 120');
  await all.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => all.getByRole('button', { name: /^Lease unit/ }).elements()).toHaveLength(100);
  await all.getByRole('button', { name: 'Show all' }).click();
  expect(more.gone).toEqual([{ screen: 'signatures' }]);
});
