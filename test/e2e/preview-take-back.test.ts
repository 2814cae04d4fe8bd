import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../harness/axe.ts';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { examinedThemes } from '../harness/looks.ts';
import { openReview } from '../harness/open-review.ts';
import { plainPdf } from '../harness/pdf.ts';
import { settled } from '../harness/settled.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

describe.skipIf(why !== '')(`taking back in a browser${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let folder: string;

  beforeAll(async () => {
    if ('missing' in browser) return;
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-take-back-'));
    for (const name of ['lease', 'annex', 'plan', 'map']) writeFileSync(join(folder, `${name}.pdf`), plainPdf(name));
    preview = await openPreview(browser.path);
    page = preview.page;
    await page.getByText('Drop documents here').waitFor();
  });
  afterAll(async () => {
    await preview?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  const go = (screen: string) =>
    page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('button', { name: new RegExp(`^${screen}`) })
      .click();
  const strip = () => page.getByRole('region', { name: 'Not sent yet' });

  async function choose(files: readonly string[]) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files…' }).first().click();
    await (await chooser).setFiles(files.map((name) => join(folder, `${name}.pdf`)));
    // Start has a button of the same name as long as no file is there.
    for (const name of files) await page.getByRole('main').getByText(`${name}.pdf`).first().waitFor();
  }

  async function setSeconds(label: string, seconds: number) {
    await go('Settings');
    const field = page.getByRole('textbox', { name: label });
    await field.fill(String(seconds));
    await field.press('Tab');
    await expect.poll(() => field.inputValue()).toBe(String(seconds));
  }

  it('opens a request again as it was, and sends it now', { timeout: 120_000 }, async () => {
    await setSeconds('Seconds before requests and notes are sent', 50);
    await go('Start');
    await choose(['lease']);
    await page.getByRole('button', { name: 'Request signatures' }).click();
    await page.getByRole('textbox', { name: 'Document name' }).fill('Lease, unit 7');
    await page.getByRole('combobox', { name: 'Signer 1: e-mail' }).fill('ana.petrov@example.org');
    await openReview(page);
    await page.getByRole('button', { name: 'Send request' }).click();
    await strip()
      .getByText(/\d+ seconds left/)
      .waitFor();
    const violated: string[] = [];
    for (const colorScheme of examinedThemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(page);
      violated.push(...(await violations(page, `take-back, ${colorScheme}`)));
      await preview.picture(`take-back-${colorScheme}`);
    }
    expect(violated).toEqual([]);
    await page.setViewportSize({ width: 720, height: 600 });
    await settled(page);
    const box = await strip()
      .getByRole('button', { name: /^Take back/ })
      .boundingBox();
    expect((box?.x ?? 720) + (box?.width ?? 0)).toBeLessThanOrEqual(720);
    await preview.picture('take-back-small');
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });

    for (const time of ['first', 'second']) {
      await strip()
        .getByRole('button', { name: /^Take back/ })
        .click();
      await expect
        .poll(() => page.getByRole('textbox', { name: 'Document name' }).inputValue(), { message: time })
        .toBe('Lease, unit 7');
      await expect
        .poll(() => page.getByRole('combobox', { name: 'Signer 1: e-mail' }).inputValue())
        .toBe('ana.petrov@example.org');
      await page.getByRole('group', { name: 'Document' }).getByText('lease.pdf').waitFor();
      await expect.poll(() => strip().count()).toBe(0);
      await openReview(page);
      await page.getByRole('button', { name: 'Send request' }).click();
    }
    await strip()
      .getByRole('button', { name: /^Send now/ })
      .click();
    await page.getByRole('main').getByText('Request sent').waitFor({ timeout: 20_000 });
    await expect.poll(() => strip().count()).toBe(0);
  });

  it('brings back the files of a registration with their names', { timeout: 120_000 }, async () => {
    await setSeconds('Seconds before documents are registered', 50);
    await go('Start');
    await choose(['annex', 'map', 'plan']);
    await page.getByRole('button', { name: /^Register 3/ }).click();
    await page.getByRole('textbox', { name: 'Client reference' }).fill('CASE-7');
    await page.getByRole('button', { name: /^Register .+…$/ }).click();
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: /^Register/ })
      .click();
    await strip()
      .getByRole('button', { name: /^Take back: .* and 2 more$/ })
      .waitFor();
    await page.keyboard.press('Control+.');
    await expect.poll(() => page.getByRole('textbox', { name: 'Client reference' }).inputValue()).toBe('CASE-7');
    for (const name of ['annex', 'map', 'plan'])
      await page.getByRole('main').getByText(`${name}.pdf`).first().waitFor();
    await expect.poll(() => strip().count()).toBe(0);
    expect(preview.complaints).toEqual([]);
  });
});
