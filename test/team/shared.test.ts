import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, type TestContext } from 'vitest';
import type { SharedValue } from '../../contract/shared.ts';
import { openTeamDatabase } from '../../electron/core/team/database.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import {
  atEnd,
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  pdf,
  register,
  saying,
  until,
} from '../core/jobs-setup.ts';
import type { RunningCore } from '../harness/core.ts';
import { newTeamRegister, type Postgres, startPostgres, type TeamRegister } from '../harness/postgres.ts';
import { tell } from './tell.ts';

async function newRegister(test: TestContext): Promise<TeamRegister> {
  const register = await newTeamRegister(test);
  atEnd(() => register.close());
  return register;
}

/** For a test that stops it. */
async function newPostgres(test: TestContext): Promise<Postgres> {
  const postgres = await startPostgres(test);
  atEnd(() => postgres.close());
  return postgres;
}

interface Program {
  readonly core: RunningCore;
  readonly connectionId: string;
}

/** A team has one service. */
const services = new WeakMap<TeamRegister, ReturnType<typeof newService>>();

/** A program of a member of the team, with a data folder of its own. */
async function joined(postgres: TeamRegister, user: 'ana' | 'bo' | 'reader', dataDir?: string): Promise<Program> {
  const core = await newCore({ ...(dataDir ? { dataDir } : {}) });
  const service = services.get(postgres) ?? newService();
  services.set(postgres, service);
  const connectionId = await connect(core, await service);
  await core.must('team.join', { connectionId, settings: postgres.settings(user, { person: user }), password: '' });
  return { core, connectionId };
}

const template = (name: string, templateId = 'T-1'): SharedValue => ({
  kind: 'template',
  templateId,
  name,
  note: '',
  use: 'both',
});
const answer: SharedValue = {
  kind: 'answer',
  answer: { kind: 'status', word: 'Archiviert', group: 'completed', meaning: 'Signed and put away' },
};
const sharedOf = ({ core, connectionId }: Program) => core.must('team.shared', { connectionId });
const share = ({ core, connectionId }: Program, value: SharedValue) => core.ask('team.share', { connectionId, value });

it('brings what one shares, changes and no longer shares to the others, and keeps it offline and after leaving', async (test) => {
  const postgres = await newPostgres(test);
  const [ana, bo] = [await joined(postgres, 'ana'), await joined(postgres, 'bo')];
  await bo.core.must('forms.save', {
    place: 'template',
    connectionId: bo.connectionId,
    name: 'Mine',
    content: { templateId: 'T-1' },
  });
  const preset = { kind: 'preset', name: 'Lease', content: { documentName: 'Lease', recipients: [] } } as unknown;
  const view = { kind: 'view', screen: 'documents', name: 'Leases', content: '{"text":"lease"}' } as const;
  for (const value of [template('Lease'), preset as SharedValue, view, answer])
    expect(await share(ana, value)).toMatchObject({ ok: true });
  await until(async () => (await sharedOf(bo)).length === 4);
  const seen = await sharedOf(bo);
  expect(seen.map(({ value, by }) => [value.kind, by.person])).toEqual([
    ['answer', 'ana'],
    ['preset', 'ana'],
    ['template', 'ana'],
    ['view', 'ana'],
  ]);
  expect(seen[0]?.value).toEqual(answer);

  // Changed by a colleague: the last one counts, with the name of who changed it.
  await share(bo, template('Lease 2027'));
  await until(async () => (await sharedOf(ana)).some(({ by }) => by.person === 'bo'));
  expect((await sharedOf(ana)).find(({ key }) => key === 'T-1')?.value).toMatchObject({ name: 'Lease 2027' });
  await ana.core.must('team.unshare', { connectionId: ana.connectionId, kind: 'view', key: 'documents leases' });
  await until(async () => (await sharedOf(bo)).length === 3);

  await postgres.stop('fast');
  expect(await sharedOf(bo)).toHaveLength(3);
  await bo.core.must('team.leave', { connectionId: bo.connectionId, evenUnreported: true });
  expect(await sharedOf(bo)).toHaveLength(3);
  // A template of one's own with the same ID is another thing.
  expect(await bo.core.must('forms.list', { place: 'template' })).toMatchObject([{ name: 'Mine' }]);
});

