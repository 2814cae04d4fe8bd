import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { DraftSummary } from '../../contract/compose.ts';
import type { TrackedEntry, TrackedGroup, TrackedSigner, TrackingState } from '../../contract/tracking.ts';
import { useSignatureAnnouncements } from '../../renderer/app/signature-announcements.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { useSignatureChanges } from '../../renderer/features/signature-queries.ts';
import type { Route } from '../../renderer/parts/navigation.tsx';
import { SignaturesScreen } from '../../renderer/screens/tracking/signatures-screen.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

const connectionId = connection.id;
const lists = [
  [1, 'Out for signature', 'waiting'],
  [2, 'Signed', 'signed'],
] as const;

const onePartly = {
  ...{ 'needs-you': 0, waiting: 0, 'partly-signed': 1 },
  ...{ complete: 0, 'not-known': 0, elsewhere: 0 },
};

const none = { ...onePartly, 'partly-signed': 0 };

function stateWith(
  part: Partial<TrackingState['lists'][number]> = {},
  requests: TrackingState['requests'] = onePartly,
): TrackingState {
  return {
    connectionId,
    lists: lists.map(([listType, name, meaning]) => ({
      ...{
        listType,
        name,
        meaning,
        total: 2,
        nilEntries: 0,
        newCount: 0,
        movedCount: 0,
        asOf: '2027-01-04T09:12:00.000Z',
      },
      ...{ readBy: null, isRefreshing: false, failure: null, nextAt: null },
      ...part,
    })),
    budget: { perHour: 120, used: 0, freeAt: null, isAutomatic: true },
    dueCount: 0,
    requests,
  };
}

