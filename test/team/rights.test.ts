import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { claimInRegister, knownAlready } from '../../electron/core/team/claims.ts';
import {
  openTeamDatabase,
  type Query,
  type SqlParameter,
  type TeamDatabase,
} from '../../electron/core/team/database.ts';
import { addEvents, thenFed } from '../../electron/core/team/feed.ts';
import { askTeam, initTeam, planTeam, resumeTeam } from '../../electron/core/team/init-team.ts';
import { openClaims } from '../../electron/core/team/others-claims.ts';
import { roleIn } from '../../electron/core/team/rights.ts';
import { databaseIdentity } from '../../electron/core/team/schema.ts';
import { readEvents } from '../../electron/core/team/team-notes.ts';
import { atEnd } from '../core/jobs-setup.ts';
import { newTeamRegister, type TeamRegister } from '../harness/postgres.ts';

/** Two teams in one database. In the first ana is a lead, bo a member and reader a reader; each of them is nobody in the second. */
async function twoTeams(test: TestContext) {
  const register = await newTeamRegister(test);
  atEnd(() => register.close());
  const admin = await register.admin();
  atEnd(() => admin.close());
  await initTeam(admin, 'others');
  const ids = { anas: randomUUID(), bos: randomUUID(), theirs: randomUUID(), claim: randomUUID(), own: randomUUID() };
  const [ana, bo] = [await login(register, 'ana'), await login(register, 'bo')];
  await enter(ana, ids.anas, 'ana');
  await enter(bo, ids.bos, 'bo');
  await enter(admin, ids.theirs, 'carla', 'others');
  for (const [by, program, claim, team] of [
    [ana, ids.anas, ids.claim, 'team'],
    [bo, ids.bos, ids.own, 'team'],
    [admin, ids.theirs, randomUUID(), 'others'],
  ] as const) {
    const values = [team, program];
    await by.query(
      `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
       SELECT $3::uuid, team_id, 'AddNewDocument', $3, $2::uuid, 'lease.pdf', 'claimed', 1 FROM sealdesk.teams WHERE name = $1`,
      [...values, claim],
    );
    await by.query(
      `INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title)
       SELECT gen_random_uuid()::text, team_id, $2::uuid, 'registered', 'lease.pdf' FROM sealdesk.teams WHERE name = $1`,
      values,
    );
    await by.query(
      `INSERT INTO sealdesk.notes (note_id, team_id, document_id, program_id, note)
       SELECT gen_random_uuid(), team_id, 'd', $2::uuid, 'call them' FROM sealdesk.teams WHERE name = $1`,
      values,
    );
    await by.query(
      `INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, registered_at)
       SELECT team_id, $3, $2::uuid, 'lease', '', '', '', now() FROM sealdesk.teams WHERE name = $1`,
      [...values, claim],
    );
    await by.query(
      `INSERT INTO sealdesk.requests (team_id, document_id, assignee) SELECT team_id, 'd', 'bo' FROM sealdesk.teams WHERE name = $1
       ON CONFLICT DO NOTHING`,
      [team],
    );
  }
  await ana.query(
    `INSERT INTO sealdesk.shared_items (team_id, kind, item_key, value, program_id)
     SELECT team_id, 'template', 't', '{}', $1::uuid FROM sealdesk.teams WHERE name = 'team'`,
    [ids.anas],
  );
  return { register, admin, ana, bo, ids };
}

async function login(register: TeamRegister, user: string): Promise<TeamDatabase> {
  const database = await openTeamDatabase(register.settings(user), '');
  atEnd(() => database.close());
  return database;
}

const enter = (by: TeamDatabase, program: string, person: string, team = 'team') =>
  by.query(
    `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version)
     SELECT $1::uuid, team_id, $2, 'X', '1' FROM sealdesk.teams WHERE name = $3`,
    [program, person, team],
  );

const letIntoOthers = (admin: TeamDatabase, login: string) =>
  admin.query(
    `DO $$ BEGIN EXECUTE format('GRANT %I TO ${login}', (SELECT role_prefix || '_member' FROM sealdesk.teams WHERE name = 'others')); END $$`,
  );

/** What a member of another team enters there under the IDs of this one: a program with its claim, and the next event of the claim. */
async function takeIds(by: TeamDatabase, program: string, claim: string): Promise<void> {
  await enter(by, program, 'mallory', 'others');
  await by.query(
    `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
     SELECT $1::uuid, team_id, 'AddNewDocument', $1, $2::uuid, 'taken', 'claimed', 1 FROM sealdesk.teams WHERE name = 'others'`,
    [claim, program],
  );
  await by.query(
    `INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title)
     SELECT $1, team_id, $2::uuid, 'registered', 'taken' FROM sealdesk.teams WHERE name = 'others'`,
    [`${claim}.2`, program],
  );
}

