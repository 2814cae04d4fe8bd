import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import { claimInRegister } from '../../electron/core/team/claims.ts';
import { openTeamDatabase } from '../../electron/core/team/database.ts';
import { initTeam, resumeTeam } from '../../electron/core/team/init-team.ts';
import { openStore } from '../../electron/store/store.ts';
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
import { memoryKeychain, type RunningCore } from '../harness/core.ts';
import { newTeamRegister, startPostgres } from '../harness/postgres.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { backUp } from './restore-in-place.ts';
import { enterBySql } from './tell.ts';

const raise = (): never => {
  throw new Error('the connection has joined no team');
};
const silentLog = { info: () => undefined, error: () => undefined };
const linkOf = async (core: RunningCore) => (await core.must('team.state', {})).links[0];

interface Program {
  readonly core: RunningCore;
  readonly connectionId: string;
}

/** A team whose programs look at it without long pauses. */
async function newTeam(test: TestContext) {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  const admin = await postgres.admin();
  const start = (dataDir?: string) =>
    newCore({ ...(dataDir ? { dataDir } : {}), pauses: { teamLookMs: 300, teamNoticeMs: 50 } });
  const joined = async (user: 'ana' | 'bo', dataDir?: string, person: string = user): Promise<Program> => {
    const core = await start(dataDir);
    const connectionId = await connect(core, service);
    await core.must('team.join', { connectionId, settings: postgres.settings(user, { person }), password: '' });
    return { core, connectionId };
  };
  const resume = async () => {
    const lead = await openTeamDatabase(postgres.settings('ana'), '');
    await resumeTeam(lead, 'team').finally(() => lead.close());
  };
  return { service, admin, joined, start, resume };
}

const isSeen = async ({ core, connectionId }: Program, total: number) =>
  (await core.must('documents.list', { connectionId, filters: { by: 'everyone' } })).total === total;
const stateOf = async ({ core }: Program) => (await linkOf(core))?.state;

it('pays for nothing twice after a restore in place that no connection notices, closes for all, and goes on once a lead says so', async (test) => {
  const { service, admin, joined, resume } = await newTeam(test);
  const [ana, bo] = [await joined('ana'), await joined('bo')];
  const [first = '', later = ''] = await writePdfs(await newFolder(), ['first.pdf', 'later.pdf']);
  const yesterday = await backUp(admin);
  // Ana's is on its way: bo's program knows nothing of it but that something changed.
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 2_000 } });
  const anas = await register(ana.core, ana.connectionId, [first]);
  await until(() => service.control.requests().AddNewDocument === 1);
  await new Promise((resolve) => setTimeout(resolve, 1_000));

  await yesterday.restore();
  // Before any look: the claim itself must not be made.
  const batchId = await register(bo.core, bo.connectionId, [first, later]);
  await untilJobs(bo.core, batchId, (jobs) => jobs.every(({ failure }) => failure?.detail === 'team-restored'));
  for (const program of [ana, bo]) await until(async () => (await stateOf(program)) === 'closed');
  // Done, or in doubt where its answer took too long.
  const [ended] = await untilEnded(ana.core, anas);
  expect(service.control.requests().AddNewDocument).toBe(1);
  // What the restore lost is told again.
  await until(async () => (await admin.query("SELECT 1 FROM sealdesk.claims WHERE state <> 'claimed'")).length === 1);
  service.control.misbehave(null);

  await resume();
  for (const program of [ana, bo]) await until(async () => (await stateOf(program)) === 'connected', 20_000);
  await bo.core.must('jobs.tryNow', { connectionId: bo.connectionId });
  const [held] = await untilJobs(
    bo.core,
    batchId,
    (jobs) => jobs.some(({ pausedBy }) => pausedBy === 'duplicate') && jobs.some(({ state }) => state === 'done'),
    20_000,
  );
  expect(held?.duplicateOf).toMatchObject({ kind: 'team', by: { person: 'ana' } });
  expect([...service.control.addsByHash().values()]).toEqual([1, 1]);
  await until(() => isSeen(ana, ended?.state === 'done' ? 2 : 1));
});

