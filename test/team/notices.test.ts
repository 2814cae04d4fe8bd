import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, it, type TestContext } from 'vitest';
import type { TeamDatabase } from '../../electron/core/team/database.ts';
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
import { startPostgres } from '../harness/postgres.ts';
import { teamId, tell as toldNow } from './tell.ts';

/** A program of bo's in a team, beside a database that writes down every statement with its time and user. */
async function logged(test: TestContext, teamNoticeMs: number) {
  const postgres = await startPostgres(test, ['-c', 'log_statement=all', '-c', 'log_line_prefix=%n_%u_']);
  atEnd(() => postgres.close());
  const [core, service] = [await newCore({ pauses: { teamNoticeMs } }), await newService()];
  const connectionId = await connect(core, service);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  /** Times in milliseconds of bo's statements so far with this text. */
  const statements = async (text = '') =>
    (await readFile(join(postgres.folder, 'log'), 'utf8'))
      .split('\n')
      .filter((line) => /^[\d.]+_bo_LOG: {2}execute/.test(line) && line.includes(text))
      .map((line) => Number.parseFloat(line) * 1_000);
  await until(async () => (await core.must('team.state', {})).links[0]?.state === 'connected');
  return { core, connectionId, admin, statements, postgres, service };
}

const notify = async (admin: TeamDatabase) => admin.tell(await teamId(admin));

it('follows the first notice at once, and many with one statement in each pause', async (test) => {
  const pauseMs = 300;
  const { admin, statements } = await logged(test, pauseMs);
  const waits: number[] = [];
  for (let n = 0; n < 4; n += 1) {
    await sleep(1.5 * pauseMs);
    const before = (await statements()).length;
    const noticedAt = Date.now();
    await notify(admin);
    await until(async () => (await statements()).length > before);
    waits.push(((await statements())[before] ?? 0) - noticedAt);
  }
  expect(Math.min(...waits)).toBeLessThan(0.8 * pauseMs);

  await sleep(1.5 * pauseMs);
  const before = (await statements()).length;
  const since = performance.now();
  for (let n = 0; n < 40; n += 1) {
    await notify(admin);
    await sleep(25);
  }
  await sleep(1.5 * pauseMs);
  const pauses = (performance.now() - since) / pauseMs;
  // Every five seconds it follows without a notice, and now and then it says that it is alive.
  expect((await statements()).length - before).toBeLessThan(pauses + 4);
});

it.for([
  ['half as often where many documents of colleagues come', 2, false],
  ['as often as ever where a job waits for what becomes of a colleague’s claim', 1, true],
] as const)('looks %s', async ([, slower, isHeld], test) => {
  const pauseMs = 300;
  const { core, connectionId, admin, statements } = await logged(test, pauseMs);
  const id = await teamId(admin);
  const author = '11111111-1111-4111-8111-111111111111';
  await admin.query(
    "INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version, database_user) VALUES ($1::uuid, $2::uuid, 'ana', 'desk', '1', 'ana')",
    [author, id],
  );
  if (isHeld) {
    const paths = await writePdfs(await newFolder(), ['held.pdf']);
    const key = createHash('sha256')
      .update(await readFile(paths[0] ?? ''))
      .digest('hex');
    await admin.query(
      `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
       VALUES (gen_random_uuid(), $1::uuid, 'AddNewDocument', $2, $3::uuid, 'held', 'claimed', 1)`,
      [id, key, author],
    );
    await register(core, connectionId, paths);
    await until(async () => (await core.must('jobs.list', {})).askingCount === 1);
  }
  const many = 20;
  let count = 0;
  const addMany = async () => {
    await admin.query(
      `INSERT INTO sealdesk.documents (team_id, document_id, program_id, name, description, client_id, signers, registered_at)
       SELECT $1::uuid, n, $2::uuid, n, '', '', '', now() FROM generate_series($3::int, $4::int) AS g, CAST(g AS text) AS n`,
      [id, author, count + 1, count + many],
    );
    count += many;
    await toldNow(admin);
  };
  const since = performance.now();
  // Less than a page in each pause: what is more is read at once.
  for (; performance.now() - since < 15 * pauseMs; await sleep(50)) await addMany();
  await until(async () => {
    const { total } = await core.must('documents.list', { connectionId, filters: { by: 'everyone' }, limit: 1 });
    return total === count;
  });
  // Without the first one, before which nothing came.
  const times = (await statements('WITH team')).slice(1);
  const gaps = times.flatMap((at, n) => (n === 0 ? [] : at - (times[n - 1] ?? 0))).sort((one, other) => one - other);
  const usual = gaps[Math.floor(gaps.length / 3)] ?? 0;
  expect(usual).toBeGreaterThan(0.9 * slower * pauseMs);
  expect(usual).toBeLessThan(1.8 * slower * pauseMs);
});