/** Refusals of rights, of row security and of lengths. A try that fails otherwise proves nothing. */
const refusals = /\((42501|23514)\)$/;

/** The names of the tries that changed or showed anything, or failed for another reason. */
async function succeeded(by: TeamDatabase, tries: Readonly<Record<string, string>>): Promise<string[]> {
  const names: string[] = [];
  for (const [name, statement] of Object.entries(tries)) {
    const said = await by.query(statement).then(
      (rows) => (rows.length > 0 ? 'done' : null),
      (error: Error) => (refusals.test(error.message) ? null : error.message),
    );
    if (said !== null) names.push(`${name}: ${said}`);
  }
  return names;
}

const ofTeam = "(SELECT team_id FROM sealdesk.teams WHERE name = 'team')";

it('lets a member sign nothing with the name or the time of somebody else', async (test) => {
  const { bo, ids } = await twoTeams(test);
  const insert = (table: string, columns: string, values: string) =>
    `INSERT INTO sealdesk.${table} (team_id, ${columns}) VALUES (${ofTeam}, ${values}) RETURNING 1`;
  const document = "'n', '', '', ''";
  const tries = {
    'an event of a colleague': insert(
      'events',
      'event_id, program_id, kind, title',
      `'${randomUUID()}', '${ids.anas}', 'refused', 'x'`,
    ),
    'an event with another login': insert(
      'events',
      'event_id, program_id, kind, title, database_user',
      `'${randomUUID()}', '${ids.bos}', 'refused', 'x', 'ana'`,
    ),
    'an event of yesterday': insert(
      'events',
      'event_id, program_id, kind, title, happened_at',
      `'${randomUUID()}', '${ids.bos}', 'refused', 'x', now() - interval '1 day'`,
    ),
    'the event of a claim of a colleague': insert(
      'events',
      'event_id, program_id, kind, title',
      `'${ids.claim}.2', '${ids.bos}', 'refused', 'x'`,
    ),
    "a lead's decision": insert(
      'events',
      'event_id, program_id, kind, title',
      `'${randomUUID()}', '${ids.bos}', 'settled', 'x'`,
    ),
    'a note of a colleague': insert(
      'notes',
      'note_id, document_id, program_id, note',
      `'${randomUUID()}', 'd', '${ids.anas}', 'x'`,
    ),
    'a note of yesterday': insert(
      'notes',
      'note_id, document_id, program_id, note, written_at',
      `'${randomUUID()}', 'd', '${ids.bos}', 'x', now() - interval '1 day'`,
    ),
    'a document of a colleague': insert(
      'documents',
      'document_id, program_id, registered_at, name, description, client_id, signers',
      `'x1', '${ids.anas}', now(), ${document}`,
    ),
    'a document of tomorrow': insert(
      'documents',
      'document_id, program_id, registered_at, name, description, client_id, signers',
      `'x2', '${ids.bos}', now() + interval '1 day', ${document}`,
    ),
    'a claim of a colleague': insert(
      'claims',
      'claim_id, kind, claim_key, program_id, title, state, version',
      `'${randomUUID()}', 'k', 'x3', '${ids.anas}', 't', 'done', 1`,
    ),
    'a claim of last year': insert(
      'claims',
      'claim_id, kind, claim_key, program_id, title, state, version, claimed_at',
      `'${randomUUID()}', 'k', 'x4', '${ids.bos}', 't', 'done', 1, now() - interval '1 year'`,
    ),
    'a claim that a lead decided': insert(
      'claims',
      'claim_id, kind, claim_key, program_id, title, state, version, declared_by',
      `'${randomUUID()}', 'k', 'x5', '${ids.bos}', 't', 'done', 1, 'ana'`,
    ),
    'a shared template of a colleague': insert(
      'shared_items',
      'kind, item_key, value, program_id',
      `'template', 'u', '{}', '${ids.anas}'`,
    ),
    'a shared template in place of a colleague’s, in her name':
      "UPDATE sealdesk.shared_items SET value = '[]' WHERE item_key = 't' RETURNING 1",
    'a change of yesterday': insert(
      'shared_changes',
      'kind, item_key, value, program_id, changed_at',
      `'template', 'u', '{}', '${ids.bos}', now() - interval '1 day'`,
    ),
    'a change by another login': insert(
      'shared_changes',
      'kind, item_key, value, program_id, database_user',
      `'template', 'u', '{}', '${ids.bos}', 'ana'`,
    ),
    'a change of a colleague': insert(
      'shared_changes',
      'kind, item_key, value, program_id',
      `'template', 'u', '{}', '${ids.anas}'`,
    ),
    'a program for another login': insert(
      'programs',
      'program_id, person, computer, version, database_user',
      `'${randomUUID()}', 'ana', 'X', '1', 'ana'`,
    ),
    'a program that is heard of in the future': `UPDATE sealdesk.programs SET seen_at = now() + interval '1 year' WHERE program_id = '${ids.bos}' RETURNING 1`,
    "the last sign of life of a colleague's program": `UPDATE sealdesk.programs SET seen_at = now() - interval '1 day' WHERE program_id = '${ids.anas}' RETURNING 1`,
    "the name of a colleague's program": `UPDATE sealdesk.programs SET person = 'bo' WHERE program_id = '${ids.anas}' RETURNING 1`,
    'its own claim as that of a colleague': `UPDATE sealdesk.claims SET program_id = '${ids.anas}' WHERE claim_id = '${ids.own}' RETURNING 1`,
    'its own program in the hands of a colleague': `UPDATE sealdesk.programs SET database_user = 'ana' WHERE program_id = '${ids.bos}' RETURNING 1`,
    'a document registered by a colleague, as its own': `UPDATE sealdesk.documents SET program_id = '${ids.bos}' WHERE program_id = '${ids.anas}' RETURNING 1`,
  };
  expect(await succeeded(bo, tries)).toEqual([]);
});

