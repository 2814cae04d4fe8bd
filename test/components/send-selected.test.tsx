import { useEffect } from 'react';
import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { AgainPreview, Job } from '../../contract/jobs.ts';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { DuplicateActions } from '../../renderer/features/jobs/repeats.tsx';
import { JobsBar, useJobSelection } from '../../renderer/screens/jobs/selection-bar.tsx';
import { peer } from './harness/core-peer.ts';
import { jobOf } from './harness/jobs.ts';
import { connection, showScreen } from './harness/show.tsx';

const job = (id: string, operation: Job['operation'], connectionId = connection.id): Job =>
  jobOf({
    id,
    batchId: `batch of ${id}`,
    connectionId,
    operation,
    title: id,
    sizeBytes: 0,
    totalBytes: 0,
    state: 'refused',
  });

const preview: AgainPreview = {
  credits: 0,
  requests: 1,
  notes: 0,
  peopleCount: 2,
  prepaidCount: 0,
  idChecks: 0,
  people: [
    { name: 'Ana Petrov', email: 'ana.petrov@example.org' },
    { name: 'Bo Lindqvist', email: 'bo@lindqvist.example' },
  ],
};

/** The bar of a screen on which these jobs were ticked. */
function Bar(props: { readonly jobs: readonly Job[] }) {
  const { jobs } = props;
  const selection = useJobSelection();
  const { select } = selection;
  useEffect(() => {
    for (const one of jobs) select(one, true);
  }, [jobs, select]);
  return <JobsBar selection={selection} />;
}

function show(jobs: readonly Job[]) {
  peer.answer({
    'jobs.previewAgain': async () => preview,
    'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
    'jobs.sendAgain': async () => ({ count: 1, asking: 0, skipped: 0 }),
  });
  showScreen(
    <JobsProvider>
      <Bar jobs={jobs} />
    </JobsProvider>,
  );
}

describe('sending a selection again', () => {
  it('says what it uses and whom it mails before anything is sent', async () => {
    show([job('lease', 'AddNewEasySignDocument')]);
    await page.getByRole('button', { name: 'Send 1 again…' }).click();
    const question = page.getByRole('alertdialog', { name: 'Send 1 request again?' });
    await expect.element(question.getByText('Uses 1 signature request', { exact: true })).toBeVisible();
    await expect.element(question.getByText('E-mails Ana Petrov and Bo Lindqvist')).toBeVisible();
    expect(peer.asked('jobs.sendAgain')).toEqual([]);
    await question.getByRole('button', { name: 'Send 1 again' }).click();
    await expect.poll(() => peer.asked('jobs.sendAgain')).toEqual([{ jobId: 'lease' }]);
  });

  it('asks for each kind and each connection by itself', async () => {
    show([
      job('lease', 'AddNewEasySignDocument'),
      job('annex', 'AddNewDocumentESign'),
      job('minutes', 'AddNewDocument'),
      job('other', 'AddNewDocument', 'removed-connection'),
    ]);
    const again = page.getByRole('button', { name: /again/ });
    await expect.element(again.first()).toBeVisible();
    expect(again.elements().map((button) => button.textContent)).toEqual([
      `Send 2 requests again (${connection.name})…`,
      `Send 1 document again (${connection.name})…`,
      'Send 1 document again (Connection removed)…',
    ]);
    await page.getByRole('button', { name: /^Send 2 requests/ }).click();
    await page.getByRole('button', { name: 'Send 2 again' }).click();
    await expect.poll(() => peer.asked('jobs.sendAgain').map(({ jobId }) => jobId)).toEqual(['lease', 'annex']);
    expect(peer.asked('jobs.previewAgain')).toEqual([{ jobIds: ['lease', 'annex'] }]);
  });
});

describe('a selection of jobs', () => {
  const sum = { ...emptyJobsView.queue, batches: [], isIncomplete: false };

  it('says how many left it by a change of theirs, also when none is left', async () => {
    const [lease, annex] = [job('lease', 'AddNewDocument'), job('annex', 'AddNewDocument')];
    show([lease, annex]);
    const bar = page.getByRole('region', { name: 'Selection' });
    await expect.element(bar.getByText('2 selected', { exact: true })).toBeVisible();
    peer.send('jobs.changed', { ...sum, jobs: [{ ...lease, state: 'waiting' }] });
    await expect.element(bar.getByText('1 selected · 1 no longer selected: their state changed')).toBeVisible();
    peer.send('jobs.changed', { ...sum, jobs: [{ ...annex, state: 'waiting' }] });
    await expect.element(bar.getByText('0 selected · 2 no longer selected: their state changed')).toBeVisible();
    await bar.getByRole('button', { name: 'Clear selection' }).click();
    await expect.poll(() => bar.elements()).toEqual([]);
  });

  it('does not say so of what the person sent again or cancelled', async () => {
    const [lease, annex] = [
      job('lease', 'AddNewDocument'),
      { ...job('annex', 'AddNewDocument'), state: 'waiting' },
    ] as const;
    show([lease, annex]);
    peer.answer({
      'jobs.sendAgain': async () => {
        peer.send('jobs.changed', { ...sum, jobs: [{ ...lease, state: 'waiting' }] });
        return { count: 1, asking: 0, skipped: 0 };
      },
      'jobs.cancel': async () => {
        peer.send('jobs.changed', { ...sum, jobs: [{ ...annex, state: 'cancelled' }] });
        return null;
      },
    });
    await page.getByRole('button', { name: /^Send 1 .*again…$/ }).click();
    await page.getByRole('button', { name: 'Send 1 again' }).click();
    await expect.poll(() => page.getByRole('alertdialog').elements()).toEqual([]);
    const bar = page.getByRole('region', { name: 'Selection' });
    await expect.element(bar.getByText('1 selected', { exact: true })).toBeVisible();
    await bar.getByRole('button', { name: 'Cancel 1' }).click();
    await expect.poll(() => bar.elements()).toEqual([]);
  });
});

describe('a request that was sent before', () => {
  it('cannot be sent again until it is known whom that mails', async () => {
    let tell: (known: AgainPreview) => void = () => undefined;
    peer.answer({
      'jobs.previewAgain': () => new Promise((done) => (tell = done)),
      'jobs.decide': async () => null,
    });
    showScreen(<DuplicateActions job={{ ...job('lease', 'AddNewEasySignDocument'), pausedBy: 'duplicate' }} />);
    await page.getByRole('button', { name: 'Send anyway…' }).click();
    const send = page.getByRole('alertdialog').getByRole('button', { name: 'Send anyway' });
    await expect.element(send).toBeDisabled();
    await expect.poll(() => peer.asked('jobs.previewAgain')).toEqual([{ jobIds: ['lease'] }]);
    tell(preview);
    await expect.element(page.getByText('E-mails Ana Petrov and Bo Lindqvist')).toBeVisible();
    await send.click();
    await expect.poll(() => peer.asked('jobs.decide')).toEqual([{ jobIds: ['lease'], decision: 'send' }]);
  });
});
