import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerViewerRequest, viewerPolicy } from '../../electron/shell/page-files.ts';
import { type RunningCore, startCore } from '../harness/core.ts';
import { plainPdf } from '../harness/pdf.ts';

describe('looking at files', () => {
  let running: RunningCore;
  let folder = '';
  const path = (name: string) => join(folder, name);
  const bytes = plainPdf('a file to look at');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealdesk-look-'));
    await writeFile(path('a.pdf'), bytes);
    await writeFile(path('b.txt'), 'no PDF');
    await writeFile(path('c.desktop'), bytes);
    running = await startCore({ host: 'desktop' });
  });
  afterAll(async () => {
    await running.stop();
    await rm(folder, { recursive: true });
  });

  async function intakeOf(...names: readonly string[]): Promise<string> {
    const tokens = await Promise.all(names.map((name) => running.core.acceptPath(path(name))));
    const input = { tokens: tokens.map(({ token }) => token), purpose: 'verify' } as const;
    return (await running.must('files.scan', input)).id;
  }
  const fileOf = async (name: string) => ({ of: 'intake', intakeId: await intakeOf(name), index: 0 }) as const;
  const viewer = (address: string, range?: string) =>
    answerViewerRequest(
      folder,
      (token) => running.core.previewedFile(token),
      new Request(address, range ? { headers: { Range: range } } : {}),
    );

  it('gives a PDF’s bytes out in parts, by a token, until it is closed', async () => {
    const { token, name, sizeBytes } = await running.must('preview.open', { file: await fileOf('a.pdf') });
    expect({ name, sizeBytes }).toEqual({ name: 'a.pdf', sizeBytes: bytes.length });
    const part = await viewer(`app://viewer/bytes/${token}`, 'bytes=5-14');
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 5-14/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer())).toEqual(bytes.subarray(5, 15));
    const end = await viewer(`app://viewer/bytes/${token}`, `bytes=${bytes.length - 3}-99999999`);
    expect(Buffer.from(await end.arrayBuffer())).toEqual(bytes.subarray(-3));
    for (const range of [undefined, 'bytes=-5', 'bytes=9-', 'bytes=9-3', 'bytes=0-1,5-6', `bytes=${bytes.length}-`]) {
      expect([range, (await viewer(`app://viewer/bytes/${token}`, range)).status]).toEqual([range, 416]);
    }
    await running.must('preview.close', { token });
    expect((await viewer(`app://viewer/bytes/${token}`, 'bytes=0-1')).status).toBe(404);
  });

  it('shows a file that was chosen by itself, and only a PDF', async () => {
    const of = async (name: string) => {
      const { token } = await running.core.acceptPath(path(name));
      return { file: { of: 'token', token } } as const;
    };
    expect((await running.must('preview.open', await of('a.pdf'))).name).toBe('a.pdf');
    expect(await running.ask('preview.open', await of('b.txt'))).toMatchObject({ failure: { detail: 'file-not-pdf' } });
    const unknown = { file: { of: 'token', token: crypto.randomUUID() } } as const;
    expect(await running.ask('preview.open', unknown)).toMatchObject({ failure: { code: 'not-found' } });
  });

  it('gives nothing out of a file that is not the one that was opened', async () => {
    await writeFile(path('d.pdf'), bytes);
    const { token } = await running.must('preview.open', { file: await fileOf('d.pdf') });
    await writeFile(path('d.pdf'), Buffer.concat([bytes, bytes]));
    expect(await running.core.previewedFile(token)).toBeNull();
  });

  it('keeps five looks open, no more', async () => {
    const file = await fileOf('a.pdf');
    const tokens: string[] = [];
    for (let n = 0; n < 6; n += 1) tokens.push((await running.must('preview.open', { file })).token);
    expect(new Set(tokens).size).toBe(6);
    const found = await Promise.all(tokens.map((token) => running.core.previewedFile(token)));
    expect(found.map((one) => one !== null)).toEqual([false, true, true, true, true, true]);
  });

  it('looks at files of a verification, and only at PDFs', async () => {
    const run = await running.must('verify.start', {
      connectionId: (await running.must('connections.state', {})).currentId,
      intakeId: await intakeOf('a.pdf', 'b.txt'),
    });
    await running.untilTask('verification', (task) => task.taskId === run.runId && task.state === 'done');
    const of = (index: number) => ({ file: { of: 'run', runId: run.runId, index } }) as const;
    expect((await running.must('preview.open', of(0))).name).toBe('a.pdf');
    expect(await running.ask('preview.open', of(1))).toMatchObject({ failure: { detail: 'file-not-pdf' } });
    expect(await running.ask('preview.open', of(2))).toMatchObject({ failure: { code: 'not-found' } });
    await running.must('preview.showInFolder', of(1));
    expect(running.shown.at(-1)).toBe(path('b.txt'));
  });

  it('hands nothing to another program that the system might run', async () => {
    await running.must('preview.openOutside', { file: await fileOf('a.pdf') });
    expect(running.shown.at(-1)).toBe(path('a.pdf'));
    for (const name of ['b.txt', 'c.desktop']) {
      const answer = await running.ask('preview.openOutside', { file: await fileOf(name) });
      expect([name, answer]).toMatchObject([name, { failure: { detail: 'file-not-pdf' } }]);
    }
    expect(running.shown.at(-1)).toBe(path('a.pdf'));
  });

  it('serves the viewer’s own files only, under a policy without outside, eval or frames', async () => {
    await writeFile(path('index.html'), 'viewer');
    expect((await viewer('app://viewer/index.html')).status).toBe(200);
    for (const address of [
      'app://viewer/b.txt',
      'app://viewer/..%2findex.html',
      'app://viewer/.hidden.js',
      'app://viewer/bytes/',
      'app://viewer/bytes/short',
      `app://viewer/bytes/${'A'.repeat(32)}`,
      'app://elsewhere/index.html',
    ]) {
      expect([address, (await viewer(address, 'bytes=0-1')).status]).toEqual([address, 404]);
    }
    const policy = viewerPolicy();
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain('frame-ancestors app://sealdesk');
  });
});
