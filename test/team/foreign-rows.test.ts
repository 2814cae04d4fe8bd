import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, it, type TestContext } from 'vitest';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  register,
  until,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { newTeamRegister } from '../harness/postgres.ts';
import { tell } from './tell.ts';

/** A program that follows a team, and the database as somebody who writes there by hand. */
async function following(test: TestContext, before: readonly string[] = []) {
  const postgres = await newTeamRegister(test);
  atEnd(() => postgres.close());
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  for (const statement of before) await admin.query(statement);
  // Rows of a time when there were no bounds.
  await admin.query(`DO $$ DECLARE one record; BEGIN
    FOR one IN SELECT conrelid::regclass AS place, conname FROM pg_constraint WHERE conname LIKE '%\\_length' LOOP
      EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', one.place, one.conname);
    END LOOP; END $$`);
  const service = await newService();
  const core = await newCore({ pauses: { teamLookMs: 200, teamNoticeMs: 50 } });
  const connectionId = await connect(core, service);
  await core.must('team.join', { connectionId, settings: postgres.settings('ana', { person: 'ana' }), password: '' });
  const names = async () => (await core.must('documents.list', { connectionId })).rows.map(({ name }) => name);
  const program = randomUUID();
  await admin.query(
    `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) SELECT $1::uuid, team_id, $2, 'X', '1' FROM sealdesk.teams`,
    [program, `Mallory\u001b[2J\u0007${'x'.repeat(200_000)}`],
  );
  const add = async (id: string, name: string, more: { by?: string; at?: string; size?: string } = {}) => {
    await admin.query(
      `INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, size_bytes, sha256, registered_at)
       SELECT team_id, $1, $2::uuid, $3, '', '', '', $4::bigint, $3, $5::timestamptz FROM sealdesk.teams`,
      [id, more.by ?? program, name, more.size ?? '1', more.at ?? '2027-01-04 09:12:00+00'],
    );
    await tell(admin);
  };
  return { core, connectionId, service, admin, names, add, postgres };
}

it('follows what comes after rows that no program of ours would write, and shows these bounded and in one line', async (test) => {
  const { core, connectionId, names, add } = await following(test);
  await add('a', `Escaped\u001b[31m\u0007\nname`);
  await add('b', 'x'.repeat(200_000));
  await add('c', 'of an unknown program', { by: randomUUID() });
  await add('d', 'before and after all time', { at: 'infinity' });
  await add('e', 'long ago', { at: '4000-01-01 00:00:00 BC' });
  await add('', 'without an ID');
  await add('x'.repeat(100_000).slice(0, 2_500), 'with a long ID');
  await add('f', 'larger than all', { size: '9223372036854775807' });
  await add('z', 'the last one');
  await until(async () => (await names()).includes('the last one'));
  const all = await names();
  expect(all).toContain('Escaped [31m name');
  expect(all).toContain('of an unknown program');
  expect(all.every((name) => name.length <= 1000)).toBe(true);
  const { rows } = await core.must('documents.list', { connectionId });
  const people = await core.must('team.people', { connectionId });
  expect(people.every(({ person }) => !/\p{Cc}/u.test(person) && person.length <= 200)).toBe(true);
  expect(people.some(({ person }) => person.startsWith('Mallory [2J '))).toBe(true);
  expect(rows.every(({ by }) => !/\p{Cc}/u.test(by?.person ?? '') && (by?.person ?? '').length <= 200)).toBe(true);
});

it('lists claims and holds what they hold, whatever times and programs stand in them', async (test) => {
  const { core, connectionId, admin } = await following(test);
  const paths = await writePdfs(await newFolder(), ['held.pdf']);
  const sha256 = createHash('sha256')
    .update(await readFile(paths[0] ?? ''))
    .digest('hex');
  const claim = (key: string, program: string, at: string) =>
    admin.query(
      `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version, claimed_at)
       SELECT gen_random_uuid(), team_id, 'AddNewDocument', $1, $2::uuid, $1, 'claimed', 1, $3::timestamptz FROM sealdesk.teams`,
      [key, program, at],
    );
  await claim(sha256, randomUUID(), 'infinity');
  await claim('two', randomUUID(), '2027-01-04 09:12:00+00');
  const open = await core.must('team.openClaims', { connectionId });
  expect(open.map(({ title, by }) => [title, by.person]).sort()).toEqual(
    [
      [sha256, '?'],
      ['two', '?'],
    ].sort(),
  );
  const batchId = await register(core, connectionId, paths);
  const [held] = await untilJobs(core, batchId, ([job]) => job?.pausedBy === 'duplicate');
  expect(held?.duplicateOf).toMatchObject({ kind: 'team', by: { person: '?' } });
});

