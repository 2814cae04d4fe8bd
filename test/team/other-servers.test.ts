import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TeamSettings } from '../../contract/team.ts';
import { openTeamDatabase } from '../../electron/core/team/database.ts';
import { atEnd, connect, newCore, newFolder, newService, writePdfs } from '../core/jobs-setup.ts';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { freePort } from '../harness/free-port.ts';
import { newTeamRegister } from '../harness/postgres.ts';
import { cuttingProxy } from './cutting-proxy.ts';

let cli: CommandLine;
beforeAll(async () => {
  cli = await buildCommandLine();
}, 100_000);
afterAll(() => cli?.remove());

/** A message of PostgreSQL's protocol 3; `length` that is said where it is not the right one. */
function message(kind: string, content: Buffer | string = '', length?: number): Buffer {
  const bytes = Buffer.from(content as string, 'latin1');
  const head = Buffer.alloc(5, kind);
  head.writeUInt32BE(length ?? bytes.length + 4, 1);
  return Buffer.concat([head, bytes]);
}

const int = (value: number, bytes = 4) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};
const signedIn = Buffer.concat([message('R', int(0)), message('Z', 'I')]);

/** What a server that is no register may answer to the first message of a program. */
const answers: Readonly<Record<string, Buffer>> = {
  'an error without its end': message('E', 'Sabc'),
  'an error that ends within a field': message('E', 'SERROR\0Mabc\0'),
  'a notice without its end': message('N', 'Mhello'),
  'a notice after the sign-in without its end': Buffer.concat([signedIn, message('N', 'Mhello')]),
  'a request to sign in by GSS': message('R', int(7)),
  'a request to sign in by SSPI': message('R', int(9)),
  'a request to sign in without a kind': message('R'),
  'a length of nothing': message('R', 'xxxx', 0),
  'a row of many columns without any': message('D', int(30_000, 2)),
  'a row of fewer than no columns': message('D', int(0xffff, 2)),
  'columns without their names': message('T', int(30_000, 2)),
  'a key without content': message('K'),
  'a beginning of a copy': message('G', Buffer.from([0, 0, 0])),
  'an unknown kind of message': message('y', 'abc'),
  'another version of the protocol': message('v', Buffer.concat([int(3), int(0)])),
  'a greeting that is very long': message('S', '', 0x7f_ff_ff_ff),
  HTTP: Buffer.from('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'),
  SSH: Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'),
};

/** A server that answers so; in pieces of one byte with `isSlow`. */
async function answering(answer: Buffer, isSlow = false): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.once('data', async () => {
      for (const byte of isSlow ? answer : [])
        await new Promise((resolve) => socket.write(Buffer.from([byte]), () => setImmediate(resolve)));
      if (!isSlow) socket.write(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as { port: number }).port;
}

const settingsFor = (port: number): TeamSettings => ({
  host: '127.0.0.1',
  port,
  database: 'sealdesk',
  user: 'bo',
  team: 'team',
  person: 'bo',
  ca: '',
});
const failure = { code: 'not-connected', detail: 'team-not-a-register' };

it.for(Object.entries(answers))('says that %s is none of a register, and goes on', async ([, answer]) => {
  for (const isSlow of [false, true]) {
    const database = await openTeamDatabase(settingsFor(await answering(answer, isSlow)), '');
    await expect(database.query('SELECT 1')).rejects.toMatchObject({ failure });
    await database.close();
  }
});

/** A server that says one thing again and again, after `first`, as long as it is heard; `said`: how many bytes of it. */
async function endless(thing: Buffer, first: Buffer): Promise<{ port: number; said(): number; isHeard(): boolean }> {
  const [piece, sockets] = [Buffer.concat(Array<Buffer>(5_000).fill(thing)), new Set<Socket>()];
  let said = 0;
  const server = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    const say = () => {
      said += piece.length;
      socket.write(piece, (error) => error ?? setImmediate(say));
    };
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(first, say));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { port: (server.address() as { port: number }).port, said: () => said, isHeard: () => sockets.size > 0 };
}

