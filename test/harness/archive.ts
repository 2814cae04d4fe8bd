import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Papa from 'papaparse';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect } from 'vitest';
import { ask } from './desktop-bridge.ts';
import { answerSaveDialog, type Desktop } from './electron.ts';
import { plainPdf } from './pdf.ts';

/** SEALDESK_ARCHIVE_FILES=5000 (`npm run test:archive`) runs the archive tests at full size. */
export const archiveFiles = Number(process.env.SEALDESK_ARCHIVE_FILES ?? 40);
/** Steps that take longer with more files. */
export const within = { timeout: 30_000 + 20 * archiveFiles, interval: 100 };
/** All steps of one test with such an archive together. */
export const storyTimeoutMs = 300_000 + 300 * archiveFiles;
/** Of `Contract NN.pdf`. */
export const changedNames = ['07', '11', '16', '23', '31', '32', '38'].map((n) => `Contract ${n}.pdf`);

export interface ArchiveTree {
  readonly folder: string;
  /** Where a file of this name is, in folders of folders. */
  at(name: string): string;
}

/** Creates a tree of different PDFs. */
export function plantArchive(parent: string): ArchiveTree {
  const folder = join(parent, 'contracts');
  const at = (name: string) => {
    const n = Number(/\d+/.exec(name)?.[0]);
    return join(folder, String(n % 7), String(n % 50), name);
  };
  for (let n = 1; n <= archiveFiles; n += 1) {
    const name = `Contract ${String(n).padStart(2, '0')}.pdf`;
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), plainPdf(name));
  }
  return { folder, at };
}

/** Flips one bit in the middle of each file. */
export function changeSeven({ at }: ArchiveTree): void {
  for (const name of changedNames) {
    const bytes = readFileSync(at(name));
    bytes[30] = bytes.readUInt8(30) ^ 1;
    writeFileSync(at(name), bytes);
  }
}

/** Answers the next dialogs of the window that ask for a folder. */
export async function chooseNext(desktop: Desktop, path: string): Promise<void> {
  await desktop.app.evaluate(({ dialog }, chosen) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
  }, path);
}

/** Registers the whole tree through the window's own bridge; other tests cover the registering screen. */
export async function registerArchive(desktop: Desktop, { folder }: ArchiveTree): Promise<void> {
  await chooseNext(desktop, folder);
  const tokens = await ask(desktop, 'files.choose', { kind: 'folder' });
  const intake = await ask(desktop, 'files.scan', {
    tokens: (tokens ?? []).map(({ token }) => token),
    purpose: 'register',
  });
  const { currentId } = await ask(desktop, 'connections.state', {});
  await ask(desktop, 'documents.register', {
    connectionId: currentId,
    intakeId: intake.id,
    name: '{name}',
    description: '',
    clientId: '',
    creditType: 1,
  });
  const registered = async () => (await ask(desktop, 'documents.list', { limit: 1 })).total;
  await expect.poll(registered, { timeout: 30_000 + 60 * archiveFiles, interval: 250 }).toBe(archiveFiles);
}

/** Counts the calls that reach the program's practice service. Returns the number since the last call. */
export async function countCalls(desktop: Desktop, operation: string): Promise<() => Promise<number>> {
  await desktop.app.evaluate((_electron, name) => {
    const counted = globalThis as unknown as { callsSeen: number };
    counted.callsSeen = 0;
    process.getBuiltinModule('node:diagnostics_channel').subscribe('http.server.request.start', (message) => {
      const { headers } = (message as { request: { headers: Record<string, string | undefined> } }).request;
      if (`${headers.soapaction} ${headers['content-type']}`.includes(name)) counted.callsSeen += 1;
    });
  }, operation);
  return () =>
    desktop.app.evaluate(() => {
      const counted = globalThis as unknown as { callsSeen: number };
      const seen = counted.callsSeen;
      counted.callsSeen = 0;
      return seen;
    });
}

/** File names on the visible cards. */
export function namesOnCards({ page }: Desktop): Promise<readonly (string | null)[]> {
  return page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')));
}

/** What other programs read in the three reports of the run on show, saved as a person saves them. */
export interface ReadReports {
  /** Names of the files that are not confirmed, sorted. */
  readonly notConfirmed: Readonly<Record<'json' | 'csv' | 'pdf', readonly string[]>>;
  readonly fileCount: Readonly<Record<'json' | 'csv', number>>;
  /** All words of the PDF. */
  readonly words: string;
}

export async function saveReports(desktop: Desktop, folder: string, name: string): Promise<ReadReports> {
  const saved = async (format: 'json' | 'csv' | 'pdf', item: RegExp) => {
    const { page } = desktop;
    const path = join(folder, `${name}.${format}`);
    await answerSaveDialog(desktop.app, path);
    await page.getByRole('button', { name: 'Save report…' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    if ((await ask(desktop, 'verify.reporter', {})) === null) {
      // Before the first report of this computer only.
      const dialog = page.getByRole('alertdialog', { name: 'Who makes reports?' });
      await dialog.getByRole('textbox', { name: 'Your name' }).fill('Ana Rossi');
      await dialog.getByRole('button', { name: 'Keep' }).click();
    }
    await page.getByRole('main').getByText(`Saved as ${name}.${format}`).waitFor(within);
    return readFileSync(path);
  };
  const json = JSON.parse(String(await saved('json', /^JSON/))) as { readonly files: readonly ReportedFile[] };
  const csv = String(await saved('csv', /^CSV/)).replace(/^\uFEFF/, '');
  const rows = Papa.parse<ReportedFile>(csv, { header: true, skipEmptyLines: true });
  expect(rows.errors).toEqual([]);
  const words = await wordsOf(await saved('pdf', /^PDF/));
  const section = /Not confirmed \(\d+\)([\s\S]*?)(?:Gone|Confirmed) \(\d+\)/.exec(words)?.[1] ?? '';
  return {
    notConfirmed: {
      json: notConfirmed(json.files),
      csv: notConfirmed(rows.data),
      pdf: [...section.matchAll(/Contract \d+\.pdf/g)].map(([found]) => found).sort(),
    },
    fileCount: { json: json.files.length, csv: rows.data.length },
    words,
  };
}

interface ReportedFile {
  readonly path: string;
  readonly group: string;
}

function notConfirmed(files: readonly ReportedFile[]): readonly string[] {
  return files
    .filter(({ group }) => group === 'not-confirmed')
    .map(({ path }) => basename(path))
    .sort();
}

/** By another reader than the one that wrote it. */
async function wordsOf(pdf: Buffer): Promise<string> {
  const file = await getDocument({ data: new Uint8Array(pdf) }).promise;
  let words = '';
  for (let n = 1; n <= file.numPages; n += 1) {
    const { items } = await (await file.getPage(n)).getTextContent();
    words += items.map((item) => ('str' in item ? item.str : '')).join('');
  }
  await file.loadingTask.destroy();
  return words;
}
