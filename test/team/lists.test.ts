import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openTeamDatabase } from '../../electron/core/team/database.ts';
import { readEntries } from '../../electron/core/team/shared-lists.ts';
import { createTeamBudget } from '../../electron/core/team/teams.ts';
import { atEnd, connect, newCore, patient, until } from '../core/jobs-setup.ts';
import type { CoreSetup, RunningCore } from '../harness/core.ts';
import { listEntry, listNamespace, startListService } from '../harness/list-service.ts';
import { newTeamRegister, startPostgres, type TeamRegister } from '../harness/postgres.ts';

/** A team of ana and bo at a service with lists. */
async function team<Register extends TeamRegister>(postgres: Register, setup: CoreSetup = {}) {
  const service = await startListService();
  atEnd(() => postgres.close());
  atEnd(() => service.close());
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  const join = async (user: string) => {
    const core = await newCore(setup);
    const { baseUrl } = service;
    // A read whose answer is held is not asked again meanwhile.
    const connectionId = await connect(
      core,
      {
        baseUrl,
        mainPath: '/',
        easySignPath: '/',
        namespaceUri: listNamespace,
        apiKey: 'key',
        apiSig: 'sig',
        close: async () => undefined,
      },
      { timeouts: patient },
    );
    await core.must('team.join', { connectionId, settings: postgres.settings(user), password: '' });
    return { core, connectionId };
  };
  return { postgres, service, admin, ana: await join('ana'), bo: await join('bo') };
}

type Program = { readonly core: RunningCore; readonly connectionId: string };
const read = ({ core, connectionId }: Program) => core.must('signatures.refresh', { connectionId, listType: 1 });
const listOf = async ({ core, connectionId }: Program) =>
  (await core.must('tracking.state', { connectionId })).lists.find(({ listType }) => listType === 1);
const namesOf = async ({ core, connectionId }: Program) => {
  const { entries } = await core.must('tracking.entries', { connectionId, listType: 1, limit: 200 });
  return entries.map(({ documentName }) => documentName).sort();
};
const leases = (n: number, more: Readonly<Record<string, string>> = {}) =>
  Array.from({ length: n }, (_each, at) =>
    listEntry({
      DocumentName: `Lease ${at}`,
      OrigServiceDocumentID: `document-${at}`,
      Email: 'x@example.com',
      ...more,
    }),
  );
/** Makes the team's copies older than what is shown without asking again. */
const age = "UPDATE sealdesk.lists SET read_at = read_at - interval '10 seconds'";

it('reads a list once for the team, and shows the copy to others with its reader and time within two seconds', async (test) => {
  const { service, admin, ana, bo } = await team(await newTeamRegister(test), {
    pauses: { freshCopyMs: 9_000, teamLookMs: 200, teamSeenMs: 200 },
  });
  service.entries = leases(700);
  await read(ana);
  const since = performance.now();
  await until(async () => (await listOf(bo))?.readBy?.person === 'ana');
  expect(performance.now() - since).toBeLessThan(2_500);
  const [at] = await admin.query<{ read_at: string }>('SELECT read_at FROM sealdesk.lists WHERE list_type = 1');
  const asOf = at?.read_at;
  expect(await listOf(bo)).toMatchObject({ total: 700, asOf, readBy: { person: 'ana' } });
  expect(await listOf(ana)).toMatchObject({ asOf, readBy: null });
  // A person who asks right afterwards gets what was just read.
  await read(bo);
  expect(service.asked).toBe(1);

  await admin.query(age);
  service.entries = [...leases(700), listEntry({ DocumentName: 'New', OrigServiceDocumentID: 'new' })];
  await read(bo);
  expect(service.asked).toBe(2);
  await until(async () => (await listOf(ana))?.readBy?.person === 'bo');
  expect(await listOf(ana)).toMatchObject({ total: 701, newCount: 1 });
  // Whole copies in pieces: one that stayed and one that changed, and the one that it was before, in whose place the next comes.
  const pieces = async () => (await admin.query('SELECT 1 FROM sealdesk.list_pieces')).length;
  expect(await pieces()).toBe(3);
  for (const name of ['Newer', 'Newest']) {
    await admin.query(age);
    service.entries = [...leases(700), listEntry({ DocumentName: name, OrigServiceDocumentID: name })];
    await read(bo);
    expect(await pieces()).toBe(3);
  }
  await until(async () => (await namesOf(ana)).includes('Newest'));
});

