import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { openTeamDatabase } from '../../electron/core/team/database.ts';
import {
  atEnd,
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  scan,
  until,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import type { RunningCore } from '../harness/core.ts';
import { memoryKeychain } from '../harness/core.ts';
import { freePort } from '../harness/free-port.ts';
import { newTeamRegister } from '../harness/postgres.ts';

const pauses = { teamLookMs: 200, serviceMs: 100 };

/** A data folder whose job has a claim and waits, because nothing listens at the service's address; and copies of that folder. */
async function waitingWithClaim(test: TestContext, copies: number) {
  const postgres = await newTeamRegister(test);
  atEnd(() => postgres.close());
  const [home, dataDir, port] = [await newFolder(), await newFolder(), await freePort()];
  const away = await newService({ dataDir, port });
  await away.close();
  const keychain = memoryKeychain(new Map());
  const core = await newCore({ dataDir: join(home, 'folder'), keychain, pauses });
  const run = async (folder: string) => {
    const opened = await newCore({ dataDir: join(home, folder), keychain, pauses });
    await opened.must('jobs.resume', { what: 'all' });
    return opened;
  };
  const connectionId = await connect(core, away);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo', { person: 'bo' }), password: '' });
  const paths = await writePdfs(await newFolder(), ['lease.pdf']);
  const batchId = await register(core, connectionId, paths);
  const database = await openTeamDatabase(postgres.settings('ana'), '');
  atEnd(() => database.close());
  const claims = async () =>
    (await database.query<{ state: string }>('SELECT state FROM sealdesk.claims')).map(({ state }) => state);
  await until(async () => (await claims()).join() === 'claimed');
  await untilJobs(core, batchId, ([job]) => job?.state === 'waiting' && job.failure !== null);
  // From here on the service can be reached; nothing is sent before a folder is opened again.
  await core.must('jobs.pause', { what: 'all' });
  const service = await newService({ dataDir, port });
  const { apiKey, apiSig } = service;
  await core.must('connections.setCredentials', { id: connectionId, apiKey, apiSig });
  await core.stop();
  for (let n = 0; n < copies; n += 1) await copyFolder(join(home, 'folder'), join(home, `copy ${n}`));
  const adds = () => [...service.control.addsByHash().values()].reduce((sum, times) => sum + times, 0);
  return { service, postgres, run, connectionId, batchId, paths, claims, adds };
}

/** What lies in a folder; what SQLite takes away meanwhile is not needed. */
async function copyFolder(from: string, to: string): Promise<void> {
  const isThere = (path: string) => !/-(?:wal|shm)$/.test(path);
  await cp(from, to, { recursive: true, filter: isThere });
}

const isOver = ({ state, pausedBy }: Job) => state === 'done' || pausedBy === 'duplicate';
const untilOver = (core: RunningCore, batchId: string) =>
  untilJobs(core, batchId, (jobs) => jobs.length > 0 && jobs.every(isOver), 30_000);

it('holds what the folder sent after it was copied, when the copy is put back, and takes nothing back', async (test) => {
  const { service, postgres, run, connectionId, batchId, paths, claims, adds } = await waitingWithClaim(test, 1);
  const core = await run('folder');
  const [done] = await untilOver(core, batchId);
  expect(done?.state).toBe('done');
  await until(async () => (await claims()).join() === 'done');
  await core.stop();

  const older = await run('copy 0');
  const [held] = await untilOver(older, batchId);
  expect(held).toMatchObject({
    state: 'waiting',
    duplicateOf: { kind: 'team', state: 'done', documentId: done?.documentId },
  });
  await older.must('jobs.cancel', { jobId: held?.id ?? '' });
  await until(async () => (await older.must('team.state', {})).links[0]?.unreportedCount === 0);
  expect(await claims()).toEqual(['done']);
  // It took nothing for a register that lost something.
  expect((await older.must('team.state', {})).links[0]?.state).toBe('connected');
  await older.stop();
  const again = await run('copy 0');
  await until(async () => (await again.must('team.state', {})).links[0]?.state === 'connected');

  const colleague = await newCore({ pauses });
  const its = await connect(colleague, service);
  const settings = postgres.settings('ana', { person: 'ana' });
  await colleague.must('team.join', { connectionId: its, settings, password: '' });
  await untilOver(colleague, await register(colleague, its, paths));
  expect(adds()).toBe(1);
  expect(connectionId).not.toBe('');
});

it('holds what a command is to send in a copy that has it as not sent yet, though its rule sends what was sent before', async (test) => {
  const { postgres, run, connectionId, batchId, paths, claims, adds } = await waitingWithClaim(test, 2);
  const core = await run('folder');
  const [done] = await untilOver(core, batchId);
  await until(async () => (await claims()).join() === 'done');
  const again = async (copy: RunningCore) => {
    const intake = await scan(copy, paths);
    const duplicates = { otherwise: 'send' } as const;
    return await copy.must('documents.register', { connectionId, intakeId: intake.id, creditType: 1, duplicates });
  };
  const admin = await postgres.admin();
  atEnd(() => admin.close());
  for (const folder of ['copy 0', 'copy 1']) {
    // Without a token only what became of the claim shows that the second copy is older.
    if (folder === 'copy 1') await admin.query('UPDATE sealdesk.claims SET ask = NULL');
    const copy = await run(folder);
    const [held] = await untilOver(copy, (await again(copy)).batchId);
    expect(held).toMatchObject({ state: 'waiting', duplicateOf: { kind: 'team', documentId: done?.documentId } });
    await copy.stop();
  }
  expect(adds()).toBe(1);
  // The ledger that knows what became of it sends by the same rule.
  const [sent] = await untilOver(core, (await again(core)).batchId);
  expect(sent?.state).toBe('done');
  expect(adds()).toBe(2);
});

it('lets one of two copies of a folder that run at once go on with a claim', async (test) => {
  const { run, batchId, adds } = await waitingWithClaim(test, 2);
  const both = await Promise.all([run('copy 0'), run('copy 1')]);
  const ended = await Promise.all(both.map((core) => untilOver(core, batchId)));
  expect(
    ended
      .flat()
      .map(({ state }) => state)
      .sort(),
  ).toEqual(['done', 'waiting']);
  expect(adds()).toBe(1);
});

it('sends beside a claim of its own that it knows too little about, if a person decides so', async (test) => {
  const { run, batchId, claims, adds } = await waitingWithClaim(test, 1);
  const core = await run('folder');
  await untilOver(core, batchId);
  await until(async () => (await claims()).join() === 'done');
  await core.stop();
  const older = await run('copy 0');
  const [held] = await untilOver(older, batchId);
  await older.must('jobs.decide', { jobIds: [held?.id ?? ''], decision: 'send' });
  await until(async () => (await jobsOf(older, batchId))[0]?.state === 'done');
  expect(adds()).toBe(2);
  await until(async () => (await claims()).sort().join() === 'done,done');
});
