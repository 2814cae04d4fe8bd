import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { presetContent } from '../../contract/compose.ts';
import { cutOff } from '../harness/cut-off.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { accessible, go, middle, registerFilesInHand, seen } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { looksOf } from '../harness/looks.ts';
import { type OtherService, otherServiceName, startOtherService } from '../harness/other-service.ts';
import { plainPdf } from '../harness/pdf.ts';
import { type Postgres, startPostgres } from '../harness/postgres.ts';
import { showLook } from '../harness/show-look.ts';
import { tell } from '../team/tell.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

describe.skipIf(why !== '')(`screens of a team in every look, in real Electron${why}`, () => {
  let desktop: Desktop | undefined;
  let service: OtherService;
  let postgres: Postgres | undefined;
  beforeEach(async () => {
    service = await startOtherService(join(newHome(), 'service'));
  });
  afterEach(async () => {
    await desktop?.quit();
    await service?.close();
    await postgres?.close();
    removeHomes();
  });

  it('cut or cover nothing, and have no fault that axe knows', { timeout: 400_000 }, async (test) => {
    postgres = await startPostgres(test);
    const home = join(newHome(), 'home');
    mkdirSync(home);
    const opened = await startDesktop({ home });
    desktop = opened;
    const { page } = opened;
    const connectionId = await service.connect(opened);
    const settings = postgres.settings('ana', { person: 'Ana Petrov' });
    await ask(opened, 'team.join', { connectionId, settings, password: '' });
    const documentId = await sendRequest(opened, connectionId);
    const admin = await postgres.admin();
    const held = plainPdf('Held');
    await admin.query(colleagues(createHash('sha256').update(held).digest('hex')));
    for (const [kind, key, value] of shared)
      await admin.query(
        `INSERT INTO sealdesk.shared_items (team_id, kind, item_key, value, program_id)
         SELECT team_id, $1, $2, $3, program_id FROM sealdesk.programs WHERE person = 'Bo Lindqvist'`,
        [kind, key, JSON.stringify({ kind, ...value })],
      );
    await tell(admin);
    await admin.close();
    await ask(opened, 'forms.save', {
      place: 'template',
      connectionId,
      name: 'Lease, my own wording',
      content: { templateId: 'TPL-1002' },
    });
    await ask(opened, 'forms.save', {
      place: 'template',
      connectionId,
      name: 'Order',
      content: { templateId: 'TPL-1003' },
    });
    await ask(opened, 'forms.save', {
      place: 'preset',
      name: 'NDA, visiting researchers',
      content: presetContent.parse({}),
    });
    for (const word of ['Sent by post', 'Put away in the archive'])
      await ask(opened, 'answers.sort', { kind: 'status', word, group: 'attention', meaning: 'Ask at the desk' });
    await ask(opened, 'views.save', { screen: 'tracking', name: 'Mine', content: '{}' });
    const file = (name: string, bytes: Buffer) => {
      const path = join(home, `${name}.pdf`);
      writeFileSync(path, bytes);
      return path;
    };
    const add = async (name: string, bytes: Buffer) => {
      await go(page, 'Start');
      await dropFiles(page, [file(name, bytes)], await middle(page));
      await registerFilesInHand(page, 1);
    };
    await ask(opened, 'team.assign', { connectionId, documentId, assignee: 'Ana Petrov' });
    await ask(opened, 'team.setDue', { connectionId, documentId, dueOn: '2027-02-01' });
    await ask(opened, 'team.addNote', { connectionId, documentId, text: 'Called her; she signs on Monday.' });

    const problems: string[] = [];
    const database = postgres;
    const all: typeof places = {
      ...places,
      held: async () => {
        await add('Held by a colleague with a long name of its file', held);
        await seen(page, /^Being sent on the computer of Bo Lindqvist/);
        await seen(page, /^Not heard of since/, 30_000);
      },
      away: async () => {
        await database.stop('fast');
        await add('Waits for the register', plainPdf('Waits'));
        await seen(page, /Waits: The team register is not reachable/);
        await page.getByRole('button', { name: 'Send without the team register…' }).waitFor();
      },
    };
    for (const [at, [name, open]] of Object.entries(all).entries()) {
      await showLook(opened, {});
      await open(page);
      for (const [look, how] of looksOf(at)) {
        await showLook(opened, how);
        problems.push(...(await cutOff(page)).map((problem) => `${name}, ${look}: ${problem}`));
        if (['light', 'dark', 'arabic'].includes(look)) await accessible(page, `team-${name}-${look}`);
      }
      await closeAll(page);
    }
    expect(problems).toEqual([]);
  });
});