it('notices a restore although more was written since than was lost', async (test) => {
  const { admin, joined, start } = await newTeam(test);
  const [dataDir, folder] = [await newFolder(), await newFolder()];
  const [ana, bo] = [await joined('ana'), await joined('bo', dataDir)];
  const yesterday = await backUp(admin);
  const [first = '', ...others] = await writePdfs(folder, ['first.pdf', 'second.pdf', 'third.pdf']);
  await untilEnded(ana.core, await register(ana.core, ana.connectionId, [first]));
  await until(() => isSeen(bo, 1));
  for (const { core } of [ana, bo]) await core.stop();
  await yesterday.restore();

  // It never saw what was lost.
  const chidi = await joined('bo', undefined, 'chidi');
  await untilEnded(chidi.core, await register(chidi.core, chidi.connectionId, others));
  await until(async () => (await linkOf(chidi.core))?.unreportedCount === 0);
  expect(await stateOf(chidi)).toBe('connected');
  const again = { core: await start(dataDir), connectionId: bo.connectionId };
  for (const program of [again, chidi]) await until(async () => (await stateOf(program)) === 'closed');
});

it.for(['program', 'claim', 'nobody', 'program in another team', 'claim in another team'] as const)(
  'goes on where its row or its claim is not its own, or taken in another team, and pays for nothing twice (%s)',
  async (what, test) => {
    const { service, admin, joined, start, resume } = await newTeam(test);
    const [dataDir, bo] = [await newFolder(), await joined('bo')];
    await initTeam(admin, 'others');
    await admin.query(
      "DO $$ BEGIN EXECUTE format('GRANT %I TO reader', (SELECT role_prefix || '_member' FROM sealdesk.teams WHERE name = 'others')); END $$",
    );
    const yesterday = await backUp(admin);
    const { core, connectionId } = await joined('ana', dataDir);
    const [first = '', second = ''] = await writePdfs(await newFolder(), ['first.pdf', 'second.pdf']);
    await untilEnded(core, await register(core, connectionId, [first]));
    await until(async () => (await linkOf(core))?.unreportedCount === 0);
    const [hers] = await admin.query<{ program: string; claim: string }>(
      'SELECT program_id AS program, claim_id AS claim FROM sealdesk.claims',
    );
    await core.stop();

    const [user, team] = what.endsWith('another team') ? ['reader', 'others'] : ['bo', 'team'];
    const bySql = await openTeamDatabase({ ...((await linkOf(bo.core))?.settings ?? raise()), user }, '');
    atEnd(() => bySql.close());
    if (what === 'nobody') await admin.query("UPDATE sealdesk.programs SET database_user = NULL WHERE person = 'ana'");
    else await yesterday.restore();
    // A member who saw them before the restore takes their IDs.
    if (what.startsWith('program') || team === 'others')
      await bySql.query(
        `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version) SELECT $1::uuid, team_id, 'bo', 'X', '1' FROM sealdesk.teams WHERE name = $2`,
        [what.startsWith('program') ? (hers?.program ?? '') : randomUUID(), team],
      );
    if (what.startsWith('claim'))
      await bySql.query(
        `INSERT INTO sealdesk.claims (claim_id, team_id, kind, claim_key, program_id, title, state, version)
         SELECT $1::uuid, team_id, 'AddNewDocument', 'x', program_id, 'taken', 'claimed', 1 FROM sealdesk.programs WHERE database_user = session_user`,
        [hers?.claim ?? ''],
      );
    const ana = { core: await start(dataDir), connectionId };
    // A program whose rows nobody of its team took tells it at the latest when it is asked.
    const told = async () =>
      team === 'others' || (await admin.query("SELECT 1 FROM sealdesk.claims WHERE state = 'done'")).length === 1;
    await until(async () => (await stateOf(ana)) === (what === 'nobody' ? 'connected' : 'closed') && (await told()));
    await resume();
    for (const program of [ana, bo]) await until(async () => (await stateOf(program)) === 'connected', 20_000);
    const his = await register(bo.core, bo.connectionId, [first, second]);
    await untilJobs(
      bo.core,
      his,
      (jobs) => jobs.some(({ pausedBy }) => pausedBy === 'duplicate') && jobs.some(({ state }) => state === 'done'),
    );
    expect([...service.control.addsByHash().values()]).toEqual([1, 1]);
    await until(() => isSeen(ana, 2));
  },
);

