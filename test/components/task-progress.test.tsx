import { beforeEach, describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Bulk } from '../../contract/bulk.ts';
import type { Countdown } from '../../contract/jobs.ts';
import type { Task } from '../../contract/tasks.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { DownloadPart } from '../../renderer/features/files/download-part.tsx';
import { useBulkChanges } from '../../renderer/features/jobs/bulks.ts';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { RunningTasks } from '../../renderer/features/tasks/running-tasks.tsx';
import { TaskProgress } from '../../renderer/features/tasks/task-progress.tsx';
import { UndoStrip } from '../../renderer/features/undo.tsx';
import { BulkDownloads } from '../../renderer/screens/documents/bulk-downloads.tsx';
import { peer, Refusal } from './harness/core-peer.ts';
import { jobOf } from './harness/jobs.ts';
import { showPart, showScreen } from './harness/show.tsx';

const task = { taskId: 'task-1', startedAt: '2027-01-04T09:12:00.000Z', state: 'running', failure: null } as const;

function download(progress: Partial<Task<'download'>['progress']> = {}, more: Partial<Task> = {}): Task<'download'> {
  const begun = { documentId: '41', fileName: 'Lease.pdf', receivedBytes: 0, totalBytes: 3_400_000, sha256: null };
  return { ...task, kind: 'download', progress: { ...begun, ...progress }, ...more } as Task<'download'>;
}

function bulk(progress: Partial<Task<'bulk-download'>['progress']> = {}): Task<'bulk-download'> {
  const begun = { folderName: 'Leases', total: 5_000, doneCount: 0, failedCount: 0, waitsFor: null, away: null };
  return {
    ...task,
    taskId: 'task-2',
    kind: 'bulk-download',
    progress: { ...begun, running: [], saved: [], failed: [], ...progress },
  };
}

const bar = page.getByRole('progressbar');
const button = (name: string) => page.getByRole('button', { name });

describe('the progress of a task', () => {
  const draw = (shown: Task) => <TaskProgress task={shown} label="Fetching" stop="Stop" stopName="Stop: Lease.pdf" />;

  it('says how many bytes of how many have come, in words and by the bar', async () => {
    const shown = showPart(draw(download({ receivedBytes: 850_000 })));
    await expect.element(page.getByText('850 kB of 3.4 MB')).toBeVisible();
    await expect.element(page.getByRole('progressbar', { name: 'Fetching' })).toHaveAttribute('aria-valuenow', '25');
    shown.draw(draw(download({ receivedBytes: 1_700_000 })));
    await expect.element(page.getByText('1.7 MB of 3.4 MB')).toBeVisible();
    await expect.element(bar).toHaveAttribute('aria-valuenow', '50');
  });

  it('promises no share where the service does not say how much there is', async () => {
    showPart(draw(download({ receivedBytes: 1_700_000, totalBytes: null })));
    await expect.element(page.getByText('1.7 MB')).toBeVisible();
    await expect.element(bar).not.toHaveAttribute('aria-valuenow');
  });

  it('counts what failed as done, and groups large numbers', async () => {
    showPart(draw(bulk({ doneCount: 1_200, failedCount: 50 })));
    await expect.element(page.getByText('1,250 of 5,000 documents')).toBeVisible();
    await expect.element(bar).toHaveAttribute('aria-valuenow', '25');
  });

  it('says why it does not go on for now and when it is tried again, and is tried at once on demand', async () => {
    const waitsFor = { code: 'service-unreachable', note: '', retryable: true } as const;
    const away = { connectionId: 'office', nextTryAt: '2027-01-04T09:12:30.000Z' };
    peer.answer({ 'jobs.tryNow': async () => null });
    showPart(draw(bulk({ doneCount: 3, waitsFor, away })));
    await expect.element(page.getByText(/^3 of 5,000 documents · Waits: .*reach.* · Next try: /)).toBeVisible();
    await page.getByRole('button', { name: /^Try now/ }).click();
    await expect.poll(() => peer.asked('jobs.tryNow')).toEqual([{ connectionId: 'office' }]);
  });

  it('is stopped once by a button that names what it stops', async () => {
    let end: () => void = () => undefined;
    peer.answer({
      'tasks.stop': () =>
        new Promise<null>((resolve) => {
          end = () => resolve(null);
        }),
    });
    showPart(draw(download()));
    const stop = button('Stop: Lease.pdf');
    await expect.element(stop).toMatchTextContent(/^Stop$/);
    await stop.click();
    await expect.element(stop).toHaveAttribute('aria-disabled', 'true');
    (stop.element() as HTMLElement).click();
    end();
    await expect.element(stop).not.toHaveAttribute('aria-disabled');
    expect(peer.asked('tasks.stop')).toEqual([{ taskId: 'task-1' }]);
  });

  it('says that it could not be stopped, and lets somebody try again', async () => {
    peer.answer({
      'tasks.stop': async () => {
        throw new Refusal({ code: 'not-found' });
      },
    });
    showPart(draw(download()));
    await button('Stop: Lease.pdf').click();
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Not found/);
    peer.answer({ 'tasks.stop': async () => null });
    await button('Stop: Lease.pdf').click();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
    expect(peer.asked('tasks.stop')).toHaveLength(2);
  });
});