it('lets a member change, decide, reopen and remove nothing that is not his to change', async (test) => {
  const { register, ana, bo, admin, ids } = await twoTeams(test);
  await admin.query("UPDATE sealdesk.teams SET is_restored = true WHERE name = 'team'");
  const tries = {
    'an event': "UPDATE sealdesk.events SET title = 'x' RETURNING 1",
    'events, removed': 'DELETE FROM sealdesk.events RETURNING 1',
    'a note': "UPDATE sealdesk.notes SET note = 'x' RETURNING 1",
    'notes, removed': 'DELETE FROM sealdesk.notes RETURNING 1',
    'what was shared before, removed': 'DELETE FROM sealdesk.shared_changes RETURNING 1',
    'claims, removed': 'DELETE FROM sealdesk.claims RETURNING 1',
    "a colleague's claim, released": `UPDATE sealdesk.claims SET state = 'released' WHERE claim_id = '${ids.claim}' RETURNING 1`,
    "a colleague's claim, done": `UPDATE sealdesk.claims SET state = 'done', document_id = 'x', version = 99 WHERE claim_id = '${ids.claim}' RETURNING 1`,
    "the token of a colleague's claim": `UPDATE sealdesk.claims SET ask = 'x' WHERE claim_id = '${ids.claim}' RETURNING 1`,
    "a colleague's claim, out of the way": `UPDATE sealdesk.claims SET second_of = claim_id WHERE claim_id = '${ids.claim}' RETURNING 1`,
    'entries of a list under the hash of others': `INSERT INTO sealdesk.list_pieces (team_id, list_type, piece, entries) VALUES (${ofTeam}, 1, '47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU', '[]') RETURNING 1`,
    'the register, opened again': 'UPDATE sealdesk.teams SET is_restored = false RETURNING 1',
    'the name of the team': "UPDATE sealdesk.teams SET name = 'x' RETURNING 1",
    'the roles of the team': "UPDATE sealdesk.teams SET role_prefix = 'x' RETURNING 1",
    'a document': "UPDATE sealdesk.documents SET name = 'x' RETURNING 1",
    'the mark of a change': 'UPDATE sealdesk.changes SET mark = gen_random_uuid() RETURNING 1',
    'a change with a mark of its own': `INSERT INTO sealdesk.changes (team_id, position, mark, kind, item) VALUES (${ofTeam}, 9, gen_random_uuid(), 'list', '1') RETURNING 1`,
    'changes, removed': 'DELETE FROM sealdesk.changes RETURNING 1',
    'the epoch of the team': 'UPDATE sealdesk.teams SET epoch = epoch + 1 RETURNING 1',
    'what answers mean for everybody': `INSERT INTO sealdesk.shared_items (team_id, kind, item_key, value, program_id) VALUES (${ofTeam}, 'answer', 'a', '{}', '${ids.bos}') RETURNING 1`,
    'documents, removed': 'DELETE FROM sealdesk.documents RETURNING 1',
    'calls that give the others more': `INSERT INTO sealdesk.service_calls (team_id, hour, used) VALUES (${ofTeam}, now(), -9) RETURNING 1`,
    'the calls of this hour, removed': `WITH c AS (INSERT INTO sealdesk.service_calls (team_id, hour, used) VALUES (${ofTeam}, date_trunc('hour', now()), 9) ON CONFLICT DO NOTHING)
       DELETE FROM sealdesk.service_calls RETURNING 1`,
    'all rows at once': 'TRUNCATE sealdesk.claims',
    'the schema': 'ALTER TABLE sealdesk.claims ADD COLUMN x text',
    'the version of the schema': 'INSERT INTO sealdesk.schema_versions (version) VALUES (99) RETURNING 1',
    'a table in the schema': 'CREATE TABLE sealdesk.mine AS SELECT 1',
    'the row policies': 'ALTER TABLE sealdesk.claims DISABLE ROW LEVEL SECURITY',
    'another role':
      "DO $$ BEGIN EXECUTE format('GRANT %I TO bo', (SELECT role_prefix || '_lead' FROM sealdesk.teams)); END $$",
  };
  expect(await succeeded(bo, tries)).toEqual([]);
  expect(await admin.query("SELECT is_restored FROM sealdesk.teams WHERE name = 'team'")).toEqual([
    { is_restored: true },
  ]);
  const locks = (await tablesOf(admin)).map((table) => [
    table,
    `DO $$ BEGIN LOCK TABLE sealdesk.${table} IN ROW SHARE MODE; RAISE 'locked'; END $$`,
  ]);
  for (const one of [await login(register, 'reader'), bo, ana])
    expect(await succeeded(one, Object.fromEntries(locks))).toEqual([]);
  // Nor does anybody fill the disk, or the room for locks, with what is their own.
  const stores = {
    'a table for a session': 'CREATE TEMPORARY TABLE mine AS SELECT 1',
    'a large object': 'SELECT lo_create(0)',
    'a large object of the older kind': 'SELECT lo_creat(1)',
    'a large object with bytes': "SELECT lo_from_bytea(0, 'x')",
    'a lock of nothing, of which there is room for some thousands on the whole server': 'SELECT pg_advisory_lock(1)',
    'one of the kind that does not wait': 'SELECT pg_try_advisory_xact_lock_shared(1, 2)',
  };
  for (const one of [await login(register, 'reader'), bo, ana]) expect(await succeeded(one, stores)).toEqual([]);
  const [column] = await admin.query(
    "SELECT 1 FROM information_schema.columns WHERE table_schema = 'sealdesk' AND (column_name = 'x' OR table_name = 'mine')",
  );
  expect(column).toBeUndefined();
});

