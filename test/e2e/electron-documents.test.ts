import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go, middle, registerFilesInHand, seen } from '../harness/desktop-page.ts';
import {
  answerOpenDialogs,
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
const names = ['Lease', 'Order', 'Annex', 'Invoice', 'Contract'].map((name) => `${name} 2027.pdf`);

// Each test begins with five registered documents whose status nobody has asked for.
describe.skipIf(why !== '')(`the register in real Electron${why}`, () => {
  let desktop: Desktop;
  let folder = '';
  const path = (name: string) => join(folder, name);

  beforeEach(async () => {
    folder = newHome();
    mkdirSync(path('copies'));
    for (const name of names) writeFileSync(path(name), plainPdf(name));
    desktop = await startDesktop({ home: path('home') });
    desktop.page.setDefaultTimeout(20_000);
    await dropFiles(desktop.page, names.map(path), await middle(desktop.page));
    await registerFilesInHand(desktop.page, names.length);
    await seen(desktop.page, `${names.length} Registered`, 20_000);
    await go(desktop.page, 'Documents');
  });
  afterEach(async () => {
    await desktop?.quit();
    removeHomes();
  });

  const row = (name: RegExp) => desktop.page.getByRole('row', { name });
  const rows = () => desktop.page.getByRole('grid', { name: 'Documents' }).getByRole('row').count();

  /** Asks for all statuses until they are Completed: until then the practice service processes a document and has no copy of it. */
  async function untilCompleted() {
    const { page } = desktop;
    await expect
      .poll(
        async () => {
          const button = page.getByRole('button', { name: 'Check statuses' });
          if (await button.isEnabled()) await button.click();
          return page.getByRole('grid').getByText('Completed').count();
        },
        { timeout: 20_000, interval: 800 },
      )
      .toBe(names.length);
    // The refresh has ended as well, and nothing moves below it any more.
    await page.getByRole('button', { name: 'Dismiss' }).waitFor();
  }

  it('asks the status of all, which the budget of automatic calls does not count', async () => {
    await row(/Lease 2027/).waitFor();
    const used = async () => (await ask(desktop, 'budget.state', {})).used;
    const before = await used();
    await untilCompleted();
    expect((await used()) - before).toBeLessThan(names.length);
  });

  it('searches as somebody types, filters, sorts, and chooses columns', async () => {
    const { page } = desktop;
    await expect.poll(rows).toBe(names.length + 1);
    const search = page.getByRole('searchbox', { name: 'Search documents' });
    await search.fill('inv');
    await expect.poll(rows).toBe(2);
    await search.fill('');
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('Annex 2027');
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('dialog').getByText('Completed', { exact: true }).click();
    await page.keyboard.press('Escape');
    await seen(page, 'No matches');
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog').getByText('Document ID', { exact: true }).click();
    // A popup stands outside of the landmarks while it is open.
    await accessible(page, 'columns', ['region']);
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Document ID' }).waitFor();
  });

  it('saves a view and takes it up again', async () => {
    const { page } = desktop;
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('Lease');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Save view…' }).click();
    await page.getByRole('textbox', { name: 'View name' }).fill('Leases');
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('');
    await expect.poll(rows).toBe(names.length + 1);
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: 'Leases' }).click();
    await expect.poll(rows).toBe(2);
    await page.getByRole('searchbox', { name: 'Search documents' }).fill('');
  });

  it('ticks rows by mouse and keyboard and downloads all of them into a folder', async () => {
    const { page, app } = desktop;
    await expect.poll(rows).toBe(names.length + 1);
    await untilCompleted();
    // By name: Annex, Contract, Invoice come one after the other.
    await page.getByRole('button', { name: 'Name', exact: true }).click();
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('Annex 2027');
    await page.getByRole('checkbox', { name: 'Select Annex 2027' }).click();
    await page.getByRole('checkbox', { name: 'Select Invoice 2027' }).click({ modifiers: ['Shift'] });
    const selection = page.getByRole('region', { name: 'Selection' });
    await selection.getByText('3 selected').waitFor();
    await page.getByRole('grid', { name: 'Documents' }).focus();
    await page.keyboard.press('Control+a');
    await selection.getByText(`${names.length} selected`).waitFor();
    await answerOpenDialogs(app, [[path('copies')]]);
    await selection.getByRole('button', { name: `Download ${names.length}…` }).click();
    await seen(page, `${names.length} documents downloaded into copies`);
    expect(readdirSync(path('copies'))).toHaveLength(names.length);
    await accessible(page, 'documents');
    await selection.getByRole('button', { name: 'Clear selection' }).click();
  });

  it('saves a custody receipt and checks files against it', async () => {
    const { page, app } = desktop;
    await row(/Order 2027/).click();
    const panel = page.getByRole('complementary', { name: 'Document' });
    await panel.getByRole('heading', { name: 'Receipt' }).waitFor();
    await accessible(page, 'panel');
    for (const [format, button] of [
      ['pdf', 'Save as PDF…'],
      ['json', 'Save as JSON…'],
    ] as const) {
      await answerSaveDialog(app, path(`receipt.${format}`));
      await panel.getByRole('button', { name: button }).click();
      await panel.getByText(`Saved as receipt.${format}`).waitFor();
    }
    expect(readFileSync(path('receipt.pdf')).subarray(0, 5).toString()).toBe('%PDF-');
    expect(JSON.parse(readFileSync(path('receipt.json'), 'utf8'))).toMatchObject({ kind: 'sealdesk-custody-receipt' });
    await check('receipt.pdf', 'Order 2027.pdf', 'The file matches the receipt');
    await check('receipt.json', 'Annex 2027.pdf', 'The file does not match the receipt');
    writeFileSync(path('forged.json'), readFileSync(path('receipt.json'), 'utf8').replace('Order 2027', 'Order 2028'));
    await check('forged.json', 'Order 2027.pdf', 'The receipt was changed: do not rely on it.');
  });

  async function check(receipt: string, file: string, said: string) {
    const { page, app } = desktop;
    await page.getByRole('button', { name: 'Check receipt…' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Check receipt' });
    await answerOpenDialogs(app, [[path(receipt)], [path(file)]]);
    await dialog.getByRole('button', { name: /^Receipt/ }).click();
    await dialog.getByText(receipt).waitFor();
    await dialog.getByRole('button', { name: /^File to compare/ }).click();
    await dialog.getByText(file).waitFor();
    await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
    await dialog.getByText(said).waitFor();
    await accessible(page, 'receipt');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  }
});
