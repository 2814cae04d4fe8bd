import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ClientCertificates,
  certificatePassword,
  makeClientCertificates,
} from '../harness/client-certificates.ts';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { assetsDir } from '../harness/core.ts';
import { startPractice } from '../harness/practice.ts';
import { type SecureFront, startSecureFront } from '../harness/secure-front.ts';
import { hasSquid, needsSquid, type Squid, squidUser, startSquid } from '../harness/squid.ts';

describe('the command line behind a proxy with a login, to a service that asks for a certificate', () => {
  let cli: CommandLine;
  let own: ClientCertificates;
  let practice: Awaited<ReturnType<typeof startPractice>>;
  let front: SecureFront;
  let squid: Squid;
  beforeEach(needsSquid);
  beforeAll(async () => {
    cli = await buildCommandLine();
    own = makeClientCertificates();
    if (!hasSquid) return;
    practice = await startPractice({ dataDir: `${cli.home}/service`, assetsDir });
    front = await startSecureFront(practice.baseUrl, { clientAuthority: own.authority, names: ['service.example'] });
    squid = await startSquid({ asks: 'basic', hosts: ['service.example'] });
    await writeFile(`${cli.home}/ca.pem`, front.certificate);
  }, 100_000);
  afterAll(async () => {
    await squid?.close();
    front?.close();
    await practice?.close();
    own.remove();
    cli.remove();
  });

  const address = () => [
    ...['--url', `https://service.example:${front.port}`, '--namespace', practice.namespaceUri],
    ...['--main-path', practice.mainPath, '--ca', `${cli.home}/ca.pem`],
  ];
  const keys = () => ({ SEALDESK_API_KEY: practice.apiKey, SEALDESK_API_SIG: practice.apiSig });
  const login = { SEALDESK_PROXY_USER: squidUser.user, SEALDESK_PROXY_PASSWORD: squidUser.password };
  const proxy = () => ({ HTTPS_PROXY: `http://127.0.0.1:${squid.port}` });
  const pfx = () => ['--client-cert', own.file('ana.p12')];
  const password = { SEALDESK_CLIENT_CERT_PASSWORD: certificatePassword };
  const note = async (args: readonly string[], env: Readonly<Record<string, string>>) =>
    cli.run(['note', '--json', 'Hello', ...address(), ...args], { env: { ...keys(), ...proxy(), ...env } });

  it('is let through by variables: login at the proxy, and the password of the certificate', async () => {
    const ran = await note(pfx(), { ...login, ...password });
    expect(ran.lines, ran.err).toMatchObject([{ ok: true }]);
    expect(ran.code).toBe(0);
    expect(new Set(front.visitors)).toEqual(new Set(['Ana Petrov']));
    expect(ran.out + ran.err).not.toMatch(/never-shown/);
  });

  it('takes the login from the address of the proxy in the environment, and PEM in two files', async () => {
    const { user, password: word } = squidUser;
    const named = `http://${encodeURIComponent(user)}:${encodeURIComponent(word)}@127.0.0.1:${squid.port}`;
    const pem = ['--client-cert', own.file('ana.pem'), '--client-key', own.file('ana.key')];
    expect((await note(pem, { HTTPS_PROXY: named, ...password })).code).toBe(0);
  });

  it.each([
    ['no login', {}, 'asks for basic'],
    ['a wrong one', { ...login, SEALDESK_PROXY_PASSWORD: 'wrong-password' }, 'asks for basic'],
  ])('with %s sends nothing: not reachable, and not in doubt', async (_what, env, words) => {
    const before = front.visitors.length;
    const ran = await note(pfx(), { ...password, ...env });
    expect(ran.code).toBe(4);
    expect(ran.lines).toMatchObject([
      { ok: false, failure: { code: 'service-unreachable', note: expect.stringContaining(words) } },
    ]);
    expect(front.visitors).toHaveLength(before);
  });

  it('without the certificate is not in doubt either', async () => {
    expect(await note([], login)).toMatchObject({
      code: 4,
      lines: [{ ok: false, failure: { code: 'service-unreachable' } }],
    });
  });

  it.each([
    ['a wrong password', () => pfx(), { SEALDESK_CLIENT_CERT_PASSWORD: 'wrong' }, 'password of'],
    ['a file without a key', () => ['--client-cert', own.file('ana.pem')], password, 'has no private key'],
    ['no such file', () => ['--client-cert', '/nowhere/x.p12'], password, 'cannot be used'],
    ['a key alone', () => ['--client-key', own.file('ana.key')], password, '--client-key goes with --client-cert.'],
    ['a password among the arguments', () => ['--proxy-password', 'x'], {}, 'SEALDESK_PROXY_PASSWORD'],
    ['a password without a user', () => pfx(), { SEALDESK_PROXY_PASSWORD: 'x' }, 'SEALDESK_PROXY_USER'],
  ])('with %s is wrong: exit code 2', async (_what, args, env, words) => {
    const ran = await note(args(), env as Record<string, string>);
    expect(ran.code, ran.err).toBe(2);
    expect(ran.err).toContain(words);
  });
});
