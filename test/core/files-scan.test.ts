import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningCore, startCore } from '../harness/core.ts';
import { encryptedPdf, plainPdf } from '../harness/pdf.ts';
import { watchTurns } from '../harness/processor-time.ts';

let core: RunningCore;
let folder: string;
beforeAll(async () => {
  core = await startCore();
});
afterAll(() => core.stop());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sealdesk-look-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (...parts: string[]) => join(folder, ...parts);
const put = async (name: string, content: string | Uint8Array) => {
  await writeFile(at(name), content);
  return at(name);
};
const tokensOf = async (...paths: string[]) =>
  (await Promise.all(paths.map((path) => core.core.acceptPath(path)))).map(({ token }) => token);
const scan = async (purpose: 'register' | 'verify', ...paths: string[]) =>
  core.must('files.scan', { tokens: await tokensOf(...paths), purpose });

describe('scanning one file', () => {
  it('accepts a PDF with any name and up to 1,024 bytes before its mark', async () => {
    const paths = [
      await put('plain.pdf', plainPdf('one')),
      await put('no ending', plainPdf('two')),
      await put('late.pdf', Buffer.concat([Buffer.alloc(1000, 0x20), plainPdf('three')])),
    ];
    const intake = await scan('register', ...paths);
    expect(intake).toMatchObject({ fileCount: 3, skippedCount: 0, folderCount: 0 });
    expect(intake.files.map(({ index, name, folder: below }) => [index, name, below])).toEqual([
      [0, 'plain.pdf', ''],
      [1, 'no ending', ''],
      [2, 'late.pdf', ''],
    ]);
    expect(intake.totalBytes).toBe(intake.files.reduce((sum, file) => sum + file.sizeBytes, 0));
  });

  it('reads a file once for all purposes and answers the finding of each', async () => {
    const paths = [
      await put('plain.pdf', plainPdf('one')),
      await put('closed.pdf', encryptedPdf('trailer')),
      await put('note.txt', 'no PDF'),
      await put('empty.pdf', ''),
    ];
    const tokens = await tokensOf(...paths, ...paths);
    const both = await core.must('files.scanForAll', { tokens });
    expect(both.register.id).not.toBe(both.verify.id);
    for (const purpose of ['register', 'verify'] as const) {
      const { id: _, ...alone } = await core.must('files.scan', { tokens, purpose });
      expect(both[purpose]).toMatchObject(alone);
      const page = await core.must('files.page', { intakeId: both[purpose].id, which: 'skipped', offset: 0, limit: 9 });
      expect(page.skipped).toEqual(alone.skipped);
    }
    expect(both.register).toMatchObject({ fileCount: 1, skippedCount: 3 });
    expect(both.verify).toMatchObject({ fileCount: 3, skippedCount: 1 });
  });

  const zip = (...names: string[]) =>
    Buffer.concat(
      names.flatMap((name) => [Buffer.from('504b030414000000', 'hex'), Buffer.alloc(22), Buffer.from(name)]),
    );
  it.each([
    ['PNG image', Buffer.from('89504e470d0a1a0a0000', 'hex')],
    ['JPEG image', Buffer.from('ffd8ffe000104a464946', 'hex')],
    ['Word document', zip('[Content_Types].xml', 'word/document.xml')],
    ['Excel workbook', zip('[Content_Types].xml', 'xl/workbook.xml')],
    ['PowerPoint presentation', zip('[Content_Types].xml', 'ppt/presentation.xml')],
    ['Office document', zip('[Content_Types].xml', '_rels/.rels')],
    ['OpenDocument text', zip('mimetypeapplication/vnd.oasis.opendocument.text')],
    ['ZIP archive', zip('letter.pdf')],
    ['older Office document', Buffer.from('d0cf11e0a1b11ae10000', 'hex')],
    ['text file', Buffer.from('Dear all,\nthis is no PDF.\n')],
    ['HTML page', Buffer.from('\ufeff<!DOCTYPE html><title>x</title>')],
    ['XML file', Buffer.from('<?xml version="1.0"?><a/>')],
    [undefined, Buffer.from([1, 2, 3, 4, 5, 0, 6])],
    ['text file', Buffer.concat([Buffer.alloc(1100, 0x20), Buffer.from('%PDF-1.7 comes too late')])],
  ])('that is not a PDF is named: %s', async (kind, bytes) => {
    const path = await put('pretends.pdf', bytes);
    const { files, skipped } = await scan('register', path);
    expect(files).toEqual([]);
    expect(skipped).toEqual([{ name: 'pretends.pdf', folder: '', reason: 'file-not-pdf', ...(kind && { kind }) }]);
    expect(await scan('verify', path)).toMatchObject({ fileCount: 1, skippedCount: 0 });
  });

  it('skips an empty file for both purposes', async () => {
    const path = await put('empty.pdf', '');
    for (const purpose of ['register', 'verify'] as const) {
      expect((await scan(purpose, path)).skipped).toMatchObject([{ reason: 'file-empty' }]);
    }
  });

  it('skips a surely encrypted PDF and accepts one in doubt', async () => {
    const paths = [
      await put('trailer.pdf', encryptedPdf('trailer')),
      await put('stream.pdf', encryptedPdf('stream')),
      await put('mentions.pdf', Buffer.concat([plainPdf('this /Encrypt 5 0 R is only text')])),
      await put('odd.pdf', '%PDF-1.7\n/Encrypt 1 0 R, and no end anywhere\nstartxref\n5\n%%EOF'),
      await put('wild.pdf', '%PDF-1.7\nstartxref\n999999999999\n%%EOF'),
    ];
    const { files, skipped } = await scan('register', ...paths);
    expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['trailer.pdf', 'file-encrypted'],
      ['stream.pdf', 'file-encrypted'],
    ]);
    expect(files.map(({ name }) => name)).toEqual(['mentions.pdf', 'odd.pdf', 'wild.pdf']);
    expect((await scan('verify', ...paths)).fileCount).toBe(5);
  });

  it('does not read a file of many gigabytes to its end', async () => {
    const path = await put('huge.pdf', plainPdf('huge'));
    await truncate(path, 40 * 2 ** 30);
    const begun = performance.now();
    expect(await scan('register', path)).toMatchObject({ fileCount: 1, totalBytes: 40 * 2 ** 30 });
    expect(performance.now() - begun).toBeLessThan(1000);
  });

  it('reports a file that was removed after it was chosen as missing', async () => {
    const path = await put('gone.pdf', plainPdf('gone'));
    const tokens = await tokensOf(path);
    await rm(path);
    const { skipped } = await core.must('files.scan', { tokens, purpose: 'register' });
    expect(skipped).toEqual([{ name: 'gone.pdf', folder: '', reason: 'file-missing' }]);
  });

  it('gives no token for a missing file or an invalid name', async () => {
    for (const name of ['nowhere.pdf', `${'n'.repeat(300)}.pdf`, 'nul\u0000.pdf']) {
      await expect(core.core.acceptPath(at(name))).rejects.toMatchObject({ failure: { code: 'file-unreadable' } });
    }
  });

  it('keeps the longest name that a disk allows', async () => {
    const name = `${'n'.repeat(251)}.pdf`;
    expect((await scan('register', await put(name, plainPdf('long')))).files[0]?.name).toBe(name);
  });

  it('reports a file without read permission as denied', async () => {
    const path = await put('secret.pdf', plainPdf('secret'));
    execFileSync('chmod', ['000', path]);
    const isRoot = process.getuid?.() === 0;
    // Root may read everything, so another account is used meanwhile.
    if (isRoot) {
      execFileSync('chmod', ['755', folder]);
      process.seteuid?.(65534);
    }
    try {
      expect((await scan('register', path)).skipped).toMatchObject([{ name: 'secret.pdf', reason: 'file-denied' }]);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  it('never blocks on a pipe, a socket or a device', async () => {
    execFileSync('mkfifo', [at('pipe.pdf')]);
    const server = createServer().listen(at('socket.pdf'));
    await new Promise((resolve) => server.once('listening', resolve));
    const { skipped } = await scan('register', at('pipe.pdf'), at('socket.pdf'), '/dev/zero');
    server.close();
    expect(skipped.map(({ reason }) => reason)).toEqual(Array(3).fill('file-special'));
  });
});

/** Bytes that are no UTF-8, which other programs of the same system write: all of them are read as the same sign. */
describe.runIf(process.platform === 'linux')('names that are no UTF-8', () => {
  const raw = (...bytes: (string | number)[]) =>
    Buffer.concat([`${folder}/`, ...bytes].map((one) => (typeof one === 'string' ? Buffer.from(one) : Buffer.of(one))));

  it('are each reported, and take the place of none that they look like', async () => {
    for (const name of [raw('a', 0xff, '.pdf'), raw('a', 0xfe, '.pdf'), raw('a\ufffd.pdf')])
      await writeFile(name, plainPdf('one'));
    const { files, skipped } = await scan('register', folder);
    expect(files.map(({ name }) => name)).toEqual(['a\ufffd.pdf']);
    expect(skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['a\\xfe.pdf', 'file-name'],
      ['a\\xff.pdf', 'file-name'],
    ]);
  });

  it('are refused where they are given by themselves, as what they look like may be another', async () => {
    await writeFile(raw('a', 0xff, '.pdf'), plainPdf('one'));
    const given = core.core.acceptPath(at('a\ufffd.pdf'));
    await expect(given).rejects.toMatchObject({ failure: { code: 'file-unreadable', detail: 'file-name' } });
    await writeFile(raw('a\ufffd.pdf'), plainPdf('one'));
    const alike = core.core.acceptPath(at('a\ufffd.pdf'));
    await expect(alike).rejects.toMatchObject({ failure: { detail: 'file-name' } });
    await rm(raw('a', 0xff, '.pdf'));
    expect(await core.core.acceptPath(at('a\ufffd.pdf'))).toMatchObject({ name: 'a\ufffd.pdf' });
  });
});

