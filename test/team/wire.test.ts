import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, type TestContext } from 'vitest';
import { openTeamDatabase } from '../../electron/core/team/database.ts';
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
import { newTeamRegister } from '../harness/postgres.ts';
import { cuttingProxy } from './cutting-proxy.ts';

async function proxyTo(port: number) {
  const proxy = await cuttingProxy(port);
  atEnd(() => proxy.close());
  return proxy;
}

/** A program whose ways to the database and to the service are watched. */
async function watched(test: TestContext) {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  const [toDatabase, toService] = [await proxyTo(postgres.port), await proxyTo(Number(new URL(service.baseUrl).port))];
  const core = await newCore({ pauses: { teamLookMs: 200 } });
  const timeouts = { connectMs: 5_000, idleMs: 90_000, answerMs: 90_000 };
  const baseUrl = `http://127.0.0.1:${toService.port}`;
  const connectionId = await connect(core, { ...service, baseUrl }, { timeouts });
  const settings = postgres.settings('bo', { port: toDatabase.port });
  await core.must('team.join', { connectionId, settings, password: '' });
  const admin = await postgres.admin();
  const claims = async () => (await admin.query('SELECT 1 FROM sealdesk.claims')).length;
  const [path = ''] = await writePdfs(folder, ['a.pdf']);
  return { core, connectionId, service, path, toDatabase, toService, admin, claims };
}

it('sends no byte of an add before the database has answered that the claim is committed', async (test) => {
  const { core, connectionId, service, path, toDatabase, toService, claims } = await watched(test);
  toDatabase.holdsAnswersTo = 'INSERT INTO sealdesk.claims';
  const batchId = await register(core, connectionId, [path]);
  await until(async () => (await claims()) === 1);
  await sleep(300);
  expect(toService.seen).toEqual({ connections: 0, bytes: 0 });

  // The answer is lost: the program asks again with the same claim.
  toDatabase.cut();
  expect(toService.seen).toEqual({ connections: 0, bytes: 0 });
  toDatabase.holdsAnswersTo = null;
  const [job] = await untilEnded(core, batchId, 30_000);
  expect(job?.state).toBe('done');
  expect(await claims()).toBe(1);
  expect([...service.control.addsByHash().values()]).toEqual([1]);
  expect(toService.seen.bytes).toBeGreaterThan(0);
});

it('sends no byte of an add while the claim is not committed', async (test) => {
  const { core, connectionId, path, toService, admin, claims } = await watched(test);
  await admin.transaction(async (query) => {
    await query('LOCK TABLE sealdesk.claims IN EXCLUSIVE MODE');
    const batchId = await register(core, connectionId, [path]);
    await untilJobs(core, batchId, ([job]) => job?.state === 'sending');
    await sleep(300);
    expect(toService.seen).toEqual({ connections: 0, bytes: 0 });
  });
  await until(async () => (await claims()) === 1 && toService.seen.bytes > 0);
});

it('survives the loss of a connection that is in use', async (test) => {
  const postgres = await newTeamRegister(test);
  const proxy = await proxyTo(postgres.port);
  const settings = postgres.settings('bo', { port: proxy.port });
  const database = await openTeamDatabase(settings, '');
  atEnd(() => database.close());
  const cutInside = database.transaction(async (query) => {
    await query('SELECT 1');
    // Between two statements nothing but the driver's own event tells of the loss. It must not end the program.
    proxy.cut();
    await sleep(100);
    await query('SELECT 1');
  });
  await expect(cutInside).rejects.toMatchObject({ failure: { detail: 'team-away' } });
  expect(await database.query('SELECT 1')).toHaveLength(1);
});

it('makes claims and reports one after the other on a connection of their own, also after one that is refused', async (test) => {
  const postgres = await newTeamRegister(test);
  const database = await openTeamDatabase(postgres.settings('bo'), '');
  atEnd(() => database.close());
  const ask = (isInTurn: boolean, divisor = 1) =>
    database.query<{ pid: number }>('SELECT pg_backend_pid() / $1::int AS pid, pg_sleep(0.2)', [divisor], { isInTurn });
  const refused = ask(true, 0).catch(() => 'refused');
  const [beside, ...inTurn] = (await Promise.all([false, true, true, true].map((is) => ask(is)))).map(
    ([row]) => row?.pid,
  );
  expect(await refused).toBe('refused');
  expect(new Set(inTurn).size).toBe(1);
  expect(inTurn).not.toContain(beside);
});

it('ends at a row, or an answer, that is longer than any of ours, before it is in memory', async (test) => {
  const postgres = await newTeamRegister(test);
  // A busy server needs longer than usual to make so long a text.
  const database = await openTeamDatabase(postgres.settings('bo'), '', 60_000);
  atEnd(() => database.close());
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, 5);
  atEnd(async () => clearInterval(watch));
  const tooLarge = { failure: { code: 'not-connected', detail: 'team-too-large' } };
  await expect(database.query("SELECT repeat('x', 200000000) AS text")).rejects.toMatchObject(tooLarge);
  await expect(
    database.query("SELECT repeat('x', 1000000) AS text FROM generate_series(1, 100)"),
  ).rejects.toMatchObject(tooLarge);
  expect(most - before).toBeLessThan(160_000_000);
  // The next one is asked over another connection.
  expect(
    await database.query("SELECT length(repeat('x', 15000000)) AS n, repeat('x', 15000000) AS text"),
  ).toMatchObject([{ n: 15_000_000 }]);
});
