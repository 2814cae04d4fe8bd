import { afterAll, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Task } from '../../contract/tasks.ts';
import type { TeamLink } from '../../contract/team.ts';
import type { TrackingState } from '../../contract/tracking.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { DocumentsScreen } from '../../renderer/screens/documents/documents-screen.tsx';
import { SignaturesScreen } from '../../renderer/screens/tracking/signatures-screen.tsx';
import { noPolicyState } from '../harness/no-policy.ts';
import { peer } from './harness/core-peer.ts';
import { connection, removeAll, showScreen } from './harness/show.tsx';
import { tags } from './harness/texts.ts';

const { id: connectionId } = connection;
const asOf = new Date().toISOString();

const state: TrackingState = {
  connectionId,
  lists: [
    {
      listType: 1,
      name: 'Out for signature',
      meaning: 'waiting',
      total: 219,
      nilEntries: 0,
      newCount: 1,
      movedCount: 0,
      asOf,
      readBy: null,
      isRefreshing: false,
      failure: null,
      nextAt: null,
    },
  ],
  budget: { perHour: 120, used: 0, freeAt: null, isAutomatic: true },
  dueCount: 0,
  unlistedChanges: 0,
  requests: {
    'needs-you': 2,
    'not-sent': 0,
    waiting: 219,
    'partly-signed': 40,
    complete: 0,
    'not-known': 0,
    elsewhere: 0,
  },
};

function refreshOf(part: Partial<Task<'status-refresh'>['progress']>, how: Task['state']): Task<'status-refresh'> {
  const progress = {
    connectionId,
    total: 300,
    askedCount: 121,
    answers: { 'in-progress': 12 },
    failedCount: 0,
  };
  return {
    taskId: 'r',
    kind: 'status-refresh',
    startedAt: asOf,
    state: how,
    failure: null,
    progress: { ...progress, ...part },
  };
}

/** Requests in every state, as many as an office has in a year. */
const filled: TrackingState = {
  ...state,
  requests: {
    'needs-you': 12,
    'not-sent': 3,
    waiting: 1219,
    'partly-signed': 140,
    complete: 2320,
    'not-known': 155,
    elsewhere: 14,
  },
};

function show(screen: 'documents' | 'signatures', language: string, tasks: readonly Task[] = [], tracked = state) {
  peer.answer({
    'views.state': async () => ({ views: [], layout: null }),
    'documents.list': async () => ({ rows: [], total: 300 }),
    'tasks.list': async () => tasks,
    'budget.state': async () => state.budget,
    'tracking.state': async () => tracked,
    'tracking.entries': async () => ({ entries: [], total: 261 }),
    'tracking.groups': async () => ({ groups: [], total: 261 }),
    'forms.list': async () => [],
    'bulk.list': async () => [],
    'tracking.board': async () => ({ words: [], notAsked: 0 }),
  });
  // Beside the list is the rail.
  const rail = innerWidth < 800 ? '3.5rem' : '13.5rem';
  showScreen(
    <TasksProvider>
      <div style={{ marginInlineStart: rail, blockSize: '30rem' }}>
        {screen === 'documents' ? (
          <DocumentsScreen open={null} openById={false} />
        ) : (
          <SignaturesScreen entryId={null} listType={null} changedOnly={false} />
        )}
      </div>
    </TasksProvider>,
    'desktop',
    noPolicyState,
    language,
  );
}

/** All that is said beside the title. */
const about = () => [...document.querySelectorAll<HTMLElement>('main header [role="status"]')];

/** On how many lines the title and what can be pressed above a list stand. */
function linesOfHead(): number {
  const lines: number[] = [];
  for (const control of document.querySelectorAll('main header :is(h1, button, input)')) {
    const { top, height } = control.getBoundingClientRect();
    if (height < 5 || !control.checkVisibility()) continue;
    const middle = top + height / 2;
    if (!lines.some((line) => Math.abs(line - middle) < 10)) lines.push(middle);
  }
  return lines.length;
}

