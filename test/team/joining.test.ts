import { cpSync, rmSync } from 'node:fs';
import { join as pathOf } from 'node:path';
import { expect, it } from 'vitest';
import { openTeamDatabase } from '../../electron/core/team/database.ts';
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
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { memoryKeychain } from '../harness/core.ts';
import { newTeamRegister } from '../harness/postgres.ts';
import { cuttingProxy } from './cutting-proxy.ts';

it('tells the team what was registered before joining and while out of it, once, and without an event for each', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  const [ana, bo] = [await newCore(), await newCore()];
  const [anas, bos] = [await connect(ana, service), await connect(bo, service)];
  const join = (core: typeof ana, connectionId: string, user: string) =>
    core.must('team.join', { connectionId, settings: postgres.settings(user), password: '' });
  const isReported = () =>
    until(async () => (await ana.must('team.state', {})).links[0]?.unreportedCount === 0, 20_000);
  const [before = '', outside = ''] = await writePdfs(await newFolder(), ['before.pdf', 'outside.pdf']);
  const [first] = await untilEnded(ana, await register(ana, anas, [before]));
  await join(ana, anas, 'ana');
  await isReported();
  await join(bo, bos, 'bo');
  const [held] = await untilJobs(bo, await register(bo, bos, [before]), ([job]) => job?.pausedBy === 'duplicate');
  expect(held?.duplicateOf).toMatchObject({ documentId: first?.documentId, by: { person: 'ana' } });

  await ana.must('team.leave', { connectionId: anas });
  await untilEnded(ana, await register(ana, anas, [outside]));
  await join(ana, anas, 'ana');
  await isReported();
  const [again] = await untilJobs(bo, await register(bo, bos, [outside]), ([job]) => job?.pausedBy === 'duplicate');
  expect(again?.duplicateOf).toMatchObject({ by: { person: 'ana' } });
  expect([...service.control.addsByHash().values()]).toEqual([1, 1]);

  const admin = await postgres.admin();
  expect(await admin.query('SELECT state, second_of FROM sealdesk.claims')).toEqual([
    { state: 'done', second_of: null },
    { state: 'done', second_of: null },
  ]);
  const events = await bo.must('team.events', { connectionId: bos });
  expect(events.map(({ kind }) => kind).filter((kind) => !['joined', 'left'].includes(kind))).toEqual([]);
});

it('reports what it registered before although a member has claimed to have done that, and takes it back', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  const [ana, bo] = [await newCore(), await newCore()];
  const [anas, bos] = [await connect(ana, service), await connect(bo, service)];
  const paths = await writePdfs(await newFolder(), ['before.pdf']);
  const [hers] = await untilEnded(ana, await register(ana, anas, paths));
  await bo.must('team.join', { connectionId: bos, settings: postgres.settings('bo'), password: '' });
  const bySql = await openTeamDatabase(postgres.settings('bo'), '');
  atEnd(() => bySql.close());
  await bySql.query(
    `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version, document_id)
     SELECT gen_random_uuid(), team_id, 'AddNewDocument', $1, program_id, 'before.pdf', 'done', 1, $2 FROM sealdesk.programs`,
    [hers?.sha256 ?? '', hers?.documentId ?? ''],
  );
  await ana.must('team.join', { connectionId: anas, settings: postgres.settings('ana'), password: '' });
  const link = async () => (await ana.must('team.state', {})).links[0];
  await until(async () => (await link())?.earlier === undefined && (await link())?.unreportedCount === 0, 20_000);
  await bySql.query(
    "UPDATE sealdesk.claims SET state = 'released', changed_at = now() WHERE title = 'before.pdf' AND program_id IN (SELECT program_id FROM sealdesk.programs WHERE database_user = 'bo')",
  );
  await untilJobs(bo, await register(bo, bos, paths), ([job]) => job?.pausedBy === 'duplicate');
  expect([...service.control.addsByHash().values()]).toEqual([1]);
});

