import { describe, expect, it } from 'vitest';
import { readCommandLine } from '../../../hosts/cli/arguments/read-command-line.ts';
import { allCommands } from '../../../hosts/cli/commands.ts';

const secret = 'S3CRET-value-nobody-may-see';

async function parsed(words: readonly string[]) {
  const reading = await readCommandLine(words);
  if (reading.kind !== 'command') throw new Error('a text was printed');
  return { name: reading.command.name, args: reading.args, values: reading.values };
}

async function printed(words: readonly string[]) {
  const reading = await readCommandLine(words);
  if (reading.kind !== 'text') throw new Error('a command was found');
  return { text: reading.text, wasAskedFor: reading.wasAskedFor };
}

async function errorOf(words: readonly string[]): Promise<string> {
  try {
    await readCommandLine(words);
  } catch (error) {
    if (error instanceof Error && error.name === 'UsageError') return error.message;
    throw error;
  }
  throw new Error('there was no error');
}

describe('parsing of the command line', () => {
  it.each<[string[], string[], Record<string, unknown>]>([
    [['register', 'a.pdf', 'b.pdf'], ['a.pdf', 'b.pdf'], {}],
    [['register', '--json', 'a.pdf', '--name', 'x', 'b.pdf'], ['a.pdf', 'b.pdf'], { json: true, name: 'x' }],
    [['register', 'a.pdf', '--client-id=4711'], ['a.pdf'], { 'client-id': '4711' }],
    [['register', 'a.pdf', '--name', 'x', '--name', 'y'], ['a.pdf'], { name: 'y' }],
    [['register', 'a.pdf', '--name', ''], ['a.pdf'], { name: '' }],
    [['register', 'a.pdf', '--name='], ['a.pdf'], { name: '' }],
    [['register', 'a.pdf', '--name', '-'], ['a.pdf'], { name: '-' }],
    [['register', 'a.pdf', '--name=-x'], ['a.pdf'], { name: '-x' }],
    [['register', '-', ''], ['-', ''], {}],
    [['requests', '--max=-5'], [], { max: '-5' }],
    [['note', '--json', '--', '-5'], ['-5'], { json: true }],
    [['note', '--', '--json'], ['--json'], {}],
    [['note', '--', `--api-key=${secret}`], [`--api-key=${secret}`], {}],
    [['download', 'x', '-o', 'a.pdf'], ['x'], { output: 'a.pdf' }],
    [['download', 'x', '-oa.pdf'], ['x'], { output: 'a.pdf' }],
    [['version', '--element', 'A=B', '--element', 'C=D=E'], [], { element: ['A=B', 'C=D=E'] }],
    [
      ['easy-sign', '--email', 'a@example.com', 'x.pdf', '--email=b@example.com'],
      ['x.pdf'],
      { email: ['a@example.com', 'b@example.com'] },
    ],
    [['easy-sign', 'x.pdf', '--id-verify'], ['x.pdf'], { 'id-verify': true }],
    [['easy-sign', 'x.pdf', '--no-id-verify'], ['x.pdf'], { 'no-id-verify': false }],
  ])('of %j', async (words, args, values) => {
    expect(await parsed(words)).toEqual({ name: words[0], args, values });
  });

  it('keeps no state between command lines', async () => {
    expect((await parsed(['version', '--element', 'A=B'])).values).toEqual({ element: ['A=B'] });
    expect((await parsed(['version', '--element', 'C=D'])).values).toEqual({ element: ['C=D'] });
    expect((await parsed(['version'])).values).toEqual({});
  });

  it.each<[string[], string]>([
    [['regster', 'a.pdf'], 'There is no command "regster". Did you mean register?'],
    [['frobnicate'], 'There is no command "frobnicate".'],
    [['regster', '--help'], 'There is no command "regster". Did you mean register?'],
    [['help', 'regster'], 'There is no command "regster". Did you mean register?'],
    [['constructor'], 'There is no command "constructor".'],
    [[''], 'There is no command "".'],
    [['--json', 'version'], 'The command comes first: sealdesk-cli COMMAND [options].'],
    [['--', 'version'], 'The command comes first: sealdesk-cli COMMAND [options].'],
    [['-'], 'The command comes first: sealdesk-cli COMMAND [options].'],
    [['--help', 'version'], 'The command comes first: sealdesk-cli COMMAND [options].'],
    [['-h', '--json'], 'The command comes first: sealdesk-cli COMMAND [options].'],
    [['--version', 'x'], 'The command comes first: sealdesk-cli COMMAND [options].'],
    [['help', '--json'], 'The command comes first: sealdesk-cli COMMAND [options].'],
    [['version', '--bogus', '--help'], 'version has no option --bogus.'],
    [['version', '-h', '-x'], 'version has no option -x.'],
    [['version', '--bogus', '--', '--help'], 'version has no option --bogus.'],
    [['download', 'x', '--help', '-o'], '-o needs a value.'],
    [['register', '--name', '--help'], '--name needs a value. One that starts with a dash is written as --name=VALUE.'],
    [['register', '--name', '--json'], '--name needs a value. One that starts with a dash is written as --name=VALUE.'],
    [['status', 'a', '-1'], 'status has no option -1.'],
    [['version', '--version'], 'version has no option --version.'],
    [['register', 'a.pdf', '--clientid', '7'], 'register has no option --clientid. Did you mean --client-id?'],
    [['register', '--clientid=4711-2026-0815'], 'register has no option --clientid. Did you mean --client-id?'],
    [['version', '--no-json'], 'version has no option --no-json. Did you mean --json?'],
    [['version', '-x'], 'version has no option -x.'],
    [['register', '--clientID', '7'], 'register has no option --client…. Did you mean --client-id?'],
    [['status', '-1'], 'status has no option -1.'],
    [['version', '--json=yes'], '--json takes no value.'],
    [['version', '--help=yes'], '--help takes no value.'],
    [['easy-sign', 'x.pdf', '--no-id-verify=x'], '--no-id-verify takes no value.'],
    [
      ['register', 'a.pdf', '--name', '--json'],
      '--name needs a value. One that starts with a dash is written as --name=VALUE.',
    ],
    [
      ['register', 'a.pdf', '--name', '--', 'b.pdf'],
      '--name needs a value. One that starts with a dash is written as --name=VALUE.',
    ],
    [['download', 'x', '-o', '-y'], '-o needs a value. One that starts with a dash is written as --output=VALUE.'],
    [['download', 'x', '-o'], '-o needs a value.'],
    [['register', 'a.pdf', '--name'], '--name needs a value.'],
    [['easy-sign', 'x.pdf', '--no-id-verify', '--id-verify'], '--id-verify and --no-id-verify exclude each other.'],
    [['register'], 'register needs FILE|FOLDER….'],
    [['jobs'], 'jobs needs ACTION [JOB…].'],
    [['status', 'a', 'b'], 'status takes one argument, and got 2.'],
    [['version', 'x'], 'version takes no argument, and got 1.'],
  ])('refuses %j', async (words, message) => {
    expect(await errorOf(words)).toBe(message);
  });

  it.each([
    [['version', `--bogus=${secret}`]],
    [['version', `-x${secret}`]],
    [['version', `--apikey=${secret}`]],
    [['version', `--json=${secret}`]],
    [['version', '--credentials', secret, '--help']],
    [['help', `--password=${secret}`]],
    [['bogus', '--secret-word', secret]],
    [['status', secret, secret]],
    [['register', 'a.pdf', '--name', `-${secret}`]],
    [[secret]],
    [[`apikey=${secret}`, 'version']],
    [['help', secret]],
    [['version', `--password:${secret}`]],
    [['version', `--api_sig=${secret}`]],
    [['version', `--phrase:${secret}`]],
    [['version', `--key${secret}`]],
    [['version', `--bogus=${secret}`, '--help']],
  ])('does not repeat a value in its error: %#', async (words) => {
    expect(await errorOf(words)).not.toContain(secret);
  });
});

