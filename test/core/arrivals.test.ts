import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openReceivedFiles } from '../../electron/core/files/received-files.ts';
import { startCore } from '../harness/core.ts';
import { encryptedPdf, plainPdf } from '../harness/pdf.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sealdesk-arrivals-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function* stream(...chunks: readonly Uint8Array[]) {
  yield* chunks;
}
const kept = async () => (await readdir(join(dataDir, 'arrived'), { recursive: true })).length;
const nothing = () => new Set<string>();
const runs = (...alive: string[]) => ({ runId: 'own', isAlive: (id: string) => id === 'own' || alive.includes(id) });

describe('a file without a path', () => {
  it('is kept as it came, looked at like any other, and gone when the program ends', async () => {
    const core = await startCore({ dataDir });
    const pdf = plainPdf('from a mail');
    const good = await core.core.acceptStream('letter.pdf', stream(pdf.subarray(0, 100), pdf.subarray(100)));
    const locked = await core.core.acceptStream('locked.pdf', stream(encryptedPdf('trailer')));
    const empty = await core.core.acceptStream('empty.pdf', stream());
    expect(good).toMatchObject({ name: 'letter.pdf', isFolder: false });
    const tokens = [good.token, locked.token, empty.token];
    const intake = await core.must('files.scan', { tokens, purpose: 'register' });
    expect(intake.files).toEqual([
      { index: 0, name: 'letter.pdf', folder: '', sizeBytes: pdf.length, token: good.token },
    ]);
    expect(intake.skipped.map(({ name, reason }) => [name, reason])).toEqual([
      ['locked.pdf', 'file-encrypted'],
      ['empty.pdf', 'file-empty'],
    ]);
    expect(await kept()).toBe(4);
    await core.stop();
    expect(await kept()).toBe(0);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\letter.pdf', 'letter.pdf'],
    ['a\u0000b\r\n.pdf', 'ab.pdf'],
    ['invoice\u202efdp.exe', 'invoicefdp.exe'],
    ['', 'file'],
    ['///', 'file'],
    [`${'n'.repeat(500)}.pdf`, 'n'.repeat(300)],
    ['half \ud83d', 'half'],
    ['Straße 😀.pdf', 'Straße 😀.pdf'],
  ])('has a harmless name: %j', async (given, shown) => {
    const core = await startCore({ dataDir });
    expect((await core.core.acceptStream(given, stream(Buffer.from('x')))).name).toBe(shown);
    await core.stop();
  });

  it('that is too large leaves nothing behind', async () => {
    const arrivals = await openReceivedFiles(dataDir, runs(), nothing, { fileBytes: 10, runBytes: 15 });
    const tooLarge = { failure: { code: 'bad-input' } };
    await expect(arrivals.take(stream(Buffer.alloc(6), Buffer.alloc(6)))).rejects.toMatchObject(tooLarge);
    expect(await kept()).toBe(1);
    await arrivals.take(stream(Buffer.alloc(10)));
    await expect(arrivals.take(stream(Buffer.alloc(6)))).rejects.toMatchObject(tooLarge);
    await arrivals.take(stream(Buffer.alloc(5)));
    expect(await kept()).toBe(3);
  });

  it('that breaks off leaves nothing behind', async () => {
    const arrivals = await openReceivedFiles(dataDir, runs(), nothing);
    const broken = async function* () {
      yield Buffer.from('half');
      throw new Error('the mail client went away');
    };
    await expect(arrivals.take(broken())).rejects.toThrow('went away');
    expect(await kept()).toBe(1);
  });
});

describe('what earlier runs left', () => {
  it('is removed, except that of a program that still runs', async () => {
    for (const run of ['dead', 'alive']) {
      await mkdir(join(dataDir, 'arrived', run), { recursive: true });
      await writeFile(join(dataDir, 'arrived', run, 'file'), run);
    }
    await openReceivedFiles(dataDir, runs('alive'), nothing);
    expect(await readdir(join(dataDir, 'arrived'))).toEqual(['alive']);
    expect(await readFile(join(dataDir, 'arrived', 'alive', 'file'), 'utf8')).toBe('alive');
  });
});
