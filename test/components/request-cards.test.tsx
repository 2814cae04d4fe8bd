import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { TrackedEntry, TrackedGroup, TrackingState, UnlistedRequest } from '../../contract/tracking.ts';
import { useSignatureAnnouncements } from '../../renderer/app/signature-announcements.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { useSignatureChanges } from '../../renderer/features/signature-queries.ts';
import { SignaturesScreen } from '../../renderer/screens/tracking/signatures-screen.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

const connectionId = connection.id;
const lists = [
  [1, 'Out for signature'],
  [2, 'Signed'],
] as const;

function stateWith(part: Partial<TrackingState['lists'][number]> = {}): TrackingState {
  return {
    connectionId,
    lists: lists.map(([listType, name]) => ({
      ...{ listType, name, total: 1, nilEntries: 0, newCount: 0, movedCount: 0, asOf: '2027-01-04T09:12:00.000Z' },
      ...{ isRefreshing: false, failure: null, nextAt: null },
      ...part,
    })),
    budget: { perHour: 120, used: 0, freeAt: null, isAutomatic: true },
    dueCount: 0,
  };
}

function entry(id: string, name: string, state: TrackedEntry['state'], more: Partial<TrackedEntry> = {}): TrackedEntry {
  return {
    ...{ id, connectionId, name, email: `${id}@example.org`, state, hasSigned: state === 'signed', mark: null },
    ...{ listType: state === 'signed' ? 2 : 1, movedFrom: null, status: null, due: null, secretWordLost: false },
    ...{ documentName: 'Lease 2027', documentId: 'doc', origDocumentId: 'doc', hasSecretWord: false },
    ...{ createdAt: '2027-01-04T09:00:00.000Z', createdDate: null, firstSeenAt: '2027-01-04T09:12:00.000Z' },
    ...more,
  };
}

const ana = entry('ana', 'Ana Petrov', 'signed', { mark: 'moved', movedFrom: 1 });
const bo = entry('bo', 'Bo Lindqvist', 'waiting');
const lease: TrackedGroup = {
  ...{ origDocumentId: 'doc', documentName: 'Lease 2027', entryCount: 2, signedCount: 1, changedCount: 1 },
  ...{ newestAt: '2027-01-04T09:00:00.000Z', lists: [], people: [ana, bo] },
};
const sent: UnlistedRequest = {
  ...{ jobId: 'job', documentName: 'Annex', state: 'sent', at: '2027-01-04T09:13:00.000Z' },
  people: [{ name: 'Mei Tanaka', email: 'mei@example.org' }],
};

function Screen() {
  useSignatureChanges();
  useSignatureAnnouncements();
  return <SignaturesScreen entryId={null} listType={null} changedOnly={false} />;
}

function show(groups: readonly TrackedGroup[], unlisted: readonly UnlistedRequest[], entries = [ana, bo]) {
  peer.answer({
    'tracking.state': async () => stateWith(),
    'tracking.entries': async () => ({ entries, total: groups.length * 2, asOf: null }),
    'tracking.groups': async () => ({ groups, total: groups.length }),
    'tracking.unlisted': async () => ({ requests: unlisted, total: unlisted.length }),
    'tracking.entry': async ({ entryId }) => ({ entry: entryId === 'bo' ? bo : ana, history: [] }),
    'views.state': async () => ({ views: [], layout: null }),
    'views.keepLayout': async () => null,
    'answers.table': async () => ({ statuses: [], verdicts: [], codes: [], unsorted: { statuses: [], verdicts: [] } }),
    'tasks.list': async () => [],
  });
  showScreen(
    <TasksProvider>
      <Screen />
    </TasksProvider>,
  );
}

describe('the requests', () => {
  it('say how many signed, and the state of each person, without a status that was not asked', async () => {
    show([lease], []);
    const card = page.getByRole('article', { name: 'Lease 2027 · 1 of 2 signed' });
    await expect.element(card.getByRole('button', { name: 'Ana Petrov Signed' })).toBeVisible();
    await expect.element(card.getByRole('button', { name: /^Bo Lindqvist Waiting/ })).toBeVisible();
    await expect.element(card.getByText('Ana Petrov signed', { exact: true })).toBeVisible();
    expect(page.getByText(/Not asked|Not checked/).elements()).toEqual([]);
  });

  it('offer a reminder and signing for somebody who waits, and neither for somebody who signed', async () => {
    show([lease], []);
    const panel = page.getByRole('complementary', { name: 'Signature request' });
    await page.getByRole('button', { name: /^Bo Lindqvist/ }).click();
    await expect.element(panel.getByRole('button', { name: 'Write a reminder…' })).toBeVisible();
    await expect.element(panel.getByRole('button', { name: 'Sign as Bo Lindqvist' })).toBeVisible();
    await page.getByRole('button', { name: /^Ana Petrov/ }).click();
    await expect.element(panel.getByText('Ana Petrov signed', { exact: true })).toBeVisible();
    expect(panel.getByRole('button', { name: /^(Write a reminder|Sign as)/ }).elements()).toEqual([]);
  });

  it('tell the newest of an entry first', async () => {
    show([lease], []);
    const answer = { kind: 'text', group: 'in-progress', meaning: '' } as const;
    const history = [
      { raw: 'Processing', answer, since: '2027-01-04T09:10:00.000Z', askedAt: '2027-01-04T09:10:00.000Z' },
      { raw: 'Completed', answer, since: '2027-01-04T09:20:00.000Z', askedAt: '2027-01-04T09:20:00.000Z' },
    ];
    peer.answer({ 'tracking.entry': async () => ({ entry: ana, history }) });
    await page.getByRole('button', { name: /^Ana Petrov/ }).click();
    const steps = page.getByRole('list', { name: 'History' });
    await expect.element(steps).toBeVisible();
    const texts = [...steps.element().children].map((step) => step.textContent?.replace(/^.* · /, ''));
    expect(texts).toEqual(['status “Completed”', 'Ana Petrov signed', 'status “Processing”', 'sent']);
  });

  it('are one click away from the entries of a list', async () => {
    show([lease], []);
    await page.getByRole('button', { name: /^Out for signature/ }).click();
    await expect.element(page.getByRole('grid', { name: 'Signature requests' })).toBeVisible();
    await expect.element(page.getByRole('row', { name: /Ana Petrov signed.*Signed/ })).toBeVisible();
    await expect.element(page.getByRole('row', { name: /Bo Lindqvist.*Waiting/ })).toBeVisible();
  });

  it('include those that the service does not list yet, until a list has them', async () => {
    show([], [sent]);
    const part = page.getByRole('region', { name: 'Just sent' });
    await expect.element(part.getByText('Annex')).toBeVisible();
    await expect.element(part.getByText('Mei Tanaka')).toBeVisible();
    await expect.element(part.getByText(/^Sent /)).toBeVisible();
    expect(page.getByText('Nothing in this list').elements()).toEqual([]);
    peer.answer({ 'tracking.unlisted': async () => ({ requests: [], total: 0 }) });
    peer.send('tracking.changed', stateWith({ asOf: '2027-01-04T09:14:00.000Z' }));
    await expect.element(part).not.toBeInTheDocument();
  });

  it('announce who signed', async () => {
    show([lease], []);
    await expect.element(page.getByRole('article')).toBeVisible();
    const entries = [{ who: 'Ana Petrov', documentName: 'Lease 2027' }];
    peer.send('tracking.signed', { connectionId, count: 3, entries });
    await expect.element(page.getByText('Ana Petrov signed: Lease 2027. 2 more signatures')).toBeInTheDocument();
  });
});
