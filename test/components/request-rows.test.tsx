import { describe, expect, it, onTestFinished } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { Bulk } from '../../contract/bulk.ts';
import type { Failure } from '../../contract/failure.ts';
import type { DraftSummary } from '../../contract/forms.ts';
import type { Countdown } from '../../contract/jobs.ts';
import type { TrackedEntry, TrackedGroup, TrackedSigner, TrackingState } from '../../contract/tracking.ts';
import { useSignatureAnnouncements } from '../../renderer/app/announcements.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { useBulkChanges } from '../../renderer/features/jobs/bulks.ts';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { useSignatureChanges } from '../../renderer/features/signature-queries.ts';
import { UndoStrip } from '../../renderer/features/undo.tsx';
import type { Route } from '../../renderer/parts/navigation.tsx';
import { SignaturesScreen } from '../../renderer/screens/tracking/signatures-screen.tsx';
import { noPolicyState } from '../harness/no-policy.ts';
import { peer } from './harness/core-peer.ts';
import { jobOf } from './harness/jobs.ts';
import { connection, showScreen } from './harness/show.tsx';

const connectionId = connection.id;
const lists = [
  [1, 'Out for signature', 'waiting'],
  [2, 'Signed', 'signed'],
] as const;

const onePartly = {
  'needs-you': 0,
  'not-sent': 0,
  waiting: 0,
  'partly-signed': 1,
  complete: 0,
  'not-known': 0,
  elsewhere: 0,
};

const none = { ...onePartly, 'partly-signed': 0 };

function stateWith(
  part: Partial<TrackingState['lists'][number]> = {},
  requests: TrackingState['requests'] = onePartly,
): TrackingState {
  return {
    connectionId,
    lists: lists.map(([listType, name, meaning]) => ({
      listType,
      name,
      meaning,
      total: 2,
      nilEntries: 0,
      newCount: 0,
      movedCount: 0,
      asOf: '2027-01-04T09:12:00.000Z',
      readBy: null,
      isRefreshing: false,
      failure: null,
      nextAt: null,
      ...part,
    })),
    budget: { perHour: 120, used: 0, freeAt: null, isAutomatic: true },
    dueCount: 0,
    unlistedChanges: 0,
    requests,
  };
}

function entry(id: string, name: string, state: TrackedEntry['state'], more: Partial<TrackedEntry> = {}): TrackedEntry {
  return {
    id,
    connectionId,
    name,
    email: `${id}@example.org`,
    state,
    hasSigned: state === 'signed',
    mark: null,
    listType: state === 'signed' ? 2 : 1,
    movedFrom: null,
    status: null,
    due: null,
    secretWordLost: false,
    documentName: 'Lease 2027',
    documentId: 'doc',
    origDocumentId: 'doc',
    hasSecretWord: false,
    signedAt: null,
    createdAt: '2027-01-04T09:00:00.000Z',
    createdDate: null,
    firstSeenAt: '2027-01-04T09:12:00.000Z',
    ...more,
  };
}

/** Days are counted by the calendar, whatever the time of this run. */
function noonBefore(days: number): string {
  const noon = new Date();
  noon.setDate(noon.getDate() - days);
  noon.setHours(12, 0, 0, 0);
  return noon.toISOString();
}
/** Waiting is counted in whole days of 24 hours. */
const overTwoDaysAgo = new Date(Date.now() - 2.5 * 86_400_000).toISOString();
const signedAt = '2021-01-04T09:12:00.000Z';
const ana = entry('ana', 'Ana Petrov', 'signed', { mark: 'moved', movedFrom: 1, signedAt });
const bo = entry('bo', 'Bo Lindqvist', 'waiting', { createdAt: overTwoDaysAgo });
const signerOf = (one: TrackedEntry): TrackedSigner => ({
  name: one.name,
  email: one.email,
  entry: one,
  state: one.state === 'signed' ? 'signed' : 'waiting',
  at: one.signedAt,
});
const lease: TrackedGroup = {
  id: '1',
  origDocumentId: 'doc',
  documentName: 'Lease 2027',
  isFromElsewhere: false,
  state: 'partly-signed',
  signerCount: 2,
  signedCount: 1,
  hasUnknown: false,
  changedCount: 1,
  job: null,
  answer: null,
  due: null,
  status: null,
  sentAt: '2027-01-04T09:00:00.000Z',
  signers: [signerOf(ana), signerOf(bo)],
};
const mei: TrackedSigner = { name: 'Mei Tanaka', email: 'mei@example.org', state: 'waiting', at: null, entry: null };
const annex: TrackedGroup = {
  ...lease,
  id: '2',
  origDocumentId: null,
  documentName: 'Annex',
  state: 'waiting',
  signers: [mei],
  signerCount: 1,
  signedCount: 0,
  changedCount: 0,
};

function Screen() {
  useSignatureChanges();
  useBulkChanges();
  useSignatureAnnouncements();
  return <SignaturesScreen entryId={null} listType={null} changedOnly={false} {...wanted} />;
}

let gone: readonly Route[] = [];
let countdowns: readonly Countdown[] = [];
/** What a person came for. */
let wanted: { readonly request?: string } = {};
/** In the words of the window, whichever spaces its language writes. */
const says = (one: Locator, text: string) =>
  expect.poll(() => one.element().textContent?.replaceAll(/\s/g, ' ')).toContain(text);
const panel = () => page.getByRole('complementary', { name: 'Signature request' });
/** By the menu of views. */
async function chooseView(name: string): Promise<void> {
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name }).click();
}
const counter = (name: string) => page.getByRole('radio', { name, exact: true });

function show(
  groups: readonly TrackedGroup[],
  entries = [ana, bo],
  drafts: readonly DraftSummary[] = [],
  language = 'en',
) {
  peer.answer({
    'tracking.state': async () => stateWith(),
    'budget.state': async () => stateWith().budget,
    'tracking.entries': async () => ({ entries, total: groups.length * 2 }),
    'tracking.groups': async () => ({ groups, total: groups.length }),
    'tracking.entry': async ({ entryId }) => ({ entry: entryId === 'bo' ? bo : ana, history: [] }),
    'tracking.board': async () => ({ words: [], notAsked: 0 }),
    'views.state': async () => ({ views: [], layout: null }),
    'views.keepLayout': async () => null,
    'answers.table': async () => ({ statuses: [], verdicts: [], codes: [], unsorted: { statuses: [], verdicts: [] } }),
    'tasks.list': async () => [],
    'bulk.list': async () => [],
    'jobs.list': async () => ({ ...emptyJobsView.queue, countdowns, countdownCount: 1, jobs: [], total: 0 }),
    'forms.list': async () => drafts,
  });
  ({ gone } = showScreen(
    <TasksProvider>
      <JobsProvider>
        <Screen />
        <UndoStrip />
      </JobsProvider>
    </TasksProvider>,
    'desktop',
    noPolicyState,
    language,
  ));
}

