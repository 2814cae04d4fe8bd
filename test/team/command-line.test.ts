import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { openTeamDatabase } from '../../electron/core/team/database.ts';
import { databaseIdentity } from '../../electron/core/team/schema.ts';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  patient,
  register,
  scan,
  until,
  untilEnded,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { newTeamRegister, type TeamRegister } from '../harness/postgres.ts';
import { cuttingProxy } from './cutting-proxy.ts';
import { backUp } from './restore-in-place.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildCommandLine();
}, 100_000);
afterAll(() => cli?.remove());

const options = (register: TeamRegister, user: string) => {
  const { host, port, database } = register.settings(user);
  return ['--host', host, '--port', String(port), '--database', database, '--user', user];
};
const env = { SEALDESK_TEAM_PASSWORD: '' };

/** A team in a database of its own, and what is used beside it. */
async function teamOf(test: TestContext) {
  const postgres = await newTeamRegister(test);
  const [admin, service, folder] = [await postgres.admin(), await newService(), await newFolder()];
  return { postgres, admin, service, folder };
}

function anotherHome() {
  const other = cli.inAnotherHome();
  atEnd(async () => other.remove());
  return other;
}

it('checks a register step by step, each on a line, with an exit code', async (test) => {
  const { postgres } = await teamOf(test);
  const doctor = (...more: string[]) => cli.run(['team', 'doctor', '--json', ...more], { env });
  const well = await doctor(...options(postgres, 'bo'));
  const steps = ['address', 'encryption', 'user', 'team', 'schema', 'role', 'durability', 'clock', 'people'];
  expect(well, well.err).toMatchObject({ code: 0 });
  // Of an address of this computer nothing is encrypted, which is not called so.
  expect(well.lines[1]).toMatchObject({ answer: { meaning: 'encryption', group: 'unclear' } });
  expect(well.lines.map(({ answer }) => (answer as { meaning: string }).meaning)).toEqual(steps);
  const missing = await doctor(...options(postgres, 'bo'), '--team', 'others');
  expect(missing.code).toBe(4);
  expect(missing.lines.map(({ answer }) => (answer as { group: string }).group)).toEqual([
    ...['passed', 'unclear', 'passed', 'failed'],
    ...Array(5).fill('not-tried'),
  ]);
  const reader = await doctor(...options(postgres, 'reader'));
  expect(reader.code).toBe(1);
  expect(reader.lines.filter(({ ok }) => ok === false)).toMatchObject([{ answer: { meaning: 'role' } }]);
  const plain = await cli.run(['team', 'doctor', ...options(postgres, 'bo')], { env });
  expect(plain.out.trim().split('\n')).toHaveLength(steps.length);
  // The server lets everybody in, so it has not shown that it is the one that the password is for.
  const hidden = { SEALDESK_TEAM_PASSWORD: 'hidden-word' };
  const unproven = await cli.run(['team', 'doctor', ...options(postgres, 'bo'), '--json'], { env: hidden });
  expect(unproven.code).toBe(4);
  expect(unproven.lines.filter(({ ok }) => ok === false)).toMatchObject([
    { answer: { meaning: 'encryption' }, failure: { note: 'the server does not ask for the password' } },
  ]);
  expect(unproven.out + unproven.err).not.toContain('hidden-word');
});

it('says of a register in which nobody can make a claim why, and at which step', async (test) => {
  const { postgres, admin } = await teamOf(test);
  const failed = async (command: string) => {
    const { code, out, lines } = await cli.run(['team', command, '--json', ...options(postgres, 'bo')], { env });
    expect(code, out).not.toBe(0);
    return lines.flatMap(({ ok, answer }) => (ok === false ? [(answer as { meaning: string }).meaning] : []));
  };
  // In its own database only: other tests have the same server.
  const role = (change: string) =>
    `DO $$ BEGIN EXECUTE format('ALTER ROLE bo IN DATABASE %I ${change}', current_database()); END $$`;
  for (const [fault, step, repair] of [
    ['ALTER TABLE sealdesk.claims RENAME TO lost', 'team', 'ALTER TABLE sealdesk.lost RENAME TO claims'],
    ['ALTER TABLE sealdesk.changes RENAME TO lost', 'team', 'ALTER TABLE sealdesk.lost RENAME TO changes'],
    [role('SET default_transaction_read_only = on'), 'durability', role('RESET ALL')],
  ] as const) {
    await admin.query(fault);
    expect(await failed('doctor'), fault).toEqual([step]);
    await failed('status');
    await admin.query(repair);
  }
  expect(await cli.run(['team', 'doctor', ...options(postgres, 'bo')], { env })).toMatchObject({ code: 0 });
  for (const table of ['claims', 'changes', 'programs'])
    expect(await admin.query(`SELECT 1 FROM sealdesk.${table}`), table).toEqual([]);
});