it('waits for the colleague who reads a list, and reads it when the lease has expired', async (test) => {
  const { service, admin, ana, bo } = await team(await newTeamRegister(test), { pauses: { colleagueLookMs: 100 } });
  service.entries = leases(2);
  await read(ana);
  await until(async () => (await namesOf(bo)).length === 2);
  const lease = 'UPDATE sealdesk.lists SET leased_by = gen_random_uuid(), leased_until = now() + interval';
  await admin.query(`${lease} '50 seconds', read_at = now() - interval '1 hour'`);
  service.entries = leases(3);
  const reading = read(bo);
  await sleep(400);
  expect(service.asked).toBe(1);
  await admin.query(`${lease} '-1 second'`);
  await reading;
  expect(service.asked).toBe(2);
  expect(await namesOf(bo)).toHaveLength(3);
});

it('waits no longer for a program that hangs while it reads than its lease is for', async (test) => {
  const { service, admin, ana, bo } = await team(await newTeamRegister(test), {
    pauses: { colleagueLookMs: 100, listLeaseMs: 2_000 },
  });
  const held: (() => void)[] = [];
  service.held = held;
  const hung = read(ana);
  await until(async () => held.length === 1, 20_000);
  const lists = () =>
    admin.query<{ leased_until: string; read_at: string | null }>('SELECT leased_until, read_at FROM sealdesk.lists');
  const [lease] = await lists();
  service.held = null;
  service.entries = leases(3);
  await read(bo);
  // Colleagues have a list after the one who read it.
  await until(async () => (await lists())[0]?.read_at !== null);
  // By the clock of the database: a test that is held up itself measures nothing.
  const [copy] = await lists();
  const waitedMs = Date.parse(copy?.read_at ?? '') - Date.parse(lease?.leased_until ?? '');
  expect(waitedMs).toBeGreaterThanOrEqual(0);
  expect(waitedMs).toBeLessThan(20_000);
  expect(service.asked).toBe(2);
  expect(await listOf(bo)).toMatchObject({ total: 3, readBy: null });
  // What the hung one reads at last does not replace the copy that the team has by now.
  service.entries = leases(1);
  held[0]?.();
  await hung;
  await until(async () => (await listOf(ana))?.readBy?.person === 'bo');
  expect(await listOf(ana)).toMatchObject({ total: 3 });
  expect(await listOf(bo)).toMatchObject({ total: 3 });
});

it('waits for nobody whose lease is for longer than a minute: no program of ours takes one', async (test) => {
  const { service, admin, ana, bo } = await team(await newTeamRegister(test), { pauses: { colleagueLookMs: 100 } });
  service.entries = leases(2);
  await read(ana);
  await admin.query(
    "UPDATE sealdesk.lists SET leased_by = gen_random_uuid(), leased_until = now() + interval '1 hour', read_at = now() - interval '1 hour'",
  );
  const since = performance.now();
  await read(bo);
  expect(service.asked).toBe(2);
  expect(performance.now() - since).toBeLessThan(20_000);
});

it('asks the service although the copy of the team is from a time that is still to come, as after the clock of the database was set back', async (test) => {
  const { service, admin, ana, bo } = await team(await newTeamRegister(test));
  service.entries = leases(2);
  await read(ana);
  await admin.query("UPDATE sealdesk.lists SET read_at = now() + interval '1 day'");
  service.entries = leases(3);
  await read(bo);
  expect(service.asked).toBe(2);
  await until(async () => (await namesOf(ana)).length === 3);
});

it('reads for itself while the register is away', async (test) => {
  const { postgres, service, bo } = await team(await startPostgres(test));
  service.entries = leases(1);
  await postgres.stop('immediate');
  await read(bo);
  expect(await listOf(bo)).toMatchObject({ total: 1, readBy: null });
});

it('shares no secret word, keeps those it knows, and asks the service for others when a person wants to see one', async (test) => {
  const { service, admin, ana, bo } = await team(await newTeamRegister(test));
  service.entries = leases(1, { SecretWord: 'swordfish' });
  await read(ana);
  await until(async () => (await namesOf(bo)).length === 1);
  expect(JSON.stringify(await admin.query('SELECT * FROM sealdesk.list_pieces'))).not.toContain('swordfish');
  const word = async ({ core, connectionId }: Program) => {
    const { entries } = await core.must('tracking.entries', { connectionId, listType: 1 });
    expect(entries[0]?.hasSecretWord).toBe(true);
    return await core.must('tracking.revealSecretWord', { connectionId, entryId: entries[0]?.id ?? '' });
  };
  expect(await word(bo)).toEqual({ secretWord: 'swordfish' });
  expect(service.asked).toBe(2);
  // A later copy of a colleague leaves the word where it is.
  await admin.query(age);
  service.entries = leases(1, { SecretWord: 'swordfish', Name: 'Bo' });
  await read(ana);
  const since = service.asked;
  await until(async () => (await listOf(bo))?.readBy?.person === 'ana');
  expect(await word(bo)).toEqual({ secretWord: 'swordfish' });
  expect(service.asked).toBe(since);
});