describe('what stands above the requests', () => {
  const draft: DraftSummary = {
    place: 'draft',
    id: 'draft-2',
    connectionId,
    name: 'Service agreement.pdf',
    kind: 'easy-sign',
    recipientCount: 1,
    updatedAt: '2027-01-04T09:12:00.000Z',
    job: null,
  };

  it('is the way back to the latest draft that was never sent', async () => {
    const refused = { id: 'job', state: 'refused', failure: null } as const;
    const drafts = [{ ...draft, id: 'draft-3', job: refused }, draft, { ...draft, id: 'draft-1', name: 'Older' }];
    const bulk: Bulk = {
      id: 'bulk-1',
      connectionId,
      kind: 'easy-sign',
      fileName: 'leases.csv',
      state: 'sending',
      draftId: 'draft-2',
      columns: [],
      rowCount: 9,
      failure: null,
      perMinute: 30,
      includeWarnings: false,
      batchId: null,
      createdAt: draft.updatedAt,
      updatedAt: draft.updatedAt,
      counts: {
        ready: 9,
        withErrors: 0,
        withWarnings: 0,
        sentBefore: 0,
        queued: 1,
        waiting: 0,
        done: 1,
        refused: 0,
        failed: 0,
        cancelled: 0,
        inDoubt: 0,
        asking: 0,
        passedOver: 0,
        sentLastMinute: 0,
      },
    };
    show([lease], [ana, bo], drafts);
    await page.getByRole('button', { name: 'Continue your draft: Service agreement.pdf' }).click();
    expect(gone).toEqual([{ screen: 'compose', draftId: 'draft-2' }]);
    // A bulk sends it: what is left of that is with the bulk.
    peer.send('bulk.changed', bulk);
    await expect.element(page.getByRole('button', { name: 'Continue your draft: Older' })).toBeVisible();
  });

  it('is no count of a list that was never read', async () => {
    peer.answer({ 'tracking.refresh': async () => null });
    show([]);
    peer.answer({ 'tracking.state': async () => stateWith({ asOf: null, total: 0 }, none) });
    await expect.element(counter('Waiting not loaded yet')).toHaveTextContent('Waiting–not loaded yet');
    expect(page.getByRole('radiogroup', { name: 'By state' }).getByText('0', { exact: true }).elements()).toEqual([]);
    peer.send('tracking.changed', stateWith());
    await expect.element(counter('Waiting 0')).toBeVisible();
    await expect.element(counter('Partly signed 1')).toBeVisible();
    expect(page.getByRole('button', { name: /Continue your draft/ }).elements()).toEqual([]);
  });
});

const refusal = { code: 'service-refused', serviceCode: '-142', note: '', retryable: false } as const;
const refusedJob = { jobId: 'job', state: 'refused', failure: refusal } as const;
const refused: TrackedGroup = { ...annex, id: '4', documentName: 'Annex C', state: 'needs-you', job: refusedJob };