/** All tables of the register. */
const tablesOf = async (admin: TeamDatabase) =>
  (
    await admin.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'sealdesk' ORDER BY 1",
    )
  ).map(({ name }) => name);

it('says what only the owner of the database and of the server may take from everybody', async (test) => {
  const register = await newTeamRegister(test);
  atEnd(() => register.close());
  const [admin, ana] = [await register.admin(), await login(register, 'ana')];
  atEnd(() => admin.close());
  const { byOthers, statements } = await planTeam(ana, 'team');
  expect(byOthers.join()).toMatch(/REVOKE TEMPORARY ON DATABASE \w+ FROM PUBLIC/);
  expect(statements.join()).not.toMatch(/REVOKE TEMPORARY/);
  await initTeam(admin, 'team');
  expect(await planTeam(ana, 'team')).toMatchObject({ byOthers: [] });
});

it('keeps two teams in one database apart, and a reader from writing anything', async (test) => {
  const { register, bo, admin, ana, ids } = await twoTeams(test);
  const theirs = (await admin.query<{ team_id: string }>("SELECT team_id FROM sealdesk.teams WHERE name = 'others'"))[0]
    ?.team_id;
  const tables = (await tablesOf(admin)).filter((table) => table !== 'schema_versions');
  const read = Object.fromEntries(
    tables.map((table) => [`${table} of another team`, `SELECT 1 FROM sealdesk.${table} WHERE team_id = '${theirs}'`]),
  );
  const written = {
    'a claim for another team': `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
      VALUES ('${randomUUID()}', '${theirs}', 'k', 'x', '${ids.bos}', 't', 'claimed', 1) RETURNING 1`,
    'a claim of another team': `UPDATE sealdesk.claims SET state = 'released' WHERE team_id = '${theirs}' RETURNING 1`,
    'an assignment in another team': `UPDATE sealdesk.requests SET assignee = 'x' WHERE team_id = '${theirs}' RETURNING 1`,
    'a program in another team': `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ('${randomUUID()}', '${theirs}', 'b', 'X', '1') RETURNING 1`,
    'the register of another team, closed': `UPDATE sealdesk.teams SET is_restored = true WHERE team_id = '${theirs}' RETURNING 1`,
    'the calls of another team': `INSERT INTO sealdesk.service_calls (team_id, hour, used) VALUES ('${theirs}', now(), 9) RETURNING 1`,
    'a list of another team': `INSERT INTO sealdesk.lists (team_id, list_type) VALUES ('${theirs}', 1) RETURNING 1`,
  };
  for (const one of [bo, ana]) expect(await succeeded(one, { ...read, ...written })).toEqual([]);
  const reader = await login(register, 'reader');
  const byReader = Object.fromEntries(
    tables.map((table) => [`${table} removed`, `DELETE FROM sealdesk.${table} RETURNING 1`]),
  );
  expect(
    await succeeded(reader, {
      ...byReader,
      ...written,
      'a program': `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ('${randomUUID()}', ${ofTeam}, 'b', 'X', '1') RETURNING 1`,
      'the register, closed': 'UPDATE sealdesk.teams SET is_restored = true RETURNING 1',
    }),
  ).toEqual([]);
  expect((await reader.query('SELECT 1 FROM sealdesk.claims')).length).toBe(2);
});

