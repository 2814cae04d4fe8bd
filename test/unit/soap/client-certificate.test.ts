import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { connect } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ServiceTarget } from '../../../electron/soap/service/client.ts';
import { createSoapClient } from '../../../electron/soap/soap-client.ts';
import { readIdentity, roundsOf } from '../../../electron/soap/trust/client-identity.ts';
import { daysFromNow, selfSigned } from '../../harness/certificate.ts';
import {
  type ClientCertificates,
  certificatePassword,
  makeClientCertificates,
} from '../../harness/client-certificates.ts';
import { freePort } from '../../harness/free-port.ts';
import { credentials, replyOf, targetFor } from '../../harness/soap-texts.ts';

const { key, cert } = selfSigned({ organisation: 'Office Authority' });
let own: ClientCertificates;
let server: Server | undefined;
let s_server: ChildProcess | undefined;

beforeAll(() => {
  own = makeClientCertificates();
  writeFileSync(own.file('server.key'), key);
  writeFileSync(own.file('server.pem'), cert);
});
afterAll(() => own.remove());
afterEach(() => {
  server?.close();
  s_server?.kill('SIGKILL');
});

const identityOf = (...names: readonly string[]) =>
  readIdentity(
    names.map((name) => readFileSync(own.file(name))),
    certificatePassword,
  ).identity;

async function note(port: number, more: Partial<ServiceTarget>) {
  const timeouts = { connectMs: 5_000, idleMs: 5_000, answerMs: 5_000 };
  const client = createSoapClient(
    targetFor(`https://localhost:${port}`, { extraCa: cert, timeouts, ...more }),
    credentials,
  );
  try {
    return await client.invoke('AddQuickNote', { QuickNoteMessage: 'm' });
  } finally {
    client.close();
  }
}

/** A service that answers with the name in the client's certificate. */
async function service(options: tls.TlsOptions = {}): Promise<number> {
  const made = createServer({ key, cert, requestCert: true, ca: own.authority, ...options }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    const answer = replyOf('AddQuickNote', subject?.CN?.toString() ?? 'nobody');
    request.resume().on('end', () => response.writeHead(200, { 'Content-Type': 'text/xml' }).end(answer));
  });
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return (made.address() as { port: number }).port;
}

