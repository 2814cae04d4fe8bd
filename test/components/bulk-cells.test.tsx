import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Bulk, BulkFilter, BulkReview, BulkRow } from '../../contract/bulk.ts';
import { draftContent } from '../../contract/compose.ts';
import type { QueueState } from '../../contract/jobs.ts';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { RequestOutcome } from '../../renderer/features/jobs/request-outcome.tsx';
import { UndoStrip } from '../../renderer/features/undo.tsx';
import { Navigation, PageProvider } from '../../renderer/parts/navigation.tsx';
import { BulkActions } from '../../renderer/screens/bulk/bulk-actions.tsx';
import { BulkRows } from '../../renderer/screens/bulk/bulk-rows.tsx';
import { BulkScreen } from '../../renderer/screens/bulk/bulk-screen.tsx';
import { BulkView } from '../../renderer/screens/bulk/bulk-view.tsx';
import { ColumnsCard, useMeantColumns } from '../../renderer/screens/bulk/columns-card.tsx';
import { noPolicyState } from '../harness/no-policy.ts';
import { peer, Refusal } from './harness/core-peer.ts';
import { connection, removeAll, showScreen } from './harness/show.tsx';
import { tags, textsIn } from './harness/texts.ts';

/** The rows that the core keeps: every description that contains "bad" has an error. */
let saved = new Map<number, string>();
/** Reads of the rows wait for this. */
let reads: Promise<void> = Promise.resolve();

function holdReads(): () => void {
  let letGo: () => void = () => undefined;
  reads = new Promise((resolve) => {
    letGo = resolve;
  });
  return letGo;
}

const reviewOf = (given: Pick<BulkReview, 'requests' | 'people' | 'sentBefore'> & Partial<BulkReview>): BulkReview => ({
  unnamed: 0,
  first: [],
  copies: 0,
  ownerSigns: false,
  document: { varies: true },
  subject: { varies: true },
  message: { varies: true },
  credit: null,
  notSent: [],
  prepaidCredits: null,
  idChecks: 0,
  secretWords: null,
  ...given,
});

const isBad = (text: string) => text.includes('bad');
const rowOf = ([row, text]: readonly [number, string]): BulkRow => ({
  row,
  documentName: 'Lease',
  document: 'Lease.pdf',
  cells: [text],
  mended: [],
  people: [{ name: 'Ana Petrov', email: 'ana@example.com' }],
  problems: isBad(text) ? [{ kind: 'cell-unusable', severity: 'error', column: 'description' }] : [],
  state: isBad(text) ? 'skipped' : 'ready',
  jobId: null,
  raw: null,
  answer: null,
  documentId: null,
  failure: null,
  canCorrect: false,
  isAsking: false,
  hasSecretWord: false,
});
const bulkOf = (withErrors: number): Bulk => ({
  id: 'bulk-1',
  connectionId: connection.id,
  kind: 'plain',
  fileName: 'tenants.csv',
  state: 'checked',
  columns: [{ heading: 'Note', column: 'description' }],
  draftId: null,
  rowCount: saved.size,
  counts: {
    ready: saved.size - withErrors,
    withErrors,
    withWarnings: 0,
    queued: 0,
    waiting: 0,
    done: 0,
    refused: 0,
    sentBefore: 0,
    failed: 0,
    cancelled: 0,
    inDoubt: 0,
    asking: 0,
    passedOver: 0,
    sentLastMinute: 0,
  },
  failure: null,
  perMinute: 60,
  includeWarnings: false,
  batchId: null,
  createdAt: '2026-11-22T09:00:00Z',
  updatedAt: '2026-11-22T09:00:00Z',
});

function Rows(props: { readonly which: BulkFilter; readonly mends?: boolean }) {
  const [isMending, setMending] = useState(props.mends ?? false);
  const [bulk] = useState(() => bulkOf([...saved.values()].filter(isBad).length));
  return (
    <div style={{ blockSize: 500, display: 'flex', flexDirection: 'column' }}>
      <BulkRows bulk={bulk} which={props.which} isMending={isMending} onMending={setMending} />
      <input aria-label="Elsewhere" />
    </div>
  );
}

const field = (row: number) => page.getByRole('textbox', { name: `Note, row ${row}` });
const cell = (text: string) => page.getByRole('gridcell', { name: text, exact: true });
const mends = () => peer.asked('bulk.mend').map(({ row, value }) => [row, value]);

beforeEach(() => {
  reads = Promise.resolve();
  saved = new Map([
    [2, 'bad two'],
    [3, 'bad three'],
    [4, 'bad four'],
  ]);
  peer.answer({
    'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
    'views.state': async () => ({ views: [], layout: null }),
    'bulk.rows': async ({ which }) => {
      const now = reads;
      const rows = [...saved].map(rowOf).filter(({ problems }) => which !== 'errors' || problems.length > 0);
      await now;
      return { rows, total: rows.length };
    },
    'bulk.mend': async ({ row, value }) => {
      saved.set(row, value);
      return rowOf([row, value]);
    },
  });
});

it('numbers its rows before anything happened to them: later nothing moves aside', async () => {
  saved = new Map([[2, 'good']]);
  showScreen(<Rows which="all" />);
  await expect.element(page.getByRole('columnheader', { name: 'Row' })).toBeVisible();
  await expect.element(cell('2')).toBeVisible();
});

