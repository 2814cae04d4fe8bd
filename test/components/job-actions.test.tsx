import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Job } from '../../contract/jobs.ts';
import { JobsProvider } from '../../renderer/features/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs-view.ts';
import { JobActions } from '../../renderer/screens/jobs/job-actions.tsx';
import { JobsScreen } from '../../renderer/screens/jobs/jobs-screen.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

const cancelled: Job = {
  ...{ id: 'lease', batchId: 'batch', connectionId: connection.id, operation: 'AddNewDocument', title: 'Lease.pdf' },
  ...{ sentTo: '', sizeBytes: 1, sha256: null, state: 'cancelled', sentBytes: 0, totalBytes: 1, raw: null },
  ...{ answer: null, documentId: null, failure: null, pausedBy: null, answerAwaitedSince: null, duplicateOf: null },
  ...{ look: null, createdAt: '2027-01-04T09:00:00.000Z', at: '2027-01-04T09:00:00.000Z' },
};

describe('the actions of a job', () => {
  it('do not dismiss it by the second press of a double click on Cancel', async () => {
    peer.answer({
      'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
      'jobs.dismiss': async () => null,
    });
    const dismiss = () => document.querySelector<HTMLElement>('button[aria-label="Dismiss"]');
    const early: HTMLElement[] = [];
    const watch = new MutationObserver(() => {
      const button = dismiss();
      if (!button || early.length > 0) return;
      early.push(button);
      button.click();
    });
    watch.observe(document.body, { childList: true, subtree: true });
    showScreen(
      <JobsProvider>
        <JobActions job={cancelled} isInBatch={false} />
      </JobsProvider>,
    );
    await expect.poll(() => early).toHaveLength(1);
    watch.disconnect();
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(peer.asked('jobs.dismiss')).toEqual([]);
    dismiss()?.click();
    await expect.poll(() => peer.asked('jobs.dismiss')).toEqual([{ jobIds: ['lease'] }]);
  });
});

describe('an empty list of jobs', () => {
  it.each([
    [false, 'Nothing has been sent yet'],
    [true, 'Nothing left in this list'],
  ])('tells what was dismissed from what was never sent (%s)', async (allDismissed, heading) => {
    peer.answer({
      'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
      'jobs.batches': async () => ({ batches: [], total: 0, allDismissed }),
    });
    showScreen(
      <JobsProvider>
        <JobsScreen batchId={null} />
      </JobsProvider>,
    );
    await expect.element(page.getByRole('heading', { name: heading })).toBeVisible();
  });
});
