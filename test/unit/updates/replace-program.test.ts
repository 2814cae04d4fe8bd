import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  findProgramFile,
  type LaidFile,
  layBeside,
  mayWriteIn,
  type ProgramFile,
  replaceByLaidFile,
} from '../../../electron/core/updates/replace-program.ts';

const older = 'the older program';
const newer = 'the newer program';
const sha512 = createHash('sha512').update(newer).digest('base64');

describe('the folder of a program', () => {
  it('is tried, and left as it was', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sealdesk-folder-'));
    expect(await mayWriteIn(folder)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);
    rmSync(folder, { recursive: true });
    expect(await mayWriteIn(folder)).toBe(false);
  });
});

describe.skipIf(process.platform === 'win32')('the one file of a program', () => {
  let folder = '';
  let program = '';
  let fetched = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-replace-'));
    program = join(folder, 'Sealdesk.AppImage');
    writeFileSync(program, older, { mode: 0o750 });
    chmodSync(program, 0o750);
    mkdirSync(join(folder, 'cache'));
    fetched = join(folder, 'cache', 'fetched');
    writeFileSync(fetched, newer, { mode: 0o600 });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const found = async () => (await findProgramFile(program)) as ProgramFile;
  const laid = async (file?: ProgramFile) => await layBeside(file ?? (await found()), fetched);
  const isAsBefore = () => {
    expect(readFileSync(program, 'utf8')).toBe(older);
    expect(readdirSync(folder).filter((name) => name.endsWith('.update'))).toEqual([]);
  };

  it('is replaced whole, with its mode, and leaves nothing beside', async () => {
    const file = await found();
    await replaceByLaidFile(file, await laid(file), sha512);
    expect(readFileSync(program, 'utf8')).toBe(newer);
    expect(statSync(program).mode & 0o777).toBe(0o750);
    expect(readdirSync(folder).sort()).toEqual(['Sealdesk.AppImage', 'cache']);
    expect(existsSync(fetched)).toBe(false);
  });

  it('can be run afterwards, whatever mode the fetched file has', async () => {
    chmodSync(program, 0o644);
    const file = await found();
    await replaceByLaidFile(file, await laid(file), sha512);
    expect(statSync(program).mode & 0o500).toBe(0o500);
  });

  it('is reached through a link, which stays', async () => {
    const link = join(folder, 'link');
    symlinkSync(program, link);
    const file = (await findProgramFile(link)) as ProgramFile;
    await replaceByLaidFile(file, await laid(file), sha512);
    expect(readFileSync(link, 'utf8')).toBe(newer);
    expect(readFileSync(program, 'utf8')).toBe(newer);
  });

  it('is laid under a name that nobody knows before, and twice beside each other', async () => {
    const one = await laid();
    writeFileSync(fetched, newer);
    const other = await laid();
    expect(one.path).not.toBe(other.path);
  });

  const tampered: readonly (readonly [string, (one: LaidFile) => void])[] = [
    ['other bytes', ({ path }) => writeFileSync(path, 'evil'.repeat(5))],
    ['a link to the same bytes', ({ path }) => swap(path, (to) => symlinkSync(fetchedAgain(), to))],
    ['a second name of the same bytes', ({ path }) => swap(path, (to) => linkSync(fetchedAgain(), to))],
    ['a link to the program', ({ path }) => swap(path, (to) => symlinkSync(program, to))],
    ['a pipe, which would be waited for', ({ path }) => swap(path, (to) => spawnSync('mkfifo', [to]))],
    ['a folder', ({ path }) => swap(path, (to) => mkdirSync(to))],
    ['nothing', ({ path }) => rmSync(path)],
  ];
  const fetchedAgain = () => {
    const again = join(folder, 'cache', 'again');
    writeFileSync(again, newer);
    return again;
  };
  const swap = (path: string, lay: (path: string) => void) => {
    rmSync(path);
    lay(path);
  };

  it.each(tampered)('stays where the file beside became %s', async (what, tamper) => {
    const file = await found();
    const beside = await laid(file);
    tamper(beside);
    await expect(replaceByLaidFile(file, beside, sha512)).rejects.toThrow();
    if (what === 'a folder') rmSync(beside.path, { recursive: true });
    isAsBefore();
  });

  it('is not put back to an older version if something else replaced it meanwhile', async () => {
    const file = await found();
    const beside = await laid(file);
    const much = join(folder, 'much newer');
    writeFileSync(much, 'a much newer program');
    renameSync(much, program);
    await expect(replaceByLaidFile(file, beside, sha512)).rejects.toMatchObject({ problem: 'not-installed' });
    expect(readFileSync(program, 'utf8')).toBe('a much newer program');
  });

  it('is not waited for if what was fetched became a pipe', async () => {
    const file = await found();
    rmSync(fetched);
    spawnSync('mkfifo', [fetched]);
    await expect(laid(file)).rejects.toMatchObject({ problem: 'damaged' });
    isAsBefore();
  });
});