it('shows a register as closed soon after a failover that its connections do not notice, also while a member keeps it from being closed', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  const [admin, proxy] = [await postgres.admin(), await cuttingProxy(postgres.port)];
  atEnd(() => proxy.close());
  const pauses = { teamLookMs: 300, teamNoticeMs: 50, teamAnswerMs: 500 };
  const bo = { core: await newCore({ pauses }), connectionId: '' };
  bo.connectionId = await connect(bo.core, service);
  const settings = postgres.settings('bo', { port: proxy.port });
  await bo.core.must('team.join', { connectionId: bo.connectionId, settings, password: '' });
  const yesterday = await backUp(admin);
  const { core, connectionId } = bo;
  await untilEnded(core, await register(core, connectionId, await writePdfs(await newFolder(), ['first.pdf'])));
  await until(async () => (await linkOf(core))?.unreportedCount === 0);
  const bySql = await openTeamDatabase(postgres.settings('bo'), '');
  atEnd(() => bySql.close());

  proxy.freeze();
  await yesterday.restore();
  const since = performance.now();
  await bySql.transaction(async (query) => {
    await query('SELECT 1 FROM sealdesk.teams FOR UPDATE');
    await until(async () => (await stateOf(bo)) !== 'connected');
    expect(performance.now() - since).toBeLessThan(3_000);
    await until(async () => (await stateOf(bo)) === 'closed', 5_000);
  });
  await until(async () => (await admin.query('SELECT 1 FROM sealdesk.teams WHERE is_restored')).length === 1);
});

it.for(['a dump', 'a standby'] as const)(
  'sends nothing after %s took the place of the database while nobody ran who knew more, until a lead says so',
  async (what, test) => {
    const [postgres, service] = [await startPostgres(test), await newService()];
    atEnd(() => postgres.close());
    const proxy = await cuttingProxy(postgres.port);
    atEnd(() => proxy.close());
    const folders = { ana: await newFolder(), bo: await newFolder() };
    const pauses = { teamLookMs: 300, teamNoticeMs: 50 };
    const keychain = memoryKeychain(new Map());
    const start = async (user: 'ana' | 'bo', connectionId = '') => ({
      core: await newCore({ dataDir: folders[user], keychain, pauses }),
      connectionId,
    });
    const joined = async (user: 'ana' | 'bo') => {
      const { core } = await start(user);
      const connectionId = await connect(core, service);
      await core.must('team.join', {
        connectionId,
        settings: postgres.settings(user, { port: proxy.port }),
        password: '',
      });
      return { core, connectionId };
    };
    const [ana, bo] = [await joined('ana'), await joined('bo')];
    await bo.core.stop();
    const at = ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'admin'];
    const dump = join(postgres.folder, 'dump');
    const standby = what === 'a standby' ? await postgres.standby() : null;
    if (standby) atEnd(() => standby.close());
    else await postgres.run('pg_dump', ...at, '-Fc', '-f', dump, 'postgres');
    const paths = await writePdfs(await newFolder(), ['first.pdf']);
    await untilEnded(ana.core, await register(ana.core, ana.connectionId, paths));
    await until(async () => (await linkOf(ana.core))?.unreportedCount === 0);
    await ana.core.stop();
    if (standby) {
      await postgres.stop('immediate');
      await standby.promote();
      proxy.passTo(standby.port);
    } else await postgres.run('pg_restore', ...at, '--clean', '-d', 'postgres', dump);

    const [his, hers] = [await start('bo', bo.connectionId), () => start('ana', ana.connectionId)];
    const batchId = await register(his.core, his.connectionId, paths);
    await untilJobs(his.core, batchId, ([job]) => job?.failure?.detail === 'team-restored');
    expect(await stateOf(his)).toBe('closed');
    await until(async () => (await linkOf((await hers()).core))?.unreportedCount === 0);
    const lead = await openTeamDatabase((standby ?? postgres).settings('ana'), '');
    await resumeTeam(lead, 'team').finally(() => lead.close());
    const [held] = await untilJobs(his.core, batchId, ([job]) => job?.pausedBy === 'duplicate', 30_000);
    expect(held?.duplicateOf).toMatchObject({ kind: 'team', by: { person: 'ana' } });
    expect([...service.control.addsByHash().values()]).toEqual([1]);
  },
);

