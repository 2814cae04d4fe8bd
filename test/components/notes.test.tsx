import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { SentNote, UnsentNote } from '../../contract/service.ts';
import { JobsProvider } from '../../renderer/features/jobs/jobs.tsx';
import { emptyJobsView } from '../../renderer/features/jobs/jobs-view.ts';
import { NotesScreen } from '../../renderer/screens/notes/notes-screen.tsx';
import { peer } from './harness/core-peer.ts';
import { jobOf } from './harness/jobs.ts';
import { connection, showScreen } from './harness/show.tsx';

const ofConnection = { connectionId: connection.id };

function show(unsent: UnsentNote | null, notes: readonly SentNote[] = []) {
  peer.answer({
    'notes.list': async () => ({ notes, total: notes.length }),
    'notes.unsent': async () => unsent,
    'notes.keepUnsent': async () => null,
    'service.addQuickNote': async () => ({ batchId: 'b', jobId: 'j' }),
    'jobs.list': async () => ({ ...emptyJobsView.queue, jobs: [], total: 0 }),
    'jobs.read': async () => [],
  });
  return showScreen(
    <JobsProvider>
      <NotesScreen corrects={null} />
    </JobsProvider>,
  );
}

it('keeps what is being written, and forgets what was sent', async () => {
  show({ message: 'Call ba', description: '' });
  const message = page.getByRole('textbox').first();
  await expect.element(message).toHaveValue('Call ba');
  expect(peer.asked('notes.keepUnsent')).toEqual([]);
  await message.fill('Call back');
  await expect
    .poll(() => peer.asked('notes.keepUnsent'))
    .toEqual([{ ...ofConnection, message: 'Call back', description: '' }]);
  await page.getByRole('button', { name: 'Send note…' }).click();
  await page.getByRole('button', { name: 'Send note', exact: true }).click();
  await expect.poll(() => peer.asked('service.addQuickNote')).toHaveLength(1);
  await expect.element(message).toHaveValue('');
  await expect
    .poll(() => peer.asked('notes.keepUnsent').at(-1))
    .toEqual({ ...ofConnection, message: '', description: '' });
});

it('keeps what somebody types without a pause', async () => {
  show(null);
  const message = page.getByRole('textbox').first();
  await expect.element(message).toBeEnabled();
  const until = performance.now() + 1_400;
  for (let text = 'a'; performance.now() < until; text += 'a') {
    await message.fill(text);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect(peer.asked('notes.keepUnsent').length).toBeGreaterThan(0);
});

it('has one form, that of the connection in use', async () => {
  show(null);
  const other = { ...connection, id: 'branch', name: 'Branch' };
  for (const { id, name } of [connection, other, connection, other]) {
    peer.send('connections.changed', { connections: [connection, other], health: {}, currentId: id, offeredId: null });
    await expect.element(page.getByText(`Connection: ${name}`)).toBeVisible();
  }
  expect(page.getByRole('button', { name: 'Send note…' }).elements()).toHaveLength(1);
});

const times = { createdAt: '2026-11-22T09:00:00Z', at: '2026-11-22T09:00:01Z' };
const sent = {
  ...ofConnection,
  ...times,
  failure: null,
  pausedBy: null,
  isByWord: false,
  canCorrect: false,
  description: '',
  state: 'done',
} as const;

it('shows the answer to the chosen note in place of the form, which keeps what was written', async () => {
  peer.answer({ 'views.state': async () => ({ views: [], layout: null }) });
  show(null, [
    { ...sent, jobId: 'j1', message: 'Keys handed over', raw: 'OK', answer: null },
    { ...sent, jobId: 'j2', message: 'Ask for the annex', raw: 'NOTED', answer: null },
  ]);
  await page.getByRole('textbox').first().fill('Call ba');
  await page.getByRole('row', { name: /^Sent Ask for the annex/ }).click();
  await expect.element(page.getByRole('complementary').getByText('“NOTED”')).toBeVisible();
  expect(page.getByRole('textbox').elements()).toEqual([]);
  await page.getByRole('button', { name: 'New note' }).click();
  await expect.element(page.getByRole('textbox').first()).toHaveValue('Call ba');
  await expect.element(page.getByRole('textbox').first()).toHaveFocus();
});

it('asks beside a chosen note whose countdown nobody saw, as beside a request', async () => {
  peer.answer({ 'views.state': async () => ({ views: [], layout: null }) });
  const stopped = { state: 'waiting', pausedBy: 'countdown-stopped' } as const;
  show(null, [{ ...sent, ...stopped, jobId: 'j1', message: 'Keys handed over', raw: null, answer: null }]);
  const job = jobOf({ id: 'j1', operation: 'AddQuickNote', ...stopped });
  peer.answer({ 'jobs.read': async () => [{ ...job, worker: 'this-program', isDismissed: false, waitsFor: null }] });
  // Its line says the same as its panel.
  await page.getByRole('row', { name: /^Not sent: needs your decision Keys handed over/ }).click();
  const panel = page.getByRole('complementary');
  await expect.element(panel.getByRole('heading', { name: 'Not sent: needs your decision' })).toBeVisible();
  await expect.element(panel.getByText(/^Sealdesk ended, or the computer slept/)).toBeVisible();
  await expect.element(panel.getByRole('button', { name: /^Take back/ })).toBeVisible();
});