it('joins with a saved connection, names the colleague who has a file, and leaves', async (test) => {
  const { postgres, service, folder } = await teamOf(test);
  const [path = ''] = await writePdfs(folder, ['contract.pdf']);
  const ana = await newCore();
  const connectionId = await connect(ana, service);
  await ana.must('team.join', { connectionId, settings: postgres.settings('ana'), password: '' });
  const [first] = await untilEnded(ana, await register(ana, connectionId, [path]));
  await until(async () => (await ana.must('team.state', {})).links[0]?.unreportedCount === 0);

  const window = await newCore({ dataDir: join(cli.home, '.config/Sealdesk/data') });
  await connect(window, service);
  await window.stop();
  const keys = { ...env, SEALDESK_API_KEY: service.apiKey, SEALDESK_API_SIG: service.apiSig };
  const run = (...words: string[]) => cli.run([...words, '--connection', 'Service', '--json'], { env: keys });
  expect(await run('team', 'leave')).toMatchObject({ code: 2 });
  const joined = await run('team', 'join', ...options(postgres, 'bo'), '--person', 'Bo Lindqvist');
  expect(joined, joined.err).toMatchObject({
    code: 0,
    lines: [{ ok: true, details: { state: 'connected', role: 'member' } }],
  });
  const doctor = await run('team', 'doctor');
  expect(doctor, doctor.err).toMatchObject({ code: 0 });
  expect(JSON.stringify(doctor.lines)).toContain('Bo Lindqvist (bo) (');
  const status = await cli.run(['team', 'status', ...options(postgres, 'bo')], { env });
  expect(status.out).toContain('  Bo Lindqvist (bo)  ');
  // A password that is given counts: this server asks for none, so it is not believed then.
  const given = { env: { ...keys, SEALDESK_TEAM_PASSWORD: 'hidden-word' } };
  expect((await cli.run(['team', 'doctor', '--connection', 'Service', '--json'], given)).code).toBe(4);

  const held = await run('register', path);
  expect(held.lines, held.err).toMatchObject([
    {
      ok: true,
      documentId: first?.documentId,
      file: expect.stringContaining(basename(path)),
      details: { claimedBy: { person: 'ana', state: 'done' } },
    },
  ]);
  expect([...service.control.addsByHash().values()]).toEqual([1]);
  expect(await run('team', 'leave')).toMatchObject({ code: 0 });
  expect(await run('team', 'doctor')).toMatchObject({ code: 2 });
});

it('says why a connection that joins cannot send, and names no role that it did not learn', async (test) => {
  const { postgres, service, admin } = await teamOf(test);
  const other = anotherHome();
  const window = await newCore({ dataDir: join(other.home, '.config/Sealdesk/data') });
  await connect(window, service);
  await window.stop();
  // What is tried before it joins does not need this right.
  const [team] = await admin.query<{ prefix: string }>('SELECT role_prefix AS prefix FROM sealdesk.teams');
  await admin.query(`REVOKE INSERT ON sealdesk.services FROM ${team?.prefix}_member`);
  const joined = await other.run(['team', 'join', '--connection', 'Service', ...options(postgres, 'bo')], { env });
  expect(joined.code).toBe(4);
  expect(joined.out).not.toMatch(/role –|role null/);
  expect(joined.out).toMatch(/has joined, but cannot send.*\n.*may not do this/);
});

