import { afterAll, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Bulk } from '../../contract/bulk.ts';
import type { TrackingState } from '../../contract/tracking.ts';
import { StatusBar } from '../../renderer/app/status-bar.tsx';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { useSignatureChanges } from '../../renderer/features/signature-queries.ts';
import { useTeamChanges } from '../../renderer/features/team/team.ts';
import { peer } from './harness/core-peer.ts';
import { connection, removeAll, showScreen } from './harness/show.tsx';
import { teamLink } from './harness/team.ts';
import { tags, textsIn } from './harness/texts.ts';

const at = new Date().toISOString();
const failure = { code: 'service-unreachable', note: '', retryable: true } as const;
const budget = { perHour: 120, used: 120, freeAt: at, isAutomatic: true };
/** All that can be said at once. */
const tracking = {
  connectionId: connection.id,
  budget,
  dueCount: 0,
  unlistedChanges: 0,
  requests: {} as TrackingState['requests'],
  lists: [
    { listType: 1, name: 'Out for signature', meaning: 'waiting', asOf: at, failure } as TrackingState['lists'][0],
  ],
};
const office = { ...connection, kind: 'service', name: 'Chambers at the old harbour' } as const;
const jobs = {
  ...emptyJobsView.queue,
  jobs: [],
  batches: [],
  isIncomplete: false,
  isPaused: true,
  held: [{ connectionId: office.id, openJobs: 12, doubtsInRow: 3, since: at }],
};

/** The button says it, in more words than it has room for. */
const paused = {
  id: 'bulk',
  connectionId: office.id,
  kind: 'easy-sign',
  fileName: 'leases.csv',
  state: 'paused',
  includeWarnings: false,
  counts: { ready: 41_234 },
} as unknown as Bulk;

async function show(language: string) {
  peer.answer({
    'budget.state': async () => budget,
    'tracking.state': async () => tracking,
    'tasks.list': async () => [],
    'bulk.list': async () => [paused],
    'jobs.list': async () => ({ ...jobs, total: 0 }),
  });
  function Changes() {
    useSignatureChanges();
    useTeamChanges();
    return <StatusBar />;
  }
  const before = peer.asked('budget.state').length;
  showScreen(
    <TasksProvider>
      <JobsProvider>
        <Changes />
      </JobsProvider>
    </TasksProvider>,
    'desktop',
    undefined,
    language,
  );
  await expect.poll(() => peer.asked('budget.state').length).toBeGreaterThan(before);
  const health = { [office.id]: { state: 'faulty', at, faultStep: 'credentials' } as const };
  peer.send('connections.changed', { connections: [office], health, currentId: office.id, offeredId: null });
  peer.send('team.changed', { links: [{ ...teamLink, connectionId: office.id, state: 'away', callsFreeAt: at }] });
  peer.send('jobs.changed', jobs);
  const last = page.getByText(textsIn(language).t('connections.step.credentials'), { exact: false });
  await expect.element(last).toBeInTheDocument();
  await expect.poll(() => document.querySelector('footer')?.innerText).toContain('120');
  await expect.poll(() => document.querySelector('footer button')?.textContent).toMatch(/[1١]/);
}

/** On how many lines the bar says something. */
function lines(): number {
  const middles = [...document.querySelectorAll('footer span, footer button')].map((part) => {
    const { top, height } = part.getBoundingClientRect();
    return top + height / 2;
  });
  return middles.sort((a, b) => a - b).filter((middle, at, all) => middle - (all[at - 1] ?? 0) > 8).length;
}

/** Parts that stand over each other. */
function covered(): string[] {
  const parts = [...document.querySelectorAll('footer span[title], footer button')];
  const isOver = (one: DOMRect, other: DOMRect) =>
    one.left < other.right - 1 &&
    other.left < one.right - 1 &&
    one.top < other.bottom - 4 &&
    other.top < one.bottom - 4;
  return parts.flatMap((part, at) =>
    parts.slice(at + 1).some((other) => isOver(part.getBoundingClientRect(), other.getBoundingClientRect()))
      ? (part.textContent ?? '')
      : [],
  );
}

afterAll(() => page.viewport(1280, 800));

it.each([
  [720, 600, 1],
  [640, 400, 2],
  [360, 300, 2],
])('says all that there is on the lines that a window of %i × %i has for it', async (width, height, most) => {
  await page.viewport(width, height);
  for (const language of tags) {
    await show(language);
    const said = [...document.querySelectorAll<HTMLElement>('footer span[title]')];
    expect(said.length, language).toBe(6);
    // What is cut is said whole in its tooltip.
    for (const part of said) expect(part.title.split('\n')[0]).toBe(part.textContent);
    expect(lines(), language).toBeLessThanOrEqual(most);
    expect(covered(), language).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    await removeAll();
  }
});