describe('a download from its start to its end', () => {
  const cancel = button('Cancel download');

  async function start() {
    peer.answer({ 'tasks.list': async () => [], 'documents.download': async () => download() });
    showScreen(
      <TasksProvider>
        <DownloadPart connectionId="practice" documentId="41" suggestedName="Lease.pdf" />
      </TasksProvider>,
    );
    await button('Download…').click();
    await expect.element(cancel).toBeVisible();
    await expect.element(button('Download…')).toBeDisabled();
  }

  it('moves by what the core tells, and is there as a file', async () => {
    await start();
    peer.send('tasks.progressed', download({ receivedBytes: 850_000 }));
    await expect.element(page.getByText('850 kB of 3.4 MB')).toBeVisible();
    peer.send('tasks.ended', download({ receivedBytes: 3_400_000, sha256: 'ab' }, { state: 'done' }));
    await expect.element(page.getByText('Saved as Lease.pdf').first()).toBeVisible();
    await expect.element(bar).not.toBeInTheDocument();
    await expect.element(button('Download…')).toBeEnabled();
    peer.answer({ 'documents.showDownload': async () => null });
    await button('Show in folder').click();
    await expect.poll(() => peer.asked('documents.showDownload')).toEqual([{ taskId: 'task-1' }]);
  });

  it('says that nothing was left behind where it was stopped', async () => {
    peer.answer({ 'tasks.stop': async () => null });
    await start();
    await cancel.click();
    await expect.poll(() => peer.asked('tasks.stop')).toEqual([{ taskId: 'task-1' }]);
    const cancelled = { code: 'cancelled', note: 'stopped', retryable: true } as const;
    peer.send('tasks.ended', download({ receivedBytes: 9 }, { state: 'stopped', failure: cancelled }));
    await expect.element(page.getByText('Download cancelled. No file was saved.')).toBeVisible();
    await expect.element(bar).not.toBeInTheDocument();
    expect(page.getByRole('alert').elements()).toEqual([]);
  });

  it('says why it failed and about which file, and can be started again', async () => {
    await start();
    const full = { code: 'storage-full', note: 'ENOSPC', retryable: false } as const;
    peer.send('tasks.ended', download({ receivedBytes: 9 }, { state: 'failed', failure: full }));
    await expect.element(page.getByRole('alert')).toMatchTextContent(/Lease\.pdf/);
    await expect.element(bar).not.toBeInTheDocument();
    await button('Download…').click();
    await expect.poll(() => peer.asked('documents.download').length).toBe(2);
  });
});

