import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go, middle, registerFilesInHand, seen, wordsIn } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { type OtherService, otherServiceName, startOtherService } from '../harness/other-service.ts';
import { plainPdf } from '../harness/pdf.ts';
import { asWebp } from '../harness/picture-sheet.ts';
import { type Postgres, startPostgres } from '../harness/postgres.ts';
import { settled } from '../harness/settled.ts';
import { step } from '../harness/step.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
/** Set to keep the picture of both windows. */
const keep = process.env.SEALDESK_SCREENSHOTS === '1';
const picture = resolve(import.meta.dirname, '../../docs/screenshots/team.webp');
const names = ['Lease 2027', 'Annex B', 'Order 4471'] as const;

describe.skipIf(why !== '')(`a team in two windows, in real Electron${why}`, () => {
  let [ana, bo]: (Desktop | undefined)[] = [];
  let service: OtherService;
  let postgres: Postgres | undefined;
  let folder = '';
  const path = (name: (typeof names)[number]) => join(folder, `${name}.pdf`);

  beforeEach(async () => {
    folder = newHome();
    for (const name of names) writeFileSync(path(name), plainPdf(name));
    service = await startOtherService(join(folder, 'service'));
  });
  afterEach(async () => {
    await ana?.quit();
    await bo?.quit();
    ana = undefined;
    bo = undefined;
    await service?.close();
    await postgres?.close();
    removeHomes();
  });

  const adds = () => [...service.control.addsByHash().values()].reduce((sum, times) => sum + times, 0);

  async function newWindow(name: string): Promise<Desktop> {
    const home = join(folder, name);
    mkdirSync(home);
    const desktop = await startDesktop({ home });
    await service.connect(desktop);
    return desktop;
  }

  async function drop({ page }: Desktop, name: (typeof names)[number]): Promise<void> {
    await go(page, 'Start');
    await dropFiles(page, [path(name)], await middle(page));
  }

  it('shows each what the other registered, and holds the same file with the name of who has it', {
    timeout: 300_000,
  }, async (test) => {
    const database = await startPostgres(test);
    postgres = database;
    const first = await newWindow('ana');
    ana = first;
    const other = await newWindow('bo');
    bo = other;

    await step('checks and joins a register in Connections, by keyboard names, and says how it stands', async () => {
      const { page } = first;
      await openTeam(page);
      const dialog = page.getByRole('dialog', { name: `Team register of ${otherServiceName}` });
      await dialog.getByRole('button', { name: 'Join', exact: true }).click();
      await dialog.getByText('Enter a host name or an IP address.').waitFor();
      await accessible(page, 'team-dialog-errors');
      const { host, port, database: name, user } = database.settings('ana');
      const fields = { 'Address of the database': host, Database: name, User: user };
      for (const [label, text] of Object.entries(fields))
        await dialog.getByRole('textbox', { name: label, exact: true }).fill(text);
      await dialog.getByRole('textbox', { name: 'Port' }).fill(String(port));
      await dialog.getByRole('textbox', { name: 'How colleagues see you' }).fill('Ana Petrov');
      await dialog.getByRole('button', { name: 'Check', exact: true }).click();
      await dialog.getByText('You are a lead:').waitFor();
      await dialog.getByText('Nobody has joined yet.').waitFor();
      await accessible(page, 'team-dialog-checked');
      await dialog.getByRole('button', { name: 'Join', exact: true }).click();
      await dialog.getByText('Team register connected').waitFor();
      await accessible(page, 'team-dialog-joined');
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('contentinfo').getByText('Team register connected').waitFor();
      const connectionId = (await ask(other, 'connections.state', {})).currentId;
      const settings = database.settings('bo', { person: 'Bo Lindqvist' });
      await ask(other, 'team.join', { connectionId, settings, password: '' });
    });

    await step('lists with a name what a colleague registered', async () => {
      await drop(first, 'Lease 2027');
      await registerFilesInHand(first.page, 1);
      await expect.poll(adds, { timeout: 20_000 }).toBe(1);
      const { page } = other;
      await go(page, 'Documents');
      const row = page.getByRole('row', { name: /Lease 2027/ });
      await row.waitFor({ timeout: 20_000 });
      await row.getByText('Ana Petrov').waitFor();
      await page.getByRole('radio', { name: 'Mine' }).click({ force: true });
      await seen(page, 'No matches');
      await page.getByRole('button', { name: 'Clear filters' }).click();
      await row.waitFor();
      await accessible(page, 'team-documents');
    });

    await step('holds the same file with the name of the colleague, and sends it once', async () => {
      await drop(other, 'Lease 2027');
      const { page } = other;
      await page.getByRole('button', { name: /^Register 1 document/ }).click();
      await page.getByRole('button', { name: /^Register .+…$/ }).click();
      await page.getByText(/^Registered by Ana Petrov/).waitFor();
      await page.getByRole('radio', { name: 'Send anyway' }).click({ force: true });
      await page.getByRole('alertdialog').getByRole('button', { name: 'Register 1 document' }).click();
      const card = page.getByRole('article', { name: /Lease 2027/ });
      await card.getByText(/^Registered by Ana Petrov/).waitFor({ timeout: 20_000 });
      await card.getByRole('button', { name: 'Send anyway…' }).click();
      await page
        .getByRole('alertdialog')
        .getByText(/^Ana Petrov \(ana\) has sent it/)
        .waitFor();
      await accessible(page, 'team-send-anyway');
      await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
      await card.getByRole('button', { name: 'Skip' }).click();
      await card.getByText('Skipped: duplicate').last().waitFor();
      expect(adds()).toBe(1);
    });

    await step('waits while the register is away, and sends a batch without it on a person’s decision', async () => {
      await database.stop('fast');
      const { page } = other;
      await page
        .getByRole('contentinfo')
        .getByText(/^Team register away since/)
        .waitFor({ timeout: 30_000 });
      await drop(other, 'Annex B');
      await registerFilesInHand(page, 1);
      const card = page.getByRole('article', { name: /Annex B/ });
      await card.getByText(/Waits: The team register is not reachable/).waitFor({ timeout: 30_000 });
      await accessible(page, 'team-away');
      expect(adds()).toBe(1);
      await card.getByRole('button', { name: 'Send without the team register…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Send 1 now' }).click();
      await expect.poll(adds, { timeout: 30_000 }).toBe(2);
      await database.start();
      await page.getByRole('region', { name: 'The team register is not reachable' }).waitFor({ state: 'detached' });
      await page.getByRole('contentinfo').getByText('Team register connected').waitFor({ timeout: 30_000 });
    });

    await step('shows what everybody did, and lets a lead decide about what a silent program left', async () => {
      const { page } = first;
      const admin = await database.admin();
      await admin.query(silentClaim);
      await admin.close();
      await go(page, 'Activity');
      await page.getByRole('radio', { name: 'Everyone' }).click({ force: true });
      await seen(page, 'Ana Petrov (ana) joined the team');
      await seen(page, 'Bo Lindqvist (bo) joined the team');
      await seen(page, 'Ana Petrov (ana) sent “Lease 2027.pdf”');
      await seen(page, 'Bo Lindqvist (bo) sent “Annex B.pdf” without the team register', 30_000);
      const claims = page.getByRole('region', { name: 'Not finished' });
      await claims.getByText(/^Not heard of since/).waitFor({ timeout: 30_000 });
      await accessible(page, 'team-everyone');
      await claims.getByRole('button', { name: 'Declare in doubt…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Declare in doubt' }).click();
      await claims.getByText('Declared by Ana Petrov (ana).', { exact: false }).waitFor();
      await claims.getByRole('button', { name: 'Decide…' }).click();
      const dialog = page.getByRole('alertdialog');
      await dialog.getByRole('textbox', { name: 'Document ID' }).fill(service.idOf('Annex B'));
      await dialog.getByRole('button', { name: 'Look up' }).click();
      await dialog.getByText(/^The service knows it: Annex B/).waitFor();
      await accessible(page, 'team-settle');
      await dialog.getByRole('button', { name: 'Write down decision' }).click();
      await claims.waitFor({ state: 'detached' });
      await seen(page, 'Ana Petrov (ana) decided what became of “Forgotten.pdf”');
    });

    if (keep) {
      await drop(first, 'Order 4471');
      await registerFilesInHand(first.page, 1);
      await expect.poll(adds, { timeout: 20_000 }).toBe(3);
      const shots: Buffer[] = [];
      for (const { page } of [first, other]) {
        await page.getByRole('button', { name: 'Dismiss' }).first().click();
        await go(page, 'Documents');
        await page
          .getByRole('navigation')
          .getByRole('button', { name: /^Documents.*3/ })
          .waitFor();
        for (const name of names) await page.getByRole('row', { name: new RegExp(name) }).waitFor();
        await page.mouse.move(0, 0);
        await settled(page);
        shots.push(await page.screenshot());
      }
      writeFileSync(picture, await asWebp(first.page, shots, { columns: 2, width: 900 }));
    }

    await step('leaves the register, and keeps the copies', async () => {
      const { page } = other;
      await openTeam(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Leave…' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Leave', exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('contentinfo').getByText('Team register connected').waitFor({ state: 'detached' });
      await go(first.page, 'Activity');
      await first.page.getByRole('radio', { name: 'Everyone' }).click({ force: true });
      await seen(first.page, 'Bo Lindqvist (bo) left the team', 30_000);
      await go(page, 'Documents');
      await page.getByRole('row', { name: /Lease 2027/ }).waitFor();
      expect(await page.getByRole('columnheader', { name: 'By', exact: true }).count()).toBe(0);
    });
  });

  it('takes four clicks from Home for its first person in an empty database, the last after all that will be done was shown', {
    timeout: 120_000,
  }, async (test) => {
    const database = await startPostgres(test);
    postgres = database;
    const admin = await database.admin();
    await admin.query('CREATE ROLE first_owner LOGIN CREATEROLE');
    await admin.query('CREATE DATABASE first_team OWNER first_owner');
    const desktop = await newWindow('first');
    ana = desktop;
    const { page } = desktop;
    await go(page, 'Start');
    await go(page, 'Connections');
    let clicks = 1;
    const words: number[] = [];
    const press = async (within: Locator, name: string) => {
      words.push(await wordsIn(page));
      clicks += 1;
      await within.getByRole('button', { name, exact: true }).click();
    };
    await press(page.getByRole('article', { name: otherServiceName }), 'Team register…');
    const dialog = page.getByRole('dialog', { name: `Team register of ${otherServiceName}` });
    const { host, port } = database.settings('ana');
    const fields = { 'Address of the database': host, Database: 'first_team', User: 'first_owner', Port: String(port) };
    for (const [label, text] of Object.entries(fields))
      await dialog.getByRole('textbox', { name: label, exact: true }).fill(text);
    await press(dialog, 'Set up here…');
    const question = page.getByRole('alertdialog');
    await question.getByText('CREATE SCHEMA', { exact: false }).first().waitFor();
    await press(question, 'Set up and join');
    await dialog.getByText('Team register connected').waitFor();
    await admin.close();
    expect(clicks).toBe(4);
    console.log('words before each click after the first, and at the end:', [...words, await wordsIn(page)].join(', '));
  });
});

/** A program that claimed a document an hour ago and was not heard of again. */
const silentClaim = `
  WITH p AS (
    INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version, seen_at)
    SELECT gen_random_uuid(), team_id, 'Carla', 'DESK-7', '1.0.0', now() - interval '1 hour' FROM sealdesk.teams RETURNING program_id, team_id
  ) INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version, claimed_at)
    SELECT gen_random_uuid(), team_id, 'AddNewDocument', repeat('0', 64), program_id, 'Forgotten.pdf', 'claimed', 1, now() - interval '1 hour' FROM p`;

async function openTeam(page: Page): Promise<void> {
  await go(page, 'Connections');
  await page.getByRole('article', { name: otherServiceName }).getByRole('button', { name: 'Team register…' }).click();
}
