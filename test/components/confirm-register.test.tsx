import type { ComponentProps } from 'react';
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Duplicate, DuplicateCheckTask } from '../../contract/documents.ts';
import type { JobState } from '../../contract/jobs.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { ConfirmRegister } from '../../renderer/screens/register/register-form.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

const check: DuplicateCheckTask = {
  taskId: 'check-1',
  kind: 'duplicate-check',
  startedAt: '2027-01-04T09:12:00.000Z',
  state: 'done',
  failure: null,
  progress: { totalFiles: 2, readFiles: 2, totalBytes: 2, readBytes: 2, duplicateCount: 2 },
};
const intake = {
  id: 'intake-1',
  fileCount: 2,
  folderCount: 0,
  totalBytes: 2,
  skippedCount: 0,
  files: [],
  skipped: [],
};

/** The confirmation for two files that are both known here. */
function confirm(
  documentId: string | null,
  state: 'done' | 'running' = 'done',
  corrects: ComponentProps<typeof ConfirmRegister>['corrects'] = null,
  jobStates: readonly JobState[] = [],
) {
  const begun = { ...check, state };
  const known = (index: number): Duplicate => ({
    index,
    name: `Lease ${index}.pdf`,
    folder: '',
    sizeBytes: 1,
    sha256: String(index),
    sameAsIndex: null,
    of: {
      kind: 'job',
      documentId,
      jobId: `job-${index}`,
      title: `Lease ${index}`,
      at: check.startedAt,
      state: jobStates[index] ?? (documentId === null ? 'waiting' : 'done'),
    },
  });
  peer.answer({
    'tasks.list': async () => [],
    'tasks.stop': async () => null,
    'documents.checkDuplicates': async () => begun,
    'documents.duplicates': async () => ({
      check,
      duplicates: corrects === null ? [...(jobStates.length > 0 ? jobStates : ['', '']).keys()].map(known) : [],
    }),
  });
  return showScreen(
    <TasksProvider>
      <ConfirmRegister
        intake={intake}
        removed={new Set()}
        connection={connection}
        corrects={corrects}
        creditName="Documents"
        busy={false}
        onConfirm={() => undefined}
        onClose={() => undefined}
      />
    </TasksProvider>,
  );
}

const button = (name: string) => page.getByRole('button', { name, exact: true });

it('says that nothing is left where all files are known, and leads to what the service has', async () => {
  const { gone } = confirm('doc-9');
  await expect.element(page.getByRole('alertdialog', { name: 'Nothing left to register' })).toBeVisible();
  expect(page.getByRole('button', { name: /^Register/ }).elements()).toEqual([]);
  await button('Open existing document').click();
  expect(gone).toEqual([{ screen: 'documents', open: { connectionId: connection.id, documentId: 'doc-9' } }]);
});

it('leads to Activity where what is known has no answer yet', async () => {
  const { gone } = confirm(null);
  await button('Show in Activity').click();
  expect(gone).toEqual([{ screen: 'jobs' }]);
});

it('names what it would register as soon as the person wants one of them', async () => {
  confirm(null);
  await page.getByText('Send anyway').last().click();
  await expect.element(page.getByRole('alertdialog', { name: 'Register 1 document?' })).toBeVisible();
  await expect.element(button('Register 1 document')).toBeEnabled();
});

it('says no number before it is known how many are sent', async () => {
  confirm(null, 'running');
  await expect.element(page.getByRole('alertdialog', { name: 'Register documents' })).toBeVisible();
  await expect.element(button('Register')).toBeDisabled();
  expect(page.getByText(/Uses \d/).elements()).toEqual([]);
});

it('tells apart what is registered, what is only in doubt, and what is still to be sent', async () => {
  confirm('doc-9', 'done', null, ['done', 'in-doubt', 'in-doubt', 'waiting']);
  const said = [
    '1 file is already registered or selected twice',
    '2 files are in doubt: they may already be registered',
    '1 file is already waiting or being sent',
  ].join(' · ');
  await expect.element(page.getByText(said)).toBeVisible();
});

it.each([
  ['a doubt', { state: 'in-doubt' }],
  ['what corrected a doubt and was refused', { state: 'refused', isBesideDoubt: true }],
] as const)(
  'does not say of the correction of %s that it has no duplicates, and asks for a word before it sends',
  async (_what, corrected) => {
    confirm(null, 'done', { jobId: 'job-9', ...corrected });
    const dialog = page.getByRole('alertdialog', { name: 'Register 2 documents?' });
    await expect.element(dialog.getByText(/^The first may have arrived/)).toBeVisible();
    expect(dialog.getByText(/No duplicates/).elements()).toEqual([]);
    await expect.element(button('Register 2 documents')).toBeDisabled();
    await dialog.getByText('Send although it may already be sent').click();
    await expect.element(button('Register 2 documents')).toBeEnabled();
  },
);

it('says that nothing leaves the computer where practice is in use', async () => {
  confirm('doc-9');
  const dialog = page.getByRole('alertdialog');
  await expect.element(dialog.getByText('Practice: nothing leaves this computer')).toBeVisible();
});
