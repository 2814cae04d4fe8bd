import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { ask } from './desktop-bridge.ts';
import { go, seen } from './desktop-page.ts';
import { answerOpenDialogs, type Desktop } from './electron.ts';

type Step = readonly [string, (page: Page) => Promise<void>];

const signers = [
  'Ana Petrov <ana.petrov@example.org>',
  'Bo Lindqvist <bo@lindqvist.example>',
  '"Weiß, Jörg" <weiss@nord.example>',
].join('; ');

const tenants = [
  'Name;E-mail;Document name',
  'Ines Costa;ines@costa.example;Consent form, unit 3',
  'Tom Okafor;tom.okafor@example.org;Consent form, unit 4',
  'Eva Novák;novak(at)example.cz;Consent form, unit 5',
  'Sam Reed;sam@reed.example;Consent form, unit 7',
].join('\n');

/** Steps from a new request to its entry in the list, then through related screens, on the practice connection. */
export function signatureSteps(desktop: Desktop, folder: string): readonly Step[] {
  return [
    ['compose', (page) => composeRequest(desktop, page)],
    ['compose-review', reviewRequest],
    ['signatures', sendAndTrack],
    ['bulk', (page) => checkTable(desktop, page, folder)],
    ['answers', showAnswers],
    ['notes', sendNote],
  ];
}

const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** Fills a new request with several signers. */
async function composeRequest(desktop: Desktop, page: Page): Promise<void> {
  await sendOthers(desktop);
  await go(page, 'Signatures');
  await newRequest(page);
  await page.getByRole('combobox', { name: 'Template' }).fill('TPL-1002');
  await field(page, 'Document name').fill('Lease 2027, Harbour St 14');
  await page.getByRole('button', { name: 'Paste list…' }).click();
  await field(page, 'List').fill(signers);
  await page.getByRole('button', { name: 'Add 3 people' }).click();
  await field(page, 'Subject').fill('Your lease for 2027');
  await field(page, 'Copy to').fill('office@harbour.example');
  await field(page, 'Message').fill('Please read and sign by Friday. Call us with any question.');
  await seen(page, /Draft saved \d/);
  await page.locator('main').evaluate((main) => main.scrollTo(0, 0));
}

async function reviewRequest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Review and send…' }).click();
  await page.getByRole('button', { name: 'Send request' }).waitFor();
}

/** Sends the request and asks for its status. */
async function sendAndTrack(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send request' }).click();
  await seen(page, 'Request sent');
  await page.getByRole('button', { name: 'See who has signed' }).click();
  await page.getByRole('button', { name: 'Check status' }).click();
  await seen(page, /status “/);
  await page.getByRole('complementary').evaluate((panel) => panel.scrollTo(0, 0));
}

/** Checks a table of recipients with one bad row. */
async function checkTable(desktop: Desktop, page: Page, folder: string): Promise<void> {
  await newRequest(page);
  await page.getByRole('combobox', { name: 'Template' }).fill('TPL-1003');
  await page.getByRole('button', { name: 'Bulk send…' }).click();
  const table = join(folder, 'tenants.csv');
  writeFileSync(table, tenants);
  await answerOpenDialogs(desktop.app, [[table]]);
  await page.getByRole('button', { name: 'Choose spreadsheet…' }).click();
  await seen(page, 'tenants.csv');
  await page.getByRole('button', { name: 'Check spreadsheet' }).click();
  await seen(page, 'not a valid e-mail address');
}

async function showAnswers(page: Page): Promise<void> {
  await go(page, 'Signatures');
  await page.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByRole('button', { name: 'Assign meanings…' }).click();
  await page.getByRole('row', { name: /Processing/ }).waitFor();
}

async function sendNote(page: Page): Promise<void> {
  await go(page, 'Notes');
  await field(page, 'Message').fill('The tenants of unit 7 came to sign; originals are in the safe.');
  await page.getByRole('button', { name: 'Send note…' }).click();
  await page.getByRole('button', { name: 'Send note', exact: true }).click();
  await page.getByRole('row', { name: /^Sent/ }).first().click();
  await seen(page, 'Note sent');
}

async function newRequest(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New request' }).first().click();
  await page.getByRole('radio', { name: 'Template' }).click({ force: true });
}

/** Sends further requests, so that the list has several entries. */
async function sendOthers(desktop: Desktop): Promise<void> {
  const { currentId: connectionId } = await ask(desktop, 'connections.state', {});
  const others = [
    ['Supplier agreement, Nord GmbH', 'TPL-1001', 'Mei Tanaka', 'm.tanaka@example.jp'],
    ['NDA, visiting researchers', 'TPL-1002', 'Omar Haddad', 'o.haddad@example.com'],
    ['Consent form, study 12', 'TPL-1003', 'Ida Berg', 'ida.berg@example.no'],
  ] as const;
  for (const [documentName, templateId, name, email] of others) {
    const people = { emails: [email], names: [name] };
    await ask(desktop, 'signatures.request', {
      kind: 'easy-sign-template',
      connectionId,
      templateId,
      documentName,
      ...people,
    });
  }
  await expect
    .poll(
      async () =>
        (await ask(desktop, 'jobs.list', {})).jobs.filter((job) => job.sentTo !== '' && job.state === 'done').length,
      {
        timeout: 20_000,
      },
    )
    .toBe(others.length);
}
