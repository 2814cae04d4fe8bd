import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPdfSignatureReader } from '../../../electron/core/verify/pdf-signatures/pdf-signatures-client.ts';
import { nobody } from '../../../electron/core/verify/pdf-signatures/trust/known-signers.ts';
import { unsignedPdf } from '../../harness/signed-pdf.ts';

const root = resolve(import.meta.dirname, '..', '..', '..');
const worker = 'electron/core/verify/pdf-signatures/pdf-signatures-worker.ts';

/** What each file that the worker loads imports from elsewhere, as `names from module`. */
function importsOf(file: string, seen = new Map<string, string>()): ReadonlyMap<string, string> {
  if (seen.has(file)) return seen;
  const text = readFileSync(join(root, file), 'utf8');
  seen.set(file, text);
  for (const [, path = ''] of text.matchAll(/^(?:import(?! type)|export)[^;]*? from '(\.[^']+)';/gms))
    importsOf(relative(root, resolve(root, dirname(file), path)), seen);
  return seen;
}

describe('what reads files of strangers', () => {
  const files = importsOf(worker);

  it('can open neither a file nor a connection: it loads nothing that does', () => {
    const foreign = [...files.values()].flatMap((text) =>
      [...text.matchAll(/^import(?! type) ([^;]*?) from '([^.'][^']*)';/gms)].map(([, names, module]) =>
        module?.startsWith('@noble/') ? '@noble' : `${names?.replaceAll(/\s+/g, ' ')} from ${module}`,
      ),
    );
    const allowed = [
      '{ fstatSync, readSync } from node:fs',
      '{ parentPort, type ResourceLimits, Worker } from node:worker_threads',
    ];
    const isHarmless = (one: string) =>
      one === '@noble' || /node:(crypto|zlib|util)$/.test(one) || allowed.includes(one);
    expect(foreign.filter((one) => !isHarmless(one))).toEqual([]);
    expect(foreign).toContain(allowed[0]);
    const reach =
      /\b(?:fetch|WebSocket|require|getBuiltinModule|eval)\s*\(|\bimport\(|process\.(?:binding|dlopen)|new Function/;
    expect([...files].filter(([, text]) => reach.test(text)).map(([file]) => file)).toEqual([]);
  });
});

describe('the reader of signatures', () => {
  let folder: string;
  const log = { info: () => undefined, error: () => undefined };
  const knowNobody = () => Promise.resolve(nobody);
  const path = (name: string) => join(folder, name);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sealdesk-signatures-'));
    await writeFile(path('plain.pdf'), unsignedPdf().bytes);
    await writeFile(path('note.txt'), 'no PDF');
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('answers about a PDF, and nothing about another file unless it is asked to read it as one', async () => {
    const reader = createPdfSignatureReader(log, knowNobody);
    const [plain, note, asPdf] = await Promise.all([
      reader.describe(path('plain.pdf')),
      reader.describe(path('note.txt')),
      reader.describe(path('note.txt'), { isPdf: true }),
    ]);
    expect(plain).toMatchObject({ verdict: 'unsigned' });
    expect(note).toBeNull();
    expect(asPdf).toMatchObject({ verdict: 'undecidable', signatures: [] });
    await expect(reader.describe(path('missing.pdf'))).rejects.toMatchObject({ failure: { detail: 'file-missing' } });
    await reader.close();
  });

  it('ends what takes too long or is stopped, and reads the next file', async () => {
    const slow = createPdfSignatureReader(log, knowNobody, { ms: 0, heapMb: 64, idleMs: 1_000 });
    expect(await slow.describe(path('plain.pdf'))).toMatchObject({
      verdict: 'undecidable',
      reason: 'Reading the file takes too long.',
    });
    await slow.close();
    const reader = createPdfSignatureReader(log, knowNobody);
    const stopping = new AbortController();
    const stopped = reader.describe(path('plain.pdf'), { signal: stopping.signal });
    const next = reader.describe(path('plain.pdf'));
    stopping.abort();
    await expect(stopped).rejects.toMatchObject({ failure: { code: 'cancelled' } });
    expect(await next).toMatchObject({ signatures: [] });
    await reader.close();
    await expect(reader.describe(path('plain.pdf'))).rejects.toMatchObject({ failure: { code: 'cancelled' } });
  });
});