describe('scanning folders', () => {
  it('walks through all subfolders once, in order, also with circular links', async () => {
    await mkdir(at('top', 'b', 'deep'), { recursive: true });
    await mkdir(at('top', 'a'));
    for (const name of ['top/z.pdf', 'top/a/1.pdf', 'top/b/deep/2.pdf', 'outside.pdf']) await put(name, plainPdf(name));
    await symlink(at('top'), at('top', 'b', 'round'));
    await symlink(at('top', 'b', 'itself'), at('top', 'b', 'itself'));
    await symlink(at('outside.pdf'), at('top', 'link.pdf'));
    await symlink(at('nowhere.pdf'), at('top', 'broken.pdf'));
    const intake = await scan('register', at('top'), at('top', 'a'), at('top', 'z.pdf'));
    expect(intake.files.map(({ name, folder: below }) => `${below}/${name}`)).toEqual([
      'top/link.pdf',
      'top/z.pdf',
      'top/a/1.pdf',
      'top/b/deep/2.pdf',
    ]);
    expect(intake.folderCount).toBe(4);
    expect(intake.skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['broken.pdf', 'file-missing'],
      ['itself', 'file-missing'],
    ]);
  });

  it('ignores files that systems create by themselves, and counts all others', async () => {
    await mkdir(at('top', '__MACOSX'), { recursive: true });
    for (const name of ['.DS_Store', 'Thumbs.db', 'desktop.ini', '._a.pdf', '__MACOSX/x'])
      await put(`top/${name}`, 'x');
    await put('top/.hidden.pdf', plainPdf('hidden'));
    await put('top/notes.txt', 'text');
    const intake = await scan('register', at('top'));
    expect(intake.files.map(({ name }) => name)).toEqual(['.hidden.pdf']);
    expect(intake.skipped.map(({ name }) => name)).toEqual(['notes.txt']);
  });

  it('answers an empty selection for an empty folder', async () => {
    await mkdir(at('top'));
    expect(await scan('verify', at('top'))).toMatchObject({ fileCount: 0, skippedCount: 0, folderCount: 1 });
  });

  it('scans 5,000 files without blocking the event loop and answers them in pages', async () => {
    const pdf = plainPdf('many');
    for (let sub = 0; sub < 10; sub += 1) {
      await mkdir(at('many', `sub${sub}`), { recursive: true });
      const names = Array.from({ length: 500 }, (_, n) => at('many', `sub${sub}`, `${String(n).padStart(4, '0')}.pdf`));
      await Promise.all(names.map((name, n) => writeFile(name, n % 100 === 99 ? 'no pdf' : pdf)));
    }
    const stop = watchTurns();
    const intake = await scan('register', at('many'));
    const longestMs = stop();
    expect(intake).toMatchObject({ fileCount: 4950, skippedCount: 50, folderCount: 11 });
    expect(intake.files).toHaveLength(100);
    expect(intake.skipped).toHaveLength(50);
    expect(longestMs).toBeLessThan(200);

    const page = { intakeId: intake.id, which: 'files' as const, offset: 4900, limit: 500 };
    const { files, skipped } = await core.must('files.page', page);
    expect([files.length, files.at(-1)?.index, files.at(-1)?.folder]).toEqual([50, 4949, 'many/sub9']);
    expect(skipped).toEqual([]);
  });
});

