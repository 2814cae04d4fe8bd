import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTeamDatabase, toTeamError } from '../../electron/core/team/database.ts';
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
import type { RunningCore } from '../harness/core.ts';
import { newTeamRegister, startPostgres } from '../harness/postgres.ts';

const linkOf = async (core: RunningCore) => (await core.must('team.state', {})).links[0];

it('says which fault a register has, changes nothing, and never tells the password', async (test) => {
  const [postgres, service] = [await newTeamRegister(test), await newService()];
  const core = await newCore();
  const connectionId = await connect(core, service);
  const detailOf = async (settings: ReturnType<typeof postgres.settings>, password = 'hidden-word') => {
    const answer = await core.ask('team.join', { connectionId, settings, password });
    return answer.ok ? 'joined' : answer.failure.detail;
  };
  expect(await detailOf(postgres.settings('bo', { port: 1 }))).toBe('team-away');
  expect(await detailOf(postgres.settings('bo', { database: 'elsewhere' }))).toBe('team-missing');
  expect(await detailOf(postgres.settings('bo', { database: 'template1' }), '')).toBe('team-missing');
  expect(await detailOf(postgres.settings('bo', { team: 'others' }), '')).toBe('team-missing');
  expect(await detailOf(postgres.settings('nobody'))).toBe('team-login-refused');
  const ca = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
  expect(await detailOf(postgres.settings('bo', { ca }))).toMatch(/^team-(not-encrypted|certificate)$/);
  expect(await core.must('team.state', {})).toEqual({ links: [] });
  const practice = (await core.must('connections.state', {})).connections.find(({ kind }) => kind === 'practice');
  expect(
    await core.ask('team.join', { connectionId: practice?.id ?? '', settings: postgres.settings('bo') }),
  ).toMatchObject({
    failure: { code: 'bad-input' },
  });
  expect(core.log.join('\n')).not.toContain('hidden-word');
});

it('calls no server away that says why it refuses something', () => {
  const detailsOf = (...codes: readonly string[]) =>
    new Set(codes.map((code) => toTeamError(Object.assign(new Error(''), { code })).failure.detail));
  expect(detailsOf('53100')).toEqual(new Set(['team-full']));
  expect(detailsOf('53200', '53400', '54000', 'XX000')).toEqual(new Set(['team-busy']));
  expect(detailsOf('08006', '57P01', 'ECONNRESET', 'EPIPE')).toEqual(new Set(['team-away']));
});

it('sends nothing while its settings are not readable, as after a newer version', async (test) => {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  const dataDir = await newFolder();
  const core = await newCore({ dataDir });
  const connectionId = await connect(core, service);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  sql.run(
    "UPDATE settings SET value = json_set(value, '$.settings.something', 'newer') WHERE key = ?",
    `team.${connectionId}`,
  );
  sql.close();
  const batchId = await register(core, connectionId, await writePdfs(folder, ['unreadable.pdf']));
  await untilJobs(core, batchId, ([job]) => job?.failure?.detail === 'team-missing');
  expect(service.control.addsByHash().size).toBe(0);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  await core.must('jobs.tryNow', { connectionId });
  await untilEnded(core, batchId);
  expect(service.control.addsByHash().size).toBe(1);
});

it('reads but sends nothing with the role reader, or when the schema becomes newer while it runs', async (test) => {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  const reader = await newCore({ pauses: { teamLookMs: 200 } });
  const readerId = await connect(reader, service);
  const link = await reader.must('team.join', {
    connectionId: readerId,
    settings: postgres.settings('reader'),
    password: '',
  });
  expect(link).toMatchObject({ state: 'read-only', failure: { detail: 'team-rights' } });
  const paths = await writePdfs(folder, ['a.pdf']);
  const held = await register(reader, readerId, paths);
  await untilJobs(reader, held, ([job]) => job?.failure?.detail === 'team-rights');
  expect(await reader.must('team.people', { connectionId: readerId })).toEqual([]);

  const core = await newCore({ pauses: { teamLookMs: 200 } });
  const connectionId = await connect(core, service);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  const [seen = ''] = await writePdfs(folder, ['seen.pdf']);
  await untilEnded(core, await register(core, connectionId, [seen]));
  await until(
    async () => (await reader.must('documents.list', { connectionId: readerId })).rows[0]?.by?.person === 'bo',
    20_000,
  );
  expect(await linkOf(reader)).toMatchObject({ state: 'read-only', role: 'reader' });
  const admin = await postgres.admin();
  await admin.query('INSERT INTO sealdesk.schema_versions (version) VALUES (99)');
  const batchId = await register(core, connectionId, paths);
  await untilJobs(core, batchId, ([job]) => job?.failure?.detail === 'team-newer');
  expect((await linkOf(core))?.state).toBe('newer');
  expect(service.control.addsByHash().size).toBe(1);
  await admin.query('DELETE FROM sealdesk.schema_versions WHERE version = 99');
  await core.must('team.tryNow', { connectionId });
  const [job] = await untilEnded(core, batchId, 20_000);
  expect(job?.state).toBe('done');
});