it('says in the words of the window why a row has no answer, with no name of the interface', async () => {
  const note = 'AddNewEasySignTemplate sent its request and got no complete answer';
  const failure = { code: 'outcome-unknown', detail: 'connection-lost', note, retryable: false } as const;
  const row: BulkRow = { ...rowOf([2, 'good']), state: 'in-doubt', jobId: 'job', failure };
  peer.answer({ 'bulk.rows': async () => ({ rows: [row], total: 1 }) });
  showScreen(<Rows which="all" />);
  await expect.element(page.getByRole('gridcell', { name: 'No clear answer received' })).toBeVisible();
  expect(page.getByText(/AddNew/).elements()).toEqual([]);
});

describe('a cell of a bulk, while its rows are read again', () => {
  it('keeps what is typed after a value was saved that is still wrong', async () => {
    showScreen(<Rows which="all" />);
    await cell('bad two').click();
    const letGo = holdReads();
    await userEvent.fill(field(2), 'still bad');
    await userEvent.keyboard('{Enter}');
    await expect.poll(mends).toEqual([[2, 'still bad']]);
    // What was there at first is a change again, although the rows have not been read.
    await userEvent.fill(field(2), 'bad two');
    await userEvent.keyboard('{Enter}');
    await expect.poll(mends).toHaveLength(2);
    await userEvent.fill(field(2), 'good');
    letGo();
    await expect.element(cell('bad three')).toBeVisible();
    await expect.poll(() => peer.asked('bulk.rows').length).toBeGreaterThan(2);
    await expect.element(field(2)).toHaveValue('good');
    await expect.element(field(2)).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.element(cell('good')).toBeVisible();
    expect(mends().at(-1)).toEqual([2, 'good']);
  });

  it('stays open with its text where another row leaves the list above it', async () => {
    showScreen(<Rows which="errors" />);
    await cell('bad two').click();
    await userEvent.fill(field(2), 'good');
    const letGo = holdReads();
    await cell('bad four').click();
    await expect.poll(mends).toEqual([[2, 'good']]);
    await userEvent.fill(field(4), 'typed');
    letGo();
    await expect.poll(() => cell('good').elements()).toEqual([]);
    await expect.element(field(4)).toHaveValue('typed');
    await expect.element(field(4)).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect.poll(mends).toEqual([
      [2, 'good'],
      [4, 'typed'],
    ]);
  });

  it('shows the saved value at once, and opens the next bad cell as soon as it is known', async () => {
    showScreen(<Rows which="errors" mends />);
    await expect.element(field(2)).toHaveFocus();
    const letGo = holdReads();
    await userEvent.fill(field(2), 'good');
    await userEvent.keyboard('{Enter}');
    await expect.element(cell('good')).toBeVisible();
    letGo();
    await expect.element(field(3)).toHaveFocus();
  });

  it('leaves the focus where the person went', async () => {
    showScreen(<Rows which="all" />);
    const elsewhere = page.getByRole('textbox', { name: 'Elsewhere' });
    await cell('bad two').click();
    await expect.element(field(2)).toHaveFocus();
    await elsewhere.click();
    await expect.element(cell('bad two')).toBeVisible();
    await expect.element(elsewhere).toHaveFocus();
    await cell('bad two').click();
    await userEvent.fill(field(2), 'good');
    await elsewhere.click();
    await expect.element(cell('good')).toBeVisible();
    await expect.element(elsewhere).toHaveFocus();
  });

  it('is saved when its row scrolls out of sight, and when the list goes away', async () => {
    saved = new Map(Array.from({ length: 400 }, (_none, at) => [at + 2, `row ${at + 2}`] as const));
    const shown = showScreen(<Rows which="all" />);
    await cell('row 3').dblClick();
    await field(3).fill('scrolled away');
    const grid = page.getByRole('grid').element();
    const scrolls = [grid, ...grid.querySelectorAll('*')].find((one) => one.scrollHeight > one.clientHeight + 1000);
    scrolls?.scrollTo(0, 9000);
    await expect.poll(mends).toEqual([[3, 'scrolled away']]);
    scrolls?.scrollTo(0, 0);
    await cell('row 5').dblClick();
    await field(5).fill('gone');
    shown.draw(null);
    await expect.poll(mends).toEqual([
      [3, 'scrolled away'],
      [5, 'gone'],
    ]);
  });
});