describe('tokens', () => {
  it('contain no path; the same file chosen again gets a new token with the same source', async () => {
    const path = await put('same.pdf', plainPdf('same'));
    const [one, two] = [await core.core.acceptPath(path), await core.core.acceptPath(at('.', 'same.pdf'))];
    expect(two.token).not.toBe(one.token);
    expect(two.source).toBe(one.source);
    expect((await core.core.acceptPath(folder)).source).not.toBe(one.source);
    expect(JSON.stringify([one, await scan('register', path)])).not.toContain(folder);
  });

  it('of files that came as bytes have the same source if name and bytes are equal', async () => {
    const arrive = (name: string, text: string) =>
      core.core.acceptStream(
        name,
        (async function* () {
          yield Buffer.from(text);
        })(),
      );
    const [one, same, changed, other] = [
      await arrive('mail.pdf', 'one'),
      await arrive('mail.pdf', 'one'),
      await arrive('mail.pdf', 'two'),
      await arrive('other.pdf', 'one'),
    ];
    expect(same.source).toBe(one.source);
    expect(same.token).not.toBe(one.token);
    expect(new Set([one.source, changed.source, other.source]).size).toBe(3);
  });

  it('come from the dialog, and are null if it was cancelled', async () => {
    core.dialogs.files.push([await put('a.pdf', plainPdf('a')), folder]);
    expect(await core.must('files.choose', { kind: 'documents' })).toMatchObject([
      { name: 'a.pdf', isFolder: false },
      { isFolder: true },
    ]);
    expect(await core.must('files.choose', { kind: 'any' })).toBeNull();
  });

  it('arrive with an event for files from outside, without unusable files', async () => {
    const path = await put('arrived.pdf', plainPdf('arrived'));
    await core.core.arrive([at('nowhere'), path]);
    expect(await core.until('files.arrived', () => true)).toMatchObject([{ name: 'arrived.pdf' }]);
  });

  it('drops the oldest selections first', async () => {
    const path = await put('one.pdf', plainPdf('one'));
    const first = await scan('register', path);
    for (let round = 0; round < 50; round += 1) await scan('register', path);
    const page = { intakeId: first.id, which: 'files' as const, offset: 0, limit: 1 };
    expect(await core.ask('files.page', page)).toMatchObject({ ok: false, failure: { code: 'not-found' } });
  });
});
