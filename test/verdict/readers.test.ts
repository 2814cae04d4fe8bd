import { readFileSync } from 'node:fs';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { expect, it } from 'vitest';
import { readSide } from '../../electron/core/verify/pdf-signatures/changes/sides.ts';
import { findSignatures } from '../../electron/core/verify/pdf-signatures/signature-fields/find-signatures.ts';
import { bytesOf } from '../../electron/core/verify/pdf-signatures/structure/file-window.ts';
import { openDocument, type View } from '../../electron/core/verify/pdf-signatures/structure/pdf-document.ts';
import {
  emptyDictionary,
  isKind,
  nameOf,
  textOf,
} from '../../electron/core/verify/pdf-signatures/structure/pdf-values.ts';
import { describeBytes } from '../harness/describe-bytes.ts';
import { certified, forger, forgeries, plain, signed } from '../harness/forged-pdfs.ts';
import { laterRevision } from '../harness/later-revisions.ts';
import { hasCorpus, pathOf, readExpected } from './corpus.ts';

/** What a reader sees of a file; a page is its annotations, by the numbers of their objects, with the names and the texts of fields. */
interface Seen {
  readonly pages: readonly (readonly string[])[];
  /** By field: the byte range and the contents. */
  readonly signatures: readonly string[];
}

const sorted = (texts: readonly string[]) => [...texts].sort();

/** Without the zeros that fill the contents. */
function signatureText(field: string, range: readonly number[], contents: ArrayLike<number>): string {
  return `${field} ${range} ${Buffer.from(Array.from(contents))
    .toString('hex')
    .replace(/(00)+$/, '')}`;
}

/** There pdf.js decrypts the contents of signatures too, which are never encrypted. */
const isEncrypted = (bytes: Buffer) => bytes.includes('/Encrypt');

function seenHere(bytes: Buffer): Seen {
  const document = openDocument(bytesOf(bytes), '');
  const { pages, fields, view } = readSide(document.view(document.revisions.length - 1));
  const named = new Map(
    fields.flatMap((field) => {
      const text = field.type === 'Tx' ? (textOf(view.resolve(field.value)) ?? '') : '';
      return field.widgets.map(({ reference }) => [reference?.number, `${field.name}=${text}`] as const);
    }),
  );
  return {
    pages: pages.flatMap(({ page, annotations }) => {
      const numbers = annotations.flatMap((one) => (isKind(one, 'reference') ? one.number : []));
      if (page === null) return [];
      return [
        sorted(
          numbers.map((number) => `${number} ${named.get(number) ?? strayName(view, number)} ${lookOf(view, number)}`),
        ),
      ];
    }),
    signatures: sorted(
      findSignatures(document).map(({ field, range, contents }) => {
        const numbers = range ? [0, range.gap, range.rest, range.end - range.rest] : [];
        return signatureText(field, numbers, isEncrypted(bytes) ? [] : (contents?.bytes ?? []));
      }),
    ),
  };
}

/** pdf.js names a place that is in no form too. */
function strayName(view: View, number: number): string {
  const own = view.dictionary({ kind: 'reference', number, generation: 0 });
  if (nameOf(own?.entries.get('Subtype')) !== 'Widget') return '';
  const all = [own, view.dictionary(own?.entries.get('Parent'))];
  const [name, type, value] = ['T', 'FT', 'V'].map((key) => all.find((one) => one?.entries.has(key))?.entries.get(key));
  return `${textOf(name)}=${nameOf(type) === 'Tx' ? (textOf(value) ?? '') : ''}`;
}

/** The rectangle in hundredths of points, and whether it has an appearance, which says where and with what it is drawn. */
function lookOf(view: View, number: number): string {
  const { entries } = view.dictionary({ kind: 'reference', number, generation: 0 }) ?? emptyDictionary;
  const values = view.items(entries.get('Rect')).map((one) => view.resolve(one));
  const [left = 0, bottom = 0, right = 0, top = 0] = values.length === 4 ? values.map(Number) : [];
  const rect = [Math.min(left, right), Math.min(bottom, top), Math.max(left, right), Math.max(bottom, top)];
  const normal = view.resolve(view.dictionary(entries.get('AP'))?.entries.get('N'));
  const state = nameOf(view.resolve(entries.get('AS'))) ?? '';
  const drawn = isKind(normal, 'dictionary') ? view.resolve(normal.entries.get(state)) : normal;
  return `${rect.map((one) => Math.round(one * 100))} ${isKind(drawn, 'stream')}`;
}

async function seenByPdfJs(bytes: Buffer): Promise<Seen> {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0, useSystemFonts: false, stopAtErrors: true });
  try {
    const document = await task.promise;
    const pages: string[][] = [];
    for (let page = 1; page <= document.numPages; page++) {
      const annotations = await (await document.getPage(page)).getAnnotations();
      const told = annotations.map(({ id, fieldName, fieldType, fieldValue, rect, hasAppearance }) => {
        const field = fieldName === undefined ? '' : `${fieldName}=${fieldType === 'Tx' ? (fieldValue ?? '') : ''}`;
        const look = `${(rect as number[]).map((one) => Math.round(one * 100))} ${hasAppearance}`;
        return `${Number.parseInt(id, 10)} ${field} ${look}`;
      });
      pages.push(sorted(told));
    }
    const found = ((await document.getSignatures()) ?? []) as { id: string; fieldName: string; byteRange: number[] }[];
    const signatures = found.map(async ({ id, fieldName, byteRange }) => {
      const contents = (await document.getSignatureData(id))?.pkcs7 ?? [];
      return signatureText(fieldName, byteRange, isEncrypted(bytes) ? [] : contents);
    });
    return { pages, signatures: sorted(await Promise.all(signatures)) };
  } finally {
    await task.destroy();
  }
}

/* The preview shows people what pdf.js reads. Where that is something else than what was judged, nothing good may have been said. */
it('whatever pdf.js sees otherwise is never called unchanged, unsigned or added to as allowed', {
  timeout: 600_000,
}, async () => {
  const honest = {
    signed,
    twice: signed.sign({ signer: forger, field: 'Second' }),
    filled: certified(2).fill('name', 'Ana'),
    plain,
  };
  const files = new Map<string, () => Buffer>([
    ...Object.entries(honest).map(([name, { bytes }]) => [name, () => bytes] as const),
    ...Object.entries(forgeries),
    ...Array.from({ length: 100 }, (_, seed) => [`seed ${seed}`, () => laterRevision(seed).bytes] as const),
    ...(hasCorpus ? [...readExpected().keys()].map((file) => [file, () => readFileSync(pathOf(file))] as const) : []),
  ]);
  const wrong: string[] = [];
  let same = 0;
  for (const [name, read] of files) {
    const bytes = read();
    const { verdict } = await describeBytes(bytes);
    if (verdict === 'broken' || verdict === 'changed' || verdict === 'undecidable') continue;
    const theirs = await seenByPdfJs(bytes).catch((error: Error) => error.name);
    try {
      if (verdict === 'unsigned') {
        // Nothing is said of its pages; what pdf.js does not open shows nothing.
        expect(typeof theirs === 'string' ? [] : theirs.signatures).toEqual([]);
      } else expect(theirs).toEqual(seenHere(bytes));
      same += 1;
    } catch (error) {
      wrong.push(`${name}: ${verdict}: ${(error as Error).message}`);
    }
  }
  console.info(`${same} files of which something good is said are the same to pdf.js`);
  expect(wrong).toEqual([]);
});
