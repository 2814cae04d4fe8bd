import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Task } from '../../contract/tasks.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { useSignatureChanges } from '../../renderer/features/signature-queries.ts';
import { RefreshPart } from '../../renderer/features/tasks/refresh-part.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

type Refresh = Task<'status-refresh'>;

function refresh(taskId: string, askedCount: number, state: Refresh['state'] = 'running'): Refresh {
  const progress = {
    connectionId: connection.id,
    total: 5,
    askedCount,
    answers: { 'in-progress': askedCount - 1, completed: 1 },
    failedCount: 0,
  };
  return {
    taskId,
    kind: 'status-refresh',
    startedAt: `2027-01-04T09:12:0${taskId}.000Z`,
    state,
    failure: null,
    progress,
  };
}

function Changes() {
  useSignatureChanges();
  return null;
}

describe('the refresh of statuses', () => {
  const status = page.getByRole('status');
  const bar = page.getByRole('progressbar', { name: 'Check statuses' });

  beforeEach(async () => {
    peer.answer({
      'tasks.list': async () => [],
      'budget.state': async () => ({ perHour: 1_000, used: 0, freeAt: null, isAutomatic: true }),
    });
    showScreen(
      <TasksProvider>
        <Changes />
        <RefreshPart beside="all" connectionId={connection.id} />
        <p>Below</p>
      </TasksProvider>,
    );
    await expect.element(page.getByRole('button', { name: 'Check statuses' })).toBeVisible();
    // From here on events are listened to: what is sent before is lost.
    await expect.poll(() => peer.asked('tasks.list')).toHaveLength(1);
  });

  it('shows progress and result in the same live region, and moves nothing below it', async () => {
    const top = () => page.getByText('Below').element().getBoundingClientRect().top;
    const before = top();
    peer.send('tasks.started', refresh('1', 2));
    const words = page.getByText('2 of 5 checked · In progress 1 · Completed 1');
    await expect.element(words).toBeVisible();
    await expect.element(bar).toBeInTheDocument();
    const region = words.element();
    expect([region.getAttribute('role'), top()]).toEqual(['status', before]);
    peer.send('tasks.ended', refresh('1', 5, 'done'));
    await expect.element(page.getByText('5 checked · In progress 4 · Completed 1', { exact: true })).toBeVisible();
    await expect.element(bar).not.toBeInTheDocument();
    expect(page.getByText('5 checked · In progress 4 · Completed 1', { exact: true }).element()).toBe(region);
    expect(top()).toBe(before);
  });

  it('of all documents is not offered beside the number of some; one that goes on is shown', async () => {
    showScreen(
      <TasksProvider>
        <RefreshPart beside="some" connectionId={connection.id} />
      </TasksProvider>,
    );
    await expect.poll(() => peer.asked('tasks.list')).toHaveLength(2);
    peer.send('tasks.started', refresh('1', 2));
    await expect.poll(() => page.getByText('2 of 5 checked · In progress 1 · Completed 1').elements()).toHaveLength(2);
    expect(page.getByRole('button', { name: /^Check/ }).elements()).toHaveLength(1);
  });

  it('is resumed if it ended before its end', async () => {
    const resumed = { ...refresh('1', 2), startedAt: '2027-01-04T09:13:00.000Z' };
    peer.answer({ 'tasks.resume': async () => resumed });
    peer.send('tasks.ended', refresh('1', 2, 'stopped'));
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect.element(bar).toBeInTheDocument();
    expect(peer.asked('tasks.resume')).toEqual([{ taskId: '1' }]);
    peer.send('tasks.ended', refresh('1', 5, 'done'));
    await expect.element(bar).not.toBeInTheDocument();
    expect(page.getByRole('button', { name: 'Resume' }).elements()).toEqual([]);
  });

  it('does not show the result of an earlier refresh again when the last one is dismissed', async () => {
    peer.send('tasks.ended', refresh('1', 4, 'done'));
    peer.send('tasks.ended', refresh('2', 5, 'done'));
    await expect.element(page.getByText('5 checked · In progress 4 · Completed 1')).toBeVisible();
    peer.answer({ 'tasks.forget': async ({ taskId }) => ({ removal: taskId }) });
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect.element(page.getByText('5 checked · In progress 4 · Completed 1')).not.toBeInTheDocument();
    expect(status.getByText(/checked/).elements()).toEqual([]);
    expect(peer.asked('tasks.forget')).toEqual([{ taskId: '1' }, { taskId: '2' }]);
  });
});
