import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desktop, findElectron, removeHomes, startDesktop } from '../harness/electron.ts';
import { focusedName, press, tabTo, typeInto } from '../harness/keyboard.ts';
import { step } from '../harness/step.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

const signers = [
  ['Ana Petrov', 'ana.petrov@example.org'],
  ['Bo Lindqvist', 'bo@lindqvist.example'],
  ['Jörg Weiß', 'weiss@nord.example'],
] as const;

/** With nothing but keys: the mouse and the page's own elements are not touched. */
describe.skipIf(why !== '')(`a signature request by keyboard alone, in real Electron${why}`, () => {
  let desktop: Desktop;
  let page: Page;
  beforeAll(async () => {
    desktop = await startDesktop();
    page = desktop.page;
  });
  afterAll(async () => {
    await desktop?.quit();
    removeHomes();
  });

  it('is made, sent and found again', { timeout: 240_000 }, async () => {
    await step('opens the form by the command palette and chooses a template', async () => {
      await press(page, 'Control+K');
      await expect.poll(() => focusedName(page)).toMatch(/Find a person/);
      await page.keyboard.type('Request signatures');
      await page.getByRole('option', { name: 'Request signatures', exact: true }).waitFor();
      await press(page, 'Enter');
      await page.getByRole('heading', { level: 1, name: 'Who signs what?' }).waitFor();
      await tabTo(page, /^File$/);
      await press(page, 'ArrowRight');
      expect(await focusedName(page)).toBe('Template');
    });

    await step('notes a template under a name and chooses it from the list by that name', async () => {
      await tabTo(page, /^My templates…$/);
      await press(page, 'Enter');
      await tabTo(page, /^Add template…$/);
      await press(page, 'Enter');
      await expect.poll(() => focusedName(page)).toBe('Name');
      await page.keyboard.type('Residential lease, 3 parties');
      await typeInto(page, /^Template ID$/, 'TPL-1002');
      await tabTo(page, /^Save template$/);
      await press(page, 'Enter');
      await page.getByRole('list', { name: 'My templates' }).getByText('Residential lease').waitFor();
      // The form that had the keyboard is gone: it goes on at what was saved.
      await expect.poll(() => focusedName(page)).toBe('Edit: Residential lease, 3 parties');
      await press(page, 'Escape');
      await expect.poll(() => focusedName(page)).toBe('My templates…');
      await tabTo(page, /^Template$/, 'Shift+Tab');
      await page.keyboard.type('resid');
      await page.getByRole('option', { name: /Residential lease/ }).waitFor();
      await press(page, 'ArrowDown', 'Enter');
      await expect.poll(() => page.getByRole('combobox', { name: 'Template' }).inputValue()).toBe('TPL-1002');
    });

    await step('names the document and three signers, and puts the last one first', async () => {
      await typeInto(page, /^Document name$/, 'Lease 2027, Harbour St 14');
      for (const [index, [name, email]] of signers.entries()) {
        await tabTo(page, /^Add signer$/);
        await press(page, 'Enter');
        await expect.poll(() => focusedName(page)).toBe(`Signer ${index + 1}: name`);
        await page.keyboard.type(name);
        await press(page, 'Tab');
        expect(await focusedName(page)).toBe(`Signer ${index + 1}: e-mail`);
        await page.keyboard.type(email);
      }
      await press(page, 'Alt+ArrowUp', 'Alt+ArrowUp');
      await expect.poll(() => focusedName(page)).toBe('Signer 1: e-mail');
      await expect
        .poll(() => page.getByRole('combobox', { name: /^Signer \d: name$/ }).evaluateAll(valuesOf))
        .toEqual(['Jörg Weiß', 'Ana Petrov', 'Bo Lindqvist']);
    });

    await step('writes to the signers and keeps all of it as a draft', async () => {
      await typeInto(page, /^Subject$/, 'Your lease for 2027');
      await typeInto(page, /^Message$/, 'Please read and sign by Friday.');
      await page.getByText(/Draft saved \d/).waitFor();
    });

    await step('reviews everything child by child, then sends it', async () => {
      await tabTo(page, /^Review and send…$/);
      await press(page, 'Enter');
      await page.getByRole('heading', { level: 1, name: 'Review request' }).waitFor();
      await tabTo(page, /^Details$/);
      await press(page, 'Enter');
      const rows = page.getByRole('row');
      await rows.filter({ hasText: /^Emails/ }).waitFor();
      expect(await rows.count()).toBe(1 + 18);
      expect(await rows.filter({ hasText: /^TemplateID/ }).textContent()).toContain('TPL-1002');
      await tabTo(page, /^Send request$/);
      await press(page, 'Enter');
      await page.getByRole('heading', { name: 'Request sent' }).waitFor({ timeout: 20_000 });
    });

    await step('finds its three entries in the list, and each signer beside it', async () => {
      await tabTo(page, /^See who has signed$/);
      await press(page, 'Enter');
      await page.getByRole('heading', { level: 1, name: 'Signatures' }).waitFor();
      await page.getByRole('row', { name: 'Lease 2027, Harbour St 14 · 0 of 3 signed' }).waitFor({ timeout: 20_000 });
      // The request is open beside the list; its entries come in its place.
      await tabTo(page, /^Close/);
      await press(page, 'Enter');
      await tabTo(page, /^Views$/, 'Shift+Tab');
      await press(page, 'Enter');
      await press(page, 'ArrowDown');
      await press(page, 'Enter');
      await tabTo(page, /^Refresh$/, 'Shift+Tab');
      await press(page, 'Enter');
      await page
        .getByRole('row', { name: /Lease 2027/ })
        .first()
        .waitFor({ timeout: 20_000 });
      await tabTo(page, /^Signature requests$/);
      const panel = page.getByRole('complementary', { name: 'Signature request' });
      const found: (string | null)[] = [];
      for (let row = 0; row < signers.length; row += 1) {
        await press(page, 'ArrowDown');
        await expect.poll(() => panel.getByRole('definition').nth(1).textContent()).not.toBe(found.at(-1) ?? '');
        found.push(await panel.getByRole('definition').nth(1).textContent());
      }
      expect([...found].sort()).toEqual(signers.map(([, email]) => email).sort());
    });
  });
});

function valuesOf(fields: readonly Element[]): readonly string[] {
  return fields.map((field) => (field as unknown as { readonly value: string }).value);
}