/** Closes menus and dialogs: a question stands before the dialog that asks it. */
async function closeAll(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press('Escape');
      return page.getByRole('dialog').or(page.getByRole('alertdialog')).count();
    })
    .toBe(0);
}

/** By name, the way to each. */
const places: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  dialog: async (page) => {
    await go(page, 'Connections');
    await page.getByRole('article', { name: otherServiceName }).getByRole('button', { name: 'Team register…' }).click();
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await seen(page, 'You are a lead:');
  },
  connections: (page) => go(page, 'Connections'),
  documents: async (page) => {
    await go(page, 'Documents');
    await page.getByRole('row', { name: /Supplier agreement/ }).click({ timeout: 20_000 });
    await page.getByRole('complementary').waitFor();
  },
  everyone: async (page) => {
    await go(page, 'Activity');
    await page.getByRole('radio', { name: 'Everyone' }).click({ force: true });
    await seen(page, /^Not heard of since/);
  },
  settle: async (page) => {
    await go(page, 'Start');
    await go(page, 'Activity');
    await page.getByRole('radio', { name: 'Everyone' }).click({ force: true });
    await page.getByRole('button', { name: 'Decide…' }).click();
  },
  answers: async (page) => {
    await go(page, 'Start');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Answers');
    await page.getByRole('option', { name: 'Answers', exact: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Share with the team: Sent by post' }).waitFor();
    await page.getByRole('button', { name: 'Share changes…: Put away in the archive' }).waitFor();
  },
  views: async (page) => {
    await go(page, 'Start');
    await go(page, 'Documents');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: /^Leases of the harbour street/ }).click();
    await page.getByRole('button', { name: /^Leases of the harbour street/ }).click();
    await page.getByRole('menuitem', { name: /^Stop sharing/ }).waitFor();
  },
  'signature-views': async (page) => {
    await go(page, 'Signatures');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('menuitem', { name: /^To chase before the end of the month/ }).click();
    await page.getByRole('button', { name: /^To chase before the end of the month/ }).click();
    await page.getByRole('menuitem', { name: /^Stop sharing/ }).waitFor();
  },
  templates: async (page) => {
    await openTemplateRequest(page);
    await page.getByRole('button', { name: 'My templates…' }).click();
    await page.getByRole('button', { name: /^Share changes…/ }).waitFor();
  },
  presets: async (page) => {
    await openTemplateRequest(page);
    await page.getByRole('button', { name: 'Presets…' }).click();
    await page.getByRole('button', { name: /^Save a copy/ }).waitFor();
  },
  'stop-sharing': async (page) => {
    await openTemplateRequest(page);
    await page.getByRole('button', { name: 'Presets…' }).click();
    await page
      .getByRole('button', { name: /^Stop sharing…/ })
      .first()
      .click();
    await page.getByRole('alertdialog').waitFor();
  },
  signatures: async (page) => {
    await go(page, 'Signatures');
    await page.getByRole('radio', { name: 'Mine' }).click();
    await page.getByRole('row').getByText('Assigned to Ana Petrov').waitFor({ timeout: 20_000 });
    await page
      .getByRole('row')
      .getByText(/Omar Haddad/)
      .click();
    await seen(page, 'Called her; she signs on Monday.');
  },
};