describe('a spreadsheet of which everything was sent before', () => {
  it('says what is known of it, the way to decide what is in doubt, and sends again only what a person ticks', async () => {
    const job = { batchId: 'batch-9', jobId: 'job-9' };
    const problem = { severity: 'warning', column: null, sentAt: '2026-11-22T08:00:00Z', job } as const;
    const kinds = ['already-sent', 'maybe-sent', 'being-sent'] as const;
    const rows = kinds.map((kind, index): BulkRow => {
      return { ...rowOf([index + 2, 'note']), problems: [{ kind, ...problem }], state: 'skipped' };
    });
    const counts = { ...bulkOf(0).counts, ready: 0, withWarnings: 3, sentBefore: 1 };
    peer.answer({
      'bulk.rows': async () => ({ rows, total: rows.length }),
      'bulk.review': async ({ includeWarnings }) =>
        reviewOf({
          requests: includeWarnings ? 3 : 0,
          people: includeWarnings ? 3 : 0,
          sentBefore: { 'already-sent': 1, 'maybe-sent': 1, 'being-sent': 1 },
        }),
      'bulk.send': async () => ({ ...bulkOf(0), counts, state: 'sending' }),
    });
    const routes: unknown[] = [];
    showScreen(
      <Navigation go={(route) => routes.push(route)}>
        <JobsProvider>
          <BulkView bulk={{ ...bulkOf(0), counts }} onBack={() => undefined} onAnother={() => undefined} />
        </JobsProvider>
      </Navigation>,
    );
    const button = (name: string) => page.getByRole('button', { name });
    await expect.element(page.getByRole('radio', { name: '2 warnings' })).toBeVisible();
    await expect.element(page.getByRole('radio', { name: '1 already sent before' })).toBeVisible();
    for (const state of ['Sent before', 'In doubt', 'Warning'])
      await expect.element(page.getByRole('gridcell', { name: state, exact: true })).toBeVisible();
    await expect.element(page.getByText(/^In doubt: may already be sent to the same people, no answer/)).toBeVisible();
    await page.getByRole('gridcell', { name: 'In doubt', exact: true }).click();
    await button('Decide…').click();
    expect(routes).toEqual([{ screen: 'jobs', ...job }]);
    await button('Send 3 requests despite warnings…').click();
    const question = page.getByRole('alertdialog', { name: 'Send 3 requests?' });
    await expect.element(question.getByText('1 already sent to the same people')).toBeVisible();
    await expect.element(question.getByText('1 in doubt: may already be sent to the same people')).toBeVisible();
    await expect.element(question.getByText('1 waiting or being sent to the same people')).toBeVisible();
    await question.getByRole('button', { name: 'Decide…' }).click();
    expect(routes.at(-1)).toEqual({ screen: 'jobs', filter: 'in-doubt' });
    await expect.element(question.getByRole('button', { name: 'Send 3 requests' })).toBeDisabled();
    await question.getByText('Include 3 rows with warnings').click();
    await question.getByRole('button', { name: 'Send 3 requests' }).click();
    await expect.poll(() => peer.asked('bulk.send').map((one) => one.includeWarnings)).toEqual([true]);
  });
});

it('says how many of its requests have an access code, and asks for one that was kept for a run that is over', async () => {
  const left = { sentBefore: { 'already-sent': 0, 'maybe-sent': 0, 'being-sent': 0 }, requests: 3, people: 3 };
  const show = async (secretWords: BulkReview['secretWords']) => {
    await removeAll();
    peer.answer({
      'bulk.review': async () => reviewOf({ ...left, secretWords }),
      'bulk.send': async () => ({ ...bulkOf(0), state: 'sending' }),
    });
    showScreen(
      <JobsProvider>
        <BulkActions bulk={{ ...bulkOf(0), includeWarnings: true }} onMend={() => undefined} />
      </JobsProvider>,
    );
    await page.getByRole('button', { name: /^Send 3 requests/ }).click();
  };
  const send = page.getByRole('button', { name: 'Send 3 requests', exact: true });
  await show({ given: 0, lost: 0, lostInRows: 0 });
  await expect.element(page.getByText('With: 0 · without: 3')).toBeVisible();
  await expect.element(send).toBeEnabled();
  await show({ given: 1, lost: 2, lostInRows: 1 });
  await expect.element(page.getByText(/^1 row had an access code that is no longer stored/)).toBeVisible();
  await page.getByLabelText('Access code for rows without one').fill('tide');
  await expect.element(send).toBeDisabled();
  await show({ given: 1, lost: 2, lostInRows: 0 });
  await expect.element(page.getByText('With: 1 · without: 2')).toBeVisible();
  await expect.element(send).toBeDisabled();
  await page.getByLabelText('Access code for rows without one').fill('tide');
  await send.click();
  await expect.poll(() => peer.asked('bulk.send').map(({ secretWord }) => secretWord)).toEqual(['tide']);
});

it('says the credits that plain requests use, and what of the spreadsheet they do not have', async () => {
  peer.answer({
    'bulk.review': async () => ({
      ...reviewOf({ requests: 90, people: 90, sentBefore: { 'already-sent': 0, 'maybe-sent': 0, 'being-sent': 0 } }),
      credit: 'Document credits',
      notSent: ['name1', 'message'],
    }),
  });
  showScreen(
    <JobsProvider>
      <BulkActions bulk={bulkOf(0)} onMend={() => undefined} />
    </JobsProvider>,
  );
  await page.getByRole('button', { name: /^Send 3 requests/ }).click();
  await expect.element(page.getByText('90 credits (Document credits)')).toBeVisible();
  await expect.element(page.getByText('name 1 and message')).toBeVisible();
  expect(page.getByText('90 signature requests').elements()).toEqual([]);
});