it.for([
  ['the end of a sign-in', message('R', Buffer.concat([int(12), Buffer.from('v=x')])), Buffer.alloc(0)],
  ['a parameter', message('S', 'a\0b\0'), Buffer.alloc(0)],
  ['that it is ready', message('Z', 'I'), signedIn],
  ['a notice', message('N', 'Mhello\0\0'), signedIn],
  ['a notification', message('A', Buffer.concat([int(1), Buffer.from('a\0b\0')])), signedIn],
] as const)('stops listening to one that says %s without an end', async ([, thing, first]) => {
  const server = await endless(thing, first);
  const database = await openTeamDatabase(settingsFor(server.port), '');
  // That it is ready ends the statement.
  const answer = await database.query('SELECT 1').catch((error: unknown) => error);
  if (!Array.isArray(answer)) expect(answer).toMatchObject({ failure: { code: 'not-connected' } });
  await database.close();
  await expect.poll(server.isHeard).toBe(false);
  expect(server.said()).toBeLessThan(16 * 1024 * 1024);
});

it('says in words why a register cannot be used, with the code where there is one', async () => {
  const first = message('R', Buffer.concat([int(10), Buffer.from('SCRAM-SHA-256\0\0')]));
  const bogus = message('R', Buffer.concat([int(11), Buffer.from('r=,s=,i=99999')]));
  const unused = await freePort();
  for (const [port, detail, note] of [
    [unused, 'team-away', /does not answer, or the connection broke \(ECONNREFUSED\)$/],
    [await answering(Buffer.alloc(0)), 'team-away', /does not answer, or the connection broke$/],
    [await answering(Buffer.concat([first, bogus])), 'team-not-a-register', /signs in otherwise/],
  ] as const) {
    const database = await openTeamDatabase(settingsFor(port), '');
    const found = expect.objectContaining({ code: 'not-connected', detail, note: expect.stringMatching(note) });
    await expect(database.query('SELECT 1')).rejects.toMatchObject({ failure: found });
    await database.close();
  }
});

it.for(['a request to sign in by GSS', 'an error without its end', 'a key without content'])(
  'gives each file its line, and the exit code for no connection, where %s is at the register’s port',
  async (kind, test) => {
    const [postgres, service] = [await newTeamRegister(test), await newService()];
    atEnd(() => postgres.close());
    const proxy = await cuttingProxy(postgres.port);
    atEnd(() => proxy.close());
    const own = cli.inAnotherHome();
    atEnd(async () => own.remove());
    const window = await newCore({ dataDir: join(own.home, '.config/Sealdesk/data') });
    const connectionId = await connect(window, service);
    const settings = postgres.settings('bo', { port: proxy.port });
    await window.must('team.join', { connectionId, settings, password: '' });
    await window.stop();
    // The port stays the proxy's: one that is free for a moment may be another program's in the next.
    proxy.passTo(await answering(answers[kind] ?? Buffer.alloc(0)));
    const paths = await writePdfs(await newFolder(), ['a.pdf', 'b.pdf', 'c.pdf']);
    const env = { SEALDESK_TEAM_PASSWORD: '', SEALDESK_API_KEY: service.apiKey, SEALDESK_API_SIG: service.apiSig };
    const within = (ms: number) => ({
      env,
      meanwhile: (child: { kill: (signal: 'SIGKILL') => unknown }) =>
        void setTimeout(() => child.kill('SIGKILL'), ms).unref(),
    });
    const ran = await own.run(['register', ...paths, '--connection', 'Service', '--json'], within(60_000));
    // Each is printed when its file has ended, and these end together.
    const lines = ran.lines.toSorted((one, other) => String(one.file).localeCompare(String(other.file)));
    expect(lines, ran.err).toMatchObject(
      paths.map((file) => ({
        file,
        ok: false,
        failure: { code: failure.code, note: expect.stringContaining('is none') },
      })),
    );
    expect(ran.code).toBe(4);
    const doctor = await own.run(['team', 'doctor', '--connection', 'Service', '--json'], within(60_000));
    expect(doctor, doctor.err).toMatchObject({ code: 4, err: '' });
    expect(service.control.addsByHash().size).toBe(0);
  },
);
