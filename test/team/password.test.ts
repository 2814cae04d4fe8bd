import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TeamSettings } from '../../contract/team.ts';
import { openSql } from '../../electron/store/database/sql.ts';
import {
  atEnd,
  connect,
  newCore,
  newFolder,
  newService,
  patient,
  register,
  until,
  untilJobs,
  writePdfs,
} from '../core/jobs-setup.ts';
import { buildCommandLine } from '../harness/command-line.ts';
import { memoryKeychain } from '../harness/core.ts';
import { startPostgres } from '../harness/postgres.ts';

const password = 'correct horse battery staple';

/** Requests for a password: R, length, kind; MD5 with its salt. */
const requests = {
  cleartext: Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]),
  md5: Buffer.from([0x52, 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4]),
} as const;

/** SCRAM: the first request, and the answer to a program's first message; with one round only what a program answers is soon guessed. */
const scram = {
  first: message(0x52, Buffer.concat([Buffer.from([0, 0, 0, 10]), Buffer.from('SCRAM-SHA-256\0\0')])),
  second: (asked: string, rounds: number) => {
    const nonce = /r=([^,\0]+)/.exec(asked)?.[1] ?? '';
    return message(
      0x52,
      Buffer.concat([Buffer.from([0, 0, 0, 11]), Buffer.from(`r=${nonce}xyz,s=c2FsdHNhbHQ=,i=${rounds}`)]),
    );
  },
} as const;

function message(kind: number, content: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head[0] = kind;
  head.writeUInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

/** Takes the place of a stopped database and asks for the password. `told`: all that programs sent to it. */
async function impostor(kind: keyof typeof requests | 'one round', port = 0, hasBegunAs: 'SCRAM' | null = null) {
  const told: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      const [isLast, isAsked] = [hasBegunAs === null || bytes.includes('p='), bytes.includes('SCRAM-SHA-256')];
      if (kind !== 'one round' && isLast) socket.write(requests[kind]);
      else if (!isAsked) socket.write(scram.first);
      else socket.write(scram.second(bytes.toString('latin1'), kind === 'one round' ? 1 : 4096));
      told.push(Buffer.from(bytes));
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as { port: number }).port, told: () => Buffer.concat(told) };
}

/** A server that asks for passwords by SCRAM, and a program that has joined with its password kept. */
async function joined(test: Parameters<typeof startPostgres>[0], given?: string) {
  const [postgres, service] = [await startPostgres(test, ['-c password_encryption=scram-sha-256']), await newService()];
  atEnd(() => postgres.close());
  const rules = join(postgres.folder, 'data', 'pg_hba.conf');
  const admin = await postgres.admin();
  for (const user of ['ana', 'bo']) await admin.query(`ALTER ROLE ${user} PASSWORD '${password}'`);
  const asked = ['ana', 'bo'].map((user) => `host all ${user} 127.0.0.1/32 scram-sha-256\n`).join('');
  writeFileSync(rules, asked + readFileSync(rules, 'utf8'));
  await admin.query('SELECT pg_reload_conf()');
  await admin.close();
  const [dataDir, keychain] = [given ?? (await newFolder()), memoryKeychain(new Map())];
  const core = await newCore({ dataDir, keychain });
  const connectionId = await connect(core, service);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password });
  return { postgres, core, service, connectionId, dataDir, keychain };
}

/** As a version left it that did not note whether a connection joined with a password; then used by this one. */
async function updated({ core, connectionId, dataDir, keychain }: Awaited<ReturnType<typeof joined>>) {
  await core.stop();
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  expect(sql.run('DELETE FROM settings WHERE key = ?', `team.${connectionId}.password`)).toBe(1);
  sql.close();
  const next = await newCore({ dataDir, keychain });
  await until(async () => (await next.must('team.state', {})).links[0]?.state === 'connected');
  return next;
}

/** The program started again where the keychain does not give passwords of teams. */
async function withoutKeychain({ core, dataDir, keychain }: Awaited<ReturnType<typeof joined>>) {
  await core.stop();
  const get = async (account: string) => {
    if (account.endsWith('.team')) throw new Error('locked');
    return await keychain.get(account);
  };
  return await newCore({ dataDir, keychain: { ...keychain, get } });
}