it('lets nobody who leads another team of the database let this one go on, or say where it is', async (test) => {
  const { admin, ana, ids } = await twoTeams(test);
  await letIntoOthers(admin, 'ana');
  const theirs = "WHERE team_id = (SELECT team_id FROM sealdesk.teams WHERE name = 'others') RETURNING 1";
  const there = randomUUID();
  await enter(ana, there, 'ana', 'others');
  await ana.query(
    `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
     SELECT $1::uuid, team_id, 'AddNewDocument', 'own', $1::uuid, 'lease.pdf', 'claimed', 1 FROM sealdesk.teams WHERE name = 'others'`,
    [there],
  );
  const tries = {
    'its epoch': `UPDATE sealdesk.teams SET epoch = epoch + 1 ${theirs}`,
    'its epoch, with the register closed': `UPDATE sealdesk.teams SET is_restored = true, epoch = epoch + 1 ${theirs}`,
    'its database': `UPDATE sealdesk.teams SET database_identity = 'x' ${theirs}`,
    'its database, with the register closed': `UPDATE sealdesk.teams SET is_restored = true, database_identity = 'x' ${theirs}`,
    'the register, opened again': `UPDATE sealdesk.teams SET is_restored = false ${theirs}`,
    'pieces of its lists, removed': `DELETE FROM sealdesk.list_pieces ${theirs}`,
    'a claim of his own there, as decided by somebody else': `UPDATE sealdesk.claims SET declared_by = 'bo', changed_at = now() WHERE program_id = '${there}' RETURNING 1`,
    'and here': `UPDATE sealdesk.claims SET declared_by = 'bo', changed_at = now() WHERE program_id = '${ids.anas}' RETURNING 1`,
  };
  await admin.query(
    "INSERT INTO sealdesk.list_pieces (team_id, list_type, piece, entries) SELECT team_id, 1, translate(rtrim(encode(sha256(convert_to('[]', 'UTF8')), 'base64'), '='), '+/', '-_'), '[]' FROM sealdesk.teams",
  );
  expect(await succeeded(ana, tries)).toEqual([]);
  expect(
    await ana.query(
      `UPDATE sealdesk.claims SET version = 2, changed_at = now() WHERE program_id = '${there}' RETURNING 1`,
    ),
  ).toHaveLength(1);
  // A member closes it.
  expect(await ana.query(`UPDATE sealdesk.teams SET is_restored = true ${theirs}`)).toHaveLength(1);
  expect(await ana.query(`UPDATE sealdesk.feeds SET next_position = next_position ${theirs}`)).toHaveLength(1);
});

it('takes no row of another team for one of this team, whoever wrote it', async (test) => {
  const { admin, ana, bo, ids } = await twoTeams(test);
  await letIntoOthers(admin, 'bo');
  const fresh = { program: randomUUID(), claim: randomUUID() };
  await takeIds(bo, ids.anas, ids.claim);
  await takeIds(bo, fresh.program, fresh.claim);
  const insert = (table: string, columns: string, values: string) =>
    `INSERT INTO sealdesk.${table} (team_id, program_id, ${columns}) VALUES (${ofTeam}, '${ids.anas}', ${values}) RETURNING 1`;
  const its = `team_id = ${ofTeam} AND claim_id = '${ids.claim}' RETURNING 1`;
  const tries = {
    'an event of her claim': insert('events', 'event_id, kind, title', `'${ids.claim}.2', 'refused', 'x'`),
    'a note in her name': insert('notes', 'note_id, document_id, note', `'${randomUUID()}', 'd', 'x'`),
    'a template in her name': insert('shared_items', 'kind, item_key, value', "'template', 'u', '{}'"),
    'a claim in her name': insert(
      'claims',
      'claim_id, kind, claim_key, title, state, version',
      `'${randomUUID()}', 'k', 'x', 't', 'done', 1`,
    ),
    'her claim, released': `UPDATE sealdesk.claims SET state = 'released', changed_at = now() WHERE ${its}`,
    'her program': `UPDATE sealdesk.programs SET person = 'bo' WHERE team_id = ${ofTeam} AND program_id = '${ids.anas}' RETURNING 1`,
  };
  expect(await succeeded(bo, tries)).toEqual([]);

  const [team] = await ana.query<{ id: string }>(`SELECT ${ofTeam} AS id`);
  const asProgram = (database: TeamDatabase, programId: string) => ({
    database,
    member: { teamId: team?.id ?? '', programId },
  });
  await ana.query(addEvents("'registered'", "'lease.pdf'", 'NULL', '', `'${ids.claim}.2'`), [team?.id ?? '', ids.anas]);
  await enter(ana, fresh.program, 'ana');
  const claim = { claimId: fresh.claim, kind: 'AddNewDocument', key: 'new', version: 1, secondOf: null, asks: ['a'] };
  const own = { ...claim, isWithoutRegister: false, isEarlier: false };
  expect(await claimInRegister(asProgram(ana, fresh.program), { claim: own, title: 'new.pdf' })).toEqual({
    result: 'won',
  });
  // Bo sees the rows of both teams.
  const asBo = asProgram(bo, ids.bos);
  const open = await openClaims(asBo);
  expect(open.map(({ title, by }) => [title, by.person])).toEqual([
    ['lease.pdf', 'ana'],
    ['lease.pdf', 'bo'],
    ['new.pdf', 'ana'],
  ]);
  const events = await readEvents(asBo, { limit: 10 });
  expect(events.map(({ by }) => by.person).sort()).toEqual(['ana', 'ana', 'bo']);
  expect(events.map(({ eventId }) => eventId)).toContain(`${ids.claim}.2`);
});