describe('the requests', () => {
  it('have their own reminder beside the list, also where no list has them', async () => {
    const due = { date: '2027-02-01', note: 'Call her', remindedAt: null };
    const unlisted = [ana, bo].map((one) => ({ ...signerOf(one), entry: null }));
    show([{ ...lease, signers: unlisted, due }]);
    await page.getByRole('row', { name: /^Lease 2027/ }).click();
    await says(panel(), 'Reminder on Feb 1, 2027. Call her');
  });

  it('say how many signed, who has not and since when, and who has', async () => {
    show([lease]);
    const row = page.getByRole('row', { name: /^Lease 2027 · 1 of 2 signed/ });
    await says(row, 'Partly signed1 of 2');
    await expect.element(row.getByTitle('1 of 2 signed')).toBeVisible();
    await says(row, 'Bo Lindqvist: Waiting 2 days · Ana Petrov: Seen signed Jan 4, 2021');
    await says(row.getByRole('time'), 'Sent Jan 4, 2027');
    await expect.element(row.getByRole('img', { name: '1 change' })).toBeVisible();
    expect(page.getByText(/Not asked|Not checked/).elements()).toEqual([]);
  });

  it('show the beginning of an address where lines run from right to left', async () => {
    const address = 'ana.petrova-lindqvist@notariat-harbour-street.example';
    const long = { ...signerOf(bo), name: null, email: address };
    document.documentElement.dir = 'rtl';
    onTestFinished(() => {
      document.documentElement.dir = '';
    });
    show([{ ...lease, signers: [long, mei] }], [], [], 'ar');
    const row = page.getByRole('row', { name: /^Lease 2027/ });
    await expect.element(row).toBeVisible();
    /** Of the first letters of the address where they are drawn, and of their cell. */
    const edges = () => {
      const walker = document.createTreeWalker(row.element(), NodeFilter.SHOW_TEXT);
      const shown: Range[] = [];
      while (walker.nextNode()) {
        const at = walker.currentNode.textContent?.indexOf('ana.') ?? -1;
        if (at < 0 || getComputedStyle(walker.currentNode.parentElement as Element).opacity === '0') continue;
        const range = document.createRange();
        range.setStart(walker.currentNode, at);
        range.setEnd(walker.currentNode, at + 4);
        shown.push(range);
      }
      const cell = shown[0]?.startContainer.parentElement?.closest('[role="gridcell"]');
      return [shown[0]?.getBoundingClientRect().left ?? -1, cell?.getBoundingClientRect().left ?? 0] as const;
    };
    await expect.poll(() => edges()[0] - edges()[1]).toBeGreaterThan(0);
    await expect.element(row.getByTitle(/ana\.petrova-lindqvist@notariat-harbour-street\.example/)).toBeVisible();
  });

  it('name one person and how many more where there is no room, never half of what is said of them', async () => {
    onTestFinished(() => page.viewport(1280, 800));
    const names = [
      'Maria Rossi',
      'Jonas Weber',
      'Ana Petrov',
      'Bo Lindqvist',
      'Chidi Okafor',
      'Dana Cohen',
      'Emre Kaya',
    ];
    const people = names.map((name) => signerOf(entry(name, name, 'waiting')));
    show([{ ...lease, signers: people, signerCount: 7, signedCount: 0 }]);
    const row = page.getByRole('row', { name: /^Lease 2027/ });
    const shown = () => {
      const title = row.getByTitle(/^Maria Rossi, .*, Emre Kaya: Waiting/).element();
      return title.querySelector('[aria-hidden]')?.textContent ?? title.textContent;
    };
    await expect.poll(shown).toMatch(/^Maria Rossi \+6: Waiting/);
    await page.viewport(720, 600);
    await expect.poll(shown).toMatch(/^Maria Rossi \+6(: Waiting)?$/);
    await says(row, '0 of 7');
  });

  it('say of one that the service alone calls completed that it says so, and nothing of a signature', async () => {
    const at = '2021-02-04T09:12:00.000Z';
    const both = [signerOf(ana), { ...signerOf(bo), state: 'signed', at, isByStatus: true, entry: null }] as const;
    show([{ ...lease, state: 'complete', signedCount: 2, signers: both }]);
    const row = page.getByRole('row', { name: /^Lease 2027 · 2 of 2 signed/ });
    await says(row.getByRole('time'), 'Completed, says the service Feb 4, 2021');
    await expect.element(row.getByTitle(/Bo Lindqvist: Completed, says the service Feb 4, 2021/)).toBeVisible();
  });

  it('say of a complete one when the last signature was seen, and offer its document', async () => {
    const both = [signerOf(ana), { ...signerOf(bo), state: 'signed', at: '2021-02-04T09:12:00.000Z' }] as const;
    show([{ ...lease, state: 'complete', signedCount: 2, signers: both }]);
    const row = page.getByRole('row', { name: /^Lease 2027 · 2 of 2 signed/ });
    await says(row.getByRole('time'), 'Seen signed Feb 4, 2021');
    peer.answer({ 'documents.download': async () => null });
    await row.getByRole('button', { name: 'Download…' }).click();
    expect(peer.asked('documents.download')).toMatchObject([{ documentId: 'doc', suggestedName: 'Lease 2027' }]);
    // Of one whose signatures are not all known by their time, the time is that of sending.
    peer.answer({
      'tracking.groups': async () => ({ groups: [{ ...lease, state: 'complete', signedCount: 2 }], total: 1 }),
    });
    peer.send('tracking.changed', stateWith({ asOf: '2027-01-04T09:15:00.000Z' }));
    await says(row.getByRole('time'), 'Sent Jan 4, 2027');
  });

  it('are as of the readings that are shown, the oldest to the newest; of a list that could not be read stands of when its copy is', async () => {
    show([lease]);
    const old = '2021-02-04T09:12:00.000Z';
    const state = (asOf: string, failure: Failure | null = null): TrackingState => {
      const given = stateWith({ asOf });
      return { ...given, lists: given.lists.map((one) => (one.listType === 1 ? { ...one, asOf: old, failure } : one)) };
    };
    await expect.element(page.getByRole('row', { name: /^Lease 2027/ })).toBeVisible();
    peer.send('tracking.changed', state('2021-02-05T09:12:00.000Z'));
    await expect.element(page.getByText(/Updated Feb 4, 2021, 9:12.AM to Feb 5, 2021, 9:12.AM/)).toBeVisible();
    peer.send(
      'tracking.changed',
      state('2021-02-06T09:12:00.000Z', { code: 'service-unreachable', note: '', retryable: true }),
    );
    await expect.element(page.getByText(/to Feb 6, 2021/)).toBeVisible();
    await expect.element(page.getByText(/Last copy: Feb 4, 2021/)).toBeVisible();
  });

  it('say nothing of what a list tells that was never read, and which that is; all copies that could not be renewed have their times', async () => {
    const failure = { code: 'service-unreachable' as const, note: '', retryable: true };
    const waiting = { ...annex, isFromElsewhere: true, state: 'not-known' as const, hasUnknown: true, signedCount: 0 };
    const unread = (which: number, requests: TrackingState['requests']): TrackingState => {
      const state = stateWith({}, requests);
      return {
        ...state,
        lists: state.lists.map((one) => (one.listType === which ? { ...one, asOf: null, total: 0, failure } : one)),
      };
    };
    show([{ ...waiting, signerCount: 1, mayHaveMore: true }]);
    peer.answer({ 'tracking.state': async () => unread(2, { ...none, elsewhere: null }) });
    const row = page.getByRole('row', { name: /^Annex/ });
    await expect.element(row.getByText('Not known', { exact: true })).toBeVisible();
    await expect.element(row.getByText('not loaded yet', { exact: true })).toBeVisible();
    await expect.element(page.getByRole('status').getByText(/^“Signed”: not loaded yet$/)).toBeVisible();
    await expect.element(page.getByText('“Signed” could not be loaded.')).toBeVisible();
    for (const name of ['Waiting', 'Partly signed', 'Complete', 'Not known', 'From elsewhere'])
      await expect.element(counter(`${name} not loaded yet`)).toBeVisible();
    await row.click();
    await expect.element(panel().getByRole('status').getByText('not loaded yet')).toBeVisible();
    expect([...page.getByText(/\d of 1/).elements(), ...page.getByText(/Updated/).elements()]).toEqual([]);
    // What was sent from here and is known is counted; that none is in another state is not known.
    peer.send('tracking.changed', unread(1, { ...none, complete: 2, 'not-known': 3, elsewhere: null }));
    await expect.element(page.getByRole('status').getByText(/^“Out for signature”: not loaded yet$/)).toBeVisible();
    await expect.element(page.getByText('“Out for signature” could not be loaded.')).toBeVisible();
    for (const name of ['Needs you 0', 'Waiting not loaded yet', 'Complete 2', 'Not known 3'])
      await expect.element(counter(name)).toBeVisible();
    peer.answer({
      'tracking.groups': async () => ({
        groups: [{ ...waiting, hasUnknown: false, state: 'partly-signed', signerCount: 2, signedCount: 1 }],
        total: 1,
      }),
    });
    const old = stateWith({ failure }, { ...none, elsewhere: 1 });
    const [out, signed] = ['2021-02-05T09:12:00.000Z', '2021-02-04T09:12:00.000Z'];
    peer.send('tracking.changed', {
      ...old,
      lists: old.lists.map((one) => ({ ...one, asOf: one.listType === 1 ? out : signed })),
    });
    await expect.element(page.getByText(/^Not updated. Last copy: Feb 4, 2021, 9:12.AM to Feb 5, 2021/)).toBeVisible();
    await expect.element(page.getByText(/^0 requests · 1 from elsewhere$/)).toBeVisible();
    await expect.element(counter('From elsewhere 1')).toBeVisible();
    await expect.element(panel().getByText('1 of 2 signed')).toBeVisible();
  });

  it('copy the signing link where the service gave one, and say in the panel where it gave none', async () => {
    const link = 'https://sign.example/s/1';
    const answer = { jobId: 'job', raw: link, link };
    show([
      { ...lease, answer },
      { ...annex, answer: { ...answer, raw: 'doc', link: null } },
    ]);
    const row = page.getByRole('row', { name: /^Lease 2027/ });
    const copied: string[] = [];
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    });
    await row.getByRole('button', { name: 'Copy link' }).click();
    await expect.poll(() => copied).toEqual([link]);
    const without = page.getByRole('row', { name: /^Annex/ });
    expect(without.getByRole('button', { name: 'Copy link' }).elements()).toEqual([]);
    await without.click();
    await expect.element(panel().getByText('The service gave no signing link for this request.')).toBeVisible();
    await row.click();
    await expect.element(panel().getByRole('button', { name: 'Copy link' })).toBeVisible();
    peer.answer({ 'compose.openAnswer': async () => null });
    await panel().getByRole('button', { name: 'Open in browser' }).click();
    expect(peer.asked('compose.openAnswer')).toEqual([{ jobId: 'job' }]);
  });

  it('write to those who have not signed, and to nobody else', async () => {
    const omar = entry('omar', '', 'waiting');
    show([{ ...lease, signers: [signerOf(ana), signerOf(bo), signerOf(omar)], signerCount: 3 }]);
    const row = page.getByRole('row', { name: /^Lease 2027/ });
    const opened: string[] = [];
    peer.answer({
      'tracking.draftMail': async (to) => {
        opened.push('entryId' in to ? to.entryId : to.email);
        return null;
      },
    });
    await row.getByRole('button', { name: 'Write…' }).click();
    await page.getByRole('textbox', { name: 'Subject' }).fill('Please sign');
    await page
      .getByRole('dialog', { name: 'Reminder 1 of 2 to bo@example.org' })
      .getByRole('button', { name: 'Open mail program' })
      .click();
    // What was typed was for one of them.
    const second = page.getByRole('dialog', { name: 'Reminder 2 of 2 to omar@example.org' });
    // Nobody is called by an address.
    const body = second.getByRole('textbox', { name: 'Text' });
    await expect.element(body).toBeVisible();
    expect((body.element() as HTMLTextAreaElement).value).toMatch(/^Hello,\n/);
    await expect
      .element(second.getByRole('textbox', { name: 'Subject' }))
      .toHaveValue('Reminder: Lease 2027 waits for your signature');
    await second.getByRole('button', { name: 'Skip' }).click();
    await expect.poll(() => page.getByRole('dialog').elements()).toEqual([]);
    expect(opened).toEqual(['bo']);
  });

  it('that no list shows can be written to: who was asked comes from what was sent', async () => {
    const asked: TrackedSigner = { ...mei, state: 'not-known', at: signedAt };
    const both = [asked, { ...mei, name: 'Omar', email: 'omar@example.org', state: 'not-known' as const }];
    const answer = { kind: 'text', group: 'in-progress', meaning: '' } as const;
    const status = { raw: 'Processing', answer, since: signedAt, askedAt: '2021-02-05T12:00:00.000Z' };
    show([{ ...annex, origDocumentId: 'doc-2', signers: both, signerCount: 2, hasUnknown: true, status }]);
    peer.answer({ 'tracking.draftMail': async () => null });
    const row = page.getByRole('row', { name: /^Annex/ });
    await row.getByRole('button', { name: 'Write…' }).click();
    const first = page.getByRole('dialog', { name: 'Reminder 1 of 2 to mei@example.org' });
    await says(first, 'Not listed since Jan 4, 2021');
    await says(first, 'may have signed already');
    await first.getByRole('button', { name: 'Open mail program' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Skip' }).click();
    expect(peer.asked('tracking.draftMail')).toMatchObject([{ requestId: '2', email: 'mei@example.org' }]);
    await row.click();
    await expect.poll(() => panel().getByRole('button', { name: 'Write a reminder…' }).elements().length).toBe(2);
    // On what the headline rests, and when that was.
    await says(panel(), 'The service answered “Processing” (Feb 5, 2021');
    await says(panel().getByRole('list', { name: 'History' }), 'document status “Processing”');
    await panel()
      .getByRole('button', { name: /^Close/ })
      .click();
    await row.getByRole('checkbox').click();
    await expect
      .element(page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Write reminders…' }))
      .toBeVisible();
  });

  it('stay selected when they leave the list, which the selection says', async () => {
    show([lease, annex]);
    for (const name of [/^Lease 2027/, /^Annex/]) await page.getByRole('row', { name }).getByRole('checkbox').click();
    const selection = page.getByRole('region', { name: 'Selection' });
    await expect.element(selection.getByText('2 selected', { exact: true })).toBeVisible();
    // Of ticked ones that are shown nothing is asked.
    expect(peer.asked('tracking.groups').filter(({ among }) => among)).toEqual([]);
    const only = (groups: readonly TrackedGroup[]) =>
      peer.answer({
        'tracking.groups': async ({ among }) =>
          among ? { groups: [], total: 0 } : { groups: [...groups], total: groups.length },
      });
    only([annex]);
    peer.send('tracking.changed', stateWith({ asOf: '2027-01-04T09:15:00.000Z' }));
    await expect.element(selection.getByText('2 selected · 1 not in this list now')).toBeVisible();
    expect(peer.asked('tracking.groups').flatMap(({ among }) => (among ? [among] : []))).toContainEqual(['1']);
    await expect.element(page.getByRole('checkbox', { name: 'Select all' })).toBeChecked();
    // Where a search shows nothing of it, the bar still counts what is done with.
    only([]);
    peer.send('tracking.changed', stateWith({ asOf: '2027-01-04T09:16:00.000Z' }));
    await expect.element(selection.getByText('2 selected · 2 not in this list now')).toBeVisible();
  });

  it('are selected, and what is done with them is below the list: reminders one after the other, an export, a day', async () => {
    const due = { date: '2029-01-01', note: 'call her', remindedAt: null };
    const third = {
      ...lease,
      id: '3',
      origDocumentId: 'doc-3',
      documentName: 'Lease 2028',
      signers: [signerOf(bo)],
      due,
    };
    show([lease, annex, third]);
    const row = page.getByRole('row', { name: /^Lease 2027/ });
    await expect.element(row).toBeVisible();
    const { top } = row.element().getBoundingClientRect();
    await row.getByRole('checkbox', { name: 'Select Lease 2027' }).click();
    await page
      .getByRole('row', { name: /^Lease 2028/ })
      .getByRole('checkbox')
      .click();
    const selection = page.getByRole('region', { name: 'Selection' });
    await expect.element(selection.getByText('2 selected')).toBeVisible();
    expect(row.element().getBoundingClientRect().top).toBe(top);
    // No team: nobody to assign them to.
    const offered = selection
      .getByRole('button')
      .elements()
      .map((one) => one.textContent);
    expect(offered).toEqual(['Write reminders…', 'Export…', 'Due date…', 'Clear selection']);
    await selection.getByRole('button', { name: 'Write reminders…' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Reminder 1 of 2 to bo@example.org' })).toBeVisible();
    await userEvent.keyboard('{Escape}');
    peer.answer({ 'tracking.export': async () => ({ fileName: 'out.xlsx', rowCount: 4, requestCount: 2 }) });
    await selection.getByRole('button', { name: 'Export…' }).click();
    const dialog = page.getByRole('dialog');
    await expect.element(page.getByRole('dialog', { name: 'Export: 2 requests' })).toBeVisible();
    await dialog.getByRole('button', { name: 'Export…' }).click();
    await expect.element(dialog.getByText('Saved as out.xlsx · 2 requests')).toBeVisible();
    const selected = { documentIds: ['doc', 'doc-3'], grouped: true, request: null, search: '' };
    expect(peer.asked('tracking.export')).toMatchObject([selected]);
    await userEvent.keyboard('{Escape}');
    peer.answer({ 'tracking.setDue': async () => null });
    await selection.getByRole('button', { name: 'Due date…' }).click();
    await dialog.getByRole('spinbutton', { name: /^month/ }).click();
    await userEvent.keyboard('01312030');
    await dialog.getByRole('button', { name: 'Remind me' }).click();
    await expect.poll(() => dialog.elements()).toEqual([]);
    await page.getByRole('button', { name: 'Undo: Due date changed: 2 requests' }).click();
    const set = { connectionId, date: '2030-01-31', note: '' };
    await expect
      .poll(() => peer.asked('tracking.setDue'))
      .toEqual([
        { ...set, documentId: 'doc' },
        { ...set, documentId: 'doc-3' },
        { connectionId, documentId: 'doc', date: null, note: '' },
        { connectionId, documentId: 'doc-3', date: '2029-01-01', note: 'call her' },
      ]);
  });

  it('are exported as the view shows them, and counted as it counts them', async () => {
    show([lease, annex]);
    const dialog = page.getByRole('dialog');
    const saves = async (requestCount: number | null, title: string, counted: string) => {
      peer.answer({ 'tracking.export': async () => ({ fileName: 'out.xlsx', rowCount: 4, requestCount }) });
      await page.getByRole('search').getByRole('button', { name: 'Export…' }).click();
      await expect.element(page.getByRole('dialog', { name: title })).toBeVisible();
      await dialog.getByRole('button', { name: 'Export…' }).click();
      await expect.element(dialog.getByText(`Saved as out.xlsx · ${counted}`)).toBeVisible();
      await userEvent.keyboard('{Escape}');
    };
    await page.getByRole('radio', { name: /^Complete/ }).click();
    await saves(2, 'Export: 2 requests', '2 requests');
    peer.answer({ 'tracking.entries': async () => ({ entries: [], total: 4 }) });
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Service’s lists' }).click();
    await saves(null, 'Export this view', '4 signers');
    expect(peer.asked('tracking.export')).toMatchObject([{ request: 'complete', grouped: true }, { grouped: false }]);
  });

  it('offer the rest in the menu of their row', async () => {
    show([lease]);
    const row = page.getByRole('row', { name: /^Lease 2027/ });
    await row.getByRole('button', { name: 'More' }).click();
    const items = page.getByRole('menuitem');
    await expect.element(items.first()).toBeVisible();
    expect(items.elements().map((one) => one.textContent)).toEqual(['Export…', 'Due date…']);
    await items.last().click();
    await expect.element(page.getByRole('dialog', { name: 'Due date: 1 request' })).toBeVisible();
    // The press was for the menu, and opened no panel.
    await userEvent.keyboard('{Escape}');
    expect(panel().elements()).toEqual([]);
  });

  it.each([584, 308])('have all that can be done within %d pixels, behind one button', async (width) => {
    onTestFinished(() => page.viewport(1280, 800));
    await page.viewport(width, 400);
    show([{ ...lease, answer: { jobId: 'job', raw: 'https://sign.example/s/1', link: 'https://sign.example/s/1' } }]);
    const row = page.getByRole('row', { name: /^Lease 2027/ });
    const more = row.getByRole('button', { name: 'More' });
    await expect.element(more).toBeVisible();
    expect(
      row
        .getByRole('button')
        .elements()
        .map((one) => one.getBoundingClientRect().right <= width),
    ).toEqual([true]);
    await expect.element(row.getByText('Partly signed')).toBeInTheDocument();
    await more.click();
    const offered = page.getByRole('dialog', { name: 'More' }).getByRole('button');
    await expect.element(offered.first()).toBeVisible();
    expect(offered.elements().map((one) => one.textContent)).toEqual(['Write…', 'Link', 'Export…', 'Due date…']);
    await offered.last().click();
    await expect.element(page.getByRole('dialog', { name: 'Due date: 1 request' })).toBeVisible();
    expect(page.getByRole('dialog', { name: 'More' }).elements()).toEqual([]);
  });

  it('open beside the list with their signers in order, each with what can be done', async () => {
    show([lease]);
    await page.getByRole('row', { name: /^Lease 2027/ }).click();
    const signers = panel().getByRole('list', { name: 'Signers' }).getByRole('listitem');
    await says(signers.nth(0), 'Ana PetrovSeen signed Jan 4, 2021, 9:12 AMana@example.org');
    await says(signers.nth(1), 'Bo LindqvistWaiting 2 daysbo@example.org');
    expect(
      signers
        .nth(0)
        .getByRole('button')
        .elements()
        .map((one) => one.textContent),
    ).toEqual(['Details']);
    await expect.element(signers.nth(1).getByRole('button', { name: 'Write a reminder…' })).toBeVisible();
    await expect.element(signers.nth(1).getByRole('button', { name: 'Sign as Bo Lindqvist' })).toBeVisible();
    const steps = panel().getByRole('list', { name: 'History' });
    const texts = [...steps.element().children].map((step) => step.textContent?.replace(/^.* · /, ''));
    // As their times say: what was seen of Ana Petrov is older than the sending here.
    expect(texts).toEqual(['sent', 'seen: Ana Petrov signed']);
    await signers.nth(1).getByRole('button', { name: 'Details: Bo Lindqvist' }).click();
    await expect.element(panel().getByRole('heading', { name: 'Due date' })).toBeVisible();
    await panel()
      .getByRole('button', { name: /^Close/ })
      .click();
    // Back to the request.
    await expect.element(panel().getByRole('list', { name: 'Signers' })).toBeVisible();
  });

  it('of which the service has two with one document say why it is not known which of them waits', async () => {
    const unknown: TrackedGroup = { ...lease, state: 'not-known', hasUnknown: true };
    const why = panel().getByText(/^Another request has the same document/);
    show([unknown]);
    await page.getByRole('row', { name: /^Lease 2027/ }).click();
    await expect.element(panel().getByRole('button', { name: 'Check status' })).toBeVisible();
    expect(why.elements()).toEqual([]);
    const groups = [unknown, { ...unknown, id: '2', documentName: 'Annex' }];
    peer.answer({ 'tracking.groups': async () => ({ groups, total: 2 }) });
    peer.send('tracking.changed', stateWith({ asOf: '2027-01-04T09:15:00.000Z' }));
    await expect.element(why).toBeVisible();
  });

  it('of which all signed do not say of before that they are in progress, and what they say of the document has its time', async () => {
    const answer = { kind: 'text', group: 'in-progress', meaning: '' } as const;
    const status = { raw: 'Processing', answer, since: signedAt, askedAt: '2021-01-03T12:00:00.000Z' };
    const signers = [signerOf(ana), { ...signerOf(bo), state: 'signed', at: signedAt }] as const;
    const complete: TrackedGroup = { ...lease, state: 'complete', signedCount: 2, signers, status };
    show([complete]);
    await page.getByRole('row', { name: /^Lease 2027/ }).click();
    await expect
      .element(
        panel()
          .getByText(/document status “Processing”/)
          .first(),
      )
      .toBeVisible();
    expect(panel().getByText('In progress').elements()).toEqual([]);
    // Said after that, it is no contradiction of ours to hide.
    const later = { ...status, askedAt: '2021-02-05T12:00:00.000Z' };
    peer.answer({ 'tracking.groups': async () => ({ groups: [{ ...complete, status: later }], total: 1 }) });
    peer.send('documents.changed', { connectionId });
    await expect.element(panel().getByText('In progress')).toBeVisible();
    await says(panel(), 'as of Feb 5, 2021');
  });

  it('keep their places when one is opened', async () => {
    show([lease, annex, { ...annex, id: '3', documentName: 'Lease 2028' }]);
    const last = page.getByRole('row', { name: /^Lease 2028/ });
    await expect.element(last).toBeVisible();
    const before = last.element().getBoundingClientRect();
    await last.click();
    await expect.element(panel()).toBeVisible();
    const after = last.element().getBoundingClientRect();
    expect([after.top, after.left, after.height]).toEqual([before.top, before.left, before.height]);
  });

  it('tell the newest of an entry first', async () => {
    show([lease]);
    const answer = { kind: 'text', group: 'in-progress', meaning: '' } as const;
    const history = [
      { raw: 'Processing', answer, since: '2027-01-04T09:10:00.000Z', askedAt: '2027-01-04T09:10:00.000Z' },
      { raw: 'Completed', answer, since: '2027-01-04T09:20:00.000Z', askedAt: '2027-01-04T09:20:00.000Z' },
    ];
    peer.answer({ 'tracking.entry': async () => ({ entry: ana, history }) });
    await page.getByRole('row', { name: /^Lease 2027/ }).click();
    await panel().getByRole('button', { name: 'Details: Ana Petrov' }).click();
    await expect.element(panel().getByText('Ana Petrov signed', { exact: true })).toBeVisible();
    const steps = page.getByRole('list', { name: 'History' });
    await expect.element(steps).toBeVisible();
    const texts = [...steps.element().children].map((step) => step.textContent?.replace(/^.* · /, ''));
    expect(texts).toEqual([
      'document status “Completed”',
      'seen: Ana Petrov signed',
      'document status “Processing”',
      'sent',
    ]);
    expect(
      panel()
        .getByRole('button', { name: /^(Write a reminder|Sign as)/ })
        .elements(),
    ).toEqual([]);
  });

  it('and their entries tell the same of when the service was asked last', async () => {
    const answer = { kind: 'text', group: 'in-progress', meaning: '' } as const;
    const at = { since: '2027-01-04T09:10:00.000Z', askedAt: '2027-01-04T09:40:00.000Z' };
    const status = { raw: 'Processing', answer, ...at };
    show([{ ...lease, status }]);
    peer.answer({ 'tracking.entry': async () => ({ entry: bo, history: [status] }) });
    await page.getByRole('row', { name: /^Lease 2027/ }).click();
    const asked = () =>
      [...panel().getByRole('list', { name: 'History' }).element().children]
        .map((step) => step.textContent ?? '')
        .filter((text) => text.includes('document status'));
    await expect.element(panel().getByRole('list', { name: 'History' })).toBeVisible();
    const ofRequest = asked();
    expect(ofRequest.map((text) => /9:\d\d/.exec(text)?.[0])).toEqual(['9:40', '9:10']);
    await panel().getByRole('button', { name: 'Details: Bo Lindqvist' }).click();
    await expect.element(panel().getByRole('button', { name: /^Write a reminder/ })).toBeVisible();
    expect(asked()).toEqual(ofRequest);
  });

  it('are read when the screen is opened and no list was ever read', async () => {
    peer.answer({ 'tracking.refresh': async () => null });
    show([]);
    peer.answer({ 'tracking.state': async () => stateWith({ asOf: null, total: 0 }, none) });
    await expect.poll(() => peer.asked('tracking.refresh')).toEqual([{ connectionId }]);
    peer.send('tracking.changed', stateWith({ asOf: null, total: 0 }, none));
    expect(peer.asked('tracking.refresh')).toHaveLength(1);
  });

  it('are being read as long as the first reading has not ended whole: nothing is said to be in no list, and no time stands there', async () => {
    peer.answer({ 'tracking.refresh': async () => null });
    const unread = { asOf: null, total: 0 };
    const first = (second: Partial<TrackingState['lists'][number]>): TrackingState => {
      const state = stateWith({ total: 0 }, none);
      return { ...state, lists: state.lists.map((one) => (one.listType === 2 ? { ...one, ...second } : one)) };
    };
    show([], []);
    const none0 = page.getByRole('heading', { name: 'Nothing in this list' });
    const times = page.getByText(/Updated /);
    const reading = first({ ...unread, isRefreshing: true });
    peer.answer({ 'tracking.state': async () => reading });
    await expect
      .element(
        page
          .getByRole('status')
          .filter({ hasText: /^Loading list…$/ })
          .first(),
      )
      .toBeVisible();
    await expect.element(counter('Waiting not loaded yet')).toBeVisible();
    expect([...times.elements(), ...none0.elements(), ...page.getByText(/^0 requests/).elements()]).toEqual([]);
    expect(peer.asked('tracking.refresh')).toEqual([]);
    // An earlier run was ended in the middle of it.
    peer.send('tracking.changed', first(unread));
    await expect.poll(() => peer.asked('tracking.refresh')).toEqual([{ connectionId }]);
    expect([...times.elements(), ...none0.elements()]).toEqual([]);
    peer.send(
      'tracking.changed',
      first({ ...unread, failure: { code: 'service-unreachable', note: '', retryable: true } }),
    );
    await expect.element(page.getByRole('heading', { name: 'List not loaded' })).toBeVisible();
    expect(none0.elements()).toEqual([]);
    peer.send('tracking.changed', first({ total: 0 }));
    await expect.element(none0).toBeVisible();
    await expect.element(counter('Waiting 0')).toBeVisible();
    await expect.element(times.first()).toBeVisible();
  });

  it('are beside the service’s lists, whose names follow the window to another language', async () => {
    show([lease]);
    await chooseView('Service’s lists');
    await expect.element(counter('Signed 2')).toBeVisible();
    const german = stateWith();
    peer.answer({
      'tracking.state': async () => ({
        ...german,
        lists: german.lists.map((list) => (list.listType === 2 ? { ...list, name: 'Unterschrieben' } : list)),
      }),
    });
    peer.send('connections.changed', {
      connections: [connection],
      health: {},
      currentId: connectionId,
      offeredId: null,
    });
    await expect.element(counter('Unterschrieben 2')).toBeVisible();
  });

  it('are counted as requests, those from elsewhere apart, and the lists of the service by their signers', async () => {
    show([lease, annex]);
    peer.answer({ 'tracking.state': async () => stateWith({}, { ...onePartly, elsewhere: 1 }) });
    await expect.element(page.getByText(/^1 request · 1 from elsewhere ·/)).toBeVisible();
    // While a list is written anew, fewer rows are there than its last reading had.
    peer.send('tracking.changed', stateWith({}, { ...onePartly, elsewhere: 90 }));
    await expect.element(page.getByText(/^1 request · 90 from elsewhere ·/)).toBeVisible();
    await chooseView('Service’s lists');
    await expect.element(page.getByText(/^4 signers/)).toBeVisible();
    await counter('Out for signature 2').click();
    await expect.element(page.getByRole('heading', { name: 'Out for signature' })).toBeVisible();
    await expect.element(page.getByRole('row', { name: /New.*Ana Petrov.*Seen signed/ })).toBeVisible();
    await expect.element(page.getByRole('row', { name: /Bo Lindqvist.*Waiting/ })).toBeVisible();
    await expect.poll(() => peer.asked('tracking.entries').at(-1)).toMatchObject({ listType: 1, request: null });
  });

  it('have all recent changes among them, as who signed may be in no list any more', async () => {
    show([lease]);
    await chooseView('Service’s lists');
    await chooseView('Recent changes');
    await expect.element(page.getByRole('heading', { name: 'Recent changes' })).toBeVisible();
    await expect.element(page.getByRole('row', { name: /^Lease 2027/ })).toBeVisible();
    await expect.poll(() => peer.asked('tracking.groups').at(-1)).toMatchObject({ changedOnly: true, listType: null });
  });

  it('are not read while entries are shown', async () => {
    show([lease]);
    await chooseView('Service’s lists');
    await expect.element(page.getByRole('row', { name: /Bo Lindqvist/ })).toBeVisible();
    const [before, entriesBefore] = [peer.asked('tracking.groups').length, peer.asked('tracking.entries').length];
    peer.send('tracking.changed', stateWith({ asOf: '2027-01-04T09:14:00.000Z' }));
    await expect.poll(() => peer.asked('tracking.entries').length).toBeGreaterThan(entriesBefore);
    expect(peer.asked('tracking.groups')).toHaveLength(before);
    await chooseView('All requests');
    await expect.element(page.getByRole('row', { name: /^Lease 2027/ })).toBeVisible();
  });

  it('include those that no list shows, with since when', async () => {
    const gone = [
      { ...mei, state: 'signed', at: '2021-01-04T09:12:00.000Z' },
      { ...mei, name: 'Omar', email: 'omar@example.org', state: 'not-known', at: '2021-01-05T09:12:00.000Z' },
      { ...mei, name: 'Pia', email: 'pia@example.org', state: 'not-known' },
    ] as const;
    const counts = { signerCount: 3, signedCount: 1, hasUnknown: true };
    show([{ ...annex, origDocumentId: 'doc-2', state: 'not-known', signers: gone, ...counts }, lease]);
    const row = page.getByRole('row', { name: /^Annex · seen: 1 of 3 signed/ });
    await expect.element(row.getByText('Not known', { exact: true })).toBeVisible();
    await says(
      row,
      'Omar: Not listed since Jan 5, 2021, 9:12 AM · Pia: Not known, not in a list yet · Mei Tanaka: Seen signed Jan 4, 2021',
    );
    const at = '2027-01-04T09:14:00.000Z';
    const answer = { kind: 'text', group: 'in-progress', meaning: '' } as const;
    peer.answer({
      'tracking.askRequestStatus': async () => ({ raw: 'Processing', answer, since: at, askedAt: at }),
    });
    await row.click();
    await panel().getByRole('button', { name: 'Check status' }).click();
    expect(peer.asked('tracking.askRequestStatus')).toEqual([{ connectionId, documentId: 'doc-2' }]);
    await expect.element(panel().getByText('In progress')).toBeVisible();
    await expect.element(panel().getByText(/document status “Processing”/)).toBeVisible();
    // Asked again with others while the panel stays open: the later answer is the last question.
    const later = { raw: 'Opened', answer, since: at, askedAt: '2027-01-04T09:20:00.000Z' };
    const unlisted = { origDocumentId: 'doc-2', state: 'not-known', signers: gone } as const;
    const group = { ...annex, ...unlisted, ...counts, status: later };
    peer.answer({ 'tracking.groups': async () => ({ groups: [group], total: 1 }) });
    peer.send('documents.changed', { connectionId });
    await expect.element(panel().getByText(/9:20.* document status “Opened”/)).toBeVisible();
    const progress = { connectionId, total: 1, askedCount: 0, answers: {}, failedCount: 0 };
    const task = { taskId: 'check', kind: 'status-refresh', startedAt: at, state: 'running', failure: null } as const;
    peer.answer({ 'documents.refreshStatuses': async () => ({ ...task, progress }) });
    // Of the selected ones only what is not known is asked.
    await page.getByRole('checkbox', { name: /^Select all/ }).click();
    await page.getByRole('button', { name: 'Check 1 status' }).click();
    expect(peer.asked('documents.refreshStatuses')).toEqual([{ connectionId, documentIds: ['doc-2'] }]);
    // The answer takes it out of a list of what is not known: the result stands in place of the selection, and keys are there.
    peer.answer({ 'tracking.groups': async () => ({ groups: [], total: 0 }) });
    peer.send('tasks.ended', {
      ...task,
      state: 'done',
      progress: { ...progress, askedCount: 1, answers: { completed: 1 } },
    });
    peer.send('tracking.changed', stateWith({}, none));
    await expect.element(page.getByText('1 checked · Completed 1')).toBeVisible();
    await expect.element(page.getByText('Nothing in this list')).toBeVisible();
    expect(page.getByRole('region', { name: 'Selection' }).elements()).toEqual([]);
    await expect.element(page.getByText('1 checked · Completed 1')).toHaveFocus();
  });

  it('of which the service named no ID say why they cannot be asked, and take the ID', async () => {
    const link = 'https://sign.example/1';
    const answer = { jobId: 'job-9', raw: link, link };
    show([
      { ...annex, state: 'not-known', answer },
      { ...annex, id: '3', origDocumentId: 'doc-3', documentName: 'Deed', state: 'not-known' },
    ]);
    await page.getByRole('checkbox', { name: /^Select all/ }).click();
    await expect.element(page.getByRole('button', { name: 'Check 1 status' })).toBeVisible();
    await expect.element(page.getByText('Sent, no ID (1)')).toBeVisible();
    await page.getByRole('row', { name: /^Annex/ }).click();
    await expect
      .element(panel().getByText(/^Without an ID its status cannot be asked\. Its ID is not known here:/))
      .toBeVisible();
    peer.answer({ 'jobs.accept': async () => null });
    await panel().getByRole('textbox', { name: 'Document ID from the service’s portal' }).fill('doc-9');
    await panel().getByRole('button', { name: 'Use this ID' }).click();
    await expect
      .poll(() => peer.asked('jobs.accept'))
      .toEqual([{ jobId: 'job-9', documentId: 'doc-9', isUnchecked: true }]);
  });

  it('say of somebody whom no list shows that the service answered that the request waits, and when', async () => {
    const waits = [{ ...mei, state: 'waiting', at: '2021-01-04T09:12:00.000Z' }] as const;
    show([{ ...annex, origDocumentId: 'doc-2', state: 'waiting', signers: waits, signerCount: 1, signedCount: 0 }]);
    const row = page.getByRole('row', { name: /^Annex/ });
    await says(row, 'Mei Tanaka: Waiting, asked Jan 4, 2021, 9:12 AM');
    await expect.element(row.getByText('0 of 1 · as of Jan 4, 2021', { exact: true })).toBeVisible();
    await row.getByRole('checkbox').click();
    await expect.element(page.getByRole('button', { name: 'Write reminders…' })).toBeVisible();
    await row.click();
    await expect.element(panel().getByText('Waiting, asked Jan 4, 2021, 9:12 AM')).toBeVisible();
  });

  it('are open beside the list when one was searched for, with all its signers', async () => {
    wanted = { request: 'doc' };
    onTestFinished(() => {
      wanted = {};
    });
    show([lease]);
    await expect.element(panel().getByText('Bo Lindqvist').first()).toBeVisible();
  });

  it('that were refused say why, to be corrected; those on their way say so', async () => {
    const queued = {
      ...annex,
      id: '3',
      documentName: 'Lease 2028',
      sentAt: null,
      job: { ...refusedJob, state: 'queued', failure: null },
    } as const;
    show([refused, queued]);
    const row = page.getByRole('row', { name: /^Annex/ });
    await expect.element(row.getByText('Refused', { exact: true })).toBeVisible();
    // The time is that of its departure, and nobody waits for anybody.
    await says(row.getByRole('time'), 'Jan 4, 2027');
    expect(row.getByText(/Waiting|Sent|signed/).elements()).toEqual([]);
    await expect.element(row.getByRole('button', { name: 'Correct…' })).toBeVisible();
    const unsent = page.getByRole('row', { name: /^Lease 2028/ });
    await expect.element(unsent.getByText('Not sent yet')).toBeVisible();
    expect(unsent.getByRole('time').elements()).toEqual([]);
    await row.click();
    await expect.element(panel().getByRole('button', { name: 'Show in Activity' })).toBeVisible();
  });

  it('that are in doubt show first what the service itself shows of them; sending again is last', async () => {
    const found = { documentId: 'A1', documentName: 'Annex', name: null, email: null, clientId: null } as const;
    const candidate = {
      ...found,
      createdAt: null,
      createdDate: null,
      fits: ['time'],
      differs: [],
      isTaken: false,
    } as const;
    const look = {
      verdict: 'found',
      askedAt: '2027-01-04T09:14:00.000Z',
      candidates: [candidate],
      questions: [],
    } as const;
    const job = { jobId: 'job', state: 'in-doubt', failure: null } as const;
    show([{ ...annex, state: 'needs-you', job }]);
    const doubt = jobOf({
      connectionId,
      operation: 'AddNewDocumentESign',
      title: 'Annex',
      state: 'in-doubt',
      look,
      createdAt: look.askedAt,
      at: look.askedAt,
    });
    const ledgerJob = { ...doubt, worker: 'this-program', isDismissed: false } as const;
    peer.answer({ 'jobs.read': async () => [ledgerJob], 'jobs.accept': async () => null });
    const row = page.getByRole('row', { name: /^Annex/ });
    expect(row.getByRole('button', { name: /send again/ }).elements()).toEqual([]);
    await row.getByRole('button', { name: 'Decide…' }).click();
    await expect.element(panel().getByText(/^Found at the service · No clear answer /)).toBeVisible();
    const names = panel()
      .getByRole('button')
      .elements()
      .map((one) => one.textContent);
    expect(names.indexOf('It’s this one')).toBeLessThan(names.indexOf('Correct and send again'));
    await panel().getByRole('button', { name: 'It’s this one' }).click();
    await expect.poll(() => peer.asked('jobs.accept')).toEqual([{ jobId: 'job', documentId: 'A1' }]);
  });

  it('that are in doubt and were corrected say so beside their state, and lead to what was sent in their place', async () => {
    show([{ ...annex, state: 'not-known', job: { jobId: 'job', state: 'in-doubt', failure: null } }]);
    const correction = { batchId: 'b2', jobId: 'j2' };
    const doubt = jobOf({ connectionId, operation: 'AddNewDocumentESign', title: 'Annex', state: 'in-doubt' });
    const corrected = { ...doubt, correction, worker: 'this-program', isDismissed: true } as const;
    peer.answer({ 'jobs.read': async () => [corrected] });
    const row = page.getByRole('row', { name: /^Annex · Corrected since/ });
    await expect.element(row.getByText('In doubt')).toBeVisible();
    await row.getByText('Corrected since').click();
    await expect.element(panel().getByText('Corrected since')).toBeVisible();
    await panel().getByRole('button', { name: 'Show in Activity' }).click();
    expect(gone).toEqual([{ screen: 'jobs', ...correction }]);
    expect(panel().getByRole('button').elements()).toHaveLength(2);
  });

  it.each(['duplicate', 'countdown-stopped'] as const)(
    'that wait for a decision (%s) say why they have not left, and are decided about where they are shown',
    async (pausedBy) => {
      const same = { kind: 'job', jobId: 'j0', title: 'Annex', documentId: null, state: 'done' } as const;
      const duplicateOf = { ...same, at: '2027-01-04T09:12:00.000Z' };
      const held = { batchId: 'b1', title: 'Annex', state: 'waiting', pausedBy, duplicateOf } as const;
      const job = jobOf({ ...held, connectionId, operation: 'AddNewDocumentESign' });
      const ofBatch = { batchId: 'b1', connectionId, jobId: 'job', title: 'Annex', count: 60 } as const;
      const stopped = { ...ofBatch, operation: job.operation, bulkId: null, leftMs: null, isStopped: true } as const;
      countdowns = [{ ...stopped, isBesideDoubt: false }];
      onTestFinished(() => {
        countdowns = [];
      });
      peer.answer({
        'jobs.read': async () => [{ ...job, worker: 'this-program', isDismissed: false }],
        'jobs.decide': async () => null,
        'jobs.sendNow': async () => null,
      });
      const untaken = { jobId: 'job', state: 'queued', failure: null } as const;
      show([{ ...annex, sentAt: null, state: 'needs-you', job: untaken }]);
      const row = page.getByRole('row', { name: /^Annex/ });
      await row.getByRole('button', { name: 'Decide…' }).click();
      expect(row.getByRole('time').elements()).toEqual([]);
      await expect.element(panel().getByRole('button', { name: 'Show in Activity' })).toBeVisible();
      if (pausedBy === 'duplicate') {
        await expect.element(panel().getByText(/^Same request: “Annex” .*9:12.AM\), Sent/)).toBeVisible();
        await panel().getByRole('button', { name: 'Skip' }).click();
        await expect.poll(() => peer.asked('jobs.decide')).toEqual([{ jobIds: ['job'], decision: 'skip' }]);
        return;
      }
      // What one press decides about is said where it is more than this one.
      await expect.element(panel().getByText(/the computer slept.* · Annex and 59 more$/)).toBeVisible();
      await expect.element(panel().getByRole('button', { name: /^Take back/ })).toBeVisible();
      await panel()
        .getByRole('button', { name: /^Send now/ })
        .click();
      await expect.poll(() => peer.asked('jobs.sendNow')).toEqual([{ batchId: 'b1', isStopped: true }]);
    },
  );

  it('are counted by state, each state one click away, and searched within it', async () => {
    show([lease]);
    await counter('Partly signed 1').click();
    await expect.element(page.getByRole('heading', { name: 'Partly signed' })).toBeVisible();
    await expect
      .poll(() => peer.asked('tracking.groups').at(-1))
      .toMatchObject({ request: 'partly-signed', listType: null });
    await page.getByRole('searchbox', { name: 'Search signature requests' }).fill('lease');
    await expect
      .poll(() => peer.asked('tracking.groups').at(-1))
      .toMatchObject({ request: 'partly-signed', search: 'lease' });
    // Beside a search that hides some no numbers are shown.
    await counter('From elsewhere').click();
    await expect.poll(() => peer.asked('tracking.groups').at(-1)).toMatchObject({ request: 'elsewhere' });
  });

  it('are found by when they were sent, and every filter says what it filters and can be taken away alone', async () => {
    show([lease]);
    await page.getByRole('button', { name: 'Sent when' }).click();
    await page.getByRole('radio', { name: 'Older than 2 weeks' }).click();
    await userEvent.keyboard('{Escape}');
    const [day = ''] = noonBefore(15).split('T');
    await expect.poll(() => peer.asked('tracking.groups').at(-1)).toMatchObject({ from: null, to: day });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('textbox', { name: 'Person' }).fill('bo');
    await userEvent.keyboard('{Escape}');
    const active = page.getByRole('group', { name: 'Filters' });
    await expect.element(active.getByRole('button', { name: 'Remove filter: Person: bo' })).toBeVisible();
    await active.getByRole('button', { name: /^Remove filter: Sent until/ }).click();
    await expect.poll(() => peer.asked('tracking.groups').at(-1)).toMatchObject({ to: null, person: 'bo' });
    await active.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => peer.asked('tracking.groups').at(-1)).toMatchObject({ to: null, person: '' });
    expect(active.elements()).toEqual([]);
  });

  it('are found by a word in which the service answered', async () => {
    show([lease]);
    peer.answer({
      'tracking.board': async () => ({
        words: [{ raw: 'Processing', group: 'in-progress', meaning: '', documents: 3 }],
        notAsked: 0,
      }),
    });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Status/ })
      .click();
    await page.getByRole('option', { name: '“Processing” · 3 documents' }).click();
    await expect.poll(() => peer.asked('tracking.groups').at(-1)).toMatchObject({ status: { word: 'Processing' } });
    await page.getByRole('dialog').getByRole('button', { name: 'Assign meanings…' }).click();
    expect(gone).toEqual([{ screen: 'answers' }]);
  });

  it('announce who signed', async () => {
    show([lease]);
    await expect.element(page.getByRole('row', { name: /^Lease/ })).toBeVisible();
    const entries = [{ who: 'Ana Petrov', documentName: 'Lease 2027' }];
    peer.send('tracking.signed', { connectionId, count: 3, entries });
    await expect.element(page.getByText('Ana Petrov signed: Lease 2027. 2 more signatures')).toBeInTheDocument();
  });
});
