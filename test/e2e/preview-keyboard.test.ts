import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { type KeysOnly, keysOnly } from '../harness/keys-only.ts';
import { plainPdf } from '../harness/pdf.ts';
import { step } from '../harness/step.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

const names = ['Lease', 'Annex A', 'Annex B', 'Floor plan', 'House rules'];

/** With nothing but keys. The system's own file dialog is not counted: what it does is none of ours. */
describe.skipIf(why !== '')(`the four main jobs by keyboard alone${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let folder: string;
  const counted: Record<string, KeysOnly['counted']> = {};

  beforeAll(async () => {
    if ('missing' in browser) return;
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-keys-'));
    for (const name of names) writeFileSync(join(folder, `${name}.pdf`), plainPdf(name));
    preview = await openPreview(browser.path);
    page = preview.page;
    // Dialogs are kept from the system as long as somebody listens: keys must not come before that.
    page.on('filechooser', () => undefined);
    await page.getByRole('heading', { level: 1, name: 'Start' }).waitFor();
    await page.locator('main:focus').waitFor();
  });
  afterAll(async () => {
    await preview?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  async function chooseFiles(count: number, open: () => Promise<void>) {
    const chooser = page.waitForEvent('filechooser');
    await open();
    await (await chooser).setFiles(names.slice(0, count).map((name) => join(folder, `${name}.pdf`)));
  }

  /** Most keys of a job: one more than it takes. More are a step back. */
  const atMost = (job: string, keys: KeysOnly, most: number) => {
    counted[job] = keys.counted;
    if (process.env.SEALDESK_KEYS === '1') console.info(job, keys.counted);
    expect(keys.counted.keys - keys.counted.typed, `${job}: keys but for typing`).toBeLessThanOrEqual(most);
  };

  it('registers 5 files', async () => {
    const keys = keysOnly(page);
    await step('chooses them; the focus waits at what can be done', async () => {
      await chooseFiles(5, () => keys.press('Control+O'));
      await keys.isAt(/^Register 5 documents/);
    });
    await step('registers them', async () => {
      await keys.press('Enter');
      await page.getByRole('heading', { level: 1, name: /Register/ }).waitFor();
      await page.getByText('Uses up to 5 credits.', { exact: true }).waitFor();
      await keys.press('Control+Enter');
      await page.getByRole('alertdialog').waitFor();
      await keys.isAt(/^Cancel$/);
      // Enabled once the duplicates are known.
      await page.getByRole('alertdialog').getByText('No duplicates').waitFor();
      await keys.tabTo(/^Register 5 documents$/);
      await keys.press('Enter');
      await page.getByText('5 Registered').first().waitFor({ timeout: 20_000 });
    });
    await keys.press('Tab');
    atMost('register 5 files', keys, 8);
  });

  it('requests signatures of two', async () => {
    const keys = keysOnly(page);
    await keys.press('Control+K');
    await keys.isAt(/^Find a person/);
    await keys.type('req');
    await page.getByRole('option', { name: 'Request signatures', exact: true }).waitFor();
    await keys.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Who signs what?' }).waitFor();
    await page.locator('main:focus').waitFor();
    await keys.tabTo(/^Choose PDF…$/);
    await chooseFiles(1, () => keys.press('Enter'));
    await page.getByRole('group', { name: 'Document' }).getByText('Lease.pdf').waitFor();
    await keys.tabTo(/^Signer 1: name$/);
    await keys.type('Ana Petrov');
    await keys.press('Tab');
    await keys.type('ana.petrov@example.org');
    await keys.press('Enter');
    await keys.isAt(/^Signer 2: name$/);
    await keys.type('Bo Lindqvist');
    await keys.press('Tab');
    await keys.type('bo@lindqvist.example');
    await keys.press('Control+Enter');
    await page.getByRole('heading', { level: 1, name: 'Review request' }).waitFor();
    // Until the preview is there the page has no stop: keys would go once around the window.
    await page.getByRole('button', { name: 'Send request' }).waitFor();
    await keys.tabTo(/^Send request$/);
    await keys.press('Enter');
    await page.getByRole('main').getByText('Request sent').first().waitFor({ timeout: 20_000 });
    // Two of them are the ways back of form and review.
    atMost('request with two signers', keys, 22);
  });

  it('tracks the request', async () => {
    const keys = keysOnly(page);
    await keys.tabTo(/^See who has signed$/);
    await keys.press('Enter');
    const lease = page.getByRole('row', { name: /^Lease.* 0 of 2 signed/ });
    // Read before the next key, as a person does: its actions follow when the list was read.
    await lease.getByRole('button', { name: /^Write/ }).waitFor({ timeout: 20_000 });
    // The list takes the focus, at the request that was just sent, which is open beside it.
    await keys.isAt(/^Requests$/);
    const panel = page.getByRole('complementary', { name: 'Signature request' });
    await panel.getByRole('list', { name: 'Signers' }).getByText('Ana Petrov', { exact: true }).waitFor();
    await panel.getByRole('button', { name: 'Check status' }).waitFor();
    await keys.tabTo(/^Check status$/);
    await keys.press('Enter');
    await page.getByText(/status “/).waitFor();
    await keys.press('Tab');
    atMost('track a request', keys, 15);
  });

  it('verifies 4 files', async () => {
    const keys = keysOnly(page);
    await chooseFiles(4, () => keys.press('Control+O'));
    await keys.isAt(/^Register 4 documents/);
    await keys.tabTo(/^Verify 4 files/);
    await keys.press('Enter');
    await page.getByText('4 confirmed').first().waitFor({ timeout: 20_000 });
    await keys.press('Tab');
    atMost('verify 4 files', keys, 6);
  });

  it('downloads a document', async () => {
    const keys = keysOnly(page);
    await keys.press('Control+K');
    await keys.isAt(/^Find a person/);
    await keys.type('annex b');
    await page
      .getByRole('option', { name: /Annex B/ })
      .first()
      .waitFor();
    await keys.press('Enter');
    const panel = page.getByRole('complementary', { name: 'Document' });
    await panel.waitFor();
    // The list of documents takes the focus once it is drawn, at the row.
    await keys.isAt(/^Documents$/);
    await keys.tabTo(/^Download…$/);
    await keys.press('Enter');
    await panel.getByText(/^Saved as/).waitFor({ timeout: 20_000 });
    await keys.press('Tab');
    expect(readdirSync(join(preview.dataDir, 'Downloads'))).toContainEqual(expect.stringContaining('Annex B'));
    // The headings by which the list is sorted are stops on the way to the panel.
    atMost('download a document', keys, 19);
    expect(preview.complaints).toEqual([]);
  });
});
