import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import Papa from 'papaparse';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { go, middle, seen } from '../harness/desktop-page.ts';
import {
  answerSaveDialog,
  type Desktop,
  dropFiles,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
/** SEALDESK_ARCHIVE_FILES=5000 tells the same story of a whole archive (with --testTimeout to match). */
const fileCount = Number(process.env.SEALDESK_ARCHIVE_FILES ?? 40);
const changed = ['07', '11', '16', '23', '31', '32', '38'].map((n) => `Contract ${n}.pdf`);
const all = fileCount.toLocaleString('en-US');
const confirmed = `${(fileCount - changed.length).toLocaleString('en-US')} confirmed`;
const notConfirmed = `${changed.length} not confirmed`;
const within = { timeout: 30_000 + 60 * fileCount, interval: 100 };

// One story, told in order: each step goes on where the one before ended.
describe.skipIf(why !== '')(`verifying a folder in real Electron${why}`, () => {
  let desktop: Desktop;
  let home = '';
  let folder = '';

  beforeAll(async () => {
    home = newHome();
    folder = join(home, 'contracts');
    mkdirSync(folder);
    for (let n = 1; n <= fileCount; n += 1) {
      const name = `Contract ${String(n).padStart(2, '0')}.pdf`;
      writeFileSync(join(folder, name), plainPdf(name));
    }
    desktop = await startDesktop({ home: join(home, 'home') });
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  /** By the window's own bridge: how registering looks is told elsewhere. */
  async function registerAll() {
    await chooseNext(folder);
    const tokens = await ask(desktop, 'files.choose', { kind: 'folder' });
    const intake = await ask(desktop, 'files.look', {
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
    await expect
      .poll(async () => (await ask(desktop, 'documents.list', { limit: 1 })).total, { ...within, interval: 250 })
      .toBe(fileCount);
  }

  async function chooseNext(path: string) {
    await desktop.app.evaluate(({ dialog }, chosen) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosen] });
    }, path);
  }

  const names = () =>
    desktop.page.getByRole('article').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label')));

  async function accessible(name: string) {
    // The frames of other origins are looked at by nobody; legacy mode needs no second window, which Electron cannot open.
    const { violations } = await new AxeBuilder({ page: desktop.page })
      .setLegacyMode(true)
      .exclude('[data-live-announcer]')
      .exclude('iframe')
      .analyze();
    expect(violations.map(({ id, nodes }) => `${name}: ${id} ${nodes[0]?.html}`)).toEqual([]);
  }

  it('begins with registered files, of which seven were changed since', async () => {
    await registerAll();
    for (const name of changed) {
      const bytes = readFileSync(join(folder, name));
      bytes[30] = bytes.readUInt8(30) ^ 1;
      writeFileSync(join(folder, name), bytes);
    }
  });

  it('says what asking about many files takes before it begins', async () => {
    const { page } = desktop;
    await dropFiles(page, [folder], await middle(page));
    await page.getByRole('button', { name: new RegExp(`^Verify ${all} files`) }).click();
    const dialog = page.getByRole('dialog', { name: `Verify ${all} files?` });
    await dialog.getByText(`${all} at most`).waitFor();
    expect((await ask(desktop, 'verify.runs', {})).total).toBe(0);
    await accessible('estimate');
    await dialog.getByRole('button', { name: `Verify ${all} files` }).click();
  });

  it('names exactly the seven that were changed, first', async () => {
    const { page } = desktop;
    await page
      .getByRole('radio', { name: confirmed })
      .or(page.getByRole('button', { name: confirmed }))
      .waitFor(within);
    // Without waiting any longer than the end of the run is told: the cards say what the counters say.
    await expect.poll(async () => (await names()).slice(0, changed.length), within).toEqual(changed);
    const headings = page.getByRole('article').getByRole('heading');
    expect((await headings.allTextContents()).slice(0, changed.length + 1)).toEqual([
      ...changed.map(() => 'The service does not confirm this file'),
      'The service confirms this file',
    ]);
    await accessible('results');
  });

  it('filters by a counter', async () => {
    const { page } = desktop;
    const counter = page
      .getByRole('radio', { name: notConfirmed })
      .or(page.getByRole('button', { name: notConfirmed }));
    await counter.click();
    await expect.poll(names, within).toEqual(changed);
    await counter.click();
    await expect.poll(async () => (await names()).length, within).toBeGreaterThan(changed.length);
  });

  it('tells the story of a file in three answers and never calls a difference more than that', async () => {
    const { page } = desktop;
    await page.getByRole('article', { name: 'Contract 01.pdf' }).getByRole('button', { name: 'Details' }).click();
    const here = page.getByRole('region', { name: 'This computer' });
    await here.getByText('Yes', { exact: true }).waitFor();
    await page
      .getByRole('region', { name: 'The service', exact: true })
      .getByText('The service confirms this file')
      .waitFor();
    const copy = page.getByRole('region', { name: 'The service’s copy' });
    await copy.getByText('Not compared yet').waitFor();
    await copy.getByRole('button', { name: 'Compare with the service’s copy' }).click();
    await copy.getByText(/^(Same|Different) bytes$/).waitFor();
    expect(await page.getByText(/tamper|forg|fake/i).count()).toBe(0);
    await accessible('story');
  });

  it('shows the file in a process of its own', async () => {
    const { app, page } = desktop;
    await page.getByRole('button', { name: 'Look at it' }).click();
    const shown = page.frameLocator('iframe');
    await shown.locator('canvas').first().waitFor(within);
    await shown.getByText('Contract 01.pdf').waitFor({ state: 'attached' });
    await page.getByText('of 1', { exact: true }).waitFor();
    const processes = await app.evaluate(({ BrowserWindow }) => {
      const top = BrowserWindow.getAllWindows()[0]?.webContents.mainFrame;
      return { page: top?.osProcessId, viewer: top?.frames[0]?.osProcessId, url: top?.frames[0]?.url ?? '' };
    });
    expect(processes.url).toMatch(/^app:\/\/viewer\/index\.html#/);
    expect(processes.viewer).toBeGreaterThan(0);
    expect(processes.viewer).not.toBe(processes.page);
    await accessible('preview');
    await page.keyboard.press('Escape');
    await seen(page, `${all} files asked at`);
  });

  it('saves reports that other programs read and that name the seven', async () => {
    const { page } = desktop;
    const texts: Record<string, Buffer> = {};
    for (const [format, item] of [
      ['json', /^JSON/],
      ['csv', /^CSV/],
      ['pdf', /^PDF/],
    ] as const) {
      const path = join(home, `report.${format}`);
      await answerSaveDialog(desktop.app, path);
      await page.getByRole('button', { name: 'Save report…' }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await page.getByText(`Saved as report.${format}`).waitFor(within);
      texts[format] = readFileSync(path);
    }
    await accessible('reports');
    const json = JSON.parse(String(texts.json)) as { readonly files: readonly { path: string; group: string }[] };
    expect(namesOf(json.files)).toEqual(changed);
    expect(json.files).toHaveLength(fileCount);

    const csv = String(texts.csv).replace(/^\uFEFF/, '');
    const rows = Papa.parse<{ path: string; group: string }>(csv, { header: true, skipEmptyLines: true });
    expect(rows.errors).toEqual([]);
    expect(namesOf(rows.data)).toEqual(changed);
    expect(rows.data).toHaveLength(fileCount);

    const words = await wordsOf(texts.pdf ?? Buffer.alloc(0));
    for (const name of [...changed, `Contract ${fileCount}.pdf`]) expect(words).toContain(name);
  });

  it('keeps the run over a restart, and opens nothing by itself', async () => {
    const { page } = desktop;
    await page
      .getByRole('article', { name: changed[0] ?? '' })
      .getByRole('button', { name: 'Details' })
      .click();
    await page.getByRole('button', { name: 'Look at it' }).click();
    await page.frameLocator('iframe').locator('canvas').first().waitFor(within);
    await desktop.quit();
    desktop = await startDesktop({ home: join(home, 'home') });
    await go(desktop.page, 'Verify');
    const kept = desktop.page.getByRole('article', { name: 'contracts' });
    await kept.getByText(notConfirmed).waitFor(within);
    expect(await desktop.page.locator('iframe').count()).toBe(0);
    await accessible('kept runs');
    await kept.getByRole('button', { name: 'Open' }).click();
    await expect.poll(async () => (await names()).slice(0, changed.length), within).toEqual(changed);
  });

  it('watches a folder and asks the second time only about what changed', async () => {
    const { page } = desktop;
    await chooseNext(folder);
    await go(page, 'Start');
    await go(page, 'Verify');
    await page.getByRole('button', { name: 'Watch a folder…' }).click();
    const watched = page.getByRole('article', { name: 'contracts' }).filter({ hasText: 'Not looked at yet' });
    await watched.getByRole('button', { name: 'Look now' }).click();
    await page.getByText(`${all} new`).waitFor(within);
    await page.getByRole('radio', { name: confirmed }).waitFor(within);

    writeFileSync(join(folder, 'Contract 02.pdf'), plainPdf('another text'));
    writeFileSync(join(folder, `Contract ${fileCount + 1}.pdf`), plainPdf('a new one'));
    await page.getByRole('button', { name: 'All verifications' }).click();
    await page.getByRole('article', { name: 'contracts' }).first().getByRole('button', { name: 'Look now' }).click();
    await page.getByText('1 altered').waitFor(within);
    await page.getByText('1 new').waitFor(within);
    await page.getByText(/The service was asked about 2 of them/).waitFor(within);
    await page.getByText('1 altered').click();
    await expect.poll(names, within).toEqual(['Contract 02.pdf']);
    await accessible('audit');
  });
});

/** Of the files that are not confirmed. */
function namesOf(files: readonly { readonly path: string; readonly group: string }[]): readonly string[] {
  return files.filter(({ group }) => group === 'not-confirmed').map(({ path }) => basename(path));
}

/** By another reader than the one that wrote it. */
async function wordsOf(pdf: Buffer): Promise<string> {
  const file = await getDocument({ data: new Uint8Array(pdf) }).promise;
  let words = '';
  for (let n = 1; n <= file.numPages; n += 1) {
    const { items } = await (await file.getPage(n)).getTextContent();
    words += items.map((item) => ('str' in item ? item.str : '')).join('');
  }
  return words;
}
