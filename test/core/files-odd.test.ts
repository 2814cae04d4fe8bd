import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { mkdir, mkdtemp, open, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readReceipt } from '../../electron/core/documents/receipts/receipts-calls.ts';
import { hashFile } from '../../electron/core/files/hash-file.ts';
import { readJsonFile } from '../../electron/core/files/json-file.ts';
import { readGivenFile, readWhole } from '../../electron/core/files/open-file.ts';
import { readTable } from '../../electron/core/output/tables/read-table.ts';
import { openDocument } from '../../electron/soap/request/send-document.ts';
import { readWsdlFile } from '../../electron/soap/wsdl/read-wsdl.ts';
import { visibleName } from '../../renderer/parts/format.ts';
import { type RunningCore, startCore } from '../harness/core.ts';
import { plainPdf } from '../harness/pdf.ts';
import { atLength } from '../harness/test-length.ts';

let core: RunningCore;
let folder = '';
beforeAll(async () => {
  core = await startCore();
  folder = await mkdtemp(join(tmpdir(), 'sealdesk-odd-'));
});
afterAll(async () => {
  await core.stop();
  // Folders deeper than the longest path are removed by a program that descends step by step.
  execFileSync('rm', ['-rf', folder]);
});

const at = (...parts: string[]) => join(folder, ...parts);
const scan = async (path: string, purpose: 'register' | 'verify' = 'register') => {
  const { token } = await core.core.acceptPath(path);
  return core.must('files.scan', { tokens: [token], purpose });
};

describe('a path that is no regular file', () => {
  const readers: readonly (readonly [string, (path: string) => Promise<unknown>])[] = [
    ['a hash', (path) => hashFile(path)],
    ['a document to send', (path) => openDocument({ path, sizeBytes: 1, sha256: '' })],
    ['a receipt', readReceipt],
    ['a table', (path) => readTable({ path }, 'en')],
    ['a WSDL', (path) => readWsdlFile({ path })],
    ['a file of templates', (path) => readJsonFile({ path }, z.unknown())],
    ['a file of the command line', (path) => readGivenFile(path, 1_000)],
  ];

  it.each(readers)('is refused at once as %s', async (_what, read) => {
    const pipe = at(`pipe ${_what}`);
    execFileSync('mkfifo', [pipe]);
    const server = createServer().listen(at(`socket ${_what}`));
    await new Promise((resolve) => server.once('listening', resolve));
    await symlink('/dev/zero', at(`link ${_what}`));
    // A plain open of a pipe blocks a thread for ever: more of them than there are threads would block all reads.
    const paths = [pipe, pipe, pipe, pipe, pipe, '/dev/zero', at(`link ${_what}`), at(`socket ${_what}`)];
    const ended = await Promise.all(
      paths.map((path) => read(path).catch((error: { failure?: object }) => error.failure)),
    );
    server.close();
    for (const failure of ended) expect(failure).toMatchObject({ code: 'file-unreadable', detail: 'file-special' });
    await expect(read(folder)).rejects.toMatchObject({ failure: { detail: 'file-is-folder' } });
  });

  it('is skipped in a folder, and circular links end', async () => {
    await mkdir(at('mixed', 'below'), { recursive: true });
    execFileSync('mkfifo', [at('mixed', 'pipe.pdf')]);
    await symlink('/dev/zero', at('mixed', 'zero.pdf'));
    await symlink(at('mixed', 'loop.pdf'), at('mixed', 'loop.pdf'));
    await symlink(at('mixed'), at('mixed', 'below', 'up'));
    await writeFile(at('mixed', 'below', 'a.pdf'), plainPdf('a'));
    const { files, skipped } = await scan(at('mixed'));
    expect(files.map(({ name }) => name)).toEqual(['a.pdf']);
    expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['loop.pdf', 'file-missing'],
      ['pipe.pdf', 'file-special'],
      ['zero.pdf', 'file-special'],
    ]);
  });
});

describe('a file that keeps growing', () => {
  it('is not read for ever, but reported as changed', async () => {
    const path = at('growing');
    await writeFile(path, Buffer.alloc(2 ** 20));
    const grown = hashFile(path, undefined, () => appendFileSync(path, Buffer.alloc(2 ** 20)));
    await expect(grown).rejects.toMatchObject({ failure: { code: 'file-changed' } });
    await expect(readWhole('/proc/self/smaps', 100)).resolves.toBeNull();
  });
});

describe('a tree', () => {
  it('of 200 nested folders is scanned completely', async () => {
    const deep = Array.from({ length: 200 }, () => 'd');
    await mkdir(at('tree', ...deep), { recursive: true });
    await writeFile(at('tree', ...deep, 'bottom.pdf'), plainPdf('bottom'));
    const { files, skippedCount, folderCount } = await scan(at('tree'));
    expect([files.map(({ name }) => name), skippedCount, folderCount]).toEqual([['bottom.pdf'], 0, 201]);
  });

  it('deeper than the longest path is reported, and its reachable files are accepted', async () => {
    await mkdir(at('abyss'));
    await writeFile(at('abyss', 'top.pdf'), plainPdf('top'));
    const names = Array.from({ length: 30 }, () => 'n'.repeat(100));
    for (const top of ['abyss', 'lower']) await mkdir(at(top, ...names), { recursive: true });
    await rename(at('lower'), at('abyss', ...names, 'lower'));
    const { files, skipped } = await scan(at('abyss'));
    expect(files.map(({ name }) => name)).toEqual(['top.pdf']);
    expect(skipped.map(({ reason }) => reason)).toEqual(['path-too-long']);
  });

  it('with an unreadable folder reports it and accepts the other files', async () => {
    mkdirSync(at('closed', 'no'), { recursive: true });
    await writeFile(at('closed', 'yes.pdf'), plainPdf('yes'));
    execFileSync('chmod', ['000', at('closed', 'no')]);
    execFileSync('chmod', ['755', folder]);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      const { files, skipped } = await scan(at('closed'));
      expect(files.map(({ name }) => name)).toEqual(['yes.pdf']);
      expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([['no', 'file-denied']]);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('of very many files in one folder is scanned without blocking the event loop', { timeout: 120_000 }, async () => {
    const count = atLength({ short: 2_000, all: 100_000 });
    await mkdir(at('many'));
    const bytes = plainPdf('one of many');
    for (let n = 0; n < count; n += 500) {
      await Promise.all(Array.from({ length: 500 }, (_each, m) => writeFile(at('many', `${n + m}.pdf`), bytes)));
    }
    const { fileCount } = await scan(at('many'));
    expect(fileCount).toBe(count);
    await rm(at('many'), { recursive: true });
  });
});

describe('a name', () => {
  it('shows control and direction characters visibly, and other names unchanged', async () => {
    expect(visibleName('a\u202efdp.exe')).toBe('a‹U+202E›fdp.exe');
    expect(visibleName('a\nb\u001b[31m')).toBe('a‹U+000A›b‹U+001B›[31m');
    for (const name of ['Müller 漢字 עברית 😀.pdf', 'a  b']) expect(visibleName(name)).toBe(name);
    const name = 'a\nb\u202efdp.pdf';
    const file = await open(at(name), 'w');
    await file.writeFile(plainPdf('odd'));
    await file.close();
    const { files } = await scan(at(name));
    expect(files.map((one) => one.name)).toEqual([name]);
  });
});