it('asks anew before rows are sent despite warnings, once more is known of them than when that was ticked', async () => {
  const { counts, ...rest } = bulkOf(0);
  const ticked: Bulk = {
    ...rest,
    counts: { ...counts, ready: 2, withWarnings: 1 },
    state: 'paused',
    includeWarnings: true,
  };
  const known: Bulk = { ...ticked, counts: { ...ticked.counts, ready: 1, withWarnings: 2, sentBefore: 1 } };
  peer.answer({
    'bulk.review': async ({ includeWarnings }) =>
      reviewOf({
        requests: includeWarnings ? 3 : 1,
        people: 1,
        sentBefore: { 'already-sent': 1, 'maybe-sent': 0, 'being-sent': 0 },
      }),
  });
  let tell: (bulk: Bulk) => void = () => undefined;
  const Actions = () => {
    const [bulk, setBulk] = useState(ticked);
    tell = setBulk;
    return <BulkActions bulk={bulk} onMend={() => undefined} />;
  };
  showScreen(
    <JobsProvider>
      <Actions />
    </JobsProvider>,
  );
  await page.getByRole('button', { name: /^Send 3 requests/ }).click();
  const tick = page.getByRole('checkbox');
  await expect.element(tick).toBeChecked();
  tell({ ...known, includeWarnings: false });
  await expect.element(tick).not.toBeChecked();
  await expect.element(page.getByRole('alertdialog', { name: 'Send 1 request?' })).toBeVisible();
});

it('says of what the same went elsewhere that a person decides, in its head and its row, and leads there', async () => {
  const job = { state: 'waiting', jobId: 'j2', isAsking: true } as const;
  peer.answer({ 'bulk.rows': async () => ({ rows: [{ ...rowOf([2, 'fine']), ...job }], total: 1 }) });
  const counts = { ...bulkOf(0).counts, ready: 0, queued: 4, done: 3, waiting: 1, asking: 1 };
  const bulk = { ...bulkOf(0), state: 'sending', batchId: 'b1', rowCount: 4, counts } as const;
  const { gone } = showScreen(
    <JobsProvider>
      <BulkView bulk={bulk} onBack={() => undefined} onAnother={() => undefined} />
    </JobsProvider>,
  );
  await expect.element(page.getByRole('heading', { name: 'Needs your decision' })).toBeVisible();
  expect(page.getByRole('button', { name: 'Pause' }).elements()).toEqual([]);
  await page.getByRole('button', { name: 'Decide…' }).click();
  await page.getByRole('grid').getByText('Needs your decision', { exact: true }).click();
  await page.getByRole('button', { name: 'Decide…' }).last().click();
  expect(gone).toEqual([
    { screen: 'jobs', batchId: 'b1' },
    { screen: 'jobs', batchId: 'b1', jobId: 'j2' },
  ]);
});

it('says of rows whose countdown nobody saw what its head says, and has the decision in place of a pause', async () => {
  const job = { state: 'waiting', jobId: 'j2', isAsking: true } as const;
  const { id: bulkId, connectionId } = bulkOf(0);
  const ofBatch = { batchId: 'b1', bulkId, connectionId, jobId: 'j2', title: 'Lease', count: 1 } as const;
  const stopped = { ...ofBatch, operation: 'AddNewDocumentESign', leftMs: null, isStopped: true } as const;
  const counting = { ...stopped, isStopped: false, leftMs: 9_000 };
  const countdowns = [counting, stopped].map((one) => ({ ...one, isBesideDoubt: false }));
  peer.answer({
    'jobs.list': async () => ({ ...emptyJobsView.queue, countdowns, countdownCount: 2, jobs: [], total: 0 }),
    'jobs.sendNow': async () => null,
    'bulk.rows': async () => ({ rows: [{ ...rowOf([2, 'fine']), ...job }], total: 1 }),
  });
  const counts = { ...bulkOf(0).counts, ready: 0, queued: 1, waiting: 1, asking: 1 };
  const bulk = { ...bulkOf(0), state: 'sending', batchId: 'b1', rowCount: 1, counts } as const;
  showScreen(
    <JobsProvider>
      <BulkView bulk={bulk} onBack={() => undefined} onAnother={() => undefined} />
    </JobsProvider>,
  );
  await expect.element(page.getByRole('heading', { name: 'Not sent: needs your decision' })).toBeVisible();
  await expect.element(page.getByRole('grid').getByText('Needs your decision', { exact: true })).toBeVisible();
  expect(page.getByRole('button', { name: 'Pause' }).elements()).toEqual([]);
  await expect.element(page.getByRole('button', { name: 'Take back: Lease' })).toBeVisible();
  await page.getByRole('button', { name: 'Send now: Lease' }).click();
  await expect.poll(() => peer.asked('jobs.sendNow')).toEqual([{ batchId: 'b1', isStopped: true }]);
});

it('says of all rows what is left when it is finished, and the same sum while it is paused', async () => {
  const left = { ...bulkOf(0).counts, ready: 113, withErrors: 2, withWarnings: 1, queued: 4, done: 4 };
  const ended = { ...left, ready: 0, queued: 117, done: 113, refused: 1, inDoubt: 3 };
  const view = (bulk: Bulk) => (
    <JobsProvider>
      <BulkView bulk={bulk} onBack={() => undefined} onAnother={() => undefined} />
    </JobsProvider>
  );
  const paused = { ...bulkOf(0), state: 'paused', rowCount: 120, counts: left } as const;
  showScreen(view(paused));
  await expect.element(page.getByText('4 of 120 requests sent')).toBeVisible();
  await removeAll();
  showScreen(view({ ...paused, state: 'finished', counts: ended }));
  const heading = 'Finished: 3 not sent, 3 in doubt, 1 refused';
  await expect.element(page.getByRole('heading', { name: heading })).toBeVisible();
  await expect.element(page.getByText('113 of 120 requests sent')).toBeVisible();
});

