import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go, middle, registerFilesInHand, seen } from '../harness/desktop-page.ts';
import {
  answerOpenDialogs,
  type Desktop,
  dropFiles,
  findElectron,
  newHome,
  removeHomes,
  startDesktop,
} from '../harness/electron.ts';
import { type OtherService, startOtherService } from '../harness/other-service.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const pictures = resolve(import.meta.dirname, '../../test-results/screenshots');
const people = ['Ana Petrov', 'Bo Lindqvist', 'Ines Costa', 'Tom Okafor'];
const addressOf = (name: string) => `${name.split(' ')[0]?.toLowerCase()}@example.org`;
const message = 'Please read and sign by Friday.\nCall us with any question.';

// What a person typed is refused, comes back into its form, is corrected and sent.
describe.skipIf(why !== '')(`what was refused is corrected in real Electron${why}`, () => {
  let desktop: Desktop;
  let service: OtherService;
  let folder = '';
  const path = (name: string) => join(folder, name);
  const start = async () => {
    desktop = await startDesktop({ home: path('home') });
    desktop.page.setDefaultTimeout(20_000);
    await service.connect(desktop);
  };
  const field = (name: string) => desktop.page.getByRole('textbox', { name, exact: true });
  const correct = () => desktop.page.getByRole('button', { name: 'Correct and send again' }).first().click();
  /** From the log, where nothing is sent, to where it can be. */
  const openFirst = () =>
    desktop.page
      .getByRole('main')
      .getByRole('button', { name: /^Open / })
      .first()
      .click();
  const picture = async (name: string) => {
    if (process.env.PICTURES) await pictureOf(desktop, name);
  };

  beforeEach(async () => {
    folder = newHome();
    for (const name of ['Lease 2027.pdf', 'Annex A.pdf']) writeFileSync(path(name), plainPdf(name));
    mkdirSync(path('service'));
    service = await startOtherService(path('service'));
    await start();
  });
  afterEach(async () => {
    await desktop?.quit();
    await service?.close();
    removeHomes();
  });

  it('brings back a request with everything that was typed, after a restart and without its original', async () => {
    await dropFiles(desktop.page, [path('Lease 2027.pdf')], await middle(desktop.page));
    await desktop.page.getByRole('button', { name: /^Request signatures/ }).click();
    await field('Document name').fill('Lease 2027, Harbour St 14');
    await desktop.page.getByRole('button', { name: 'Paste list…' }).click();
    await field('List').fill(people.map((name) => `${name} <${addressOf(name)}>`).join('; '));
    await desktop.page.getByRole('button', { name: 'Add 4 people' }).click();
    await field('Message').fill(message);
    await desktop.page.getByRole('button', { name: 'Review and send…' }).click();
    await desktop.page.getByText('Send despite these warnings').click();
    await desktop.page.getByRole('button', { name: 'Send request' }).click();
    await seen(desktop.page, 'Correct and send again', 20_000);
    await picture('corrections-sent');
    rmSync(path('Lease 2027.pdf'));
    await desktop.quit();
    await start();

    await go(desktop.page, 'Activity');
    await seen(desktop.page, /Refused/);
    await picture('corrections-activity');
    await openFirst();
    await correct();
    await seen(desktop.page, 'Once this is sent, it takes the place of the earlier entry.');
    // Its warning stands at the top of the form.
    expect(await desktop.page.locator('main').evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    expect(await field('Document name').inputValue()).toBe('Lease 2027, Harbour St 14');
    expect(await field('Message').inputValue()).toBe(message);
    await seen(desktop.page, 'Lease 2027.pdf');
    for (const name of people) await desktop.page.getByText(name).or(inputOf(desktop.page, name)).first().waitFor();
    await picture('corrections-compose');
    await accessible(desktop.page, 'a request that is corrected');
    await desktop.page.getByRole('button', { name: /^Drafts \(/ }).click();
    await desktop.page.getByRole('dialog').getByText('Refused').waitFor();
    await picture('corrections-drafts');
    await desktop.page.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await desktop.page
      .getByRole('button', { name: /Remove.*(Tom|4)/ })
      .first()
      .click();
    await desktop.page.getByRole('button', { name: 'Review and send…' }).click();
    await desktop.page.getByRole('button', { name: 'Send request' }).click();
    await seen(desktop.page, 'Request sent', 20_000);
    const sent = service.control.seen().at(-1)?.children;
    expect(sent).toMatchObject({
      DocumentName: 'Lease 2027, Harbour St 14',
      Emails: people.slice(0, 3).map(addressOf).join(';'),
      MessageToSigners: message,
    });
    const { jobs } = await ask(desktop, 'jobs.list', {});
    expect(jobs.map(({ state }) => state)).toEqual(['done']);
    expect(await ask(desktop, 'forms.list', { place: 'draft' })).toEqual([]);
  });

  it('brings back a registration with its file and its values', async () => {
    service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'answer', text: '-123' } });
    await go(desktop.page, 'Start');
    await dropFiles(desktop.page, [path('Annex A.pdf')], await middle(desktop.page));
    await desktop.page.getByRole('button', { name: /^Register 1 document/ }).click();
    await field('Client reference').fill('CASE-4711');
    await go(desktop.page, 'Start');
    await registerFilesInHand(desktop.page, 1);
    await seen(desktop.page, 'Correct and send again', 20_000);
    service.control.misbehave(null);
    await correct();
    await seen(desktop.page, 'Once this is sent, it takes the place of the earlier entry.');
    expect(await field('Client reference').inputValue()).toBe('CASE-4711');
    await field('Client reference').fill('CASE-4712');
    await picture('corrections-register');
    await accessible(desktop.page, 'a registration that is corrected');
    await go(desktop.page, 'Documents');
    await go(desktop.page, 'Activity');
    await openFirst();
    await correct();
    expect(await field('Client reference').inputValue()).toBe('CASE-4712');
    await desktop.page.getByRole('button', { name: /^Register .+…$/ }).click();
    await desktop.page.getByRole('alertdialog').getByRole('button', { name: 'Register 1 document' }).click();
    await expect.poll(() => service.control.seen().at(-1)?.children.ClientID, { timeout: 15_000 }).toBe('CASE-4712');
    await expect
      .poll(async () => (await ask(desktop, 'jobs.list', {})).counts, { timeout: 15_000 })
      .toMatchObject({ done: 1, refused: 0 });
  });

  it('brings back a note, and keeps what is typed while other screens are shown', async () => {
    await go(desktop.page, 'Notes');
    await field('Message').fill('Originals are in the safe.');
    await go(desktop.page, 'Start');
    await go(desktop.page, 'Notes');
    expect(await field('Message').inputValue()).toBe('Originals are in the safe.');
    service.control.misbehave({ operation: 'AddQuickNote', mischief: { kind: 'drop-before' } });
    await desktop.page.getByRole('button', { name: 'Send note…' }).click();
    await desktop.page.getByRole('button', { name: 'Send note', exact: true }).click();
    await desktop.page.getByRole('row', { name: /^In doubt/ }).click({ timeout: 20_000 });
    service.control.misbehave(null);
    await correct();
    await seen(desktop.page, 'No clear answer: the service may have accepted this');
    expect(await field('Message').inputValue()).toBe('Originals are in the safe.');
    await picture('corrections-note');
    await accessible(desktop.page, 'a note that is corrected');
    await desktop.page.getByRole('button', { name: 'Send note…' }).click();
    await desktop.page
      .getByRole('alertdialog')
      .getByText(/charged twice/)
      .waitFor();
    await desktop.page.getByRole('button', { name: 'Send note', exact: true }).click();
    await desktop.page.getByRole('row', { name: /^Sent/ }).waitFor({ timeout: 20_000 });
    expect((await ask(desktop, 'jobs.list', {})).counts).toMatchObject({ done: 1, 'in-doubt': 0 });
  });

  it('brings back a row of a spreadsheet', async () => {
    await go(desktop.page, 'Signatures');
    await desktop.page.getByRole('button', { name: 'New request' }).first().click();
    await desktop.page.getByRole('radio', { name: 'Template' }).click({ force: true });
    await desktop.page.getByRole('combobox', { name: 'Template' }).fill('TPL-1003');
    await desktop.page.getByRole('button', { name: 'Bulk send…' }).click();
    writeFileSync(path('tenants.csv'), 'E-mail;Name\nines@exmaple.org;Ines Costa');
    await answerOpenDialogs(desktop.app, [[path('tenants.csv')]]);
    await desktop.page.getByRole('button', { name: 'Choose spreadsheet…' }).click();
    await seen(desktop.page, 'tenants.csv');
    await desktop.page.getByRole('button', { name: 'Check spreadsheet' }).click();
    service.control.misbehave({ operation: 'AddNewEasySignTemplate', mischief: { kind: 'answer', text: '-123' } });
    await desktop.page.getByRole('button', { name: 'Send 1 request…' }).click();
    await desktop.page.getByRole('alertdialog').getByRole('button').last().click();
    const row = desktop.page.getByRole('row', { name: /Ines Costa/ });
    await row.getByText('Refused').waitFor();
    service.control.misbehave(null);
    await row.click();
    await picture('corrections-bulk');
    await correct();
    await seen(desktop.page, 'Once this is sent, it takes the place of the earlier entry.');
    await inputOf(desktop.page, 'ines@exmaple.org').fill('ines@example.org');
    await desktop.page.getByRole('button', { name: 'Review and send…' }).click();
    await desktop.page.getByRole('button', { name: 'Send request' }).click();
    await seen(desktop.page, 'Request sent', 20_000);
    const [bulk] = await ask(desktop, 'bulk.list', {});
    const { rows } = await ask(desktop, 'bulk.rows', { id: bulk?.id ?? '' });
    expect(rows).toMatchObject([{ state: 'done', people: [{ email: 'ines@example.org' }] }]);
  });
});

function inputOf(page: Page, value: string) {
  return page.locator(`input[value="${value}"]`);
}

/** For people who asked for pictures: wide and narrow, light and dark. */
async function pictureOf({ app, page }: Desktop, name: string): Promise<void> {
  if (process.env.SEALDESK_SCREENSHOTS !== '1') return;
  mkdirSync(pictures, { recursive: true });
  for (const theme of ['light', 'dark'] as const) {
    await page.evaluate((value) => {
      document.documentElement.dataset.theme = value;
    }, theme);
    for (const [width, height] of [
      [1280, 800],
      [720, 800],
    ] as const) {
      await app.evaluate(({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(...size), [
        width,
        height,
      ] as [number, number]);
      await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width);
      await page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`) });
    }
  }
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800));
}