it('lets no lead use up the numbers of epochs, or take one back, and a register where that happened before go on', async (test) => {
  const { ana, admin } = await twoTeams(test);
  const its = `WHERE team_id = ${ofTeam} RETURNING 1`;
  const tries = {
    'the last number': `UPDATE sealdesk.teams SET epoch = 2147483647 ${its}`,
    'the last one of 64 bits': `UPDATE sealdesk.teams SET epoch = 9223372036854775807 ${its}`,
    'an earlier one': `UPDATE sealdesk.teams SET epoch = epoch - 1 ${its}`,
    'an earlier one, with the register closed': `UPDATE sealdesk.teams SET is_restored = true, epoch = epoch - 1 ${its}`,
  };
  expect(await succeeded(ana, tries)).toEqual([]);
  await admin.query("UPDATE sealdesk.teams SET is_restored = true, epoch = 2147483647 WHERE name = 'team'");
  const epoch = await askTeam(ana, 'team');
  expect(epoch).toBeGreaterThan(2_147_483_647);
  await resumeTeam(ana, 'team', epoch);
  expect(await admin.query("SELECT is_restored, epoch::float8 FROM sealdesk.teams WHERE name = 'team'")).toEqual([
    { is_restored: false, epoch },
  ]);
});

it('takes no row that is longer than any of ours', async (test) => {
  const { bo, admin } = await twoTeams(test);
  const columns = await admin.query<{ place: string }>(
    `SELECT c.table_name || '.' || c.column_name AS place FROM information_schema.columns AS c
     WHERE c.table_schema = 'sealdesk' AND c.data_type IN ('text', 'jsonb', 'ARRAY') AND NOT EXISTS (
       SELECT 1 FROM information_schema.constraint_column_usage AS u JOIN information_schema.check_constraints AS k USING (constraint_schema, constraint_name)
       WHERE u.table_schema = c.table_schema AND u.table_name = c.table_name AND u.column_name = c.column_name AND k.check_clause LIKE '%length%')`,
  );
  expect(columns.map(({ place }) => place)).toEqual([]);
  const [program] = await bo.query<{ id: string }>(
    "SELECT program_id AS id FROM sealdesk.programs WHERE person = 'bo'",
  );
  const long = "repeat('x', 20000000)";
  const tries = {
    'a note': `INSERT INTO sealdesk.notes (note_id, team_id, document_id, program_id, note) VALUES ('${randomUUID()}', ${ofTeam}, 'd', '${program?.id}', ${long}) RETURNING 1`,
    'the title of a claim': `UPDATE sealdesk.claims SET document_id = ${long} WHERE program_id = '${program?.id}' RETURNING 1`,
    'a name': `UPDATE sealdesk.programs SET person = ${long} WHERE program_id = '${program?.id}' RETURNING 1`,
    'an assignee': `UPDATE sealdesk.requests SET assignee = ${long} RETURNING 1`,
    'a piece of a list': `INSERT INTO sealdesk.list_pieces (team_id, list_type, piece, entries) VALUES (${ofTeam}, 1, 'p', ${long}) RETURNING 1`,
    'the pieces of a list': `INSERT INTO sealdesk.lists (team_id, list_type, pieces) VALUES (${ofTeam}, 1, ARRAY[${long}]) RETURNING 1`,
  };
  expect(await succeeded(bo, tries)).toEqual([]);
});