it('lets only a lead share what an answer means, and a reader nothing; what was replaced stays and cannot be changed', async (test) => {
  const postgres = await newRegister(test);
  const [ana, bo, reader] = [
    await joined(postgres, 'ana'),
    await joined(postgres, 'bo'),
    await joined(postgres, 'reader'),
  ];
  const refused = { ok: false, failure: { code: 'not-connected', detail: 'team-rights' } };
  expect(await share(bo, answer)).toMatchObject(refused);
  expect(await share(reader, template('Lease'))).toMatchObject(refused);
  expect(await share(ana, answer)).toMatchObject({ ok: true });
  const { connectionId } = bo;
  expect(await bo.core.ask('team.unshare', { connectionId, kind: 'answer', key: 'status archiviert' })).toMatchObject(
    refused,
  );
  await share(ana, template('First'));
  await share(bo, template('Second'));
  await until(async () => (await sharedOf(reader)).length === 2);
  // A refusal is no loss of the register.
  expect((await bo.core.must('team.state', {})).links[0]?.state).toBe('connected');

  const database = await openTeamDatabase(postgres.settings('ana'), '');
  atEnd(() => database.close());
  const changes = await database.query<{ value: string; database_user: string }>(
    "SELECT value, database_user FROM sealdesk.shared_changes WHERE kind = 'template' ORDER BY changed_at",
  );
  expect(changes.map(({ value, database_user }) => [JSON.parse(value).name, database_user])).toEqual([
    ['First', 'ana'],
    ['Second', 'bo'],
  ]);
  await expect(database.query("UPDATE sealdesk.shared_changes SET value = ''")).rejects.toMatchObject({
    failure: { detail: 'team-rights' },
  });
  await expect(database.query('DELETE FROM sealdesk.shared_items')).rejects.toMatchObject({
    failure: { detail: 'team-rights' },
  });
});

it('leaves out what it does not understand, and bounds what is shared', async (test) => {
  const postgres = await newRegister(test);
  const [ana, bo] = [await joined(postgres, 'ana'), await joined(postgres, 'bo')];
  const large = { kind: 'preset', name: 'Large', content: { xmlData: 'x'.repeat(70_000) } } as unknown;
  expect(await share(ana, large as SharedValue)).toMatchObject({ ok: false, failure: { code: 'bad-input' } });

  const database = await openTeamDatabase(postgres.settings('ana'), '');
  atEnd(() => database.close());
  const insert = (kind: string, key: string, value: string) =>
    database.query(
      `INSERT INTO sealdesk.shared_items (team_id, kind, item_key, value, program_id)
       SELECT team_id, $1, $2, $3, (SELECT program_id FROM sealdesk.programs LIMIT 1) FROM sealdesk.teams`,
      [kind, key, value],
    );
  await insert('template', 'newer', JSON.stringify({ ...template('Newer', 'newer'), path: '/home/ana' }));
  await insert('template', 'other', JSON.stringify(template('Under the key of another', 'T-9')));
  await insert('view', 'no JSON', '{');
  await insert('unheard of', 'x', '{}');
  await expect(insert('view', 'large', 'x'.repeat(70_000))).rejects.toThrow();
  await tell(database);
  await share(ana, template('Lease'));
  await until(async () => (await sharedOf(bo)).length > 0);
  expect((await sharedOf(bo)).map(({ key }) => key)).toEqual(['T-1']);

  await database.query(
    `INSERT INTO sealdesk.shared_items (team_id, kind, item_key, value, program_id)
     SELECT team_id, 'template', 'many ' || n, '{}', (SELECT program_id FROM sealdesk.programs LIMIT 1)
     FROM sealdesk.teams, generate_series(1, 1000) AS n`,
  );
  expect(await share(ana, template('One too many', 'T-2'))).toMatchObject({
    ok: false,
    failure: { code: 'bad-input' },
  });
  // What is shared already can still be changed.
  expect(await share(ana, template('Lease 2'))).toMatchObject({ ok: true });
});

const meaning = (word: string, group: 'completed' | 'attention', text: string): SharedValue => ({
  kind: 'answer',
  answer: { kind: 'status', word, group, meaning: text },
});

