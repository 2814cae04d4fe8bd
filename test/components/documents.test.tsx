import { expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { DocumentRow } from '../../contract/documents.ts';
import { TasksProvider } from '../../renderer/bridge/tasks.tsx';
import { dayBefore } from '../../renderer/parts/days/today.ts';
import { DocumentsScreen } from '../../renderer/screens/documents/documents-screen.tsx';
import { peer } from './harness/core-peer.ts';
import { connection, showScreen } from './harness/show.tsx';

const document: DocumentRow = {
  id: 'row',
  connectionId: connection.id,
  documentId: 'doc-1',
  name: 'Lease 2027',
  description: '',
  clientId: '',
  fileName: 'Lease 2027.pdf',
  sizeBytes: 1_800,
  sha256: null,
  registeredAt: new Date().toISOString(),
  jobId: 'job',
  status: null,
  by: null,
  sentTo: '',
};

function show(rows: readonly DocumentRow[] = [document]) {
  peer.answer({
    'views.state': async () => ({ views: [], layout: null }),
    'views.keepLayout': async () => null,
    'documents.list': async () => ({ rows, total: rows.length }),
    'documents.download': async () => null,
    'tasks.list': async () => [],
    'budget.state': async () => ({ perHour: 120, used: 0, freeAt: null, isAutomatic: true }),
  });
  showScreen(
    <TasksProvider>
      <DocumentsScreen open={null} openById={false} />
    </TasksProvider>,
  );
}

const filters = () => peer.asked('documents.list').at(-1)?.filters;

it('finds the documents of the last days by one press and downloads one by another, without opening it', async () => {
  show();
  await page.getByRole('radio', { name: 'Last 7 days' }).click();
  await expect.poll(filters).toEqual({ registeredFrom: new Date(`${dayBefore(7)}T00:00:00`).toISOString() });
  await page
    .getByRole('row', { name: /Lease 2027/ })
    .getByRole('button', { name: 'Download…' })
    .click();
  await expect
    .poll(() => peer.asked('documents.download'))
    .toEqual([{ connectionId: connection.id, documentId: 'doc-1', suggestedName: 'Lease 2027.pdf' }]);
  expect(page.getByRole('complementary').elements()).toEqual([]);
});

it('keeps what was typed right before a filter is pressed', async () => {
  show();
  const [search, days] = [page.getByRole('searchbox'), page.getByRole('radio', { name: 'Last 7 days' })];
  await search.click();
  window.document.execCommand('insertText', false, 'lease');
  (days.element() as HTMLElement).click();
  await expect
    .poll(() => peer.asked('documents.list').at(-1))
    .toMatchObject({ search: 'lease', filters: { registeredFrom: expect.any(String) } });
});

it('says as of when a status is that may be another by now, and of a completed one nothing more', async () => {
  const answered = (group: 'in-progress' | 'completed', raw: string) => ({
    raw,
    answer: { kind: 'text' as const, group, meaning: '' },
    askedAt: '2026-01-10T12:37:00.000Z',
  });
  show([
    { ...document, status: answered('in-progress', 'Processing') },
    { ...document, id: 'other', documentId: 'doc-2', name: 'Deed', status: answered('completed', 'Completed') },
  ]);
  const time = (name: RegExp) => page.getByRole('row', { name }).getByText(/as\sof/);
  await expect.element(time(/Lease 2027/)).toBeVisible();
  expect(time(/Deed/).elements()).toEqual([]);
});

it('shows a short name whole beside the panel: the person of its request gives way', async () => {
  show([{ ...document, name: 'Lease unit 17', sentTo: 'hana@clients.example Hana Papadopoulos' }]);
  peer.answer({
    'documents.history': async () => ({ statuses: [], story: [] }),
    'documents.details': async () => ({
      documentName: 'Lease unit 17',
      createdDate: null,
      description: null,
      clientId: null,
      pages: null,
      originalDocumentName: null,
      errors: 0,
      raw: '',
      askedAt: document.registeredAt,
    }),
  });
  await page.viewport(1064, 800);
  onTestFinished(() => page.viewport(1280, 800));
  const row = page.getByRole('row', { name: /Lease unit 17/ });
  await row.getByText('Hana Papadopoulos').click();
  await expect.element(page.getByRole('complementary')).toBeVisible();
  // What is cut stands there a second time, with its dots.
  await expect.poll(() => row.element().textContent).not.toContain('…');
});

it('gives its name the room that other columns do not need', async () => {
  // As much as is beside the rail at 1280 × 800.
  await page.viewport(1064, 800);
  onTestFinished(() => page.viewport(1280, 800));
  show();
  const cells = page.getByRole('row', { name: /Lease 2027/ }).getByRole('gridcell');
  const width = (at: number) => cells.nth(at).element().getBoundingClientRect().width;
  await expect.element(cells.nth(2)).toHaveTextContent('—');
  // An empty column is as wide as its heading.
  expect(width(1)).toBeGreaterThan(2.5 * width(2));
});

it('shows what a search has found a document by, where its name and its people do not', async () => {
  const sentTo = 'hana@clients.example Hana Papadopoulos';
  show([{ ...document, fileName: 'scan-0815.pdf', clientId: 'Matter 77', sentTo }]);
  const row = page.getByRole('row', { name: /Lease 2027/ });
  const search = page.getByRole('searchbox');
  const shows = async (words: string, seen: string) => {
    await search.fill(words);
    await expect.element(row.getByText(seen, { exact: true }).first()).toBeVisible();
  };
  await shows('', 'Hana Papadopoulos');
  await shows('lease SCAN', 'scan-0815.pdf');
  await shows('lease hana', 'Hana Papadopoulos');
  await shows('clients.ex', sentTo);
  await shows('77', 'Matter 77');
});

it('says in the panel of the row why a download that was begun there failed', async () => {
  show();
  const progress = {
    documentId: 'doc-1',
    fileName: 'Lease 2027.pdf',
    receivedBytes: 0,
    totalBytes: null,
    sha256: null,
  };
  const startedAt = '2027-01-04T09:12:00.000Z';
  const task = { kind: 'download', taskId: 'd1', state: 'running', failure: null, progress, startedAt } as const;
  peer.answer({
    'documents.download': async () => task,
    'documents.history': async () => ({ statuses: [], story: [] }),
  });
  await page
    .getByRole('row', { name: /Lease 2027/ })
    .getByRole('button', { name: 'Download…' })
    .click();
  await expect.poll(() => peer.asked('documents.download')).toHaveLength(1);
  const failure = { code: 'service-refused', serviceCode: '-154', note: '', retryable: false } as const;
  peer.send('tasks.ended', { ...task, state: 'failed', failure });
  const alert = page.getByRole('complementary').getByRole('alert');
  await expect.element(alert).toMatchTextContent(/Lease 2027\.pdf/);
});

it('has what the service took without naming an ID, and takes the ID from its row', async () => {
  show([
    { ...document, documentId: null },
    { ...document, id: 'other', name: 'Annex' },
  ]);
  peer.answer({ 'jobs.history': async () => [{ kind: 'done', at: document.registeredAt, failure: null }] });
  const row = page.getByRole('row', { name: /Lease 2027/ });
  await expect.element(row.getByText('Registered, no ID')).toBeVisible();
  // The service can be asked only about the other one.
  await page.getByRole('checkbox', { name: 'Select all' }).click();
  await expect.element(page.getByRole('button', { name: 'Download 1…' })).toBeVisible();
  await row.getByRole('button', { name: 'Enter ID…' }).click();
  const panel = page.getByRole('complementary');
  await panel.getByRole('textbox', { name: 'Document ID from the service’s portal' }).fill('doc-9');
  await expect
    .element(panel.getByText(/^The service took it without naming an ID\. Its ID is not known here:/))
    .toBeVisible();
  peer.answer({ 'jobs.accept': async () => null });
  await panel.getByRole('button', { name: 'Use this ID' }).click();
  await expect
    .poll(() => peer.asked('jobs.accept'))
    .toEqual([{ jobId: 'job', documentId: 'doc-9', isUnchecked: true }]);
  expect(panel.getByRole('button', { name: /^(Download|Check status|Save)/ }).elements()).toEqual([]);
  expect(peer.asked('documents.details')).toEqual([]);
});

it('says of what counts as registered by a person that no answer came, and why it counts', async () => {
  const steps = ['in-doubt', 'looked-for', 'accepted'] as const;
  const at = '2021-01-04T09:12:00.000Z';
  peer.answer({ 'jobs.history': async () => steps.map((kind) => ({ kind, at, failure: null })) });
  show([{ ...document, documentId: null }]);
  await page.getByRole('button', { name: 'Enter ID…' }).click();
  const panel = page.getByRole('complementary');
  await expect
    .element(panel.getByText(/^No answer came. The service knew the file: counted as registered Jan 4, 2021/))
    .toBeVisible();
  expect(panel.getByText(/took it/).elements()).toEqual([]);
});

it('shows which days are asked for, one choice at a time, and all again', async () => {
  show();
  await page.getByRole('radio', { name: 'Yesterday' }).click();
  const day = dayBefore(1);
  await expect.poll(filters).toEqual({
    registeredFrom: new Date(`${day}T00:00:00`).toISOString(),
    registeredTo: new Date(`${day}T23:59:59.999`).toISOString(),
  });
  await page.getByRole('radio', { name: 'This month' }).click();
  await expect
    .poll(filters)
    .toEqual({ registeredFrom: new Date(`${dayBefore(0).slice(0, 8)}01T00:00:00`).toISOString() });
  await expect.element(page.getByRole('radio', { name: 'Yesterday' })).not.toBeChecked();
  // It says so itself.
  expect(page.getByRole('group', { name: 'Filters' }).elements()).toEqual([]);
  await page.getByRole('radio', { name: 'This month' }).click();
  await expect.poll(filters).toEqual({});
});

it('says what each filter filters, and takes one away alone or all', async () => {
  show();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByText('Completed', { exact: true }).click();
  await page.getByText('Not checked yet', { exact: true }).last().click();
  await userEvent.keyboard('{Escape}');
  await expect.poll(filters).toEqual({ statusGroups: ['completed', 'none'] });
  const active = page.getByRole('group', { name: 'Filters' });
  await active.getByRole('button', { name: 'Remove filter: Completed' }).click();
  await expect.poll(filters).toEqual({ statusGroups: ['none'] });
  await active.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(filters).toEqual({});
});

it('moves no row when the first is ticked, and says below the list what can be done with it', async () => {
  show();
  const row = page.getByRole('row', { name: /Lease 2027/ });
  await expect.element(row).toBeVisible();
  const { top } = row.element().getBoundingClientRect();
  await row.getByRole('checkbox').click();
  const selection = page.getByRole('region', { name: 'Selection' });
  await expect.element(selection.getByText('1 selected')).toBeVisible();
  expect(row.element().getBoundingClientRect().top).toBe(top);
  await selection.getByRole('button', { name: 'Clear selection' }).click();
  expect(selection.elements()).toEqual([]);
});