it('reads dates whatever form the role has set for them', async (test) => {
  const { core, connectionId } = await following(test, [
    "DO $$ BEGIN EXECUTE format('ALTER ROLE ana IN DATABASE %I SET DateStyle = %L', current_database(), 'SQL, DMY'); END $$",
  ]);
  const batchId = await register(core, connectionId, await writePdfs(await newFolder(), ['dated.pdf']));
  await untilJobs(core, batchId, ([job]) => job?.state === 'done');
  await until(async () => (await core.must('team.events', { connectionId })).length > 1);
  for (const { at } of await core.must('team.events', { connectionId }))
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(600_000);
});

it('goes on with everything else while a member fills a page with long texts of any kind', async (test) => {
  const { admin, names, add, core } = await following(test);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  for (const [kind, text] of [
    ['faces', '\u{1F600}'],
    ['marks', 'a@b\u0323\u0301'],
    ['domains', 'a@ä.example;'],
  ]) {
    await admin.query(
      `WITH made AS (
         INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, file_name, registered_at)
         SELECT t.team_id, $1 || n, program_id, $1 || rpad('', 900, $2), rpad('', 10000, $2), rpad('', 1000, $2), rpad('', 10000, $2), rpad('', 1000, $2), now()
         FROM sealdesk.teams AS t, (SELECT program_id FROM sealdesk.programs WHERE person LIKE 'Mallory%') AS p, generate_series(1, 600) AS n RETURNING team_id, document_id
       ), moved AS (UPDATE sealdesk.feeds SET next_position = next_position + 600 RETURNING next_position)
       INSERT INTO sealdesk.changes (team_id, position, kind, item)
       SELECT team_id, next_position - row_number() OVER (), 'document', document_id FROM made, moved`,
      [kind ?? '', text ?? ''],
    );
    delay.enable();
    await add(`last-${kind}`, `the last of ${kind}`);
    await until(async () => (await names()).includes(`the last of ${kind}`), 60_000);
  }
  delay.disable();
  await until(async () => (await core.must('team.state', {})).links[0]?.state === 'connected', 60_000);
  // Of 600 rows it was minutes. On a busy machine a page of 50 MB takes some seconds to be read alone.
  expect(delay.max / 1e6).toBeLessThan(5_000);
}, 200_000);

it('answers soon and in pages however many claims, programs and notes there are', async (test) => {
  const { core, connectionId, admin } = await following(test);
  const of = 'SELECT team_id, program_id FROM sealdesk.programs';
  const many = async (table: string, columns: string, values: string, count: number) =>
    await admin.query(
      `INSERT INTO sealdesk.${table} (team_id, program_id, ${columns}) SELECT o.team_id, o.program_id, ${values}
       FROM (${of} LIMIT 1) AS o, generate_series(1, ${count}) AS n`,
    );
  const long = (length: number) => `left(n || repeat(' ä', ${length}), ${length})`;
  await many(
    'claims',
    'claim_id, kind, claim_key, title, state, version, second_of',
    `gen_random_uuid(), 'AddNewDocument', n, ${long(1_000)}, 'in-doubt', 1, gen_random_uuid()`,
    15_000,
  );
  await many(
    'notes',
    'note_id, document_id, note, written_at',
    `gen_random_uuid(), 'd', ${long(4_000)}, now() - n * interval '1 s'`,
    20_000,
  );
  await admin.query(
    `INSERT INTO sealdesk.programs (team_id, program_id, person, computer, version)
     SELECT o.team_id, gen_random_uuid(), ${long(300)}, ${long(300)}, '' FROM (${of} LIMIT 1) AS o, generate_series(1, 20000) AS n`,
  );
  const took = async (work: () => Promise<unknown>) => {
    const since = performance.now();
    await work();
    return performance.now() - since;
  };
  expect(await took(() => core.must('team.openClaims', { connectionId }))).toBeLessThan(4_000);
  expect(await took(() => core.must('team.people', { connectionId }))).toBeLessThan(4_000);
  const pages = [await core.must('team.notes', { connectionId, documentId: 'd' })];
  pages.push(await core.must('team.notes', { connectionId, documentId: 'd', before: pages[0]?.at(-1)?.noteId ?? '' }));
  expect(pages.flat().map(({ text }) => Number.parseInt(text, 10))).toEqual(
    Array.from({ length: 100 }, (_each, n) => n + 1),
  );
  expect(JSON.stringify(pages[0]).length).toBeLessThan(300_000);
});
