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
      {useReportParts('run-1').lines}
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