it('sends what a colleague has only if a person names the job, and says who it is, before and after', async (test) => {
  const { postgres, service, folder } = await teamOf(test);
  const paths = await writePdfs(folder, ['lease.pdf', 'annex.pdf']);
  const other = anotherHome();
  const adds = () => [...service.control.addsByHash().values()].sort();
  const ana = await newCore();
  const timeouts = { connectMs: 2_000, idleMs: 90_000, answerMs: 90_000 };
  const connectionId = await connect(ana, service, { timeouts });
  await ana.must('team.join', { connectionId, settings: postgres.settings('ana'), password: '' });
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 60_000 }, times: 1 });
  await register(ana, connectionId, paths.slice(0, 1));
  await until(() => adds().length === 1);

  // In the window of bo a document is held that is being sent on ana's computer.
  const window = await newCore({ dataDir: join(other.home, '.config/Sealdesk/data') });
  const its = await connect(window, service);
  await window.must('team.join', { connectionId: its, settings: postgres.settings('bo'), password: '' });
  const batchId = await register(window, its, paths.slice(0, 1));
  const [held] = await untilJobs(window, batchId, ([job]) => job?.pausedBy === 'duplicate');
  await window.stop();
  const keys = { ...env, SEALDESK_API_KEY: service.apiKey, SEALDESK_API_SIG: service.apiSig };
  const run = (...words: string[]) => other.run([...words, '--connection', 'Service'], { env: keys });
  const list = await run('jobs', 'list');
  expect(list.out, list.err).toMatch(/asks: duplicate.*lease\.pdf.*ana \(.*\) is sending the same/);
  const all = await run('jobs', 'decide', '--send', '--all');
  expect(all, all.err).toMatchObject({ code: 0, out: '' });
  expect(all.err).toMatch(/lease\.pdf.*ana \(.*\) is sending the same.*name the job/);
  expect(adds()).toEqual([1]);
  const sent = await run('jobs', 'decide', '--send', held?.id ?? '', '--json');
  expect(sent, sent.err).toMatchObject({
    code: 0,
    lines: [{ ok: true, details: { claimedBy: { person: 'ana', state: 'sending' } } }],
  });
  expect(sent.err).toMatch(/ana \(.*\) is sending the same/);
  expect(adds()).toEqual([2]);
  const events = async () =>
    (await ana.must('team.events', { connectionId })).map(({ kind, by, title }) => [kind, by.person, title]);
  expect(await events()).toContainEqual(['sent-anyway', 'bo', 'lease.pdf']);

  // A file that a command was given is passed over with the job's ID, and is sent after the same decision.
  await untilEnded(ana, await register(ana, connectionId, paths.slice(1)));
  // The first one is still being sent.
  await until(async () => (await ana.must('team.state', {})).links[0]?.unreportedCount === 1);
  const passedOver = await run('register', paths[1] ?? '', '--json');
  const { jobId = '' } = (passedOver.lines[0]?.details ?? {}) as { jobId?: string };
  expect(passedOver.lines[0], passedOver.err).toMatchObject({ ok: true, details: { claimedBy: { person: 'ana' } } });
  const again = await run('jobs', 'send-again', jobId, '--json');
  expect(again, again.err).toMatchObject({
    code: 1,
    lines: [{ ok: false, details: { claimedBy: { person: 'ana' } } }],
  });
  expect(JSON.stringify(again.lines)).toContain('decide --send');
  expect(adds()).toEqual([1, 2]);
  const decided = await run('jobs', 'decide', '--send', jobId, '--json');
  expect(decided, decided.err).toMatchObject({ code: 0, lines: [{ details: { claimedBy: { person: 'ana' } } }] });
  expect(adds()).toEqual([2, 2]);
  expect(await events()).toContainEqual(['sent-anyway', 'bo', 'annex.pdf']);
});

it('ends although two jobs of one file wait for the same colleague', async (test) => {
  const { postgres, service, folder } = await teamOf(test);
  const paths = await writePdfs(folder, ['lease.pdf']);
  const other = anotherHome();
  const ana = await newCore();
  const connectionId = await connect(ana, service, { timeouts: patient });
  await ana.must('team.join', { connectionId, settings: postgres.settings('ana'), password: '' });
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 60_000 }, times: 1 });
  await register(ana, connectionId, paths);
  await until(() => service.control.addsByHash().size === 1);
  // Two commands for the same file ended before it had its turn.
  const window = await newCore({ dataDir: join(other.home, '.config/Sealdesk/data') });
  const its = await connect(window, service);
  const proxy = await cuttingProxy(postgres.port);
  atEnd(() => proxy.close());
  const settings = postgres.settings('bo', { port: proxy.port });
  await window.must('team.join', { connectionId: its, settings, password: '' });
  await window.must('jobs.pause', { what: 'all' });
  for (let times = 0; times < 2; times += 1) {
    const { id: intakeId } = await scan(window, paths);
    const duplicates = { otherwise: 'skip' } as const;
    await window.must('documents.register', { connectionId: its, intakeId, creditType: 1, duplicates });
  }
  await window.stop();
  // While the first asks for its claim the second is passed over for it.
  proxy.delayMs = 400;
  const resumed = await other.run(['jobs', 'resume', '--queue', '--connection', 'Service', '--json'], {
    env: { ...env, SEALDESK_API_KEY: service.apiKey, SEALDESK_API_SIG: service.apiSig },
    meanwhile: (child) => void setTimeout(() => child.kill('SIGKILL'), 60_000).unref(),
  });
  expect(resumed.code, resumed.out + resumed.err).toBe(1);
  const held = { ok: false, file: 'lease.pdf', details: { claimedBy: { person: 'ana' } } };
  expect(resumed.lines).toMatchObject([held, held]);
});