function Running() {
  useBulkChanges();
  return <RunningTasks />;
}

it('does not dismiss a stopped download into a folder by the second press of a double click on Stop, and puts back one that was dismissed', async () => {
  const stopped: Task = { ...bulk({ doneCount: 6 }), state: 'stopped' };
  peer.answer({
    'tasks.list': async () => [],
    'tasks.forget': async () => ({ removal: 'r1' }),
    'removals.putBack': async () => null,
  });
  showScreen(
    <TasksProvider>
      <BulkDownloads />
      <UndoStrip />
    </TasksProvider>,
  );
  await expect.poll(() => peer.asked('tasks.list')).toHaveLength(1);
  peer.send('tasks.started', bulk({ doneCount: 6 }));
  await expect.element(button('Stop')).toBeVisible();
  const found = new Promise<HTMLElement>((resolve) => {
    const look = () => document.evaluate("//button[.='Dismiss']", document).iterateNext() as HTMLElement | null;
    new MutationObserver((_changes, watch) => {
      const dismiss = look();
      if (dismiss) watch.disconnect();
      if (dismiss) resolve(dismiss);
    }).observe(document.body, { childList: true, subtree: true });
  });
  peer.send('tasks.ended', stopped);
  (await found).click();
  await expect.element(button('Resume')).toBeVisible();
  await new Promise((resolve) => setTimeout(resolve, 600));
  await button('Dismiss').click();
  await expect.poll(() => button('Resume').elements()).toEqual([]);
  await page.getByRole('button', { name: /^Undo: Removed: / }).click();
  await expect.element(button('Resume')).toBeVisible();
  expect(peer.asked('removals.putBack')).toEqual([{ removal: 'r1' }]);
});

it('offers another folder where its own is full, and says of each file that was changed meanwhile what became of it', async () => {
  const full = { code: 'storage-full', note: '', retryable: true } as const;
  const saved = [{ ...download().progress, fileName: 'Lease (2).pdf', changed: 'Lease.pdf' }];
  const elsewhere: Task = { ...bulk(), taskId: 'task-3' };
  peer.answer({
    'tasks.list': async () => [{ ...bulk({ doneCount: 1, saved }), state: 'failed', failure: full }],
    'tasks.forget': async () => ({ removal: 'r1' }),
    'documents.downloadAll': async () => elsewhere as Task<'bulk-download'>,
  });
  showScreen(
    <TasksProvider>
      <BulkDownloads />
    </TasksProvider>,
  );
  await expect.element(button('Resume')).toBeVisible();
  await expect
    .element(page.getByText('1 file was changed meanwhile: it stays, and its document was downloaded again beside it.'))
    .toBeVisible();
  await page.getByText('Files', { exact: false }).first().click();
  await expect.element(page.getByText('“Lease.pdf” was changed meanwhile and stays')).toBeVisible();
  await button('Another folder…').click();
  await expect.element(button('Stop')).toBeVisible();
  expect(peer.asked('documents.downloadAll')).toEqual([{ restOf: 'task-2' }]);
  await expect.poll(() => button('Resume').elements()).toEqual([]);
});

const sendingBulk: Bulk = {
  id: 'bulk-1',
  connectionId: 'practice',
  kind: 'easy-sign',
  fileName: 'leases.csv',
  state: 'sending',
  draftId: null,
  columns: [],
  rowCount: 9,
  failure: null,
  perMinute: 30,
  includeWarnings: false,
  batchId: 'batch-1',
  createdAt: '2027-01-04T09:12:00.000Z',
  updatedAt: '2027-01-04T09:12:00.000Z',
  counts: {
    ready: 5,
    withErrors: 0,
    withWarnings: 0,
    sentBefore: 0,
    queued: 4,
    waiting: 4,
    done: 0,
    refused: 0,
    failed: 0,
    cancelled: 0,
    inDoubt: 0,
    asking: 0,
    passedOver: 0,
    sentLastMinute: 0,
  },
};

