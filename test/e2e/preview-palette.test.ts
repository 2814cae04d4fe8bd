import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../harness/axe.ts';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { go } from '../harness/desktop-page.ts';
import { examinedThemes } from '../harness/looks.ts';
import { openReview } from '../harness/open-review.ts';
import { plainPdf } from '../harness/pdf.ts';
import { settled } from '../harness/settled.ts';
import { step } from '../harness/step.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

const card = (name: string, email: string) => `BEGIN:VCARD\r\nFN:${name}\r\nEMAIL:${email}\r\nEND:VCARD\r\n`;

describe.skipIf(why !== '')(`people and the palette in a browser${why}`, () => {
  let preview: BrowserPreview;
  let folder: string;

  beforeAll(async () => {
    if ('missing' in browser) return;
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-people-'));
    writeFileSync(join(folder, 'lease.pdf'), plainPdf('Lease'));
    const people = [card('Ana Petrov', 'ana.petrov@example.org'), card('Bo Lindqvist', 'bo@lindqvist.example')];
    writeFileSync(join(folder, 'people.vcf'), `${people.join('')}BEGIN:VCARD\r\nFN:Nobody\r\nEND:VCARD\r\n`);
    preview = await openPreview(browser.path);
  });
  afterAll(async () => {
    expect(preview?.complaints ?? []).toEqual([]);
    await preview?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  async function examine(name: string) {
    const { page } = preview;
    const violated: string[] = [];
    for (const colorScheme of examinedThemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(page);
      violated.push(...(await violations(page, `${name}, ${colorScheme}`)));
      await preview.picture(`${name}-${colorScheme}`);
      await page.setViewportSize({ width: 720, height: 600 });
      await preview.picture(`${name}-${colorScheme}-small`);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    expect(violated).toEqual([]);
  }

  it('go from an imported person to a sent request that is found again', { timeout: 240_000 }, async () => {
    const { page } = preview;
    const find = async (text: string) => {
      await page.keyboard.press('ControlOrMeta+k');
      await page.getByRole('combobox').fill(text);
    };
    const upload = async (button: string, file: string) => {
      const chooser = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: button }).first().click();
      await (await chooser).setFiles(join(folder, file));
    };

    await step('opens the address book in Settings by the palette and imports a vCard file', async () => {
      await page.getByText('Drop documents here').waitFor();
      await find('address bo');
      await page.getByRole('option', { name: 'Address book' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Address book…');
      await page.keyboard.press('Enter');
      await upload('Import…', 'people.vcf');
      await page.getByText('people.vcf: 2 people added.').waitFor();
      await page.getByText('Line 9: no e-mail address').waitFor();
      await examine('address-book');
      await page.getByRole('button', { name: 'Close' }).click();
    });

    await step('writes a request to a person whom the palette finds, and completes the second signer', async () => {
      await find('petrov');
      await page.getByRole('option', { name: /New request to Ana Petrov/ }).waitFor();
      await examine('palette-person');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Who signs what?' }).waitFor();
      expect(await page.getByLabel('Signer 1: e-mail').inputValue()).toBe('ana.petrov@example.org');
      await page.getByRole('button', { name: 'Add signer' }).click();
      await page.keyboard.type('lind');
      await page.getByRole('option', { name: /Bo Lindqvist/ }).waitFor();
      await examine('compose-completion');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      expect(await page.getByLabel('Signer 2: e-mail').inputValue()).toBe('bo@lindqvist.example');
    });

    await step('chooses one of the templates that the practice service names', async () => {
      await page.getByRole('radio', { name: 'Template' }).check({ force: true });
      await page.getByRole('combobox', { name: 'Template', exact: true }).click();
      await page.getByRole('option', { name: /Consent form/ }).waitFor();
      await preview.picture('compose-templates');
      await page.getByRole('option', { name: /Consent form/ }).click();
      await page.getByLabel('Document name').fill('Consent 2027');
      await openReview(page);
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.getByText('Request sent', { exact: true }).first().waitFor();
    });

    await step('finds the request by its document and by its person', async () => {
      await go(page, 'Signatures');
      await page
        .getByRole('row')
        .getByTitle(/Bo Lindqvist/)
        .waitFor({ timeout: 60_000 });
      await find('consent 20');
      await page.getByRole('option', { name: /^Consent 2027.*0 of 2 signed/ }).waitFor();
      await examine('palette-request');
      await page.getByRole('option', { name: /^Consent 2027.*0 of 2 signed/ }).click();
      await page.getByRole('row', { name: /Consent 2027/ }).waitFor();
      await page.getByRole('complementary').first().waitFor();
      await examine('request-from-palette');
      await find('lindq');
      await page.getByRole('option', { name: /^Bo Lindqvist bo@/ }).click();
      await page.getByRole('row', { name: /Consent 2027/ }).waitFor();
    });
  });
});