it('that was sent in part, and the rest of it otherwise, is finished: its counts are its rows, and sending again is the least of its buttons', async () => {
  const counts = { ...bulkOf(0).counts, ready: 0, withWarnings: 18, sentBefore: 18, queued: 59, done: 59 };
  showScreen(
    <JobsProvider>
      <BulkView
        bulk={{ ...bulkOf(0), state: 'finished', rowCount: 77, counts }}
        onBack={() => undefined}
        onAnother={() => undefined}
      />
    </JobsProvider>,
  );
  await expect.element(page.getByRole('heading', { name: 'Finished: 18 already sent before' })).toBeVisible();
  await expect.element(page.getByText('59 of 77 requests sent')).toBeVisible();
  await expect.element(page.getByRole('radio', { name: '59 sent' })).toBeVisible();
  await expect.element(page.getByRole('radio', { name: '18 already sent before' })).toBeVisible();
  const looksOf = (name: RegExp) => page.getByRole('button', { name }).element().className;
  expect(looksOf(/^Save results/)).toContain('primary');
  expect(looksOf(/^Send 18 requests despite warnings/)).toContain('quiet');
});

describe('the answer of a sent row', () => {
  it('that is an address is named as a link, and is copied', async () => {
    const link = 'https://sign.example/5FD60333-CEA0-4E4C';
    peer.answer({
      'bulk.rows': async () => {
        const row = { ...rowOf([2, 'note']), jobId: 'job-2', state: 'done', raw: link } as const;
        return { rows: [{ ...row, answer: { kind: 'url', group: 'url', meaning: '' } }], total: 1 };
      },
    });
    saved = new Map([[2, 'note']]);
    const bulk = bulkOf(0);
    showScreen(
      <div style={{ blockSize: 500, display: 'flex', flexDirection: 'column' }}>
        <BulkRows
          bulk={{ ...bulk, state: 'finished', counts: { ...bulk.counts, ready: 0, queued: 1, done: 1 } }}
          which="all"
          isMending={false}
          onMending={() => undefined}
        />
      </div>,
    );
    await expect.element(page.getByRole('gridcell', { name: /^Signing link/ })).toBeVisible();
    await expect.element(page.getByTitle(link)).toBeVisible();
    expect(page.getByText(link).elements()).toEqual([]);
    // Keys reach the same below the table, for the row that they choose.
    (page.getByRole('grid').element() as HTMLElement).focus();
    await userEvent.keyboard('{ArrowDown}');
    await expect.element(page.getByText('Row 2: Ana Petrov')).toBeVisible();
    const tabIndexOf = (name: string) => (page.getByRole('button', { name }).element() as HTMLElement).tabIndex;
    expect([tabIndexOf('Copy Signing link'), tabIndexOf('Copy link')]).toEqual([-1, 0]);
  });
});

describe.each(tags)('the states of rows in the language %s', (tag) => {
  it('are not cut, and say of a warning what the counter says', async () => {
    const states = ['ready', 'prepared', 'sending', 'refused', 'failed', 'in-doubt', 'cancelled', 'skipped'] as const;
    const warning = [{ kind: 'row-twice', severity: 'warning', column: null, otherRow: 2 }] as const;
    const rows: BulkRow[] = states.map((state, at) => ({ ...rowOf([at + 2, 'note']), state, problems: warning }));
    rows.push(rowOf([99, 'bad']));
    peer.answer({ 'bulk.rows': async () => ({ rows, total: rows.length }) });
    saved = new Map([[2, 'bad']]);
    const bulk = bulkOf(1);
    // As many columns as make every one as narrow as it may be.
    const columns = [...Array(12).keys()].map((n) => ({ heading: `Note ${n}`, column: null }));
    const { box } = showScreen(
      <div style={{ blockSize: 500, display: 'flex', flexDirection: 'column' }}>
        <BulkRows bulk={{ ...bulk, columns }} which="all" isMending={false} onMending={() => undefined} />
      </div>,
      'desktop',
      noPolicyState,
      tag,
    );
    const words = () => [...box.querySelectorAll<HTMLElement>('[role="gridcell"]:nth-child(3) > span > span')];
    await expect.poll(() => words().length).toBe(rows.length);
    for (const word of words()) expect(word.scrollWidth, word.textContent).toBe(word.clientWidth);
    const counted = textsIn(tag).t('bulk.counts.warnings', { count: 100, shown: '100' });
    expect(counted.toLowerCase()).toContain(words()[7]?.textContent?.toLowerCase());
  });
});

