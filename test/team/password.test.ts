import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { TeamSettings } from '../../contract/team.ts';
import { atEnd, connect, newCore, newService } from '../core/jobs-setup.ts';
import { startPostgres } from '../harness/postgres.ts';

const password = 'correct horse battery staple';

/** Requests for a password: R, length, kind; MD5 with its salt. */
const requests = {
  cleartext: Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]),
  md5: Buffer.from([0x52, 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4]),
} as const;

/** Takes the place of a stopped database and asks for the password. `told`: all that programs sent to it. */
async function impostor(kind: keyof typeof requests, port = 0) {
  const told: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      if (told.length === 0 || !Buffer.concat(told).includes('password?')) socket.write(requests[kind]);
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
async function joined(test: Parameters<typeof startPostgres>[0]) {
  const [postgres, service] = [await startPostgres(test, ['-c password_encryption=scram-sha-256']), await newService()];
  atEnd(() => postgres.close());
  const rules = join(postgres.folder, 'data', 'pg_hba.conf');
  const admin = await postgres.admin();
  for (const user of ['ana', 'bo']) await admin.query(`ALTER ROLE ${user} PASSWORD '${password}'`);
  const asked = ['ana', 'bo'].map((user) => `host all ${user} 127.0.0.1/32 scram-sha-256\n`).join('');
  writeFileSync(rules, asked + readFileSync(rules, 'utf8'));
  await admin.query('SELECT pg_reload_conf()');
  await admin.close();
  const core = await newCore();
  const connectionId = await connect(core, service);
  await core.must('team.join', { connectionId, settings: postgres.settings('bo'), password });
  return { postgres, core, connectionId };
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

it.for(['cleartext', 'md5'] as const)(
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
    // Nothing but the first message: no password message (p) of any form.
    expect(thief.told().toString('latin1')).not.toMatch(/p\0\0/);
    const answer = await core.ask('team.check', { connectionId, settings: postgres.settings('bo'), password });
    expect(answer).toMatchObject({ ok: false, failure: { detail: 'team-weak-login' } });
    expect(thief.told().toString('latin1')).not.toMatch(/p\0\0|md5|correct horse/);
  },
);