it('counts the calls of the team in the database: together no more than are allowed', async (test) => {
  const { postgres, admin } = await team(await newTeamRegister(test));
  const [{ team_id: teamId = '' } = {}] = await admin.query<{ team_id: string }>('SELECT team_id FROM sealdesk.teams');
  const member = { teamId, programId: '', person: '', computer: '' };
  const others = await postgres.admin();
  atEnd(() => others.close());
  const budget = createTeamBudget(() => undefined);
  const granted = await Promise.all(
    Array.from({ length: 20 }, (_each, n) => budget.count({ database: n % 2 ? admin : others, member }, 7)),
  );
  expect(granted.filter((isCounted) => isCounted)).toHaveLength(7);
  const freeInMs = Date.parse(budget.freeAt() ?? '') - Date.now();
  expect(freeInMs > 0 && freeInMs <= 3_600_000).toBe(true);
});

it('reads lists by itself within the budget of the team, one program for all', async (test) => {
  const { service, admin, ana, bo } = await team(await newTeamRegister(test), {
    pace: { soonMs: 50, leastMs: 300, mostMs: 300 },
    pauses: { freshCopyMs: 100, teamLookMs: 200 },
  });
  service.entries = leases(1);
  await read(ana);
  await until(async () => service.asked > 3, 20_000);
  const used = 'SELECT used FROM sealdesk.service_calls';
  await admin.query('UPDATE sealdesk.service_calls SET used = 1000000');
  await until(async () => {
    const before = service.asked;
    await sleep(700);
    return service.asked === before;
  }, 20_000);
  expect(await admin.query(used)).toEqual([{ used: 1_000_000 }]);
  const freeAt = async () => {
    const states = await Promise.all([ana, bo].map(({ core }) => core.must('team.state', {})));
    return states.flatMap(({ links }) => links.flatMap(({ callsFreeAt }) => callsFreeAt ?? []));
  };
  // Said until there are calls again: at the end of this hour of the database, or when fewer are counted.
  await until(async () => (await freeAt()).length > 0);
  for (const at of await freeAt()) expect(Math.abs(Date.parse(at) - Date.now() - 1_800_000)).toBeLessThan(1_801_000);
  // The programs go on asking the team, and follow its copy.
  expect((await listOf(bo))?.total).toBe(1);
  await admin.query('UPDATE sealdesk.service_calls SET used = 0');
  await until(async () => (await freeAt()).length === 0, 20_000);
});

it.for([
  ['brackets', '['.repeat(7_000_000)],
  ['objects', '{"a":'.repeat(1_400_000)],
  ['empty entries', `[${'[],'.repeat(2_000_000)}[]]`],
] as const)('refuses a piece of nothing but %s before it takes memory', async ([, entries], test) => {
  const postgres = await newTeamRegister(test);
  atEnd(() => postgres.close());
  const [admin, database] = [await postgres.admin(), await openTeamDatabase(postgres.settings('bo'), '')];
  atEnd(() => Promise.all([admin.close(), database.close()]));
  const copyId = randomUUID();
  const piece = createHash('sha256').update(entries).digest('base64url');
  const [team] = await admin.query<{ id: string }>('SELECT team_id AS id FROM sealdesk.teams');
  const values = [team?.id ?? '', piece, entries, copyId];
  await admin.query(
    `WITH put AS (INSERT INTO sealdesk.list_pieces (team_id, list_type, piece, entries) VALUES ($1::uuid, 1, $2, $3))
     INSERT INTO sealdesk.lists (team_id, list_type, copy_id, pieces) VALUES ($1::uuid, 1, $4::uuid, ARRAY[$2])`,
    values,
  );
  const copy = { listType: 1, copyId, content: '', total: 1, nilEntries: 0, readAt: '', by: null };
  const joined = { database, member: { teamId: team?.id ?? '', programId: randomUUID() } };
  const before = process.resourceUsage().maxRSS;
  await expect(readEntries(joined, copy).next()).rejects.toMatchObject({ failure: { code: 'reply-unreadable' } });
  expect(process.resourceUsage().maxRSS - before).toBeLessThan(120_000);
});
