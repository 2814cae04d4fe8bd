import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openTeamDatabase, type TeamDatabase } from '../../electron/core/team/database.ts';
import { thenFed } from '../../electron/core/team/feed.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  register,
  until,
  untilEnded,
  writePdfs,
} from '../core/jobs-setup.ts';
import { newTeamRegister } from '../harness/postgres.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { teamId, tell } from './tell.ts';

const author = '11111111-1111-4111-8111-111111111111';

/** A document and its change, in one statement as a program writes them. */
async function add({ query }: Pick<TeamDatabase, 'query'>, team: string, documentId: string): Promise<void> {
  await query(
    `WITH added AS (
       INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, registered_at)
       VALUES ($1::uuid, $2, $3::uuid, $2, '', '', '', now()) RETURNING 'document' AS kind, document_id AS item
     ), ${thenFed('added')} SELECT 1 FROM changed`,
    [team, documentId, author],
  );
}

it('gives positions in the order of commits, so that whoever reads while many write misses nothing', async (test) => {
  const postgres = await newTeamRegister(test);
  const core = await newCore({ pauses: { teamLookMs: 20, teamNoticeMs: 5 } });
  const connectionId = await connect(core, await newService());
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  const database = await openTeamDatabase(postgres.settings('bo'), '');
  atEnd(() => database.close());
  const team = await teamId(database);
  await database.query(
    "INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) VALUES ($1::uuid, $2::uuid, 'ana', 'desk', '1')",
    [author, team],
  );
  const writers = [database];
  for (let n = 0; n < 3; n += 1) {
    const one = await openTeamDatabase(postgres.settings('bo'), '');
    atEnd(() => one.close());
    writers.push(one);
  }
  // One that is rolled back at its end leaves no gap, and nobody waits for it afterwards.
  const failed = database.transaction(async (query) => {
    await add({ query }, team, 'never');
    await sleep(100);
    throw new Error('rolled back');
  });
  await Promise.all([
    expect(failed).rejects.toThrow('rolled back'),
    ...writers.map(async (writer, of) => {
      for (let n = 0; n < 50; n += 1) await add(writer, team, `${of} ${n}`);
    }),
  ]);
  const ids = async () => {
    const { rows } = await core.must('documents.list', { connectionId, filters: { by: 'everyone' }, limit: 200 });
    return rows.map(({ documentId }) => documentId);
  };
  await until(async () => (await ids()).length === 200);
  expect(await ids()).not.toContain('never');
  const [feed] = await database.query<{ n: number; next: number; marks: number }>(
    `SELECT count(*)::int AS n, max(f.next_position)::int AS next, count(DISTINCT mark)::int AS marks
     FROM sealdesk.changes AS c JOIN sealdesk.feeds AS f USING (team_id) WHERE c.kind = 'document'`,
  );
  expect(feed).toEqual({ n: 200, next: 201, marks: 200 });
});

it('lists what colleagues registered where it belongs by its time, although it came here later', async (test) => {
  const postgres = await newTeamRegister(test);
  const [core, folder] = [await newCore({ pauses: { teamLookMs: 50, teamNoticeMs: 5 } }), await newFolder()];
  const connectionId = await connect(core, await newService());
  await untilEnded(core, await register(core, connectionId, await writePdfs(folder, ['Lease today.pdf'])));
  const admin = await postgres.admin();
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  await admin.query(
    `INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, registered_at)
     SELECT team_id, d.name, gen_random_uuid(), d.name, '', '', '', d.at::timestamptz
     FROM sealdesk.teams, (VALUES ('Lease March', '2025-03-01'), ('Lease November', '2025-11-01')) AS d (name, at)`,
  );
  await tell(admin);
  const names = async (more: object) => {
    const { rows } = await core.must('documents.list', { connectionId, filters: { by: 'everyone' }, ...more });
    return rows.map(({ name }) => name.replace('.pdf', ''));
  };
  await until(async () => (await names({})).length === 3);
  const newest = ['Lease today', 'Lease November', 'Lease March'];
  const sort = { sort: 'registeredAt' } as const;
  expect(await names({ ...sort, descending: true })).toEqual(newest);
  expect(await names({ ...sort, descending: true, search: 'lease' })).toEqual(newest);
  expect(await names({ ...sort, descending: false })).toEqual(newest.toReversed());
  expect(await names({ ...sort, descending: true, offset: 1, limit: 1 })).toEqual(['Lease November']);
});

it('ends at once in the midst of a first copy, and goes on with it at the next start', async (test) => {
  const postgres = await newTeamRegister(test);
  const proxy = await cuttingProxy(postgres.port);
  atEnd(() => proxy.close());
  const admin = await postgres.admin();
  const count = 12_000;
  const dataDir = await newFolder();
  const first = await newCore({ dataDir });
  const connectionId = await connect(first, await newService());
  const total = async (core: typeof first) =>
    (await core.must('documents.list', { connectionId, filters: { by: 'everyone' }, limit: 1 })).total;
  await first.must('team.join', {
    connectionId,
    settings: postgres.settings('bo', { port: proxy.port }),
    password: '',
  });
  // A page takes a second: all of them more than twenty.
  proxy.delayMs = 500;
  await admin.query(
    `INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, registered_at)
     SELECT team_id, 'document ' || n, gen_random_uuid(), 'document ' || n, '', '', '', now() FROM sealdesk.teams, generate_series(1, $1) AS n`,
    [count],
  );
  await tell(admin, 'team');
  await until(async () => (await total(first)) > 0, 30_000);
  const since = performance.now();
  await first.stop();
  expect(performance.now() - since).toBeLessThan(15_000);
  proxy.delayMs = 0;
  const next = await newCore({ dataDir });
  expect(await total(next)).toBeLessThan(count);
  await until(async () => (await total(next)) === count, 30_000);
});

it.for([1, 1_200])(
  'says that what colleagues registered cannot be stored, and tries again (%i at once)',
  async (count, test) => {
    const postgres = await newTeamRegister(test);
    const admin = await postgres.admin();
    const core = await newCore({ pauses: { teamLookMs: 200, teamNoticeMs: 20 } });
    const connectionId = await connect(core, await newService());
    await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
    const link = async () => (await core.must('team.state', {})).links[0];
    const sql = openSql(join(core.dataDir, 'sealdesk.db'));
    sql.run("CREATE TRIGGER no_room BEFORE INSERT ON documents BEGIN SELECT RAISE(ABORT, 'no room'); END");
    await admin.query(
      `INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, registered_at)
     SELECT team_id, 'document ' || n, gen_random_uuid(), 'document ' || n, '', '', '', now() FROM sealdesk.teams, generate_series(1, $1) AS n`,
      [count],
    );
    await tell(admin, 'team');
    await until(async () => (await link())?.failure?.code === 'storage-unusable');
    const { state, failure } = (await link()) ?? {};
    expect(state).toBe('catching-up');
    expect(failure?.note).toContain('SQLITE_CONSTRAINT');
    // It is tried often, and nothing changes as long as that fails.
    const { since } = (await link()) ?? {};
    await sleep(1_000);
    expect(await link()).toMatchObject({ state: 'catching-up', since, failure });
    sql.run('DROP TRIGGER no_room');
    sql.close();
    await until(async () => (await link())?.state === 'connected' && (await link())?.failure === null);
    expect((await core.must('documents.list', { connectionId, filters: { by: 'everyone' } })).total).toBe(count);
  },
);