describe.each([
  [720, 600],
  [1280, 800],
])('what stands above a list, at %i × %i', (width, height) => {
  const inEach = async (screen: 'documents' | 'signatures', tasks: readonly Task[] = [], tracked = state) => {
    await page.viewport(width, height);
    const counts: Record<string, number> = {};
    for (const language of tags) {
      show(screen, language, tasks, tracked);
      await expect.poll(() => document.querySelectorAll('main header button').length).toBeGreaterThan(4);
      if (tasks.length > 0) await expect.poll(() => document.body.innerText.replaceAll(/\D/g, '')).toContain('121');
      counts[language] = linesOfHead();
      await removeAll();
    }
    return counts;
  };
  const all = (lines: number) => Object.fromEntries(tags.map((tag) => [tag, lines]));
  afterAll(() => page.viewport(1280, 800));

  it('is one line of counts and one of tools below the title of the requests', async () => {
    expect(await inEach('signatures')).toEqual(all(3));
    expect(await inEach('signatures', [], filled)).toEqual(all(3));
  });

  it('is one line of tools below the title of the documents, also while their statuses are checked and afterwards', async () => {
    expect(await inEach('documents')).toEqual(all(2));
    expect(await inEach('documents', [refreshOf({}, 'running')])).toEqual(all(2));
    expect(await inEach('documents', [refreshOf({ failedCount: 3 }, 'stopped')])).toEqual(all(2));
  });
});

it('says on two lines at most how a check of statuses ended, and on one of its own why a list is old', async () => {
  const failure = { code: 'service-unreachable', note: '', retryable: true } as const;
  const old = { ...state, lists: state.lists.map((list) => ({ ...list, failure })) };
  const stopped = { ...refreshOf({ failedCount: 121 }, 'failed'), failure };
  for (const [width, height] of [
    [720, 600],
    [640, 400],
  ] as const) {
    await page.viewport(width, height);
    const most = height < 500 ? 140 : 190;
    for (const language of tags) {
      show('documents', language, [stopped]);
      await expect.poll(() => about().map(({ title }) => title.replaceAll(/\D/g, ''))).toEqual(['12130012121']);
      for (const part of about()) expect(part.getBoundingClientRect().height, language).toBeLessThan(45);
      await removeAll();
      show('signatures', language, [], old);
      await expect.poll(() => about().some((part) => part.querySelector('[aria-expanded]'))).toBe(true);
      for (const part of about()) expect(part.getBoundingClientRect().height, language).toBeLessThan(45);
      expect(document.querySelector('main header')?.getBoundingClientRect().height).toBeLessThan(most);
      await removeAll();
    }
  }
  await page.viewport(1280, 800);
});

it('is one line of tools above the documents of a team over one of several connections', async () => {
  const other = { ...connection, id: 'other', name: 'Practice' };
  const place = { host: 'db.example', port: 5432, database: 'sealdesk', user: 'ana', team: 'team', ca: '' };
  const link: TeamLink = {
    connectionId,
    settings: { ...place, person: 'Ana Petrov' },
    passwordKept: 'keychain',
    role: 'lead',
    state: 'connected',
    since: asOf,
    failure: null,
    unreportedCount: 0,
    callsFreeAt: null,
  };
  for (const language of tags) {
    show('documents', language);
    peer.answer({
      'team.state': async () => ({ links: [link] }),
      'connections.state': async () => ({
        connections: [connection, other],
        health: {},
        currentId: connectionId,
        offeredId: null,
      }),
    });
    await expect.poll(() => document.querySelectorAll('main header input[type="radio"]').length).toBe(2);
    expect(linesOfHead(), language).toBe(2);
    await removeAll();
  }
});

it('leaves the counts of nothing out in a small window, where they are filters', async () => {
  await page.viewport(720, 600);
  show('signatures', 'en');
  await expect.element(page.getByRole('radio', { name: 'Waiting 219' })).toBeVisible();
  const counts = page.getByRole('radio').elements();
  expect(counts.map((one) => one.textContent)).toEqual(['Needs you2', 'Waiting219', 'Partly signed40']);
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('button', { name: /By state/ }).click();
  await page.getByRole('option', { name: 'Complete' }).click();
  await expect.poll(() => peer.asked('tracking.groups').at(-1)?.request).toBe('complete');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('radio', { name: 'Complete 0' })).toBeChecked();
  await page.viewport(1280, 800);
  await expect.element(page.getByRole('radio', { name: 'Not known 0' })).toBeVisible();
});
