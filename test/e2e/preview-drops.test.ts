import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPreview, dropOnPage, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { go } from '../harness/desktop-page.ts';
import { plainPdf } from '../harness/pdf.ts';
import { step } from '../harness/step.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';
const guid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;

describe.skipIf(why !== '')(`files that are dropped on the screen for which they are, in a browser${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let folder: string;
  const names = ['Lease 2027', 'Annex A', 'Offer'];
  const file = (name: string) => join(folder, name);

  beforeAll(async () => {
    if ('missing' in browser) return;
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-drops-'));
    for (const name of names) writeFileSync(file(`${name}.pdf`), plainPdf(name));
    writeFileSync(file('note.txt'), 'a note');
    preview = await openPreview(browser.path);
    page = preview.page;
  });
  afterAll(async () => {
    await preview?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it('registers, lists and finds documents, verifies where it is dropped, and takes a document for the form', {
    timeout: 240_000,
  }, async () => {
    await step('counts for a request only the PDFs', async () => {
      await page.getByRole('heading', { name: 'Drop documents here' }).waitFor();
      await dropOnPage(page, [...names.map((name) => file(`${name}.pdf`)), file('note.txt')]);
      await page.getByText(/^4 files, /).waitFor();
      await page.getByRole('button', { name: 'Request signatures (choose 1 of 3)' }).waitFor();
      await page.getByRole('button', { name: 'Register 3 documents' }).click();
    });

    await step('shows the names that will be sent and removes a file', async () => {
      await page.getByLabel('Document name', { exact: true }).fill('Case {name}');
      await page.getByText('First: “Case Lease 2027”').waitFor();
      await page.getByText('“Case Annex A”', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Remove: Offer.pdf' }).click();
      await page.getByRole('heading', { name: '2 files', exact: true }).waitFor();
      await preview.picture('drops-register');
      await page.getByRole('button', { name: 'Register 2 documents…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Register 2 documents' }).click();
      await page.getByText('2 Registered').first().waitFor({ timeout: 20_000 });
    });

    await step('saves the list of what was registered, and a receipt', async () => {
      const saved = () => readdirSync(join(preview.dataDir, 'Downloads'));
      for (const [format, ending] of [
        ['CSV', 'csv'],
        ['Excel (XLSX)', 'xlsx'],
        ['PDF', 'pdf'],
      ] as const) {
        await page.getByRole('button', { name: 'Save list…' }).click();
        await page.getByRole('menuitem', { name: format, exact: true }).click();
        await page.getByText(`Saved as Documents.${ending}`).waitFor();
      }
      const csv = readFileSync(join(preview.dataDir, 'Downloads', 'Documents.csv'), 'utf8');
      expect(csv).toContain('Case Lease 2027');
      expect(csv.match(guid)).toHaveLength(2);
      await page.getByRole('button', { name: 'Receipt…' }).first().click();
      await expect.poll(() => saved().filter((name) => /receipt/i.test(name)).length).toBe(1);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy IDs' }).click();
      const copied = () => page.evaluate(() => navigator.clipboard.readText());
      await expect.poll(async () => (await copied()).match(guid)).toEqual(csv.match(guid));
    });

    await step('selects the document in the list instead of searching for it', async () => {
      await page.getByRole('article', { name: 'Annex A' }).getByRole('button', { name: 'Open in Documents' }).click();
      await page.getByRole('complementary').getByRole('heading', { name: 'Case Annex A' }).waitFor();
      expect(await page.getByRole('searchbox').inputValue()).toBe('');
      await expect.poll(() => page.getByRole('row').count()).toBe(3);
      const grid = page.getByRole('grid');
      await expect.poll(() => grid.evaluate((box) => box === document.activeElement)).toBe(true);
      const active = await grid.getAttribute('aria-activedescendant');
      expect(await page.locator(`[id="${active}"]`).textContent()).toContain('Case Annex A');
      expect(await grid.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
      await preview.picture('drops-documents');
    });

    await step('verifies what is dropped on Verify', async () => {
      await go(page, 'Verify');
      await page.getByRole('heading', { name: 'Verify', level: 1 }).waitFor();
      await dropOnPage(page, [file('Lease 2027.pdf'), file('Offer.pdf')]);
      await page
        .getByRole('article', { name: 'Lease 2027.pdf' })
        .getByText(/^Confirmed/)
        .waitFor({ timeout: 20_000 });
      await page.getByRole('article', { name: 'Offer.pdf' }).getByText('Not known to the service').waitFor();
    });

    await step('takes a PDF as the document of the request form, and leaves other files to the chooser', async () => {
      await go(page, 'Start');
      await page.getByRole('button', { name: 'Request signatures' }).click();
      await page.getByRole('heading', { name: 'Who signs what?' }).waitFor();
      await page.waitForTimeout(300);
      await dropOnPage(page, [file('Offer.pdf')]);
      await page.getByRole('button', { name: 'Remove: Offer.pdf' }).waitFor();
      await preview.picture('drops-compose');
      await dropOnPage(page, [file('note.txt')]);
      await page.getByRole('heading', { name: 'Selected files' }).waitFor();
    });
    expect(preview.complaints).toEqual([]);
  });
});
