import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';

const names = ['program.txt', 'connection.txt', 'records.txt', 'crashes.txt', 'log.txt'];

describe('sealdesk-cli support', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await buildCommandLine();
  }, 120_000);
  afterAll(() => cli.remove());

  it('saves a zip file of texts, and prints what is in it', async () => {
    const cwd = join(cli.home, 'zip');
    mkdirSync(cwd);
    const { code, out } = await cli.run(['support'], { cwd });
    expect(code).toBe(0);
    const [zip = ''] = readdirSync(cwd);
    expect(zip).toMatch(/^Sealdesk-support-\d{4}-\d\d-\d\d\.zip$/);
    const entries = Object.entries(unzipSync(readFileSync(join(cwd, zip))));
    expect(entries.map(([name]) => name.split('/')[1])).toEqual(names);
    for (const [name, bytes] of entries)
      expect(out).toMatch(new RegExp(`${name.split('/')[1]} +${bytes.length} bytes`));
    const texts = entries.map(([, bytes]) => strFromU8(bytes)).join('\n');
    expect(texts).toMatch(/^Program: .*\(command-line, source\)/m);
    expect(texts).toMatch(/^credentials +passed/m);
    expect(texts).not.toContain(cli.home);
    expect((await cli.run(['support'], { cwd })).code).toBe(2);
    expect((await cli.run(['support', '--replace'], { cwd })).code).toBe(0);
  });

  it('saves a new folder of texts that only its owner can read, and says so for programs', async () => {
    const folder = join(cli.home, 'report');
    const { code, lines } = await cli.run(['support', '-o', folder, '--json']);
    expect(code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
    expect(statSync(folder).mode & 0o077).toBe(0);
    const entries = names.map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
    expect(lines).toEqual([{ operation: 'support', ok: true, raw: null, entries, file: folder }]);
    const again = await cli.run(['support', '-o', join(folder, 'log.txt')]);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('log.txt')]);
  });

  it('makes of a register that cannot be used what can be known without it, and says so', async () => {
    const where = ['--url', 'http://127.0.0.1:9', '--namespace', 'urn:x', '--main-path', '/'];
    const dataDir = join(cli.env.XDG_CONFIG_HOME ?? '', 'Sealdesk', 'command-line');
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(join(dataDir, 'sealdesk.db'), 'no database'.repeat(1_000));
    const folder = join(cli.home, 'without');
    const { code, err } = await cli.run(['support', '-o', folder, ...where]);
    expect(code).toBe(0);
    expect(err).toContain('is damaged');
    expect(readdirSync(folder).sort()).toEqual([...names].sort());
    const texts = names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
    expect(texts).toMatch(/^Program: .*\(command-line, source\)/m);
    expect(texts).toMatch(/^Register: storage-unusable, database-damaged$/m);
    expect(texts).toMatch(/^Storage in bytes: database 11000,/m);
    expect(texts).not.toContain(cli.home);
    // Every other command ends as before.
    expect((await cli.run(['version', ...where])).code).toBe(5);
  });
});
