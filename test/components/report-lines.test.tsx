import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Task } from '../../contract/tasks.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { useReportParts } from '../../renderer/screens/verify/report-part.tsx';
import { peer } from './harness/core-peer.ts';
import { showScreen } from './harness/show.tsx';

const report: Task<'report'> = {
  taskId: 'report-1',
  kind: 'report',
  startedAt: '2027-01-04T09:12:00.000Z',
  state: 'running',
  failure: null,
  progress: { runId: 'run-1', format: 'pdf', fileName: 'report.pdf', writtenFiles: 20, totalFiles: 40 },
};

function Lines() {
  return (
    <>
      {useReportParts('run-1', '2027-01-04T09:00:00.000Z').lines}
      <p>Below</p>
    </>
  );
}

it('a report that is written moves nothing below it', async () => {
  peer.answer({ 'tasks.list': async () => [report] });
  showScreen(
    <TasksProvider>
      <Lines />
    </TasksProvider>,
  );
  await expect.element(page.getByText('Saving report.pdf: 20 of 40 files')).toBeVisible();
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50');
  const top = () => page.getByText('Below').element().getBoundingClientRect().top;
  const before = top();
  peer.send('tasks.ended', { ...report, state: 'done' });
  await expect.element(page.getByRole('progressbar')).not.toBeInTheDocument();
  await expect.element(page.getByText(/report\.pdf/)).toBeVisible();
  expect(top()).toBe(before);
});

it('only the last saved report has a line, and none that was saved before the run had its result', async () => {
  const saved = (taskId: string, hour: string, fileName: string): Task<'report'> => ({
    ...report,
    taskId,
    state: 'done',
    startedAt: `2027-01-04T${hour}:00.000Z`,
    progress: { ...report.progress, fileName },
  });
  const tasks = [saved('report-2', '09:10', 'second.pdf'), saved('report-3', '09:11', 'third.csv')];
  peer.answer({ 'tasks.list': async () => tasks, 'tasks.forget': async ({ taskId }) => ({ removal: taskId }) });
  showScreen(
    <TasksProvider>
      <Lines />
    </TasksProvider>,
  );
  await expect.element(page.getByText('Saved as third.csv')).toBeVisible();
  expect(page.getByText(/^Saved as/).elements()).toHaveLength(1);
  await page.getByRole('button', { name: 'Close this message' }).click();
  await expect.poll(() => page.getByText(/^Saved as/).elements()).toHaveLength(0);
  const old = saved('report-4', '08:50', 'stopped.pdf');
  peer.send('tasks.started', { ...old, state: 'running' });
  await expect.element(page.getByText(/^Saving stopped\.pdf/)).toBeVisible();
  peer.send('tasks.ended', old);
  await expect.element(page.getByText(/stopped\.pdf/)).not.toBeInTheDocument();
});
