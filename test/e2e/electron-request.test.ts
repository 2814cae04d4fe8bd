import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { middle, seen, wordsIn } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

describe.skipIf(why !== '')(`a request for two signers with a message in real Electron${why}`, () => {
  let desktop: Desktop;
  let folder = '';

  beforeAll(async () => {
    folder = newHome();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'Lease 2027.pdf'), plainPdf('Lease 2027'));
    desktop = await startDesktop({ home: join(folder, 'home') });
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it('takes five clicks from the dropped file to the request itself, with its first page in sight', {
    timeout: 120_000,
  }, async () => {
    const { page } = desktop;
    let clicks = 0;
    const words: number[] = [];
    const click = async (one: Locator) => {
      words.push(await wordsIn(page));
      clicks += 1;
      await one.click();
    };
    const button = (name: string | RegExp) => page.getByRole('button', { name });
    const signer = (row: number, field: 'name' | 'e-mail') =>
      page.getByRole('combobox', { name: `Signer ${row}: ${field}` });
    const hasFocus = (one: Locator) =>
      expect.poll(() => one.evaluate((field) => field === document.activeElement)).toBe(true);
    const firstPage = page.frameLocator('iframe[title="Preview of Lease 2027.pdf"]').locator('.page');

    await seen(page, 'Drop documents here');
    await dropFiles(page, [join(folder, 'Lease 2027.pdf')], await middle(page));
    await click(button(/^Request signatures/));
    // The file is at hand: the first signer is typed at once, and Enter goes on to the next.
    await hasFocus(signer(1, 'name'));
    await page.keyboard.type('Ana Petrov');
    await page.keyboard.press('Tab');
    await page.keyboard.type('ana@example.org');
    await page.keyboard.press('Enter');
    await hasFocus(signer(2, 'name'));
    await page.keyboard.type('Bo Lindqvist');
    await page.keyboard.press('Tab');
    await page.keyboard.type('bo@example.org');
    await click(page.getByRole('textbox', { name: 'Message' }));
    await page.keyboard.type('Please sign by Friday.');
    await firstPage.locator('canvas').waitFor();
    expect(await firstPage.count()).toBe(1);
    await click(button('Review and send…'));
    await page.getByRole('heading', { name: 'Review request' }).waitFor();
    await firstPage.locator('canvas').waitFor();
    const facts = page.getByRole('definition');
    for (const fact of ['Easy Sign from a file', '1 signature request', 'Cannot be cancelled.'])
      await facts.filter({ hasText: fact }).waitFor();
    const people = page.getByRole('list', { name: 'E-mails go to' }).getByRole('listitem');
    expect(await people.allInnerTexts()).toEqual([
      expect.stringContaining('Ana Petrov'),
      expect.stringContaining('Bo Lindqvist'),
    ]);
    await click(button('Send request'));
    await seen(page, 'Request sent');
    await click(button('See who has signed'));
    const panel = page.getByRole('complementary', { name: 'Signature request' });
    await panel.getByRole('list', { name: 'Signers' }).getByText('Bo Lindqvist', { exact: true }).waitFor();
    const requests = page.getByRole('row', { name: / signed/ });
    await requests.filter({ hasText: 'Lease 2027' }).waitFor();
    expect(await requests.count()).toBe(1);
    expect(clicks).toBe(5);
    console.log('words before each click, and at the end:', [...words, await wordsIn(page)].join(', '));
  });
});