describe('a spreadsheet that is chosen', () => {
  it('is there with its columns when the person comes back from its rows, and is checked again in the same place', async () => {
    let bulks: readonly Bulk[] = [];
    const columns = ['First', 'Mail'].map((heading) => ({ heading, values: [] }));
    const draft = {
      ...({ place: 'draft', id: 'draft-1', kind: 'easy-sign', job: null } as const),
      connectionId: connection.id,
      name: '',
      updatedAt: '2026-11-22T09:00:00Z',
      recipientCount: 0,
      missingFiles: [],
      hasSecretWord: false,
    } as const;
    peer.answer({
      'bulk.list': async () => bulks,
      'forms.open': async () => ({
        ...draft,
        content: draftContent.parse({ kind: 'easy-sign' }),
        file: null,
        image: null,
      }),
      'files.choose': async () => [{ token: 'table-1', source: '', name: 'tenants.csv', isFolder: false }],
      'bulk.columns': async ({ columns: said }) => ({
        columns: columns.map((one, at) => ({ ...one, column: said?.[at] ?? null })),
        rowCount: 3,
        unnamed: 0,
      }),
      'bulk.check': async () => {
        const bulk = { ...bulkOf(0), id: `bulk-${peer.asked('bulk.check').length}` };
        bulks = [bulk];
        return bulk;
      },
    });
    showScreen(
      <JobsProvider>
        <BulkScreen draftId="draft-1" bulkId={null} />
      </JobsProvider>,
    );
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const means = async (heading: string, meaning: string) => {
      await button(new RegExp(`What “${heading}” is`)).click();
      await page.getByRole('option', { name: meaning, exact: true }).click();
    };
    await button('Choose spreadsheet…').click();
    await means('First', 'name 1');
    await means('Mail', 'e-mail 1');
    await button('Check spreadsheet').click();
    await button(/^Back to/).click();
    await expect.element(button(/name 1 What “First” is/)).toBeVisible();
    await button('Check spreadsheet').click();
    await button('Another spreadsheet').click();
    await expect.element(page.getByText('Earlier spreadsheets')).toBeVisible();
    expect(button('Check spreadsheet').elements()).toEqual([]);
    expect(peer.asked('bulk.check').map((one) => [one.columns, one.replaces])).toEqual([
      [['name1', 'email1'], undefined],
      [['name1', 'email1'], 'bulk-1'],
    ]);
  });

  it('shows the access code of its form as kept and sends another one only once it is typed', async () => {
    const content = draftContent.parse({ kind: 'plain', messageToSigners: 'Please sign.', imageToken: null });
    peer.answer({
      'forms.open': async () => ({
        ...({ place: 'draft', id: 'draft-2', kind: 'plain', job: null, name: '', recipientCount: 0 } as const),
        connectionId: connection.id,
        updatedAt: '2026-11-22T09:00:00Z',
        missingFiles: ['seal.png'],
        hasSecretWord: true,
        content,
        file: null,
        image: null,
      }),
      'files.choose': async () => [{ token: 'table-1', source: '', name: 'tenants.csv', isFolder: false }],
      'bulk.columns': async () => ({
        columns: [{ heading: 'Mail', column: 'email1', values: [] }],
        rowCount: 3,
        unnamed: 0,
      }),
      'bulk.list': async () => [],
      'bulk.check': async () => bulkOf(0),
    });
    showScreen(
      <JobsProvider>
        <BulkScreen draftId="draft-2" bulkId={null} />
      </JobsProvider>,
    );
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await expect.element(page.getByText('Saved with this draft')).toBeVisible();
    await expect.element(page.getByText('File not found: seal.png. Choose it again.')).toBeVisible();
    await expect.element(page.getByText('Message', { exact: true })).toBeVisible();
    await button('Choose spreadsheet…').click();
    await button('Check spreadsheet').click();
    await expect.poll(() => peer.asked('bulk.check').map(({ secretWord }) => secretWord)).toEqual([undefined]);
    await button('Change').click();
    await page.getByLabelText('Access code for rows without one').fill('tide');
    await button('Check spreadsheet').click();
    await expect.poll(() => peer.asked('bulk.check').at(-1)?.secretWord).toBe('tide');
  });

  it('opens the next spreadsheet at its top and without ticks, and the one before as it was left', async () => {
    saved = new Map(Array.from({ length: 60 }, (_each, at) => [at + 2, `note ${at}`]));
    const bulks = ['a', 'b'].map((id) => ({ ...bulkOf(0), id, fileName: `${id}.csv` }));
    peer.answer({ 'bulk.list': async () => bulks });
    const kept = new Map<string, unknown>();
    showScreen(
      <PageProvider value={{ wayBack: null, keep: () => undefined, kept }}>
        <div style={{ blockSize: 600, display: 'flex', flexDirection: 'column' }}>
          <JobsProvider>
            <BulkScreen draftId={null} bulkId={null} />
          </JobsProvider>
        </div>
      </PageProvider>,
    );
    const grid = page.getByRole('grid', { name: 'Rows' });
    const open = async (name: string) => {
      await page.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: /^Open/ }).click();
      await expect.element(grid).toBeVisible();
    };
    const back = () => page.getByRole('button', { name: /^Back to/ }).click();
    const ticked = () => grid.getByRole('checkbox', { checked: true }).elements().length;
    await open('a.csv');
    await grid.getByRole('checkbox').nth(1).click();
    await expect.poll(ticked).toBe(1);
    grid.element().scrollTop = 900;
    await expect.poll(() => grid.element().scrollTop).toBe(900);
    await back();
    await open('b.csv');
    await expect.element(grid.getByText('note 0')).toBeVisible();
    expect([grid.element().scrollTop, ticked()]).toEqual([0, 0]);
    await back();
    await open('a.csv');
    await expect.poll(() => grid.element().scrollTop).toBe(900);
  });

  function Columns() {
    const table = { token: 'table-1', source: '', name: 'tenants.csv', isFolder: false };
    return <ColumnsCard table={table} meant={useMeantColumns(table, null, () => undefined)} hasNames />;
  }
  const columnOf = (heading: string, ...values: string[]) => ({ heading, column: null, values });

  it('without headings says that its first row is read as a person', async () => {
    const columns = [columnOf('', 'Anna Alt', 'Bob'), columnOf('', 'anna@ex.test', 'bob@ex.test')];
    peer.answer({ 'bulk.columns': async () => ({ columns, rowCount: 2, unnamed: 0 }) });
    showScreen(<Columns />);
    await expect.element(page.getByText(/^No headings/)).toBeVisible();
    await expect.element(page.getByText('Column 1')).toBeVisible();
  });

  it('and cannot be read says why, and what to do', async () => {
    peer.answer({
      'bulk.columns': async () => {
        throw new Refusal({ code: 'bad-input', detail: 'table-quote', row: 2 });
      },
    });
    showScreen(<Columns />);
    await expect.element(page.getByRole('alert')).toMatchTextContent(/^tenants\.csv: .*row 2.*Correct the row/);
  });
});

