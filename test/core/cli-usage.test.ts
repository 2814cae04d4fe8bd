import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ask } from '../../contract/index.ts';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { chooseConnection } from '../../hosts/cli/arguments/connection-choice.ts';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';

const commands =
  'version schedule token register request-signatures easy-sign easy-sign-template status details download requests note jobs verify practice doctor support';
const address = ['--url', 'http://127.0.0.1:1', '--namespace', 'urn:x', '--main-path', '/a'];
const secret = 'S3CRET-value-nobody-may-see';

describe('sealdesk: usage', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await buildCommandLine();
    const pem = (kind: string) => `-----BEGIN ${kind}-----\nAAAA\n-----END ${kind}-----\n`;
    writeFileSync(join(cli.home, 'key.pem'), pem('PRIVATE KEY'));
    writeFileSync(join(cli.home, 'bad.pem'), pem('CERTIFICATE'));
    writeFileSync(join(cli.home, 'large.pem'), Buffer.alloc(300_000));
  });
  afterAll(() => cli.remove());

  it('begins nothing in a Node that is too old, and says which it needs', async () => {
    const old = join(cli.home, 'old-node.cjs');
    writeFileSync(old, "Object.defineProperty(process.versions, 'node', { value: '20.20.2' });");
    const env = { NODE_OPTIONS: `--require ${old}` };
    const { code, err } = await cli.run(['register', 'a.pdf', ...address], { env });
    expect({ code, err }).toEqual({ code: 2, err: 'sealdesk-cli: needs Node 22.13.0 or newer; this is 20.20.2.\n' });
    expect(await cli.run(['--version'], { env })).toMatchObject({ code: 0, err: '' });
  });

  it('lists every command', async () => {
    const { code, out } = await cli.run(['--help']);
    expect(code).toBe(0);
    for (const name of commands.split(' ')) expect(out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
    expect(await cli.runHere(['help'])).toMatchObject({ code: 0, out });
  });

  it.each(commands.split(' '))('explains %s with its options and an example', async (name) => {
    const { code, out, err } = await cli.runHere([name, '--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`Usage: sealdesk-cli ${name}`);
    expect(out).toMatch(new RegExp(`Examples\\n {2}# .+\\n {2}sealdesk-cli ${name}`));
    expect(out).toContain('--json');
    expect(out).toContain('Exit codes: 0');
    if (name !== 'practice') expect(out).toContain('--connection NAME');
  });

  it('ends with these codes and words as a program: a help, a mistake, a secret, a folder, a service', async () => {
    // The build has written it; the other makes it.
    const { out } = await cli.runHere(['version', '--help']);
    expect(await cli.run(['version', '-h'])).toMatchObject({ code: 0, out, err: '' });
    expect((await cli.run(['regster', 'a.pdf'])).err).toContain('Did you mean register?');
    const told = await cli.run(['version', `--api-key=${secret}`]);
    expect([told.code, (told.out + told.err).includes(secret)]).toEqual([2, false]);
    expect(await cli.run(['version'], { env: { TMPDIR: '/dev/null/x' } })).toMatchObject({ code: 2, out: '' });
    expect(await cli.run(['version', ...address])).toMatchObject({ code: 4 });
  });

  it.each([[[]], [['--json']]])(
    'says that its own folder is read-only, which is no mistake of the command line %j',
    async (json) => {
      const { code, out, err } = await cli.runHere(['version', ...address, ...json], { XDG_CONFIG_HOME: '/sys' });
      expect({ code, err }).toEqual({ code: 5, err: '' });
      expect(out).toMatch(/\/sys\/Sealdesk\/command-line is no folder that can be written \(E(PERM|ROFS|ACCES)\)/);
    },
  );

  it('says that another program holds the register, which is no mistake of the command line', async () => {
    const { failure } = appError('storage-busy', 'another program has been writing to the database for too long');
    const busy = (async () => ({ ok: false, failure })) as unknown as Ask;
    const folder = { kind: 'address', dataDir: '', leave: () => undefined } as const;
    const choice = chooseConnection(busy, folder, { url: 'https://a.example' }, () => undefined);
    await expect(choice).rejects.toMatchObject({ failure });
  });

  it.each<[string, Record<string, string>, string[]]>([
    ['the home', { HOME: '/dev/null/x', XDG_CONFIG_HOME: '' }, ['version', ...address]],
    ['the folder of settings', { XDG_CONFIG_HOME: '/proc/x' }, ['version', ...address]],
    ['the temporary folder', { TMPDIR: '/dev/null/x' }, ['version']],
  ])('says that %s cannot be written', async (_what, env, words) => {
    const { code, out, err } = await cli.runHere(words, env);
    expect({ code, out }, err).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/is no folder that can be written \(E\w+\)\.\nTry: sealdesk-cli --help\n$/);
  });

  it.each([
    [[], 'Usage: sealdesk-cli COMMAND'],
    [['regster', 'a.pdf'], 'Did you mean register?'],
    [['--json', 'version'], 'The command comes first'],
    [['register', 'a.pdf', '--clientid', '7'], 'register has no option --clientid. Did you mean --client-id?'],
    [['register', 'a.pdf', '-x'], 'register has no option -x'],
    [['register'], 'register needs FILE|FOLDER'],
    [['status'], 'status needs ID'],
    [['status', 'a', 'b'], 'status takes one argument, and got 2'],
    [['version', 'now'], 'version takes no argument, and got 1'],
    [['register', 'a.pdf', '--credit', 'many'], '--credit takes a whole number'],
    [['register', 'a.pdf', '--credit', '-1'], '--credit=VALUE'],
    [['register', 'a.pdf', '--credit', '99999999999'], '--credit takes a whole number'],
    [['register', 'a.pdf', '--name'], '--name needs a value'],
    [['version', '--json=yes'], '--json takes no value'],
    [['register', ''], 'A file name is empty'],
    [['verify', 'key.pem', ''], 'A file name is empty'],
    [['register', 'missing.pdf'], 'missing.pdf cannot be read: there is no such file'],
    [['version', '--url', 'http://127.0.0.1:1'], '--url needs --namespace as well'],
    [['version', '--namespace', 'urn:x'], '--namespace goes with --url'],
    [['version', '--url', 'http://x', '--connection', 'y'], '--url and --connection exclude each other'],
    [['version', '--connection', 'nobody', '--practice-dir', 'd'], '--practice-dir is for the practice service'],
    [['version', '--connection', 'nobody'], 'There is no saved connection called "nobody"'],
    [['version', '--connection', 'practice service'], 'The practice service is used without --connection'],
    [['version', '--soap', '1.3'], '--soap takes 1.1 or 1.2'],
    [['version', '--easy-sign-soap', '2'], '--easy-sign-soap takes 1.1 or 1.2'],
    [
      ['version', '--url', 'ftp://x', '--namespace', 'urn:x', '--main-path', '/a'],
      '--url must be an http or https address',
    ],
    [
      ['version', '--url', 'http://127.0.0.1:1/my service', '--namespace', 'urn:x', '--main-path', '/a'],
      '--url must have no space: %20 stands for one',
    ],
    [
      ['version', '--url', 'http://127.0.0.1:1/a.asmx?op=GetVersion', '--namespace', 'urn:x', '--main-path', '/a'],
      '--url must have no query: leave out ? and what follows it',
    ],
    [
      ['version', '--url', 'http://127.0.0.1:1', '--namespace', 'urn:x', '--main-path', '/a.asmx?op=GetVersion'],
      '--main-path must have no query: leave out ? and what follows it',
    ],
    [
      ['version', '--url', 'http://127.0.0.1:1', '--namespace', 'urn:x', '--main-path', '/my service.asmx'],
      '--main-path must have no space: %20 stands for one',
    ],
    [['version', ...address, '--proxy', 'http://127.0.0.1:8080/a b'], '--proxy must have no space: %20 stands for one'],
    [
      ['version', '--url', 'http://ann@127.0.0.1:1', '--namespace', 'urn:x', '--main-path', '/a'],
      '--url must have no user: leave out what stands before @',
    ],
    [
      ['version', '--url', 'http://0.0.0.0:1', '--namespace', 'urn:x', '--main-path', '/a'],
      '--url is not encrypted; --allow-http accepts that',
    ],
    [['version', '--connection', 'nobody', '--allow-http'], '--allow-http goes with --url'],
    [['version', ...address, '--ca', 'key.pem'], '--ca: key.pem holds no certificate'],
    [['version', ...address, '--ca', 'bad.pem'], '--ca: bad.pem holds a certificate that cannot be read'],
    [['version', ...address, '--ca', '/dev/zero'], '--ca: /dev/zero cannot be read: this is a device or a pipe'],
    [
      ['easy-sign', 'key.pem', '--email', 'a@example.com', '--xml-data', '/dev/zero'],
      '/dev/zero cannot be read: this is a device or a pipe',
    ],
    [['version', '--practice-dir', 'key.pem'], 'key.pem is no folder that can be written (ENOTDIR)'],
    [['version', ...address, '--ca', 'large.pem'], 'larger than 195 kB'],
    [['practice', '--practice-dir', '/proc/x'], '/proc/x is no folder that can be written (ENOENT)'],
    [['register', 'no\n\u001b[31m.pdf'], 'no\ufffd\ufffd[31m.pdf cannot be read'],
    [['jobs', 'list'], 'The practice service keeps no ledger'],
    [['request-signatures', 'a.pdf'], 'Give --email ADDRESS'],
    [['request-signatures', 'a.pdf', '--email', 'a@example.com', '--owner-first'], '--owner-first needs --owner-signs'],
    [
      ['easy-sign', 'a.pdf', '--email', 'a@example.com', '--signer-name', 'A', '--signer-name', 'B'],
      'one name for each',
    ],
    [['easy-sign-template', 'T', '--email', 'a@example.com', '--id-verify', '--no-id-verify'], 'exclude each other'],
    [
      ['easy-sign-template', 'T', '--email', 'a@example.com', '--xml-data', 'missing.xml'],
      'missing.xml cannot be read',
    ],
    [['easy-sign-template', 'T', '--email', 'a@example.com', '--image', 'missing.png'], 'missing.png cannot be read'],
    [['note'], 'note needs a message'],
    [['requests', '--max=-2147483649'], '--max takes a whole number'],
    [['requests', '--max=2147483648'], '--max takes a whole number'],
    [['requests', '--sort', 'size'], '--sort takes date, person or document'],
    [['practice', '--misbehave', 'sulk'], '--misbehave takes one of delay'],
    [['practice', '--port', '70000'], '--port takes a number from 0 to 65535'],
  ])('refuses %j with exit code 2', async (args, message) => {
    const { code, out, err } = await cli.runHere(args as string[]);
    expect(err).toContain(message);
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  it('sends to an http address on another computer with --allow-http', async () => {
    const away = ['--url', 'http://0.0.0.0:1', '--namespace', 'urn:x', '--main-path', '/a'];
    expect(await cli.runHere(['version', ...away, '--allow-http'])).toMatchObject({ code: 4 });
  });

  it.each([
    [['version', `--api-key=${secret}`]],
    [['version', '--api-sig', secret]],
    [['--api-key', secret, 'version']],
    [['request-signatures', 'a.pdf', '--secret-word', secret]],
    [['register', 'a.pdf', `--password=${secret}`]],
  ])('refuses a secret on the command line and does not repeat it: %#', async (args) => {
    const { code, out, err } = await cli.runHere(args);
    expect(code).toBe(2);
    expect(err).toMatch(/is refused: a command line can be read by other programs/);
    expect(out + err).not.toContain(secret);
  });

  it('does not repeat a secret word that is given in place of the name of its variable', async () => {
    const words = ['request-signatures', 'a.pdf', '--email', 'a@example.com', '--secret-word-env', secret];
    const { code, out, err } = await cli.runHere(words);
    expect(code).toBe(2);
    expect(err).toContain('--secret-word-env names no environment variable that is set.');
    expect(out + err).not.toContain(secret);
  });

  it('requires both credentials, and names the ways to set them', async () => {
    const address = ['--url', 'http://127.0.0.1:9', '--namespace', 'urn:x/', '--main-path', '/a.asmx'];
    const none = await cli.runHere(['token', ...address]);
    expect(none).toMatchObject({ code: 2 });
    expect(none.err).toContain('Set SEALDESK_API_KEY and SEALDESK_API_SIG');
    const half = await cli.runHere(['token', ...address], { SEALDESK_API_KEY: secret });
    expect(half).toMatchObject({ code: 2 });
    expect(half.err).toContain('SEALDESK_API_SIG is missing');
    expect(half.err).not.toContain(secret);
  });

  it('checks a policy as the program would read it, and names what cannot be used', async () => {
    const check = async (policy: unknown) => {
      const file = join(cli.home, 'policy.json');
      writeFileSync(file, JSON.stringify(policy));
      const { code, out } = await cli.runHere(['policy', file]);
      const { lines } = await cli.runHere(['policy', file, '--json']);
      const [{ ok, details } = {}] = lines;
      const problems = (details as { readonly problems: readonly { readonly key: string; readonly note: string }[] })
        .problems;
      return { code, ok, out, problems: problems.map(({ key, note }) => [key, note]) };
    };
    const updateKey = 'MCowBQYDK2VwAyEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
    const office = {
      id: 'office',
      name: 'Office',
      baseUrl: 'https://a.example',
      mainPath: '/api.asmx',
      namespaceUri: 'urn:x',
    };
    expect(
      await check({ language: 'de', updateFeed: 'https://a.example/updates', updateKey, connections: [office] }),
    ).toMatchObject({
      code: 0,
      ok: true,
      problems: [],
      out: expect.stringContaining('language = "de"'),
    });
    const broken = readFileSync(join(cli.home, 'bad.pem'), 'utf8');
    const connection = (changes: object) => ({ connections: [{ ...office, ...changes }] });
    const wrong: readonly (readonly [object, string, RegExp])[] = [
      [{ extraCa: broken }, 'extraCa', /^is no PEM certificate$/],
      [{ extraCa: 'MIIB' }, 'extraCa', /^is no PEM certificate$/],
      [connection({ extraCa: broken }), 'connections[0].extraCa', /^is no PEM certificate$/],
      [{ language: 'xx' }, 'language', /^must be system or one of en, /],
      [{ updateFeed: 'https://a.example/updates' }, 'updateKey', /^is needed with updateFeed/],
      [{ updateKey }, 'updateFeed', /^is needed with updateKey/],
      [{ proxy: 'http://a.example/b c' }, 'proxy', /^must have no space/],
      [connection({ baseUrl: 'https://a.example/my service' }), 'connections[0].baseUrl', /^must have no space/],
      [connection({ mainPath: '/a.asmx?op=GetVersion' }), 'connections[0].mainPath', /^must have no query/],
    ];
    for (const [policy, key, why] of wrong) {
      const { code, ok, out, problems } = await check(policy);
      expect({ code, ok, problems }).toEqual({ code: 1, ok: false, problems: [[key, expect.stringMatching(why)]] });
      expect(out).toContain(`  ${key}: ${problems[0]?.[1]}`);
      expect(out).not.toContain('valid');
    }
  });
});