it('reports a file whose name has half a character, as Windows allows, or none, and all others with it', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  const ana = await newCore();
  const connectionId = await connect(ana, service);
  const paths = await writePdfs(await newFolder(), ['half.pdf', 'nothing.pdf', 'whole.pdf']);
  await untilEnded(ana, await register(ana, connectionId, paths));
  const sql = openSql(pathOf(ana.dataDir, 'sealdesk.db'));
  // As JSON.stringify writes them.
  for (const [title, bad] of [
    ['half.pdf', 'half \\ud83d.pdf'],
    ['nothing.pdf', 'nothing \\u0000.pdf'],
  ] as const)
    sql.run('UPDATE jobs SET record = replace(record, ?, ?) WHERE title = ?', title, bad, title);
  sql.close();
  await ana.must('team.join', { connectionId, settings: postgres.settings('ana'), password: '' });
  await until(async () => (await ana.must('team.state', {})).links[0]?.unreportedCount === 0);
  const admin = await postgres.admin();
  expect(await admin.query('SELECT file_name FROM sealdesk.documents ORDER BY file_name COLLATE "C"')).toEqual([
    { file_name: 'half \ufffd.pdf' },
    { file_name: 'nothing \ufffd.pdf' },
    { file_name: 'whole.pdf' },
  ]);
});

it('tells when an add in doubt was sent, which left before its connection joined, also of a wrong time or none', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  const [ana, bo] = [await newCore(), await newCore()];
  const [anas, bos] = [await connect(ana, service), await connect(bo, service)];
  const lost = async (name: string, sentAt: string) => {
    service.control.misbehave({ mischief: { kind: 'drop-after' }, operation: 'AddNewDocument', times: 1 });
    const paths = await writePdfs(await newFolder(), [name]);
    const [job] = await untilEnded(ana, await register(ana, anas, paths));
    const sql = openSql(pathOf(ana.dataDir, 'sealdesk.db'));
    sql.run('UPDATE jobs SET departed_at = ?, attempt_ended_at = ? WHERE id = ?', sentAt, sentAt, job?.id ?? '');
    sql.close();
    return paths;
  };
  const sentAt = '2026-11-02T08:15:00.000Z';
  const paths = await lost('before.pdf', sentAt);
  await lost('of a wrong clock.pdf', '2099-01-01T00:00:00.000Z');
  await ana.must('team.join', { connectionId: anas, settings: postgres.settings('ana'), password: '' });
  await bo.must('team.join', { connectionId: bos, settings: postgres.settings('bo'), password: '' });
  const admin = await postgres.admin();
  await until(async () => (await bo.must('team.openClaims', { connectionId: bos })).length === 2);
  const claims = async () =>
    new Map((await bo.must('team.openClaims', { connectionId: bos })).map((one) => [one.title, one]));
  expect((await claims()).get('before.pdf')).toMatchObject({ state: 'in-doubt', claimedAt: sentAt });
  const [{ now } = { now: '' }] = await admin.query<{ now: string }>('SELECT now()');
  expect((await claims()).get('of a wrong clock.pdf')?.claimedAt.localeCompare(now)).toBe(-1);
  const [held] = await untilJobs(bo, await register(bo, bos, paths), ([job]) => job?.pausedBy === 'duplicate');
  expect(held?.duplicateOf).toMatchObject({ at: sentAt, by: { person: 'ana' }, state: 'in-doubt' });
  // Of older programs the register has no time, and nobody can make a list unreadable.
  for (const ask of [null, 'x 2026-99-99', '\u{1f600} 2026-11-02']) {
    await admin.query('UPDATE sealdesk.claims SET ask = $1', [ask]);
    for (const { claimedAt } of (await claims()).values()) expect(claimedAt > sentAt).toBe(true);
  }
});

