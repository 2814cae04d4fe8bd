import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { TourBar } from '../../renderer/screens/help/tour-bar.tsx';
import { peer } from './harness/core-peer.ts';
import { jobOf } from './harness/jobs.ts';
import { showScreen } from './harness/show.tsx';

const registered = jobOf({ connectionId: 'practice', state: 'done', sentBytes: 1, documentId: 'doc-1' });

it('passes over a step that was done before its turn', async () => {
  peer.answer({
    'tasks.list': async () => [],
    'files.samples': async () => [{ token: 'token-1', source: 'lease', name: 'Lease.pdf', isFolder: false }],
  });
  showScreen(
    <TasksProvider>
      <TourBar screen="start" onClose={() => undefined} />
    </TasksProvider>,
  );
  await expect.element(page.getByText('Step 1 of 3')).toBeVisible();
  // A document that waited since before the tour.
  peer.send('jobs.changed', { ...emptyJobsView.queue, jobs: [registered], batches: [], isIncomplete: false });
  await page.getByRole('button', { name: /sample/i }).click();
  await expect.element(page.getByText('Step 3 of 3')).toBeVisible();
});