describe('help', () => {
  it('is the same with --help, -h and help', async () => {
    const help = await printed(['--help']);
    expect(help.wasAskedFor).toBe(true);
    for (const words of [['-h'], ['help']]) expect(await printed(words)).toEqual(help);
    expect(await printed([])).toEqual({ text: help.text, wasAskedFor: false });
    const ofVersion = await printed(['version', '--help']);
    for (const words of [
      ['version', '-h'],
      ['help', 'version'],
    ])
      expect(await printed(words)).toEqual(ofVersion);
  });

  it.each([
    [['status', '--help']],
    [['status', 'a', 'b', '-h']],
    [['easy-sign', '--id-verify', '--no-id-verify', '--help']],
  ])('is printed for %j, without a check of the arguments', async ([name = '', ...words]) => {
    expect(await printed([name, ...words])).toEqual(await printed(['help', name]));
  });

  it('names every option of every command', async () => {
    for (const { name, options } of await allCommands()) {
      const { text } = await printed(['help', name]);
      for (const { flags } of options) expect(text).toContain(`  ${flags.replace(/[<>]/g, '')} `);
    }
  });

  it('prints the version of the program', async () => {
    const { text, wasAskedFor } = await printed(['--version']);
    expect(text).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
    expect(wasAskedFor).toBe(true);
  });
});