it('goes on with what it left in doubt when it joins again, and sends that again only once', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  const ana = await newCore();
  const connectionId = await connect(ana, service, {
    timeouts: { connectMs: 2_000, idleMs: 90_000, answerMs: 90_000 },
  });
  const join = () => ana.must('team.join', { connectionId, settings: postgres.settings('ana'), password: '' });
  await join();
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 60_000 } });
  const batchId = await register(ana, connectionId, await writePdfs(await newFolder(), ['contract.pdf']));
  const [sending] = await untilJobs(ana, batchId, ([job]) => job?.answerAwaitedSince != null);
  const jobId = sending?.id ?? '';
  await ana.must('team.leave', { connectionId, evenUnreported: true });
  await ana.must('jobs.cancel', { jobId });
  await untilJobs(ana, batchId, ([job]) => job?.state === 'in-doubt');
  service.control.misbehave(null);
  await join();
  const admin = await postgres.admin();
  const claims = () => admin.query('SELECT state, second_of FROM sealdesk.claims');
  await until(async () => (await ana.must('team.state', {})).links[0]?.unreportedCount === 0, 20_000);
  expect(await claims()).toEqual([{ state: 'in-doubt', second_of: null }]);
  await ana.must('jobs.sendAgain', { jobId });
  const [done] = await untilEnded(ana, batchId, 20_000);
  expect(done?.state).toBe('done');
  await until(async () => (await ana.must('team.state', {})).links[0]?.unreportedCount === 0, 20_000);
  expect(await claims()).toEqual([{ state: 'done', second_of: null }]);
});

/** Puts the one document of a ledger there once more, so many times, each with bytes and an ID of its own: `earlier 00000`, and so on. */
function registerMore(dataDir: string, count: number): void {
  const sql = openSql(pathOf(dataDir, 'sealdesk.db'));
  const columns = sql.all<{ name: string }>("SELECT name FROM pragma_table_info('jobs')").map(({ name }) => name);
  const others: Readonly<Record<string, string>> = {
    seq: 'seq + n',
    id: "substr(id, 1, 24) || printf('%012x', n)",
    title: "printf('earlier %05d', n)",
    sha256: "printf('%064x', n)",
    document_id: "printf('00000000-0000-4000-8000-%012x', n)",
  };
  sql.run(
    `WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < ?)
     INSERT INTO jobs (${columns.join(', ')}) SELECT ${columns.map((name) => others[name] ?? name).join(', ')} FROM jobs, more`,
    count,
  );
  sql.close();
}

it('claims nothing before all that it registered earlier is reported, although it is killed in between, and says how much is', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  const proxy = await cuttingProxy(postgres.port);
  atEnd(() => proxy.close());
  const keychain = memoryKeychain(new Map());
  const [dataDir, later] = [await newFolder(), await newFolder()];
  const [first = '', second = ''] = await writePdfs(await newFolder(), ['first.pdf', 'second.pdf']);
  let ana = await newCore({ dataDir, keychain });
  const connectionId = await connect(ana, service);
  await untilEnded(ana, await register(ana, connectionId, [first]));
  await ana.stop();
  registerMore(dataDir, 3_000);
  ana = await newCore({ dataDir, keychain });
  const link = async () => (await ana.must('team.state', {})).links[0];
  // In the second page.
  proxy.breaksAt = { at: 'earlier 00700', when: 'before' };
  const settings = postgres.settings('ana', { port: proxy.port });
  await ana.must('team.join', { connectionId, settings, password: '' });
  await until(async () => (await link())?.state === 'away', 20_000);
  expect((await link())?.earlier).toEqual({ reported: 500, total: 3_001 });
  const batchId = await register(ana, connectionId, [second]);
  await untilJobs(ana, batchId, ([job]) => job?.failure?.detail === 'team-away', 20_000);
  cpSync(dataDir, later, { recursive: true });
  rmSync(pathOf(later, 'sealdesk.db-shm'), { force: true });
  await ana.stop();

  proxy.isOff = false;
  ana = await newCore({ dataDir: later, keychain });
  const [done] = await untilEnded(ana, batchId, 60_000);
  expect(done?.state).toBe('done');
  expect((await link())?.earlier).toBeUndefined();
  // The end of a job is reported after it is known here.
  await until(async () => (await link())?.unreportedCount === 0, 20_000);
  const admin = await postgres.admin();
  // In the order of their commits; each is there once.
  const claims = await admin.query<{ title: string }>(
    'SELECT title FROM sealdesk.claims JOIN sealdesk.changes ON item = claim_id::text GROUP BY title ORDER BY min(position)',
  );
  const title = claims.map((row) => row.title);
  expect(title).toHaveLength(3_002);
  expect(title.indexOf('second.pdf')).toBe(3_001);
  expect(await admin.query("SELECT count(*)::int AS n FROM sealdesk.claims WHERE state = 'done'")).toEqual([
    { n: 3_002 },
  ]);
});