it('invites a second person with a file without any secret, and makes the login only if asked to', async (test) => {
  const { postgres, service, folder, admin } = await teamOf(test);
  const login = `invited_${randomUUID().slice(0, 8)}`;
  atEnd(() => admin.query(`DROP ROLE IF EXISTS ${login}`));
  const exists = async () => (await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [login])).length === 1;
  const owner = options(postgres, postgres.owner);
  const invite = (...more: string[]) => cli.run(['team', 'invite', ...owner, '--login', login, ...more], { env });
  const planned = await invite();
  expect(planned, planned.err).toMatchObject({ code: 0 });
  expect(planned.err).toMatch(new RegExp(`CREATE ROLE "${login}" LOGIN;[^]*_member TO "${login}";`));
  expect(await exists()).toBe(false);
  const invited = await invite('--yes');
  expect(invited, invited.err).toMatchObject({ code: 0, out: planned.out });
  expect(await exists()).toBe(true);
  const { host, port, database } = postgres.settings(login);
  expect(JSON.parse(invited.out)).toEqual({ sealdeskTeam: 1, host, port, database, team: 'team', ca: '', user: login });
  expect((await invite('--role', 'owner')).code).toBe(2);

  const file = join(folder, 'invitation.json');
  writeFileSync(file, invited.out);
  const other = anotherHome();
  const window = await newCore({ dataDir: join(other.home, '.config/Sealdesk/data') });
  await connect(window, service);
  await window.stop();
  const keys = { ...env, SEALDESK_API_KEY: service.apiKey, SEALDESK_API_SIG: service.apiSig };
  const run = (...words: string[]) => other.run([...words, '--connection', 'Service', '--json'], { env: keys });
  const joined = await run('team', 'join', '--invitation', file);
  expect(joined, joined.err).toMatchObject({ code: 0, lines: [{ ok: true, details: { role: 'member' } }] });
  // Who has joined invites with what the connection knows, without a login and without the database.
  const [passedOn] = (await run('team', 'invite')).lines;
  expect(passedOn?.details).toMatchObject({ invitation: { host, port, database, team: 'team' }, statements: [] });
  expect(passedOn?.details).not.toHaveProperty('invitation.user');
  for (const text of ['{"sealdeskTeam":2}', 'no JSON', JSON.stringify({ ...JSON.parse(invited.out), host: 'a b' })]) {
    writeFileSync(file, text);
    expect((await run('team', 'join', '--invitation', file)).code).toBe(2);
  }
});

it('lets in no login that is none, and not the one that owns the register', async (test) => {
  const { postgres, admin } = await teamOf(test);
  const limits = () => admin.query('SELECT rolname, rolconnlimit FROM pg_roles WHERE rolname !~ $1', ['^sealdesk_']);
  const before = await limits();
  for (const login of ['', ' ', 'a\nb', 'bo\u0007', 'ü'.repeat(32), 'bo\u202e', postgres.owner]) {
    const invited = ['team', 'invite', ...options(postgres, postgres.owner), '--login', login];
    for (const more of [[], ['--yes']]) {
      const tried = await cli.run([...invited, ...more], { env });
      expect([tried.code, tried.out.includes('sealdeskTeam')], JSON.stringify(login)).toEqual([2, false]);
      expect(tried.err + tried.out).toMatch(/login/);
    }
  }
  expect(await limits()).toEqual(before);
});

