import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDocumentSink } from '../../../practice/wire/document-sink.ts';
import { SoapFault } from '../../../practice/wire/faults.ts';
import { RequestScanner } from '../../../practice/wire/request-scanner.ts';
import { atLength } from '../../harness/test-length.ts';
import { envelope, newFolder } from './practice-client.ts';

const namespaceUri = 'http://practice.sealdesk.example/';

/** A small generator with a seed, so that a failure can be repeated. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

async function scan(folder: string, text: Buffer, chunkSize: () => number) {
  const scanner = new RequestScanner({
    version: '1.1',
    path: 'main',
    namespaceUri,
    wireName: (name) => name,
    ignoresUnknown: false,
    accepts: () => true,
    openSink: () => openDocumentSink(join(folder, randomUUID()), 1e9),
    onOperation: () => undefined,
  });
  try {
    for (let at = 0; at < text.length; ) {
      const end = at + chunkSize();
      await scanner.push(text.subarray(at, end));
      at = end;
    }
    const { children } = await scanner.finish();
    const document = children.get('Document');
    const bytes = document && typeof document === 'object' ? await readFile(document.path) : null;
    return { children, document, bytes };
  } finally {
    await scanner.discard();
  }
}

/** The same bytes in one of the many ways in which clients write them. */
function written(bytes: Buffer, random: (below: number) => number): string {
  const text = bytes.toString('base64');
  const line = 1 + random(90);
  const wrapped = () =>
    (text.match(new RegExp(`.{1,${line}}`, 'g')) ?? []).join(['\n', '\r\n', ' ', '&#xD;\n', '&#10;'][random(5)]);
  const middle = random(text.length + 1);
  const [a, b] = [text.slice(0, middle), text.slice(middle)];
  return (
    [
      () => text,
      wrapped,
      () => `\n  ${wrapped()}\n`,
      () => `<![CDATA[${text}]]>`,
      () => `${a}<!-- > a comment -->${b}`,
      () => `${a}<![CDATA[${b}]]>`,
      () => `<![CDATA[${a}]]>${b}<?pi >?>`,
    ][random(7)] ?? (() => text)
  )();
}

const rounds = atLength({ short: 150, ci: 300, all: 600 });

test('a document arrives whole, however its base64 is written and split', async () => {
  const folder = await newFolder();
  const seed = Date.now() % 1_000_000;
  const random = randomOf(seed);
  for (let round = 0; round < rounds; round++) {
    const bytes = Buffer.from(Array.from({ length: random(400) }, () => random(256)));
    const name = ['plain', 'ünï > € 🙂', '&lt;a&gt;'][random(3)] ?? '';
    const inner = `<apiKey>k</apiKey><Document>${written(bytes, random)}</Document><creditType>1</creditType><DocumentName>${name}</DocumentName>`;
    const text = Buffer.from(envelope('1.1', namespaceUri, 'AddNewDocument', inner), 'utf8');
    const largest = [1, 2, 7, 100, 10_000][random(5)] ?? 1;
    const found = await scan(folder, text, () => 1 + random(largest));
    expect(found.bytes?.equals(bytes), `seed ${seed}, round ${round}`).toBe(true);
    expect(found.children.get('DocumentName')).toBe(name.replace('&lt;', '<').replace('&gt;', '>'));
    expect(found.document).toMatchObject({
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
  }
  expect(await readdir(folder)).toEqual([]);
});

test('a large document crosses every block boundary', async () => {
  const folder = await newFolder();
  const bytes = Buffer.alloc(3_000_001, 'A document of some size. ');
  const inner = `<Document>${bytes.toString('base64')}</Document>`;
  const text = Buffer.from(envelope('1.1', namespaceUri, 'AddNewDocument', inner));
  for (const size of [65_536, 65_537, 1_000_003]) {
    const found = await scan(folder, text, () => size);
    expect(found.bytes?.equals(bytes)).toBe(true);
  }
});

test('bad base64 is found at any position, and leaves no file', async () => {
  const folder = await newFolder();
  const good = Buffer.alloc(200_000, 'x').toString('base64');
  for (const bad of ['*', '-', '_', '=', '\u00e4', '&amp;', '&#42;'])
    for (const at of [0, 1, 70_000, good.length - 1]) {
      const inner = `<Document>${good.slice(0, at)}${bad}${good.slice(at + 1)}</Document>`;
      const text = Buffer.from(envelope('1.1', namespaceUri, 'AddNewDocument', inner));
      const scanned = scan(folder, text, () => 65_536);
      if (bad === '=' && at === good.length - 1) await scanned;
      else await expect(scanned, `${bad} at ${at}`).rejects.toBeInstanceOf(SoapFault);
    }
  expect(await readdir(folder)).toEqual([]);
});