it('says that the register is for a newer version also where that refuses what is on its way, and never that it is away', async (test) => {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  const core = await newCore({ pauses: { teamLookMs: 200 } });
  const connectionId = await connect(core, service);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  const admin = await postgres.admin();
  service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 1_000 } });
  const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
  await until(() => service.control.requests().AddNewDocument === 1);
  // As newer versions may: what this one writes is refused, and what it reads has another name.
  await admin.query('ALTER TABLE sealdesk.claims ADD CONSTRAINT newer CHECK (version > 1000) NOT VALID');
  await admin.query('ALTER TABLE sealdesk.programs ADD CONSTRAINT newer CHECK (version IS NULL) NOT VALID');
  await admin.query('INSERT INTO sealdesk.schema_versions (version) VALUES (99)');
  await untilEnded(core, batchId);
  const states = new Set<string | undefined>();
  for (let n = 0; n < 40; n += 1) {
    states.add((await linkOf(core))?.state);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(states).not.toContain('away');
  expect(await linkOf(core)).toMatchObject({ state: 'newer', failure: { detail: 'team-newer' }, unreportedCount: 1 });
});

it('notices a register restored to an earlier state, reports again what it lost, and lets nobody send until a lead resumes', async (test) => {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  const core = await newCore({ pauses: { teamLookMs: 200 } });
  const connectionId = await connect(core, service);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  const [path = '', later = ''] = await writePdfs(folder, ['before.pdf', 'after.pdf']);
  await untilEnded(core, await register(core, connectionId, [path]));
  await until(async () => (await linkOf(core))?.unreportedCount === 0);
  const admin = await postgres.admin();
  // What a restore to yesterday leaves: the team without the claim, its document and its events.
  for (const table of ['events', 'documents', 'claims', 'changes']) await admin.query(`DELETE FROM sealdesk.${table}`);
  await admin.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bo' AND datname = current_database()",
  );
  const batchId = await register(core, connectionId, [later]);
  await until(async () => (await linkOf(core))?.failure?.detail === 'team-restored', 20_000);
  await until(async () => (await admin.query('SELECT 1 FROM sealdesk.claims')).length === 1, 20_000);
  expect(service.control.requests().AddNewDocument).toBe(1);
  const { resumeTeam } = await import('../../electron/core/team/init-team.ts');
  await resumeTeam(admin, 'team');
  await core.must('team.tryNow', { connectionId });
  const [job] = await untilEnded(core, batchId, 30_000);
  expect(job?.state).toBe('done');
  expect([...service.control.addsByHash().values()]).toEqual([1, 1]);
});

it('lets no byte of an add leave before the claim is committed', async (test) => {
  const [postgres, service, folder] = [await newTeamRegister(test), await newService(), await newFolder()];
  const core = await newCore();
  const connectionId = await connect(core, service);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password: '' });
  const admin = await postgres.admin();
  // The claim's insert waits for this lock: nothing may reach the service meanwhile.
  let isReleased = false;
  let onLocked: () => void = () => undefined;
  const isLocked = new Promise<void>((resolve) => {
    onLocked = resolve;
  });
  atEnd(async () => {
    isReleased = true;
  });
  const locked = admin.transaction(async (query) => {
    await query('LOCK TABLE sealdesk.claims IN SHARE MODE');
    onLocked();
    // A transaction that is idle for long is ended by the server.
    while (!isReleased) {
      await query('SELECT 1');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
  await isLocked;
  const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
  await untilJobs(core, batchId, ([job]) => job?.state === 'sending');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(service.control.requests().AddNewDocument).toBeUndefined();
  isReleased = true;
  await locked;
  const [job] = await untilEnded(core, batchId, 20_000);
  expect(job?.state).toBe('done');
});

it('refuses a certificate that is not trusted', async (test) => {
  const { execFileSync } = await import('node:child_process');
  const postgres = await startPostgres(test);
  atEnd(() => postgres.close());
  const data = join(postgres.folder, 'data');
  const certificate = (name: string, host: string) =>
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '2',
        '-subj',
        `/CN=${host}`,
        '-addext',
        `subjectAltName=DNS:${host}`,
        '-keyout',
        join(data, `${name}.key`),
        '-out',
        join(data, `${name}.crt`),
      ],
      { stdio: 'pipe' },
    );
  certificate('server', 'localhost');
  certificate('other', 'localhost');
  const owner = (await import('node:fs')).statSync(data);
  for (const name of ['server.key', 'server.crt']) {
    chownSync(join(data, name), owner.uid, owner.gid);
    chmodSync(join(data, name), 0o600);
  }
  writeFileSync(join(data, 'postgresql.auto.conf'), 'ssl = on\n', { flag: 'a' });
  await postgres.stop('fast');
  await postgres.start();
  const core = await newCore();
  const connectionId = await connect(core, await newService());
  const { readFileSync } = await import('node:fs');
  const pem = (name: string) => readFileSync(join(data, `${name}.crt`), 'utf8');
  const check = (host: string, ca: string) =>
    core.ask('team.check', { connectionId, settings: postgres.settings('bo', { host, ca }), password: '' });
  expect(await check('localhost', pem('server'))).toMatchObject({
    ok: true,
    value: { isEncrypted: true, role: 'member', canSend: true },
  });
  expect(await check('localhost', pem('other'))).toMatchObject({ failure: { detail: 'team-certificate' } });
  // The name in the certificate counts.
  expect(await check('127.0.0.1', pem('server'))).toMatchObject({ failure: { detail: 'team-certificate' } });
});

it('goes on after a connection was lost in the midst of a transaction', async (test) => {
  const postgres = await newTeamRegister(test);
  const [database, admin] = [await openTeamDatabase(postgres.settings('bo'), ''), await postgres.admin()];
  atEnd(() => database.close());
  const lost = database.transaction(async (query) => {
    const [own] = await query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await admin.query('SELECT pg_terminate_backend($1)', [own?.pid ?? 0]);
    // Between two statements, when none of them can report it.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await query('SELECT 1');
  });
  await expect(lost).rejects.toMatchObject({ failure: { code: 'not-connected' } });
  expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
});