it('has several rows again that were taken back, by one button', async () => {
  peer.answer({
    'bulk.rows': async () => {
      const rows = [...saved].map(rowOf).map((row) => ({ ...row, state: 'cancelled', problems: [] }) as const);
      return { rows, total: rows.length };
    },
    'bulk.putBack': async () => null,
  });
  showScreen(<Rows which="all" />);
  await cell('bad two').click();
  await expect.element(page.getByRole('button', { name: 'Put back 1 row' })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'Put back 3 rows' }).click();
  await expect.poll(() => peer.asked('bulk.putBack')).toEqual([{ id: 'bulk-1', rows: [2, 3, 4] }]);
  await expect.poll(() => page.getByRole('button', { name: 'Put back 3 rows' }).elements()).toEqual([]);
});

it('takes back the rows that wait, which can be had again, and says for how many it was too late', async () => {
  saved.set(3, 'two');
  saved.set(4, 'three');
  const answers = [[3, 4], [3]];
  peer.answer({ 'bulk.takeBack': async () => ({ rows: answers.shift() ?? [] }), 'bulk.putBack': async () => null });
  showScreen([<Rows key="rows" which="all" />, <UndoStrip key="undo" />]);
  for (const _time of answers.slice()) {
    await page.getByRole('checkbox', { name: 'Select all' }).click();
    await page.getByRole('button', { name: /^Take back \d+ rows?$/ }).click();
    await expect.poll(() => page.getByRole('button', { name: /^Take back \d+ rows?$/ }).elements()).toEqual([]);
  }
  await expect.element(page.getByText('Taken back: 1 of 2. It was too late for the others.')).toBeVisible();
  await page.getByRole('button', { name: 'Undo: 2 cancelled' }).click();
  await expect.poll(() => peer.asked('bulk.putBack').map(({ rows }) => rows)).toEqual([[3, 4]]);
});

it.each([2, 3])('offers to undo only what is still taken back, after %i of 3 rows were put back', async (count) => {
  const rowsOf = (state: 'waiting' | 'cancelled') =>
    [2, 3, 4].map((row) => ({ ...rowOf([row, `row ${row}`]), state }) as const);
  peer.answer({
    'bulk.rows': async ({ which }) => ({ rows: rowsOf(which === 'cancelled' ? which : 'waiting'), total: 3 }),
    'bulk.takeBack': async ({ rows }) => ({ rows }),
    'bulk.putBack': async () => null,
  });
  const { draw } = showScreen([<Rows key="rows" which="all" />, <UndoStrip key="undo" />]);
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await page.getByRole('button', { name: 'Take back 3 rows' }).click();
  const undo = page.getByRole('button', { name: /^Undo/ });
  await expect.element(undo).toHaveAccessibleName('Undo: 3 cancelled');
  draw([<Rows key="rows" which="cancelled" />, <UndoStrip key="undo" />]);
  for (const at of [1, 2, 3].slice(0, count)) await page.getByRole('checkbox').nth(at).click();
  await page.getByRole('button', { name: `Put back ${count} rows` }).click();
  await expect
    .poll(() => undo.elements().map((one) => one.ariaLabel))
    .toEqual(count === 3 ? [] : ['Undo: 1 cancelled']);
  if (count === 3) return;
  await undo.click();
  await expect.poll(() => peer.asked('bulk.putBack').at(-1)).toEqual({ id: 'bulk-1', rows: [4] });
});