it('gives the kept password to no other address, database or user than it was entered for', async (test) => {
  const { postgres, core, connectionId } = await joined(test);
  const other = await impostor('cleartext');
  const elsewhere: Partial<TeamSettings>[] = [{ user: 'ana' }, { database: 'another' }, { host: 'localhost' }];
  for (const call of ['team.check', 'team.join'] as const) {
    for (const more of elsewhere)
      expect(await core.ask(call, { connectionId, settings: postgres.settings('bo', more) })).toMatchObject({
        ok: false,
        failure: { detail: 'team-password-needed' },
      });
    const answer = await core.ask(call, { connectionId, settings: postgres.settings('bo', { port: other.port }) });
    expect(answer.ok).toBe(false);
  }
  expect(other.told().toString('latin1')).not.toContain(password);
  // The register that it is for still gets it.
  expect((await core.ask('team.check', { connectionId, settings: postgres.settings('bo') })).ok).toBe(true);
});

it('is taken from the environment by a command that finds none in the keychain, and is on no disk then', async (test) => {
  const cli = (await buildCommandLine()).inAnotherHome();
  atEnd(async () => cli.remove());
  const { core, service } = await joined(test, join(cli.home, '.config/Sealdesk/data'));
  await core.stop();
  const [lease = '', annex = ''] = await writePdfs(await newFolder(), ['lease.pdf', 'annex.pdf']);
  const keys = { SEALDESK_API_KEY: service.apiKey, SEALDESK_API_SIG: service.apiSig };
  const send = (env: Readonly<Record<string, string>>, path = lease) =>
    cli.run(['register', path, '--connection', 'Service', '--json'], { env: { ...keys, ...env } });
  for (const SEALDESK_TEAM_PASSWORD of ['', `${password}!`])
    expect((await send({ SEALDESK_TEAM_PASSWORD })).code, SEALDESK_TEAM_PASSWORD).toBe(4);
  expect(service.control.addsByHash().size).toBe(0);
  for (let times = 0; times < 3; times += 1) {
    const sent = await send({ SEALDESK_TEAM_PASSWORD: password });
    expect(sent, sent.out + sent.err).toMatchObject({ code: 0 });
    expect(sent.out + sent.err).not.toContain(password);
  }
  expect([...service.control.addsByHash().values()]).toEqual([1]);
  const written = readdirSync(cli.home, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(written.length).toBeGreaterThan(0);
  for (const { parentPath, name } of written)
    expect(readFileSync(join(parentPath, name)).includes(password), name).toBe(false);
  // It is of that run alone.
  expect((await send({}, annex)).code).toBe(4);
}, 300_000);

it.for(['cleartext', 'md5', 'one round'] as const)(
  'tells the password to nobody who took the port of a stopped database and asks for it by %s',
  async (kind, test) => {
    const { postgres, core, connectionId } = await joined(test);
    await postgres.stop('immediate');
    const thief = await impostor(kind, postgres.port);
    await core.ask('team.tryNow', { connectionId });
    await expect.poll(() => thief.told().length).toBeGreaterThan(0);
    await expect
      .poll(async () => (await core.must('team.state', {})).links[0]?.failure?.detail)
      .toBe('team-weak-login');
    // No password message (p), but the first of SCRAM, which has nothing of the password in it. Its random end may be a p, and the next connection begins with its version, 3.0.
    const proofs = /p\0\0(?!.{2}(SCRAM-SHA-256|\0\x03\0\0))/s;
    expect(thief.told().toString('latin1')).not.toMatch(proofs);
    const answer = await core.ask('team.check', { connectionId, settings: postgres.settings('bo'), password });
    expect(answer).toMatchObject({ ok: false, failure: { detail: 'team-weak-login' } });
    expect(thief.told().toString('latin1')).not.toMatch(proofs);
    expect(thief.told().toString('latin1')).not.toMatch(/md5|correct horse|p=/);
  },
);

it.for(['cleartext', 'md5'] as const)('nor to one that begins with SCRAM and then asks by %s', async (kind, test) => {
  const { postgres, core, connectionId } = await joined(test);
  await postgres.stop('immediate');
  const thief = await impostor(kind, postgres.port, 'SCRAM');
  for (const more of [{}, { password }]) {
    const answer = await core.ask('team.check', { connectionId, settings: postgres.settings('bo'), ...more });
    expect(answer).toMatchObject({ ok: false, failure: { detail: 'team-weak-login' } });
  }
  const told = thief.told().toString('latin1');
  expect(told).toContain('p=');
  expect(told).not.toMatch(/correct horse|p\0\0\0.md5/);
});

it.for(['there', 'away', 'away after an update'] as const)(
  'claims nothing in a database that took the place of a stopped one and does not know the password, with the keychain %s',
  async (keychain, test) => {
    const known = await joined(test);
    const { postgres, service, connectionId } = known;
    const before = keychain === 'away after an update' ? await updated(known) : known.core;
    const [path = ''] = await writePdfs(await newFolder(), ['colleague.pdf']);
    const ana = await newCore();
    const anas = await connect(ana, service, { timeouts: patient });
    await ana.must('team.join', { connectionId: anas, settings: postgres.settings('ana'), password });
    service.control.misbehave({ operation: 'AddNewDocument', mischief: { kind: 'delay', ms: 60_000 }, times: 1 });
    await register(ana, anas, [path]);
    await until(() => service.control.addsByHash().size === 1);
    // The same register without what ana sent, by a server that lets everybody in: it knows no password.
    const rules = join(postgres.folder, 'data', 'pg_hba.conf');
    writeFileSync(rules, readFileSync(rules, 'utf8').replaceAll('scram-sha-256', 'trust'));
    const admin = await postgres.admin();
    await admin.query('DELETE FROM sealdesk.claims');
    await admin.close();
    await postgres.stop('immediate');
    await postgres.start();
    const core = keychain === 'there' ? before : await withoutKeychain({ ...known, core: before });
    await core.ask('team.tryNow', { connectionId });
    const detail = keychain === 'there' ? 'team-weak-login' : 'team-password-needed';
    const batchId = await register(core, connectionId, [path]);
    const [job] = await untilJobs(
      core,
      batchId,
      ([one]) => one?.failure?.detail === detail || one?.state === 'done' || one?.pausedBy === 'duplicate',
    );
    expect(job).toMatchObject({ state: 'waiting', failure: { detail } });
    expect([...service.control.addsByHash().values()]).toEqual([1]);
  },
);

/** What lets a program in, with and without a proof that the server knows the password: a wrong one. */
const letsIn = Buffer.concat([message(0x52, Buffer.alloc(4)), message(0x5a, Buffer.from('I'))]);
const wrongProof = message(
  0x52,
  Buffer.concat([Buffer.from([0, 0, 0, 12]), Buffer.from(`v=${Buffer.alloc(32, 7).toString('base64')}`)]),
);

it.for([
  { how: 'with a wrong proof', detail: 'team-not-a-register', last: [wrongProof, letsIn], isAsked: true },
  {
    how: 'with a wrong proof, all at once',
    detail: 'team-not-a-register',
    last: [Buffer.concat([wrongProof, letsIn])],
    isAsked: true,
  },
  { how: 'without any proof', detail: 'team-weak-login', last: [letsIn], isAsked: true },
  { how: 'without asking', detail: 'team-weak-login', last: [letsIn], isAsked: false },
])('sends no statement to who took the port of a stopped database and lets it in $how', async (given, test) => {
  const { postgres, core, connectionId } = await joined(test);
  await postgres.stop('immediate');
  const told: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined).on('close', () => sockets.delete(socket)));
    socket.setNoDelay(true).on('data', async (bytes) => {
      told.push(bytes);
      const text = bytes.toString('latin1');
      if (given.isAsked && !text.includes('p=')) {
        socket.write(text.includes('SCRAM-SHA-256') ? scram.second(text, 4096) : scram.first);
        return;
      }
      for (const part of given.last) {
        socket.write(part);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(postgres.port, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const asked = { connectionId, settings: postgres.settings('bo') };
  expect(await core.ask('team.check', asked)).toMatchObject({ ok: false, failure: { detail: given.detail } });
  await core.ask('team.tryNow', { connectionId });
  await expect.poll(async () => (await core.must('team.state', {})).links[0]?.failure?.detail).toBe(given.detail);
  expect(Buffer.concat(told).toString('latin1')).not.toMatch(/select|listen|begin|sealdesk\./i);
  // Nor does it keep connections of programs that look for the register again and again.
  await expect.poll(() => sockets.size).toBe(0);
});