it('reports the outcomes of many adds with one statement in each pause', async (test) => {
  const { core, connectionId, admin, statements } = await logged(test, 3_000);
  const names = Array.from({ length: 25 }, (_each, n) => `${n}.pdf`);
  const since = performance.now();
  await untilEnded(core, await register(core, connectionId, await writePdfs(await newFolder(), names)), 60_000);
  await until(async () => (await core.must('team.state', {})).links[0]?.unreportedCount === 0);
  const pauses = (performance.now() - since) / 3_000;
  // Each look without a notice, every five seconds, reports as well.
  expect((await statements('WITH given')).length).toBeLessThan(2 * pauses + 3);
  expect(await admin.query("SELECT 1 FROM sealdesk.claims WHERE state = 'done'")).toHaveLength(25);
});

it('tells other teams of the database nothing, not even that there is one', async (test) => {
  const { core, connectionId, admin, postgres } = await logged(test, 50);
  const other = new pg.Client(postgres.settings('reader'));
  await other.connect();
  atEnd(() => other.end());
  const heard: unknown[] = [];
  other.on('notification', (one) => heard.push(one));
  await other.query('LISTEN sealdesk');
  const paths = await writePdfs(await newFolder(), ['first.pdf']);
  await untilEnded(core, await register(core, connectionId, paths));
  await until(async () => (await core.must('team.state', {})).links[0]?.unreportedCount === 0);
  await core.must('team.addNote', { connectionId, documentId: 'document', text: 'note' });
  await admin.query("SELECT pg_notify('sealdesk', 'end')");
  await until(() => heard.length > 0);
  expect(heard).toMatchObject([{ payload: 'end' }]);
});

it.for([
  ['are refused, as while the queue of the server is full', "RAISE 'the queue is full' USING ERRCODE = '54000'"],
  ['hang, as while somebody floods the server', 'PERFORM pg_sleep(60)'],
] as const)('claims, reports and follows as ever while notices %s', async ([, does], test) => {
  const { core, connectionId, admin, postgres, service } = await logged(test, 50);
  const ana = await newCore({ pauses: { teamLookMs: 500 } });
  const anaId = await connect(ana, service);
  await ana.must('team.join', { connectionId: anaId, settings: postgres.settings('ana'), password: '' });
  const link = async () => (await core.must('team.state', {})).links[0];
  const { since } = (await link()) ?? {};
  // A built-in function keeps its code whatever replaces its row: another one gets its name.
  await admin.query('ALTER FUNCTION pg_catalog.pg_notify(text, text) RENAME TO notify_as_built');
  await admin.query(
    `CREATE FUNCTION pg_catalog.pg_notify(text, text) RETURNS void LANGUAGE plpgsql AS $$ BEGIN ${does}; END $$`,
  );
  const names = ['one.pdf', 'two.pdf', 'three.pdf'];
  const batchId = await register(core, connectionId, await writePdfs(await newFolder(), names));
  const jobs = await untilEnded(core, batchId, 30_000);
  expect(jobs.map(({ state }) => state)).toEqual(['done', 'done', 'done']);
  await until(async () => (await link())?.unreportedCount === 0, 30_000);
  await core.must('team.addNote', { connectionId, documentId: 'document', text: 'note' });
  expect(await link()).toMatchObject({ state: 'connected', failure: null, since });
  await until(async () => (await ana.must('documents.list', { connectionId: anaId })).total === 3, 30_000);
});