it.skipIf(process.platform === 'win32')('reads no settings from a pipe or a device, and says so', async () => {
  const other = anotherHome();
  const window = await newCore({ dataDir: join(other.home, '.config/Sealdesk/data') });
  await connect(window, await newService());
  await window.stop();
  const pipe = join(await newFolder(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const meanwhile = (child: ChildProcess) => void setTimeout(() => child.kill('SIGKILL'), 20_000).unref();
  const place = ['--host', '127.0.0.1', '--database', 'none', '--user', 'bo'];
  for (const words of [
    ['join', '--connection', 'Service', '--invitation'],
    ['status', ...place, '--ca'],
    ['doctor', ...place, '--ca'],
  ]) {
    const tried = await other.run(['team', ...words, pipe], { env, meanwhile });
    expect(tried.code, words.join(' ')).toBe(2);
    expect(tried.err).toMatch(/pipe.*device or a pipe/s);
  }
});

it('gives the rights of a lead to nobody whom a member invites', async (test) => {
  const { postgres } = await teamOf(test);
  for (const user of ['bo', 'ana']) {
    const tried = await cli.run(
      ['team', 'invite', ...options(postgres, user), '--login', 'bo', '--role', 'lead', '--yes', '--json'],
      { env },
    );
    expect(tried, tried.out).toMatchObject({ code: 4, lines: [{ ok: false, failure: { detail: 'team-rights' } }] });
  }
});

/** A team after a restore: what bo registered is lost, and known to his program alone. Only ana's runs. */
async function restoredTeam(test: TestContext) {
  const { postgres, service, admin } = await teamOf(test);
  const pauses = { teamLookMs: 300, teamNoticeMs: 50 };
  const start = async (user: 'ana' | 'bo', person: string) => {
    const core = await newCore({ pauses, dataDir: await newFolder() });
    const connectionId = await connect(core, service);
    await core.must('team.join', { connectionId, settings: postgres.settings(user, { person }), password: '' });
    return { core, connectionId };
  };
  const link = async ({ core }: { core: typeof ana.core }) => (await core.must('team.state', {})).links[0];
  const [ana, bo, chidi] = [await start('ana', 'Ana P'), await start('bo', 'Bo L'), await start('bo', 'Chidi O')];
  const yesterday = await backUp(admin);
  const paths = await writePdfs(await newFolder(), ['lease.pdf']);
  await untilEnded(bo.core, await register(bo.core, bo.connectionId, paths));
  await until(async () => (await link(bo))?.unreportedCount === 0);
  for (const { core } of [bo, chidi]) await core.stop();
  await yesterday.restore();
  await until(async () => (await link(ana))?.state === 'closed');
  return {
    resume: (...more: string[]) =>
      cli.run(['team', 'resume', ...options(postgres, 'ana'), '--wait', '4', ...more], { env }),
    /** Says by SQL, as one login, of each program that it has told all. */
    forge: async () => {
      const bySql = await openTeamDatabase(postgres.settings('ana'), '');
      const mark = `teams.epoch || ' ' || ${databaseIdentity}`;
      await bySql.query(
        `INSERT INTO sealdesk.events (event_id, team_id, program_id, kind, title)
         SELECT p.program_id || '.told.' || ${mark}, p.team_id, o.program_id, 'told-all', ${mark}
         FROM sealdesk.programs AS p JOIN sealdesk.teams USING (team_id) JOIN sealdesk.programs AS o ON o.database_user = session_user`,
      );
      await bySql.close();
    },
    /** Enters as many programs by SQL, all of one login. */
    invent: (many: number) =>
      admin.query(
        `INSERT INTO sealdesk.programs (program_id, team_id, person, computer, version, database_user, seen_at)
         SELECT gen_random_uuid(), team_id, 'Invented ' || n, 'X', '1', 'ana', now() + interval '1 h' FROM sealdesk.teams, generate_series(1, $1) AS n`,
        [many],
      ),
    again: async (who = bo) => {
      const core = await newCore({ pauses, dataDir: who.core.dataDir });
      const { apiKey, apiSig } = service;
      await core.must('connections.setCredentials', { id: who.connectionId, apiKey, apiSig });
      return core;
    },
    bo,
    chidi,
    link,
    backUpOnceToldBy: async (programs: number) => {
      const told = "SELECT DISTINCT program_id FROM sealdesk.events WHERE kind = 'told-all'";
      await until(async () => (await admin.query(told)).length === programs, 20_000);
      return await backUp(admin, 'later');
    },
    isClosed: async () => (await admin.query('SELECT 1 FROM sealdesk.teams WHERE is_restored')).length === 1,
    isTold: async () => (await admin.query("SELECT 1 FROM sealdesk.claims WHERE state = 'done'")).length === 1,
    anaGoesOn: async () => {
      await until(async () => (await link(ana))?.state === 'connected', 20_000);
      const list = { connectionId: ana.connectionId, filters: { by: 'everyone' as const } };
      await until(async () => (await ana.core.must('documents.list', list)).total === 1, 20_000);
      const batchId = await register(ana.core, ana.connectionId, paths);
      await untilJobs(ana.core, batchId, ([job]) => job?.pausedBy === 'duplicate');
      expect([...service.control.addsByHash().values()]).toEqual([1]);
    },
  };
}

it('lets a team go on after a restore only if asked to while programs have not told what they know, and names them', async (test) => {
  const { resume, forge, again, isTold, isClosed, anaGoesOn } = await restoredTeam(test);
  // Somebody else's word for it does not count, nor keeps them from telling.
  await forge();
  const refused = await resume();
  expect(refused.code, refused.out).toBe(2);
  expect(refused.err).toMatch(/Chidi O \(bo\) \(.*\), last seen \d{4}-\d\d-\d\dT.*Bo L.*--yes-unreported/s);
  expect(refused.err).not.toContain('Ana P');
  // One of the two tells what it knows; the other stays away.
  await again();
  await until(isTold);
  await until(async () => !/Bo L|Ana P/.test((await resume()).err), 20_000);
  const resumed = await resume('--yes-unreported', '--json');
  expect(resumed.code, resumed.err).toBe(0);
  expect(resumed.lines).toMatchObject([{ ok: true, details: { notReported: [{ person: 'Chidi O (bo)' }], more: 0 } }]);
  await anaGoesOn();
  // Files may have been put back where no program noticed: everybody is asked again, and nobody sends until they have answered.
  const asked = await resume();
  expect([asked.code, asked.err], asked.out).toEqual([2, expect.stringMatching(/Chidi O/)]);
  expect(await isClosed()).toBe(true);
});

it('counts for nothing what programs said before a backup, once that is put back', async (test) => {
  const { resume, again, link, bo, chidi, backUpOnceToldBy } = await restoredTeam(test);
  const [its] = [await again(), await again(chidi)];
  const whileClosed = await backUpOnceToldBy(3);
  const first = await resume('--wait', '30');
  expect(first.code, first.err).toBe(0);
  const isNow = (state: string) => until(async () => (await link({ core: its }))?.state === state, 20_000);
  await isNow('connected');
  await untilEnded(its, await register(its, bo.connectionId, await writePdfs(await newFolder(), ['annex.pdf'])));
  await until(async () => (await link({ core: its }))?.unreportedCount === 0);
  await its.stop();
  await whileClosed.restore();
  const refused = await resume();
  expect(refused.code, refused.out).toBe(2);
  expect(refused.err).toMatch(/Bo L \(bo\)/);
  expect(refused.err).not.toMatch(/Ana P|Chidi O/);
  // It comes while it is waited for.
  const [resumed] = await Promise.all([resume('--wait', '30'), again()]);
  expect(resumed.code, resumed.err).toBe(0);
}, 100_000);

it('takes in what a program tells after the team went on without it', async (test) => {
  const { resume, invent, again, isTold, anaGoesOn } = await restoredTeam(test);
  // Nobody hides the others behind programs that there never were.
  await invent(1_500);
  const lines = (await resume()).err.split('\n');
  const named = lines.filter((line) => line.includes('last seen'));
  expect(named).toHaveLength(1_000);
  for (const one of ['Bo L (bo) (', 'Chidi O (bo) ('])
    expect(named.slice(0, 4), one).toContainEqual(expect.stringContaining(`  ${one}`));
  expect(lines).toContain('  and 502 more that are not named here');
  expect(lines.join('')).not.toContain('\ufffd');
  const resumed = await resume('--yes-unreported');
  expect(resumed.code, resumed.err).toBe(0);
  expect(resumed.out).toMatch(/can send again.*Chidi O.*Bo L/s);
  await again();
  await until(isTold, 20_000);
  await anaGoesOn();
});