it('a bulk is not said to be sending while all of it can be taken back', async () => {
  const countdown = {
    batchId: 'b',
    connectionId: connection.id,
    jobId: 'j',
    title: 'Lease',
    operation: 'AddNewDocumentESign' as const,
    count: 3,
    bulkId: 'bulk-1',
    leftMs: 9_000,
    isStopped: false,
    isBesideDoubt: false,
  } as const;
  peer.answer({ 'jobs.list': async () => ({ ...emptyJobsView.queue, countdowns: [countdown], jobs: [], total: 0 }) });
  const nothing = () => undefined;
  const bulk = { ...bulkOf(0), state: 'sending' } as const;
  showScreen(
    <JobsProvider>
      <BulkView bulk={bulk} onBack={nothing} onAnother={nothing} />
    </JobsProvider>,
  );
  await expect.element(page.getByRole('heading', { name: 'Can be taken back' })).toBeVisible();
  await removeAll();
  peer.answer({ 'bulk.list': async () => [bulk] });
  showScreen(
    <JobsProvider>
      <BulkScreen draftId={null} bulkId={null} />
    </JobsProvider>,
  );
  await expect.element(page.getByRole('listitem').getByText('Can be taken back')).toBeVisible();
  const tell = (queue: Partial<QueueState>) =>
    peer.send('jobs.changed', { ...emptyJobsView.queue, ...queue, jobs: [], batches: [], isIncomplete: true });
  tell({ isPaused: true });
  await expect.element(page.getByRole('listitem').getByText('All paused')).toBeVisible();
  tell({});
  await expect.element(page.getByRole('listitem').getByText('Sending')).toBeVisible();
  await removeAll();
  // Of 29 two count down; of the others a person decides, and then they are sent.
  for (const [asking, heading, buttons] of [
    [27, 'Not sent: needs your decision', ['Take back: Lease and 26 more', 'Send now: Lease and 26 more']],
    [0, 'Sending', ['Pause']],
  ] as const) {
    const parts = [
      { ...countdown, count: 2 },
      { ...countdown, count: asking, isStopped: true, leftMs: null },
    ].filter(({ count }) => count > 0);
    peer.answer({ 'jobs.list': async () => ({ ...emptyJobsView.queue, countdowns: parts, jobs: [], total: 0 }) });
    const counts = { ...bulk.counts, ready: 0, queued: 29, waiting: 29, asking, cancelled: 1 };
    showScreen(
      <JobsProvider>
        <BulkView bulk={{ ...bulk, rowCount: 30, counts }} onBack={nothing} onAnother={nothing} />
      </JobsProvider>,
    );
    await expect.element(page.getByRole('heading', { name: heading })).toBeVisible();
    for (const name of buttons) await expect.element(page.getByRole('button', { name })).toBeVisible();
    for (const chip of asking > 0 ? ['27 need your decision', '2 under way', '1 cancelled'] : ['29 under way'])
      await expect.element(page.getByText(chip)).toBeVisible();
    await removeAll();
  }
  // After the first row alone, and after all rows were taken back: nobody paused it.
  for (const [queued, words] of [
    [1, 'Not all sent'],
    [0, 'Not sent yet'],
  ] as const) {
    const paused = { ...bulk, state: 'paused', counts: { ...bulk.counts, queued } } as const;
    const jobs = async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 });
    peer.answer({ 'bulk.list': async () => [paused], 'jobs.list': jobs });
    showScreen(
      <JobsProvider>
        <BulkScreen draftId={null} bulkId={null} />
      </JobsProvider>,
    );
    await expect.element(page.getByRole('listitem').getByText(words)).toBeVisible();
    await removeAll();
  }
});

it('says of a request that waits because everything is paused why it does, with the way to go on', async () => {
  const paused = { ...emptyJobsView.queue, isPaused: true, jobs: [], total: 0 };
  peer.answer({ 'jobs.list': async () => paused, 'jobs.resume': async () => null });
  showScreen(
    <JobsProvider>
      <RequestOutcome
        {...{ jobId: 'j', title: 'Lease', state: 'waiting', raw: null, kind: null, documentId: null, failure: null }}
        at="2027-01-04T09:12:00.000Z"
        canCorrect={false}
      />
    </JobsProvider>,
  );
  await expect.element(page.getByText('All paused')).toBeVisible();
  await page.getByRole('button', { name: 'Resume all' }).click();
  expect(peer.asked('jobs.resume')).toEqual([{ what: 'all' }]);
});

it('names as many requests on the button as the question sends, with those that have warnings once a person included them', async () => {
  const { counts, ...rest } = bulkOf(0);
  const some = { ...counts, ready: 12, withWarnings: 3, queued: 1 };
  for (const [includeWarnings, count] of [
    [false, 12],
    [true, 15],
  ] as const) {
    showScreen(
      <JobsProvider>
        <BulkView
          bulk={{ ...rest, counts: some, includeWarnings }}
          onBack={() => undefined}
          onAnother={() => undefined}
        />
      </JobsProvider>,
    );
    await expect.element(page.getByRole('button', { name: `Send ${count} requests…` })).toBeVisible();
    await removeAll();
  }
});

it('shows whole headings and cells of twelve columns in a small window, and keeps the name in sight while the others are scrolled', async () => {
  await page.viewport(720, 600);
  const columns = [...Array(12).keys()].map((n) => ({
    heading: `Street and number of contact ${n}`,
    column: n === 1 ? ('name1' as const) : null,
  }));
  const cells = columns.map((_column, n) => `Maximiliane von Hohenlohe ${n}`);
  peer.answer({ 'bulk.rows': async () => ({ rows: [{ ...rowOf([2, '']), cells }], total: 1 }) });
  const { box } = showScreen(
    <BulkRows bulk={{ ...bulkOf(0), columns }} which="all" isMending={false} onMending={() => undefined} />,
  );
  await expect.element(cell('Maximiliane von Hohenlohe 11')).toBeInTheDocument();
  const texts = [...box.querySelectorAll<HTMLElement>('[role="gridcell"] > span, [role="columnheader"] > span')];
  expect(texts.filter((one) => one.textContent && one.scrollWidth > one.clientWidth + 1)).toEqual([]);
  const grid = page.getByRole('grid').element();
  grid.scrollTo({ left: grid.scrollWidth });
  await expect.poll(() => cell('Maximiliane von Hohenlohe 1').element().getBoundingClientRect().left).toBeLessThan(60);
  expect(cell('Maximiliane von Hohenlohe 1').element().getBoundingClientRect().left).toBeGreaterThanOrEqual(0);
  await page.viewport(1280, 800);
});