function entry(id: string, name: string, state: TrackedEntry['state'], more: Partial<TrackedEntry> = {}): TrackedEntry {
  return {
    ...{ id, connectionId, name, email: `${id}@example.org`, state, hasSigned: state === 'signed', mark: null },
    ...{ listType: state === 'signed' ? 2 : 1, movedFrom: null, status: null, due: null, secretWordLost: false },
    ...{ documentName: 'Lease 2027', documentId: 'doc', origDocumentId: 'doc', hasSecretWord: false },
    signedAt: null,
    ...{ createdAt: '2027-01-04T09:00:00.000Z', createdDate: null, firstSeenAt: '2027-01-04T09:12:00.000Z' },
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
const threeDaysAgo = noonBefore(3);
const signedAt = '2021-01-04T09:12:00.000Z';
const ana = entry('ana', 'Ana Petrov', 'signed', { mark: 'moved', movedFrom: 1, signedAt });
const bo = entry('bo', 'Bo Lindqvist', 'waiting', { createdAt: threeDaysAgo });
const signerOf = (one: TrackedEntry): TrackedSigner => ({
  ...{ name: one.name, email: one.email, entry: one },
  ...{ state: one.state === 'signed' ? 'signed' : 'waiting', at: one.signedAt },
});
const lease: TrackedGroup = {
  ...{ id: '1', origDocumentId: 'doc', documentName: 'Lease 2027', isFromElsewhere: false, state: 'partly-signed' },
  ...{ signerCount: 2, signedCount: 1, changedCount: 1, job: null },
  ...{ sentAt: '2027-01-04T09:00:00.000Z', signers: [signerOf(ana), signerOf(bo)] },
};
const mei: TrackedSigner = { name: 'Mei Tanaka', email: 'mei@example.org', state: 'waiting', at: null, entry: null };
const annex: TrackedGroup = {
  ...{ ...lease, id: '2', origDocumentId: null, documentName: 'Annex', state: 'waiting', signers: [mei] },
  ...{ signerCount: 1, signedCount: 0, changedCount: 0 },
};

function Screen() {
  useSignatureChanges();
  useSignatureAnnouncements();
  return <SignaturesScreen entryId={null} listType={null} changedOnly={false} />;
}

let gone: readonly Route[] = [];

function show(groups: readonly TrackedGroup[], entries = [ana, bo], drafts: readonly DraftSummary[] = []) {
  peer.answer({
    'tracking.state': async () => stateWith(),
    'tracking.entries': async () => ({ entries, total: groups.length * 2, asOf: null }),
    'tracking.groups': async () => ({ groups, total: groups.length }),
    'tracking.entry': async ({ entryId }) => ({ entry: entryId === 'bo' ? bo : ana, history: [] }),
    'views.state': async () => ({ views: [], layout: null }),
    'views.keepLayout': async () => null,
    'answers.table': async () => ({ statuses: [], verdicts: [], codes: [], unsorted: { statuses: [], verdicts: [] } }),
    'tasks.list': async () => [],
    'drafts.list': async () => drafts,
  });
  ({ gone } = showScreen(
    <TasksProvider>
      <Screen />
    </TasksProvider>,
  ));
}

describe('what is above the requests', () => {
  const draft: DraftSummary = {
    ...{ id: 'draft-2', connectionId, title: 'Service agreement.pdf', kind: 'easy-sign', recipientCount: 1 },
    ...{ updatedAt: '2027-01-04T09:12:00.000Z', job: null },
  };

  it('is the way back to the latest draft that was never sent', async () => {
    const refused = { id: 'job', state: 'refused', failure: null } as const;
    const drafts = [{ ...draft, id: 'draft-3', job: refused }, draft, { ...draft, id: 'draft-1', title: 'Older' }];
    show([lease], [ana, bo], drafts);
    await page.getByRole('button', { name: 'Continue your draft: Service agreement.pdf' }).click();
    expect(gone).toEqual([{ screen: 'compose', draftId: 'draft-2' }]);
  });

  it('is no count of a list that was never read', async () => {
    peer.answer({ 'tracking.refresh': async () => null });
    show([]);
    peer.answer({ 'tracking.state': async () => stateWith({ asOf: null, total: 0 }, none) });
    await expect
      .element(page.getByRole('button', { name: 'All requests not loaded yet' }))
      .toHaveTextContent('All requests–not loaded yet');
    await expect.element(page.getByRole('button', { name: 'Signed not loaded yet' })).toBeVisible();
    expect(page.getByRole('navigation').getByText('0', { exact: true }).elements()).toEqual([]);
    peer.send('tracking.changed', stateWith());
    await expect.element(page.getByRole('button', { name: 'All requests 1' })).toBeVisible();
    expect(page.getByRole('button', { name: /Continue your draft/ }).elements()).toEqual([]);
  });
});

describe('the requests', () => {
  it('say how many signed, and the state of each person, without a status that was not asked', async () => {
    show([lease]);
    const card = page.getByRole('article', { name: 'Lease 2027 · 1 of 2 signed' });
    await expect.element(card.getByRole('button', { name: /^New Ana Petrov Seen signed Jan 4, 2021/ })).toBeVisible();
    await expect.element(card.getByRole('button', { name: 'Bo Lindqvist Waiting 3 days' })).toBeVisible();
    // One mark for one fact.
    expect(card.getByText(/signed/i).elements()).toHaveLength(3);
    expect(page.getByText(/Not asked|Not checked/).elements()).toEqual([]);
  });

  it('offer a reminder and signing for somebody who waits, and neither for somebody who signed', async () => {
    show([lease]);
    const panel = page.getByRole('complementary', { name: 'Signature request' });
    await page.getByRole('button', { name: /^Bo Lindqvist/ }).click();
    await expect.element(panel.getByRole('button', { name: 'Write a reminder…' })).toBeVisible();
    await expect.element(panel.getByRole('button', { name: 'Sign as Bo Lindqvist' })).toBeVisible();
    await page.getByRole('button', { name: /Ana Petrov/ }).click();
    await expect.element(panel.getByText('Ana Petrov signed', { exact: true })).toBeVisible();
    expect(panel.getByRole('button', { name: /^(Write a reminder|Sign as)/ }).elements()).toEqual([]);
  });

  it('tell the newest of an entry first', async () => {
    show([lease]);
    const answer = { kind: 'text', group: 'in-progress', meaning: '' } as const;
    const history = [
      { raw: 'Processing', answer, since: '2027-01-04T09:10:00.000Z', askedAt: '2027-01-04T09:10:00.000Z' },
      { raw: 'Completed', answer, since: '2027-01-04T09:20:00.000Z', askedAt: '2027-01-04T09:20:00.000Z' },
    ];
    peer.answer({ 'tracking.entry': async () => ({ entry: ana, history }) });
    await page.getByRole('button', { name: /Ana Petrov/ }).click();
    const steps = page.getByRole('list', { name: 'History' });
    await expect.element(steps).toBeVisible();
    const texts = [...steps.element().children].map((step) => step.textContent?.replace(/^.* · /, ''));
    expect(texts).toEqual([
      'document status “Completed”',
      'seen: Ana Petrov signed',
      'document status “Processing”',
      'sent',
    ]);
  });

  it('unfold to their entries in place, with addresses and days', async () => {
    show([lease]);
    const card = page.getByRole('article', { name: /^Lease 2027/ });
    await expect.element(card).toBeVisible();
    expect(card.getByText('bo@example.org').elements()).toEqual([]);
    await card.getByRole('button', { name: 'Lease 2027' }).click();
    await expect
      .element(card.getByRole('button', { name: /Bo Lindqvist bo@example.org Waiting 3 days Sent/ }))
      .toBeVisible();
  });

  it('offer what to do next with each signer, without another screen', async () => {
    show([lease]);
    const card = page.getByRole('article', { name: /^Lease 2027/ });
    await card.getByRole('button', { name: 'Lease 2027' }).click();
    await card.getByRole('button', { name: 'Write a reminder…' }).click();
    await expect.element(page.getByRole('dialog', { name: 'Reminder to bo@example.org' })).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await expect.element(card.getByRole('button', { name: 'Sign as Bo Lindqvist' })).toBeVisible();
    // Ana Petrov has signed: there is only more to read.
    expect(card.getByRole('button', { name: /^(Write a reminder|Sign as)/ }).elements()).toHaveLength(2);
    await card.getByRole('button', { name: 'Details' }).first().click();
    await expect.element(page.getByRole('complementary', { name: 'Signature request' })).toBeVisible();
  });

  it('are read when the screen is opened and no list was ever read', async () => {
    peer.answer({ 'tracking.refresh': async () => null });
    show([]);
    peer.answer({ 'tracking.state': async () => stateWith({ asOf: null, total: 0 }, none) });
    await expect.poll(() => peer.asked('tracking.refresh')).toEqual([{ connectionId }]);
    peer.send('tracking.changed', stateWith({ asOf: null, total: 0 }, none));
    expect(peer.asked('tracking.refresh')).toHaveLength(1);
  });

  it('are in lists whose names follow the window to another language', async () => {
    show([lease]);
    const lists = page.getByRole('navigation', { name: 'Lists' });
    await expect.element(lists.getByRole('button', { name: 'Signed 2', exact: true })).toBeVisible();
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
    await expect.element(lists.getByRole('button', { name: 'Unterschrieben 2' })).toBeVisible();
  });

  it('are counted at the side as requests, and the lists of the service by their signers', async () => {
    show([lease]);
    const lists = page.getByRole('navigation', { name: 'Lists' });
    await expect.element(lists.getByRole('button', { name: 'Out for signature 2' })).toBeVisible();
    await expect.element(lists.getByRole('button', { name: 'All requests 1' })).toBeVisible();
    await expect.element(page.getByText(/^1 request ·/)).toBeVisible();
    await page.getByText('List', { exact: true }).click();
    await expect.element(page.getByText(/^2 signers/)).toBeVisible();
    await expect.element(lists.getByRole('button', { name: 'Out for signature 2' })).toBeVisible();
  });

  it('are one click away from the entries of a list, and stay requests in another list', async () => {
    show([lease]);
    await page.getByRole('button', { name: /^Out for signature/ }).click();
    await expect.element(page.getByRole('article', { name: /^Lease 2027/ })).toBeVisible();
    expect(peer.asked('tracking.groups').at(-1)).toMatchObject({ listType: 1 });
    await page.getByText('List', { exact: true }).click();
    await expect.element(page.getByRole('grid', { name: 'Signature requests' })).toBeVisible();
    await expect.element(page.getByRole('row', { name: /New.*Ana Petrov.*Seen signed/ })).toBeVisible();
    await expect.element(page.getByRole('row', { name: /Bo Lindqvist.*Waiting/ })).toBeVisible();
  });

  it('are not read while entries are shown', async () => {
    show([lease]);
    await page.getByText('List', { exact: true }).click();
    await expect.element(page.getByRole('row', { name: /Bo Lindqvist/ })).toBeVisible();
    const [before, entriesBefore] = [peer.asked('tracking.groups').length, peer.asked('tracking.entries').length];
    peer.send('tracking.changed', stateWith({ asOf: '2027-01-04T09:14:00.000Z' }));
    await expect.poll(() => peer.asked('tracking.entries').length).toBeGreaterThan(entriesBefore);
    expect(peer.asked('tracking.groups')).toHaveLength(before);
    await page.getByRole('radiogroup', { name: 'Show as' }).getByText('Requests').click();
    await expect.element(page.getByRole('article', { name: /^Lease 2027/ })).toBeVisible();
  });

  it('include those that no list shows, with since when', async () => {
    const gone = [
      { ...mei, state: 'signed', at: '2021-01-04T09:12:00.000Z' },
      { ...mei, name: 'Omar', email: 'omar@example.org', state: 'not-known', at: '2021-01-05T09:12:00.000Z' },
      { ...mei, name: 'Pia', email: 'pia@example.org', state: 'not-known' },
    ] as const;
    show([{ ...annex, origDocumentId: 'doc-2', state: 'not-known', signers: gone, signerCount: 3, signedCount: 1 }]);
    const card = page.getByRole('article', { name: 'Annex · 1 of 3 signed' });
    await expect.element(card.getByText('Not known', { exact: true })).toBeVisible();
    await expect.element(card.getByText(/^Seen signed Jan 4, 2021/)).toBeVisible();
    await expect.element(card.getByText(/^Not listed since Jan 5, 2021/)).toBeVisible();
    await expect.element(card.getByText('Not in the service’s lists')).toBeVisible();
    const at = '2027-01-04T09:14:00.000Z';
    const answer = { kind: 'text', group: 'in-progress', meaning: '' } as const;
    peer.answer({
      'tracking.askRequestStatus': async () => ({ raw: 'Processing', answer, since: at, askedAt: at }),
    });
    await card.getByRole('button', { name: 'Annex' }).click();
    await card.getByRole('button', { name: 'Check status' }).click();
    expect(peer.asked('tracking.askRequestStatus')).toEqual([{ connectionId, documentId: 'doc-2' }]);
    await expect.element(card.getByText('In progress')).toBeVisible();
  });

  it('that were refused say why, to be corrected; those on their way say so', async () => {
    const failure = { code: 'service-refused', serviceCode: '-142', note: '', retryable: false } as const;
    const job = { jobId: 'job', state: 'refused', failure, at: '2027-01-04T09:13:00.000Z' } as const;
    const queued = {
      ...annex,
      id: '3',
      documentName: 'Lease 2028',
      job: { ...job, state: 'queued', failure: null },
    } as const;
    show([{ ...annex, state: 'needs-you', job }, queued]);
    const card = page.getByRole('article', { name: /^Annex/ });
    await expect.element(card.getByText('Refused', { exact: true })).toBeVisible();
    await expect.element(card.getByRole('button', { name: 'Correct and send again' })).toBeVisible();
    await expect.element(page.getByRole('article', { name: /^Lease 2028/ }).getByText('Not sent yet')).toBeVisible();
  });

  it('are counted by state, each state one click away', async () => {
    show([lease]);
    const rail = page.getByRole('navigation', { name: 'Lists' });
    await rail.getByRole('button', { name: 'Partly signed 1' }).click();
    await expect.element(page.getByRole('heading', { name: 'Partly signed' })).toBeVisible();
    expect(peer.asked('tracking.groups').at(-1)).toMatchObject({ request: 'partly-signed', listType: null });
    await rail.getByRole('button', { name: 'From elsewhere 0' }).click();
    await expect.poll(() => peer.asked('tracking.groups').at(-1)).toMatchObject({ request: 'elsewhere' });
  });

  it('announce who signed', async () => {
    show([lease]);
    await expect.element(page.getByRole('article')).toBeVisible();
    const entries = [{ who: 'Ana Petrov', documentName: 'Lease 2027' }];
    peer.send('tracking.signed', { connectionId, count: 3, entries });
    await expect.element(page.getByText('Ana Petrov signed: Lease 2027. 2 more signatures')).toBeInTheDocument();
  });
});
