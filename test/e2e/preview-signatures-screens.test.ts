import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../harness/axe.ts';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { examinedThemes } from '../harness/looks.ts';
import { openReview } from '../harness/open-review.ts';
import { plainPdf } from '../harness/pdf.ts';
import { settled } from '../harness/settled.ts';
import { step } from '../harness/step.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

const table = [
  'Name;E-mail;Document name;Room',
  'Ana Petrov;ana.petrov@example.org;Lease 1;14',
  'Bo Lindqvist;bo@lindqvist.example;Lease 2;15',
  'Nobody;not an address;Lease 3;16',
  'Jörg Weiß;weiss@nord.example;Lease 4;17',
].join('\n');

const people = ['First name;Last name;Email address;Case', 'Ana;Petrov;ana@example.org;7', ';;bo@example.org;8'].join(
  '\n',
);

/** The screens around signature requests on the practice connection; each is looked at by axe in both themes. */
describe.skipIf(why !== '')(`screens of signature requests in a browser${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let folder: string;
  const violated: string[] = [];

  beforeAll(async () => {
    if ('missing' in browser) return;
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-screens-'));
    writeFileSync(join(folder, 'lease.pdf'), plainPdf('Lease'));
    writeFileSync(join(folder, 'tenants.csv'), table);
    writeFileSync(join(folder, 'people.csv'), people);
    preview = await openPreview(browser.path);
    page = preview.page;
    await page.getByText('Drop documents here').waitFor();
  });
  afterEach(() => {
    expect(violated.splice(0)).toEqual([]);
    expect(preview?.complaints ?? []).toEqual([]);
  });
  afterAll(async () => {
    await preview?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Whole screens in several themes; dialogs and variants have the same colours. */
  async function examine(name: string, themes: typeof examinedThemes = examinedThemes) {
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settled(page);
      violated.push(...(await violations(page, `${name}, ${colorScheme}`)));
      await preview.picture(`${name}-${colorScheme}`);
    }
    await page.emulateMedia({ colorScheme: 'light' });
  }

  const go = (screen: string) =>
    page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('button', { name: new RegExp(`^${screen}`) })
      .click();

  async function choose(button: string, file: string) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button }).first().click();
    await (await chooser).setFiles([join(folder, file)]);
  }

  it('makes a request from a dropped file and follows it to its signature', { timeout: 240_000 }, async () => {
    await step('begins a request from a file that was dropped on Start', async () => {
      await choose('Choose files…', 'lease.pdf');
      // Start has a button of the same name as long as no file is there.
      await page.getByRole('main').getByText('lease.pdf').first().waitFor();
      await page.getByRole('button', { name: 'Request signatures' }).click();
      await page.getByRole('group', { name: 'Document' }).getByText('lease.pdf').waitFor();
      await page.getByRole('textbox', { name: 'Document name' }).fill('Lease, unit 7');
      await examine('compose');
    });

    await step('takes people from a pasted mail header and puts them in order by dragging', async () => {
      await page.getByRole('button', { name: 'Paste list…' }).click();
      await page
        .getByRole('textbox', { name: 'List' })
        .fill('"Petrov, Ana" <ana.petrov@example.org>; Bo Lindqvist <bo@lindqvist.example>; nobody');
      await page.getByText('1 part without an address').waitFor();
      await examine('compose-paste', ['light']);
      await page.getByRole('button', { name: 'Add 2 people' }).click();
      const names = page.getByRole('combobox', { name: /^Signer \d: name$/ });
      const grip = (row: number) => page.getByRole('group', { name: `Signer ${row}` }).getByTitle(/^Drag/);
      await grip(2).hover();
      await page.mouse.down();
      await grip(1).hover();
      await page.mouse.up();
      await expect.poll(() => names.first().inputValue()).toBe('Bo Lindqvist');
    });

    await step('shows what will be sent and what became of it', async () => {
      await openReview(page);
      await page.getByRole('button', { name: 'Send request' }).waitFor();
      await examine('compose-review');
      // The second size is that of the window at 200 %.
      for (const [width, height] of [
        [720, 600],
        [360, 300],
      ] as const) {
        await page.setViewportSize({ width, height });
        await settled(page);
        const box = await page.getByRole('button', { name: 'Send request' }).boundingBox();
        expect((box?.y ?? height) + (box?.height ?? 0)).toBeLessThan(height);
        expect(await page.locator('main').evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.getByRole('button', { name: 'Send request' }).click();
      await page.getByRole('main').getByText('Request sent').waitFor({ timeout: 20_000 });
      await examine('compose-sent', ['light']);
    });

    await step('follows it: list, search, groups, views, a due date, and signing as the signer', async () => {
      await page.getByRole('button', { name: 'See who has signed' }).click();
      await page.getByRole('row', { name: 'Lease, unit 7 · 0 of 2 signed' }).waitFor({ timeout: 20_000 });
      await examine('signatures-requests');
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menuitem', { name: 'Service’s lists' }).click();
      await page.getByRole('radio', { name: /^Out for signature/ }).click();
      await page.getByRole('row', { name: /Bo Lindqvist.*Waiting/ }).click();
      const panel = page.getByRole('complementary', { name: 'Signature request' });
      await panel.getByRole('button', { name: 'Check status' }).click();
      await panel.getByText(/status “/).waitFor();
      await examine('signatures');

      await panel.getByRole('button', { name: 'Due date…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Due date: 1 request' });
      for (const [part, typed] of Object.entries({ day: '31', month: '01', year: '2030' })) {
        await dialog.getByRole('spinbutton', { name: new RegExp(`^${part}, Day`) }).click();
        await page.keyboard.type(typed);
      }
      await dialog.getByRole('button', { name: 'Remind me' }).click();
      await panel.getByText(/Reminder on/).waitFor();
      await page.getByRole('searchbox', { name: 'Search signature requests' }).fill('petr');
      await expect.poll(() => page.getByRole('row').count()).toBe(2);
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menuitem', { name: 'Save view…' }).click();
      await page.getByRole('textbox', { name: 'View name' }).fill('Petrov');
      await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click();
      await page.getByRole('button', { name: 'Views', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Petrov' }).waitFor();
      await page.getByRole('menuitem', { name: 'All requests' }).click();
      const lease = page.getByRole('row', { name: /^Lease, unit 7/ });
      await panel.getByRole('button', { name: /^Close/ }).click();
      await lease.click();
      const signers = panel.getByRole('list', { name: 'Signers' }).getByRole('listitem');
      const petrov = signers.filter({ hasText: 'Petrov' });
      await petrov.getByRole('button', { name: /^Sign as/ }).click();
      await petrov.getByText(/^Seen signed today/).waitFor();
      const partly = page.getByRole('row', { name: 'Lease, unit 7 · 1 of 2 signed' });
      await partly.waitFor();
      expect(await petrov.getByRole('button', { name: /^(Write a reminder|Sign as)/ }).count()).toBe(0);
      expect(await signers.getByRole('button', { name: 'Write a reminder…' }).count()).toBe(1);
      await examine('signatures-signed');
      await petrov.getByRole('button', { name: /^Details/ }).click();
      await panel
        .getByText(/Petrov.* signed$/)
        .first()
        .waitFor();
      await panel.getByRole('button', { name: /^Close/ }).click();
      await panel.getByRole('button', { name: /^Close/ }).click();
      await partly.getByTitle(/Bo Lindqvist: Waiting · .*Petrov.*: Seen signed today/).waitFor();
      await page.getByRole('searchbox', { name: 'Search signature requests' }).fill('nobody');
      await page.getByText('No matches').waitFor();
      await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).first().click();
      await lease.waitFor();
    });

    await step('exports what the filters show', async () => {
      await page.getByRole('button', { name: 'Export…' }).click();
      await page.getByRole('dialog').getByText('Text (CSV)').click();
      await examine('signatures-export', ['light']);
      await page.getByRole('dialog').getByRole('button', { name: 'Export…' }).click();
      await page
        .getByRole('dialog')
        .getByText(/^Saved as .*\.csv · \d+ requests?$/)
        .waitFor();
      const [csv = ''] = readdirSync(join(preview.dataDir, 'Downloads')).filter((name) => name.endsWith('.csv'));
      expect(readFileSync(join(preview.dataDir, 'Downloads', csv), 'utf8')).toContain('ana.petrov@example.org');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    });

    await step('finds by a word of the service, and sorts its words', async () => {
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /Status/ })
        .click();
      await page.getByRole('option', { name: '“Processing” · 1 document' }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Remove filter: Status: “Processing”' }).waitFor();
      await page.getByRole('row', { name: /^Lease, unit 7/ }).waitFor();
      await examine('signatures-status');
      await page.getByRole('button', { name: 'Filters', exact: true }).click();
      await page.getByRole('button', { name: 'Assign meanings…' }).click();
      await page.getByRole('button', { name: 'Change…: Processing' }).click();
      await page.getByRole('dialog').getByRole('button', { name: /Group/ }).click();
      await page.getByRole('option', { name: 'Needs attention' }).click();
      await page.getByRole('button', { name: 'Save meaning' }).click();
      await page.getByRole('row', { name: /Processing.*Needs attention.*set here/ }).waitFor();
      await examine('answers');
      await page.getByRole('button', { name: 'Reset: Processing' }).click();
      await page.getByRole('row', { name: /Processing.*In progress.*built in/ }).waitFor();
      await page.getByRole('button', { name: 'Undo: Changed: “Processing”' }).click();
      await page.getByRole('row', { name: /Processing.*Needs attention.*set here/ }).waitFor();
      await page.getByRole('button', { name: 'Reset: Processing' }).click();
      await page.getByRole('row', { name: /Processing.*In progress.*built in/ }).waitFor();
    });
  });

  it('sends a spreadsheet row by row: dry run, the first only, then the rest, results beside the rows', async () => {
    await go('Signatures');
    await page.getByRole('button', { name: 'New request' }).first().click();
    await page.getByRole('radio', { name: 'Template' }).click({ force: true });
    await page.getByRole('combobox', { name: 'Template' }).fill('TPL-1003');
    await page.getByRole('button', { name: 'Bulk send…' }).click();
    await choose('Choose spreadsheet…', 'people.csv');
    const meanings = page.getByRole('list', { name: 'Columns' }).getByRole('button');
    const meant = () => meanings.evaluateAll((all) => all.map((one) => one.textContent));
    await expect.poll(meant).toEqual(['name 1', 'name 1', 'e-mail 1', 'only in the results']);
    await page.getByText('1 person without a name').waitFor();
    await page.getByRole('button', { name: /What “Case” is/ }).click();
    await page.getByRole('option', { name: 'client reference' }).click();
    await expect.poll(meant).toEqual(['name 1', 'name 1', 'e-mail 1', 'client reference']);
    // Anything but a name is in one column, and without addresses nothing can be checked.
    await page.getByRole('button', { name: /What “Email address” is/ }).click();
    await page.getByRole('option', { name: 'client reference' }).click();
    await page.getByText('Choose the column with the e-mail addresses.').waitFor();
    await expect.poll(meant).toEqual(['name 1', 'name 1', 'client reference', 'only in the results']);
    expect(await page.getByRole('button', { name: 'Check spreadsheet' }).isDisabled()).toBe(true);
    await examine('bulk-columns', ['light']);
    await choose('Choose spreadsheet…', 'tenants.csv');
    await page.getByText('tenants.csv').first().waitFor();
    await examine('bulk-setup', ['light']);
    await page.getByRole('button', { name: 'Check spreadsheet' }).click();
    await page.getByRole('row', { name: /not a valid e-mail address/ }).waitFor();
    await page.getByText('Only in the results: Room').waitFor();
    const bad = page.getByRole('gridcell', { name: 'not an address' });
    expect(await bad.getAttribute('aria-describedby')).toBe('bulk-problems-4');
    await examine('bulk-checked');

    await page.getByRole('button', { name: 'Correct 1 row' }).click();
    const field = page.getByRole('combobox', { name: 'E-mail, row 4' });
    await field.waitFor();
    expect(await field.evaluate((one) => one === document.activeElement)).toBe(true);
    await examine('bulk-mend');
    await page.keyboard.type('x');
    await page.keyboard.press('Enter');
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true');
    await field.fill('eva.novak@example.cz');
    await page.keyboard.press('Enter');
    await page.getByRole('gridcell', { name: /eva\.novak@example\.cz.*corrected, was: not an address/ }).waitFor();

    await page.getByRole('button', { name: 'Send first row…' }).click();
    await page.getByRole('alertdialog').getByText('1 person: Ana Petrov').waitFor();
    await page.getByRole('alertdialog').getByText('TPL-1003').waitFor();
    await page.getByRole('button', { name: 'Send 1 request', exact: true }).click();
    await expect.poll(() => page.getByRole('row', { name: /Sent/ }).count(), { timeout: 20_000 }).toBe(1);
    await page.getByRole('button', { name: 'Send 3 requests…' }).click();
    await page.getByRole('alertdialog').getByText('Cannot be cancelled.').waitFor();
    await examine('bulk-review');
    await page.getByRole('textbox', { name: 'Requests per minute' }).fill('6000');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'Send 3 requests', exact: true }).click();
    await expect.poll(() => page.getByRole('row', { name: /Sent/ }).count(), { timeout: 20_000 }).toBe(4);
    await page.getByText('4 of 4 requests sent', { exact: true }).waitFor();
    await examine('bulk-sent');
    await page.getByRole('button', { name: 'Save results…' }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    await page.getByText(/^Saved as/).waitFor();
  });

  it('asks once for the document of all rows, and names it before sending', async () => {
    await go('Signatures');
    await page.getByRole('button', { name: 'New request' }).first().click();
    await page.getByRole('button', { name: 'Bulk send…' }).click();
    await choose('Choose spreadsheet…', 'tenants.csv');
    await page.getByText('tenants.csv').first().waitFor();
    await page.getByRole('button', { name: 'Check spreadsheet' }).click();
    const missing = page.getByRole('alert').getByText(/^No document: say which column/);
    await missing.waitFor();
    const button = page.getByRole('button', { name: 'Choose PDF…' });
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
    await examine('bulk-no-document');
    await choose('Choose PDF…', 'lease.pdf');
    await page.getByText('lease.pdf').first().waitFor();
    await missing.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Check spreadsheet' }).click();
    await page.getByRole('grid', { name: 'Rows' }).focus();
    await page.keyboard.press('ArrowDown');
    await examine('bulk-focus');
    await page.getByRole('button', { name: 'Send 3 requests…' }).click();
    await page.getByRole('alertdialog').getByText('lease.pdf').waitFor();
    await examine('bulk-document', ['light']);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  });

  it('writes a note and keeps its answer', async () => {
    await go('Notes');
    await page.getByRole('textbox', { name: 'Message' }).fill('The tenants came today');
    await page.getByRole('button', { name: 'Send note…' }).click();
    await page.getByRole('button', { name: 'Send note', exact: true }).click();
    await page.getByRole('row', { name: /^Sent/ }).click({ timeout: 20_000 });
    await page.getByRole('heading', { name: 'Note sent' }).waitFor();
    await examine('notes');
  });

  it('asks the service for its version and schedule, and tests the credentials', async () => {
    await go('Connections');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Service…' }).click();
    await page.getByRole('button', { name: 'Test credentials' }).click();
    await page.getByText('accepted', { exact: true }).waitFor();
    await examine('service', ['light']);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  });
});