it('answers about one document with a bounded number of claims, however many stand beside it', async (test) => {
  const { bo, ana, ids } = await twoTeams(test);
  await bo.query(
    `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version, second_of, document_id)
     SELECT gen_random_uuid(), ${ofTeam}, 'AddNewDocument', 'k', $1::uuid, 't', 'done', 1, gen_random_uuid(), 'd' FROM generate_series(1, 300)`,
    [ids.bos],
  );
  let most = 0;
  const query: Query = async <Row>(text: string, values?: readonly SqlParameter[]) => {
    const rows = await ana.query<Row>(text, values);
    most = Math.max(most, rows.length);
    return rows;
  };
  const [team] = await ana.query<{ id: string }>(`SELECT ${ofTeam} AS id`);
  const joined = { database: { ...ana, query }, member: { teamId: team?.id ?? '', programId: ids.anas } };
  const claim = { claimId: randomUUID(), kind: 'AddNewDocument', key: 'k', version: 1, secondOf: null, asks: ['a'] };
  const own = { ...claim, isWithoutRegister: false, isEarlier: true };
  expect(await claimInRegister(joined, { claim: own, title: 'title' })).toMatchObject({
    result: 'conflict',
  });
  const outcome = {
    ...own,
    state: 'done',
    title: 't',
    documentId: 'd',
    record: null,
    sha256: null,
    sizeBytes: null,
  } as const;
  const known = await knownAlready(joined, [{ ...outcome, at: '' }]);
  expect(known).toEqual(new Map([[own.claimId, { secondOf: expect.any(String) }]]));
  expect(most).toBeLessThanOrEqual(100);
});

/** Makes the register as the fifth version of its schema left it, with ana as its lead and bo as a member. */
async function asBefore(admin: TeamDatabase): Promise<void> {
  await admin.query('DROP SCHEMA sealdesk CASCADE');
  const prefix = `sealdesk_${randomUUID().replaceAll('-', '')}`;
  const made = await readFile(join(import.meta.dirname, 'register-5.sql'), 'utf8');
  await admin.transaction(async (query) => {
    await query('SET LOCAL search_path = sealdesk');
    for (const statement of made.replaceAll('sealdesk_database_team', prefix).split(/;\n/).filter(Boolean))
      await query(statement, statement.includes('$2') ? [randomUUID(), 'team'] : []);
    await query(`GRANT ${prefix}_lead TO ana`);
    await query(`GRANT ${prefix}_member TO bo`);
  });
}

it('gives nobody a program of an earlier version whose login is not certain, nor what it wrote', async (test) => {
  const register = await newTeamRegister(test);
  atEnd(() => register.close());
  const admin = await register.admin();
  atEnd(() => admin.close());
  await asBefore(admin);
  const [silent, disputed, claim, bo] = [randomUUID(), randomUUID(), randomUUID(), await login(register, 'bo')];
  // Of the first programs the login is not known, or several wrote in their name.
  await admin.query(
    `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version, database_user)
     SELECT g.id, team_id, 'ana', 'X', '1', g.login FROM sealdesk.teams, (VALUES ($1::uuid, NULL), ($2::uuid, 'bo')) AS g(id, login)`,
    [silent, disputed],
  );
  await admin.query(
    `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
     SELECT $1::uuid, team_id, 'AddNewDocument', 'k', $2::uuid, 'lease.pdf', 'claimed', 1 FROM sealdesk.teams`,
    [claim, silent],
  );
  await admin.query(
    `INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title, database_user)
     SELECT gen_random_uuid()::text, team_id, $1::uuid, 'joined', '', g.login FROM sealdesk.teams, (VALUES ('ana'), ('bo')) AS g(login)`,
    [disputed],
  );
  await initTeam(admin, 'team');
  const tries = {
    'a program of nobody': `UPDATE sealdesk.programs SET database_user = 'bo' WHERE program_id = '${silent}' RETURNING 1`,
    'a program of nobody, entered': `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ('${silent}', ${ofTeam}, 'bo', 'X', '1')
      ON CONFLICT (team_id, program_id) DO UPDATE SET person = excluded.person RETURNING 1`,
    'a claim of nobody': `UPDATE sealdesk.claims SET state = 'released' WHERE claim_id = '${claim}' RETURNING 1`,
    'a note as the program that two wrote for': `INSERT INTO sealdesk.notes (note_id, team_id, document_id, program_id, note) VALUES ('${randomUUID()}', ${ofTeam}, 'd', '${disputed}', 'x') RETURNING 1`,
    'a row locked': `SELECT 1 FROM sealdesk.programs WHERE program_id = '${silent}' FOR UPDATE`,
  };
  expect(await succeeded(bo, tries)).toEqual([]);
  expect(await admin.query('SELECT DISTINCT database_user FROM sealdesk.programs')).toEqual([{ database_user: null }]);
});