/** OpenSSL's own server, which refuses with the alerts of real servers. */
async function strictService(version: '-tls1_2' | '-tls1_3'): Promise<number> {
  const port = await freePort();
  const files = ['-key', own.file('server.key'), '-cert', own.file('server.pem'), '-CAfile', own.file('office.pem')];
  const words = ['-accept', `127.0.0.1:${port}`, ...files, '-Verify', '3', '-verify_return_error', version, '-quiet'];
  s_server = spawn('openssl', ['s_server', ...words], { stdio: ['pipe', 'ignore', 'ignore'] });
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const open = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (open) return port;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('a client certificate', () => {
  it.each([['ana.p12'], ['ana.pem', 'ana.key']])('is presented to a service that asks (%s)', async (...names) => {
    expect(await note(await service(), { identity: identityOf(...names) })).toEqual({ raw: 'Ana Petrov' });
  });

  it('is not presented without one', async () => {
    expect(await note(await service({ rejectUnauthorized: false }), {})).toEqual({ raw: 'nobody' });
  });

  it.each(['-tls1_2', '-tls1_3'] as const)('that is refused leaves no add in doubt (%s)', async (version) => {
    const refused = (detail: string) => ({ failure: { code: 'service-unreachable', detail, retryable: false } });
    const port = await strictService(version);
    await expect(note(port, { identity: identityOf('expired.p12') })).rejects.toMatchObject(
      refused('client-certificate-expired'),
    );
    await expect(note(port, { identity: identityOf('stranger.p12') })).rejects.toMatchObject(
      refused('client-certificate-refused'),
    );
    // TLS 1.2 has no alert for a missing certificate but that of every failed handshake.
    const missing =
      version === '-tls1_3' ? refused('client-certificate-needed') : { failure: { detail: 'tls-failed' } };
    await expect(note(port, {})).rejects.toMatchObject(missing);
  });
});

describe('a file of a client certificate', () => {
  const read = (names: readonly string[], password = certificatePassword) =>
    readIdentity(
      names.map((name) => (name === 'text' ? Buffer.from('no certificate') : readFileSync(own.file(name)))),
      password,
    );

  it('tells whose it is and until when', () => {
    const shown = { subject: 'Ana Petrov', issuer: 'office', validUntil: '2099-01-01T00:00:00.000Z' };
    expect(read(['ana.p12']).shown).toEqual(shown);
    expect(read(['ana.key', 'ana.pem']).shown).toEqual(shown);
  });

  it('whose key a wrong password seems to open is refused for the password', () => {
    const key = readFileSync(own.file('ana.key'));
    const seemsToOpen = (passphrase: string) => {
      try {
        createPrivateKey({ key, passphrase });
      } catch (error) {
        return !/bad decrypt/.test(String(error));
      }
      return true;
    };
    let tried = 0;
    while (!seemsToOpen(`wrong ${tried}`)) tried += 1;
    expect(() => read(['ana.pem', 'ana.key'], `wrong ${tried}`)).toThrow(
      expect.objectContaining({
        failure: expect.objectContaining({ fields: { 'clientCertificate.password': 'is wrong' } }),
      }),
    );
  });

  it.each([
    ['a wrong password', ['ana.p12'], 'wrong', { 'clientCertificate.password': 'is wrong' }],
    ['no password', ['ana.p12'], '', { 'clientCertificate.password': 'is wrong' }],
    ['a wrong password of the key', ['ana.pem', 'ana.key'], 'wrong', { 'clientCertificate.password': 'is wrong' }],
    ['no password of the key', ['ana.pem', 'ana.key'], '', { 'clientCertificate.password': 'is wrong' }],
    ['no key', ['ana.pem'], undefined, { clientCertificate: 'has no private key' }],
    ['no certificate', ['ana.key'], undefined, { clientCertificate: 'has no certificate' }],
    [
      'another key',
      ['ana.pem', 'stranger-plain.key'],
      undefined,
      { clientCertificate: 'has a key that is not for its certificate' },
    ],
    [
      'another kind of key',
      ['ana.pem', 'office.key'],
      undefined,
      { clientCertificate: 'has a key that is not for its certificate' },
    ],
    ['an old encryption', ['old.p12'], undefined, { clientCertificate: 'is encrypted in an old way' }],
    ['something else', ['text'], undefined, { clientCertificate: 'is no PKCS#12 or PEM file' }],
    ['two files of PKCS#12', ['ana.p12', 'stranger.p12'], undefined, { clientCertificate: 'is no pair of PEM files' }],
  ])('with %s is refused in words', (_what, names, password, fields) => {
    expect(() => read(names, password)).toThrow(
      expect.objectContaining({ failure: expect.objectContaining({ code: 'bad-input', fields }) }),
    );
  });
});

describe('a file of a client certificate that asks for more work than it is worth', () => {
  const fields = { clientCertificate: 'is encrypted with too many rounds' };
  const refused = { failure: expect.objectContaining({ code: 'bad-input', fields }) };
  const openssl = (...words: readonly string[]) => execFileSync('openssl', words, { cwd: own.file('.') });
  const pass = `pass:${certificatePassword}`;
  /** 70,000 rounds, which stand there as a number of three bytes, become eight million. */
  function withMore(file: Buffer, rounds = '7fffff'): Buffer {
    const more = Buffer.from(file);
    for (let at = more.indexOf('0203011170', 0, 'hex'); at >= 0; at = more.indexOf('0203011170', at + 1, 'hex'))
      more.write(`0203${rounds}`, at, 'hex');
    expect(more.equals(file)).toBe(false);
    return more;
  }
  it('is refused before it is opened: PKCS#12, with and without a sum over it', () => {
    const pair = ['-in', 'ana.pem', '-inkey', 'ana-plain.key', '-passout', pass, '-iter', '70000'];
    for (const more of [[], ['-nomac'], ['-certpbe', 'NONE']]) {
      openssl('pkcs12', '-export', ...pair, ...more, '-out', 'rounds.p12');
      const file = readFileSync(own.file('rounds.p12'));
      expect(() => readIdentity([withMore(file)], certificatePassword)).toThrow(expect.objectContaining(refused));
      if (more.length === 0) expect(readIdentity([file], certificatePassword).shown.subject).toBe('Ana Petrov');
    }
  });
  it('is refused before it is opened: PKCS#12 of parts that ask for less each, and together for more', () => {
    const pair = ['-in', 'ana.pem', '-inkey', 'ana-plain.key', '-passout', pass, '-iter', '70000'];
    openssl('pkcs12', '-export', ...pair, '-out', 'rounds.p12');
    // Two million for the certificate, for the key, and for the sum over both.
    const file = withMore(readFileSync(own.file('rounds.p12')), '1e8480');
    expect(() => readIdentity([file], certificatePassword)).toThrow(expect.objectContaining(refused));
  });
  it('is not made small by a number of zero, nor of any size, behind the rounds', () => {
    for (const behind of ['020100', `02087${'f'.repeat(15)}`.repeat(30)]) {
      const inside = Buffer.from(`0401aa02047fffffff${behind}`, 'hex');
      const file = Buffer.concat([
        Buffer.from('3082', 'hex'),
        Buffer.of(inside.length >> 8, inside.length & 255),
        inside,
      ]);
      expect(roundsOf([file])).toBeGreaterThanOrEqual(2 ** 31 - 1);
    }
  });
  it.each([
    ['PBKDF2', ['-iter', '70000']],
    ['scrypt', ['-scrypt', '-scrypt_N', '16384', '-scrypt_p', '45']],
  ])('is refused before it is opened: a key in PEM, by %s', (_name, how) => {
    openssl(
      'pkcs8',
      '-topk8',
      '-in',
      'ana-plain.key',
      '-passout',
      pass,
      ...how,
      '-outform',
      'DER',
      '-out',
      'rounds.der',
    );
    const plain = readFileSync(own.file('rounds.der'));
    const key = how.includes('-iter') ? withMore(plain) : plain;
    const pem = `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${key.toString('base64')}\n-----END ENCRYPTED PRIVATE KEY-----\n`;
    const files = [readFileSync(own.file('ana.pem')), Buffer.from(pem)];
    expect(() => readIdentity(files, certificatePassword)).toThrow(expect.objectContaining(refused));
  });
});

describe('the certificate of a service', () => {
  it('that is out of date is told from one that is not trusted', async () => {
    const old = selfSigned({ organisation: 'Office Authority', from: daysFromNow(-9), until: daysFromNow(-1) });
    const port = await service(old);
    const failure = { code: 'service-unreachable', detail: 'tls-expired', retryable: false };
    await expect(note(port, { extraCa: old.cert })).rejects.toMatchObject({ failure });
  });

  it('counts from TLS 1.2 on, whatever this process allows by default', async () => {
    const { DEFAULT_MIN_VERSION } = tls;
    tls.DEFAULT_MIN_VERSION = 'TLSv1';
    try {
      const port = await service({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
      await expect(note(port, {})).rejects.toMatchObject({ failure: { detail: 'tls-failed' } });
    } finally {
      tls.DEFAULT_MIN_VERSION = DEFAULT_MIN_VERSION;
    }
  });
});
