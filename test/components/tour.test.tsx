import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Job } from '../../contract/jobs.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { TourBar } from '../../renderer/screens/help/tour-bar.tsx';
import { peer } from './harness/core-peer.ts';
import { showScreen } from './harness/show.tsx';

const registered: Job = {
  id: 'job-1',
  batchId: 'batch-1',
  connectionId: 'practice',
  operation: 'AddNewDocument',
  title: 'Lease.pdf',
  sentTo: '',
  sizeBytes: 1,
  sha256: null,
  state: 'done',
  sentBytes: 1,
  totalBytes: 1,
  raw: null,
  answer: null,
  documentId: 'doc-1',
  failure: null,
  pausedBy: null,
  answerAwaitedSince: null,
  duplicateOf: null,
  look: null,
  createdAt: '2027-01-04T09:12:00.000Z',
  at: '2027-01-04T09:12:00.000Z',
};

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