describe('a meaning that a team shares', () => {
  /** A program with a document whose status was asked for; `raw` is what the service says. */
  async function withDocument(program: Program): Promise<{ raw: string; kept: () => Promise<unknown> }> {
    const { core, connectionId } = program;
    const path = join(await newFolder(), 'lease.pdf');
    await writeFile(path, pdf(`A lease of ${connectionId}`));
    await register(core, connectionId, [path]);
    const listed = async () => (await core.must('documents.list', { connectionId })).rows[0];
    await until(async () => (await listed()) !== undefined);
    const documentId = (await listed())?.documentId ?? '';
    const { raw } = await core.must('documents.status', { connectionId, documentId });
    return { raw: raw ?? '', kept: async () => (await listed())?.status?.answer };
  }

  it('counts for stored answers, after an own one and before a built-in one, until it is no longer shared', async (test) => {
    const postgres = await newRegister(test);
    const [ana, bo] = [await joined(postgres, 'ana'), await joined(postgres, 'bo')];
    const alone: Program = {
      core: bo.core,
      connectionId: await connect(bo.core, await newService(), { name: 'Alone' }),
    };
    const [{ raw, kept }, other] = [await withDocument(bo), await withDocument(alone)];
    const before = await other.kept();

    await share(ana, meaning(raw, 'attention', 'Ask Ana'));
    await until(async () => JSON.stringify(await kept()).includes('Ask Ana'));
    expect(await kept()).toMatchObject({ group: 'attention', meaning: 'Ask Ana' });
    // Another connection of the same person has no team.
    expect(await other.kept()).toEqual(before);

    await bo.core.must('answers.sort', { kind: 'status', word: raw, group: 'completed', meaning: 'My own' });
    expect(await kept()).toMatchObject({ group: 'completed', meaning: 'My own' });
    await bo.core.must('answers.unsort', { kind: 'status', word: raw });
    expect(await kept()).toMatchObject({ meaning: 'Ask Ana' });

    const { connectionId } = ana;
    // The others are told the name that the sharer's own copy has.
    await until(async () => (await sharedOf(ana)).length === 1);
    await ana.core.must('team.unshare', { connectionId, kind: 'answer', key: `status ${raw.toLowerCase()}` });
    await until(async () => JSON.stringify(await kept()) === JSON.stringify(before));
    const events = await ana.core.must('team.events', { connectionId });
    const told = events.filter(({ kind }) => kind === 'shared' || kind === 'unshared');
    expect(told.map(({ kind, title }) => [kind, title])).toEqual([
      ['unshared', raw],
      ['shared', raw],
    ]);
  });

  it('is applied by the next start if the program ended before stored answers were read again', async (test) => {
    const postgres = await newPostgres(test);
    const dataDir = await newFolder();
    const ana = await joined(postgres, 'ana');
    const bo = await joined(postgres, 'bo', dataDir);
    const { raw, kept } = await withDocument(bo);
    await share(ana, meaning(raw, 'attention', 'Ask Ana'));
    await until(async () => JSON.stringify(await kept()).includes('Ask Ana'));
    await postgres.stop('fast');
    await bo.core.stop();
    // As if the answers had not been read again: the mark is written last.
    const sql = openSql(join(dataDir, 'sealdesk.db'));
    sql.run('DELETE FROM settings WHERE key = ?', `answers.read.${bo.connectionId}`);
    sql.run('UPDATE documents SET status_answer = ?', '{"kind":"text","group":"completed","meaning":"before"}');
    sql.close();
    const again = await newCore({ dataDir });
    const { rows } = await again.must('documents.list', { connectionId: bo.connectionId });
    expect(rows[0]?.status?.answer).toMatchObject({ meaning: 'Ask Ana' });
  });

  it('makes a word known, and gives codes a meaning', async (test) => {
    const postgres = await newRegister(test);
    const hearing = async (user: 'ana' | 'bo') => {
      const core = await newCore();
      const connectionId = await saying(core, { GetDocumentStatus: 'Archiviert', AddNewDocument: '-4711' });
      await core.must('team.join', {
        connectionId,
        settings: postgres.settings(user, { person: user }),
        password: '',
        isSameService: true,
      });
      const status = async () => (await core.must('documents.status', { connectionId, documentId: 'A-1' })).answer;
      return { core, connectionId, status };
    };
    const [ana, bo] = [await hearing('ana'), await hearing('bo')];
    const unsorted = async () => (await ana.core.must('answers.table', {})).unsorted.statuses;
    expect(await ana.status()).toMatchObject({ group: 'not-sorted' });
    expect(await unsorted()).toMatchObject([{ word: 'Archiviert' }]);
    await share(ana, answer);
    await share(ana, { kind: 'answer', answer: { kind: 'code', code: '-4711', meaning: 'Out of wax' } });
    await until(async () => (await unsorted()).length === 0);
    expect(await ana.status()).toMatchObject({ group: 'completed', meaning: 'Signed and put away' });
    await until(async () => (await sharedOf(bo)).length === 2);
    const path = join(await newFolder(), 'lease.pdf');
    await writeFile(path, pdf('Lease'));
    const batchId = await register(bo.core, bo.connectionId, [path]);
    const refused = async () => (await jobsOf(bo.core, batchId)).find(({ state }) => state === 'refused');
    await until(async () => (await refused()) !== undefined);
    expect(await refused()).toMatchObject({ answer: { code: '-4711', meaning: 'Out of wax' } });
  });
});