it('goes on without a question where the tables got back all that was in them', async (test) => {
  const { admin, joined, start } = await newTeam(test);
  const dataDir = await newFolder();
  const [ana, bo] = [await joined('ana'), await joined('bo', dataDir)];
  const [first = '', second = ''] = await writePdfs(await newFolder(), ['first.pdf', 'second.pdf']);
  await untilEnded(ana.core, await register(ana.core, ana.connectionId, [first]));
  await until(() => isSeen(bo, 1));
  await until(async () => (await linkOf(ana.core))?.unreportedCount === 0);
  await bo.core.stop();
  await (await backUp(admin)).restore();
  const again = { core: await start(dataDir), connectionId: bo.connectionId };
  await untilEnded(ana.core, await register(ana.core, ana.connectionId, [second]));
  await until(() => isSeen(again, 2));
  expect([await stateOf(ana), await stateOf(again)]).toEqual(['connected', 'connected']);
});

it('asks a person at once about what a claim holds that a restore lost and whose program has left', async (test) => {
  const { service, admin, joined, resume } = await newTeam(test);
  const [ana, bo] = [await joined('ana'), await joined('bo')];
  const paths = await writePdfs(await newFolder(), ['contract.pdf']);
  const yesterday = await backUp(admin);
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 60_000 } });
  const hers = await register(ana.core, ana.connectionId, paths);
  await untilJobs(ana.core, hers, ([job]) => job?.state === 'sending' && job.answerAwaitedSince !== null);
  const his = await register(bo.core, bo.connectionId, paths);
  const [held] = await untilJobs(bo.core, his, ([job]) => job?.duplicateOf?.state === 'sending');
  const jobId = held?.id ?? '';
  await bo.core.must('jobs.decide', { jobIds: [jobId], decision: 'skip' });
  await ana.core.must('team.leave', { connectionId: ana.connectionId, evenUnreported: true });
  await untilJobs(bo.core, his, ([job]) => job?.duplicateOf?.state === 'in-doubt', 20_000);

  await yesterday.restore();
  await until(async () => (await stateOf(bo)) === 'closed', 20_000);
  await resume();
  await untilJobs(bo.core, his, ([job]) => job?.duplicateOf?.skipsWhenDone === undefined, 20_000);
  await bo.core.must('jobs.decide', { jobIds: [jobId], decision: 'skip' });
  const [ended] = await untilEnded(bo.core, his, 10_000);
  expect(ended).toMatchObject({ state: 'passed-over', duplicateOf: { state: 'in-doubt', by: { person: 'ana' } } });
  expect(service.control.requests().AddNewDocument).toBe(1);
});

it('notices that what held a document is lost, although it followed nothing since', async (test) => {
  const postgres = await newTeamRegister(test);
  const admin = await postgres.admin();
  const { store } = await openStore({ dataDir: await newFolder(), log: silentLog });
  atEnd(async () => store.close());
  const enter = async (user: 'ana' | 'bo') => {
    const { database, member, newClaim } = await enterBySql(postgres, store, user);
    atEnd(() => database.close());
    return { ask: async (key: string) => await claimInRegister({ database, member }, await newClaim(key)) };
  };
  const [ana, bo] = [await enter('ana'), await enter('bo')];
  const yesterday = await backUp(admin);
  expect(await ana.ask('a contract')).toEqual({ result: 'won' });
  expect((await bo.ask('a contract')).result).toBe('conflict');
  await yesterday.restore();
  await expect(bo.ask('another')).rejects.toMatchObject({ failure: { detail: 'team-restored' } });
});