it('brings a register of the eleventh schema forward, with all that is in it, and the IDs that another team took are free here', async (test) => {
  const { register, admin, ana, bo, ids } = await twoTeams(test);
  const other = await register.admin();
  atEnd(() => other.close());
  // The step itself takes the keys away again.
  await admin.query(
    `ALTER TABLE sealdesk.programs DROP CONSTRAINT programs_pkey, ADD PRIMARY KEY (program_id);
     ALTER TABLE sealdesk.claims DROP CONSTRAINT claims_pkey, ADD PRIMARY KEY (claim_id);
     ALTER TABLE sealdesk.decisions DROP CONSTRAINT decisions_pkey, ADD PRIMARY KEY (claim_id, database_user);
     ALTER TABLE sealdesk.events DROP CONSTRAINT events_pkey, ADD PRIMARY KEY (event_id);
     DELETE FROM sealdesk.schema_versions WHERE version = 12`,
  );
  await letIntoOthers(admin, 'bo');
  const taken = { program: randomUUID(), claim: randomUUID() };
  await takeIds(bo, taken.program, taken.claim);
  await expect(enter(ana, taken.program, 'ana')).rejects.toMatchObject({ code: '23505' });
  const all = async () =>
    await Promise.all(
      (await tablesOf(admin)).flatMap((table) =>
        table === 'schema_versions' ? [] : admin.query(`SELECT * FROM sealdesk.${table} AS r ORDER BY r::text`),
      ),
    );
  const before = await all();
  // Two at the same moment.
  await Promise.all([initTeam(admin, 'team'), initTeam(other, 'team')]);
  expect(await all()).toEqual(before);
  expect((await planTeam(admin, 'team')).statements).toEqual([]);
  await enter(ana, taken.program, 'ana');
  expect(
    await ana.query(
      `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
       VALUES ('${taken.claim}', ${ofTeam}, 'AddNewDocument', 'x', '${taken.program}', 't', 'claimed', 1) RETURNING 1`,
    ),
  ).toHaveLength(1);
  const claimed = `UPDATE sealdesk.claims SET version = 2, changed_at = now() WHERE claim_id = '${ids.own}' RETURNING 1`;
  expect(await bo.query(claimed)).toHaveLength(1);
});

it('brings a register of the fifth schema forward, with all that is in it and only the rights of now', async (test) => {
  const register = await newTeamRegister(test);
  atEnd(() => register.close());
  const admin = await register.admin();
  atEnd(() => admin.close());
  await asBefore(admin);
  const [ana, bo] = [await login(register, 'ana'), await login(register, 'bo')];
  const [anas, bos, claim] = [randomUUID(), randomUUID(), randomUUID()];
  await enter(ana, anas, 'ana');
  await enter(bo, bos, 'bo');
  await bo.query(
    `WITH claimed AS (
       INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
       SELECT $1::uuid, team_id, 'AddNewDocument', 'k', $2::uuid, 't', 'claimed', 1 FROM sealdesk.teams
       RETURNING 'claim' AS kind, claim_id::text AS item
     ), ${thenFed('claimed', ofTeam)} SELECT position FROM changed`,
    [claim, bos],
  );
  const all = async () =>
    await Promise.all((await tablesOf(admin)).map((table) => admin.query(`SELECT * FROM sealdesk.${table}`)));
  // The epoch goes from one table to another.
  await admin.query('UPDATE sealdesk.feeds SET epoch = 3');
  const before = (await all()).flat().map((row) => {
    const { epoch: _epoch, ...others } = row as Record<string, unknown>;
    return others;
  });
  await initTeam(admin, 'team');
  expect(await admin.query('SELECT epoch FROM sealdesk.teams')).toEqual([{ epoch: '3' }]);
  expect((await planTeam(admin, 'team')).statements).toEqual([]);
  const isOfLaterStep = (row: unknown) => [6, 7, 8, 9, 10, 11, 12].includes((row as { version?: number }).version ?? 0);
  const after = (await all()).flat().filter((row) => !isOfLaterStep(row));
  expect(after).toMatchObject(before);
  expect(await admin.query(`SELECT 1 FROM sealdesk.teams WHERE database_identity = ${databaseIdentity}`)).toHaveLength(
    1,
  );
  expect([await roleIn(ana, 'team'), await roleIn(bo, 'team')]).toEqual(['lead', 'member']);
  await enter(bo, randomUUID(), 'bo');
  expect(await bo.query('UPDATE sealdesk.claims SET version = 2, changed_at = now() RETURNING 1')).toHaveLength(1);
  const tries = {
    'the login of a program': 'UPDATE sealdesk.programs SET database_user = session_user RETURNING 1',
    'the calls of everybody, kept':
      "DO $$ BEGIN LOCK TABLE sealdesk.service_calls IN ACCESS EXCLUSIVE MODE; RAISE 'locked'; END $$",
  };
  expect(await succeeded(bo, tries)).toEqual([]);
});

it('leaves a register alone whose schema is older than any that is brought forward', async (test) => {
  const register = await newTeamRegister(test);
  atEnd(() => register.close());
  const admin = await register.admin();
  atEnd(() => admin.close());
  await asBefore(admin);
  await admin.query('DELETE FROM sealdesk.schema_versions WHERE version = 5');
  await expect(initTeam(admin, 'team')).rejects.toMatchObject({ failure: { detail: 'team-older' } });
});