describe('the list of what runs', () => {
  let shown: ReturnType<typeof showScreen>;
  beforeEach(async () => {
    peer.answer({
      'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
      'bulk.list': async () => [],
      // What runs already when the window is loaded anew.
      'tasks.list': async () => [download({ receivedBytes: 850_000 })],
    });
    shown = showScreen(
      <JobsProvider>
        <TasksProvider>
          <Running />
        </TasksProvider>
      </JobsProvider>,
    );
    await expect.element(button('1 running')).toBeVisible();
  });

  it('shows each with its own numbers and its own Stop, and leaves out what has ended', async () => {
    peer.send('tasks.started', bulk({ doneCount: 1_250 }));
    await button('2 running').click();
    const fetched = page.getByRole('progressbar', { name: 'Download: Lease.pdf' });
    const fetchedAll = page.getByRole('progressbar', { name: 'Downloads to folder: Leases' });
    await expect.element(fetched).toHaveAttribute('aria-valuenow', '25');
    await expect.element(fetchedAll).toHaveAttribute('aria-valuenow', '25');
    await expect.element(page.getByText('1,250 of 5,000 documents')).toBeVisible();
    peer.answer({ 'tasks.stop': async () => null });
    await button('Stop: Downloads to folder: Leases').click();
    await expect.poll(() => peer.asked('tasks.stop')).toEqual([{ taskId: 'task-2' }]);
    peer.send('tasks.ended', { ...bulk({ doneCount: 1_250 }), state: 'stopped' });
    await expect.element(fetchedAll).not.toBeInTheDocument();
    await expect.element(fetched).toBeVisible();
    peer.send('tasks.ended', download({ receivedBytes: 3_400_000 }, { state: 'done' }));
    await expect.element(page.getByText('Nothing is running.')).toBeVisible();
  });

  it('counts a bulk that is being sent, and does not call jobs that wait nothing', async () => {
    peer.send('tasks.ended', download({ receivedBytes: 3_400_000 }, { state: 'done' }));
    await expect.element(button('Nothing running')).toBeVisible();
    const { queue } = emptyJobsView;
    peer.send('jobs.changed', {
      ...queue,
      counts: { ...queue.counts, waiting: 4 },
      askingCount: 1,
      jobs: [],
      batches: [],
      isIncomplete: true,
    });
    await button('3 waiting').click();
    const all = page.getByRole('dialog').getByText('3 waiting · 1 needs your decision');
    await expect.element(all).toBeVisible();
    await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Cancel 3 waiting…' })).toBeVisible();
    expect(page.getByText('Nothing is running.').elements()).toEqual([]);
    peer.send('bulk.changed', sendingBulk);
    await expect.element(page.getByText('Bulk send: leases.csv')).toBeVisible();
    await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Open', exact: true })).toBeVisible();
  });

  it('counts a bulk on hold as waiting, and says in the list that it is', async () => {
    peer.send('tasks.ended', download({ receivedBytes: 3_400_000 }, { state: 'done' }));
    peer.send('bulk.changed', sendingBulk);
    await expect.element(button('1 running')).toBeVisible();
    const { queue } = emptyJobsView;
    const held = [{ connectionId: 'practice', doubtsInRow: 1, since: task.startedAt, openJobs: 4 }];
    const counts = { ...queue.counts, waiting: 4, 'in-doubt': 1 };
    peer.send('jobs.changed', { ...queue, counts, held, jobs: [], batches: [], isIncomplete: true });
    // Those of its rows that are not in the queue wait like the four that are.
    await button('9 waiting').click();
    const row = page.getByRole('dialog').getByRole('listitem').first();
    await expect.element(row).toMatchTextContent(/Bulk send: leases\.csv.*On hold · 0 of 9 requests sent/);
    await expect.element(page.getByText(/^Sending over .* is on hold: 9 waiting$/)).toBeVisible();
    // What has left already is not called back: until its answer the bulk is at work, here as on its own screen.
    const job = jobOf({
      id: 'job-1',
      batchId: 'batch-1',
      connectionId: 'practice',
      operation: 'AddNewEasySignDocument',
      title: 'Lease',
      sizeBytes: 9,
      state: 'sending',
      sentBytes: 9,
      totalBytes: 9,
      answerAwaitedSince: task.startedAt,
      createdAt: task.startedAt,
      at: task.startedAt,
    });
    peer.send('jobs.changed', { ...queue, counts, held, jobs: [job], batches: [], isIncomplete: true });
    await expect.element(row).toMatchTextContent(/Bulk send: leases\.csv.*Sending · 0 of 9 requests sent/);
  });

  it('does not call a bulk running of which nothing is sent before a person decides', async () => {
    peer.send('tasks.ended', download({ receivedBytes: 3_400_000 }, { state: 'done' }));
    peer.send('bulk.changed', sendingBulk);
    await expect.element(button('1 running')).toBeVisible();
    const { queue } = emptyJobsView;
    const stopped: Countdown = {
      batchId: 'batch-1',
      connectionId: 'practice',
      jobId: 'job-1',
      title: 'Lease',
      operation: 'AddNewEasySignDocument',
      count: 4,
      bulkId: 'bulk-1',
      leftMs: null,
      isStopped: true,
      isBesideDoubt: false,
    };
    const counts = { ...queue.counts, waiting: 4 };
    const changed = { ...queue, counts, countdowns: [stopped], countdownCount: 1 };
    peer.send('jobs.changed', { ...changed, jobs: [], batches: [], isIncomplete: true });
    await expect.element(button('Nothing running')).toBeVisible();
  });

  it('leaves the focus at the next row where one goes, also by a question, and at its heading after the last', async () => {
    peer.send('tasks.started', bulk({ doneCount: 1_250 }));
    const { queue } = emptyJobsView;
    const changed = (waiting: number) =>
      peer.send('jobs.changed', {
        ...queue,
        counts: { ...queue.counts, waiting },
        jobs: [],
        batches: [],
        isIncomplete: true,
      });
    changed(4);
    peer.answer({ 'tasks.stop': async () => null, 'jobs.cancelWaiting': async () => ({ count: 4 }) });
    await button('2 running').click();
    const list = page.getByRole('dialog', { name: 'Running now' });
    await list.getByRole('button', { name: 'Cancel 4 waiting…' }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Cancel 4/ })
      .click();
    changed(0);
    await expect.element(list.getByRole('button', { name: /^Cancel 4/ })).not.toBeInTheDocument();
    await expect.element(button('Stop: Download: Lease.pdf')).toHaveFocus();
    await button('Stop: Download: Lease.pdf').click();
    peer.send('tasks.ended', download({}, { state: 'stopped' }));
    await expect.element(button('Stop: Downloads to folder: Leases')).toHaveFocus();
    await button('Stop: Downloads to folder: Leases').click();
    peer.send('tasks.ended', { ...bulk(), state: 'stopped' });
    await expect.element(list.getByRole('heading')).toHaveFocus();
  });

  it('says that a bulk is paused, and how many of its requests were not sent', async () => {
    peer.send('tasks.ended', download({ receivedBytes: 3_400_000 }, { state: 'done' }));
    peer.send('bulk.changed', { ...sendingBulk, state: 'paused' });
    await button('Bulk send: 5 not sent').click();
    const row = page.getByRole('dialog').getByRole('listitem');
    await expect.element(row).toMatchTextContent(/Bulk send: leases\.csv.*Not (all sent|sent yet)/);
    await row.getByRole('button', { name: 'Open' }).click();
    expect(shown.gone).toEqual([{ screen: 'bulk', bulkId: 'bulk-1' }]);
  });
});