async function openTemplateRequest(page: Page): Promise<void> {
  await go(page, 'Start');
  await go(page, 'Signatures');
  await page.getByRole('button', { name: 'New request' }).first().click();
  await page.getByRole('radio', { name: 'Template' }).click({ force: true });
}

/** What a colleague shares: of each kind one thing that this person has, or could have, as well. */
const shared = [
  ['template', 'TPL-1002', { templateId: 'TPL-1002', name: 'Lease', note: '', use: 'both' }],
  [
    'template',
    'TPL-1004',
    { templateId: 'TPL-1004', name: 'Supplier agreement', note: 'Only for suppliers in the north', use: 'template' },
  ],
  ['preset', 'lease 2027', { name: 'Lease 2027', content: presetContent.parse({ documentName: 'Lease 2027' }) }],
  [
    'view',
    'documents leases of the harbour street',
    { screen: 'documents', name: 'Leases of the harbour street', content: '{"search":"Lease"}' },
  ],
  [
    'answer',
    'status put away in the archive',
    { answer: { kind: 'status', word: 'Put away in the archive', group: 'completed', meaning: 'Signed by all' } },
  ],
  [
    'answer',
    'status waits for the notary',
    { answer: { kind: 'status', word: 'Waits for the notary', group: 'in-progress', meaning: '' } },
  ],
  ['answer', 'code -4711', { answer: { kind: 'code', code: '-4711', meaning: 'No credits: ask Bo' } }],
  [
    'view',
    'tracking to chase before the end of the month',
    { screen: 'tracking', name: 'To chase before the end of the month', content: '{"filter":{"dueOnly":true}}' },
  ],
] as const;

/** Sends a request and answers the original document of its entry. */
async function sendRequest(desktop: Desktop, connectionId: string): Promise<string> {
  await ask(desktop, 'signatures.request', {
    kind: 'easy-sign-template',
    connectionId,
    templateId: 'TPL-1002',
    documentName: 'NDA, visiting researchers',
    emails: ['o.haddad@example.com'],
    names: ['Omar Haddad'],
  });
  await expect.poll(async () => (await ask(desktop, 'jobs.list', {})).jobs[0]?.state, { timeout: 20_000 }).toBe('done');
  await ask(desktop, 'tracking.refresh', { connectionId });
  const first = async () => (await ask(desktop, 'tracking.groups', { connectionId })).groups[0]?.origDocumentId ?? '';
  await expect.poll(first, { timeout: 20_000 }).not.toBe('');
  return await first();
}

/** What two colleagues did: a document, some events, a claim of a program that is gone, and one in doubt. */
const colleagues = (sha256: string) => `
  WITH bo AS (
    INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version, seen_at)
    SELECT gen_random_uuid(), team_id, 'Bo Lindqvist', 'DESK-7', '1.0.0', now() - interval '1 hour' FROM sealdesk.teams RETURNING program_id, team_id
  ), claims AS (
    INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version, claimed_at)
    SELECT gen_random_uuid(), team_id, 'AddNewDocument', k, program_id, title, state, 1, now() - interval '1 hour'
    FROM bo, (VALUES ('${sha256}', 'Order 4471, cold storage.pdf', 'claimed'), ('1', 'Annex B, insurance.pdf', 'in-doubt')) AS c (k, title, state)
  ), documents AS (
    INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, file_name, size_bytes, sha256, registered_at)
    SELECT team_id, gen_random_uuid()::text, program_id, name, '', 'HR-' || length(name), '', name || '.pdf', 48213, repeat('a', 64), now() - interval '2 hours'
    FROM bo, (VALUES ('Supplier agreement, Nord GmbH'), ('Lease 2027, Harbour St 14')) AS d (name)
  ) INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title, document_id)
    SELECT gen_random_uuid()::text, team_id, program_id, kind, title, 'x' FROM bo,
      (VALUES ('registered', 'Supplier agreement, Nord GmbH.pdf'), ('sent-without-register', 'Lease 2027, Harbour St 14.pdf'), ('in-doubt', 'Annex B, insurance.pdf')) AS e (kind, title)`;
