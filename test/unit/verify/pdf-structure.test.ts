import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Unreadable } from '../../../electron/core/verify/pdf-signatures/doubt.ts';
import { bytesOf } from '../../../electron/core/verify/pdf-signatures/structure/file-window.ts';
import { Lexer } from '../../../electron/core/verify/pdf-signatures/structure/lexer.ts';
import { describeBytes } from '../../harness/describe-bytes.ts';
import { processorMs } from '../../harness/processor-time.ts';
import { objectNumbers, unsignedPdf } from '../../harness/signed-pdf.ts';
import { makeSigner } from '../../harness/signers.ts';

const read = (text: string) => new Lexer(bytesOf(Buffer.from(text, 'latin1')), 0).value();
const textOf = (text: string) => {
  const value = read(text);
  return typeof value === 'object' && value?.kind === 'string' ? Buffer.from(value.bytes).toString('latin1') : value;
};

describe('A value', () => {
  it('is read as the standard writes it', () => {
    expect(read('null')).toBeNull();
    expect([read('true'), read('-.5'), read('+17'), read('1 0')]).toEqual([true, -0.5, 17, 1]);
    // Where viewers want a whole number they do not take a real one.
    expect(read('4.')).toBeCloseTo(4, 4);
    expect(read('4.')).not.toBe(4);
    expect(read('12 3 R')).toEqual({ kind: 'reference', number: 12, generation: 3 });
    expect(read('/A#20b')).toEqual({ kind: 'name', name: 'A b' });
    expect([textOf('(a\\(b\\051(c)\\n\\\r\n\\7)'), textOf('<48 65 6C 7>'), textOf('(a\r\nb)')]).toEqual([
      'a(b)(c)\n\x07',
      'Help',
      'a\nb',
    ]);
    expect(read('%x\n[ 1 %y\n<<>> ]')).toEqual({
      kind: 'array',
      items: [1, { kind: 'dictionary', entries: new Map() }],
    });
    expect(read(' <00ff>')).toMatchObject({ isHex: true, start: 1, end: 7 });
  });

  it.each([
    '',
    'nul',
    '1..2',
    '--1',
    '1e5',
    '(open',
    '<0g>',
    '<00',
    '[1',
    '<< /A 1',
    '<< A 1 >>',
    '<< /A 1 /A 1 >>',
    '<< /A 1 /#41 2 >>',
    '/A#0',
    '/A#00',
    '99999999999 0 R',
    '['.repeat(200),
    '<</A'.repeat(200),
    ')',
    '>>',
    '{1}',
  ])('is refused rather than guessed: %j', (text) => {
    expect(() => read(text)).toThrow(Unreadable);
  });
});

const signer = makeSigner({ key: 'p256' });
const signed = unsignedPdf().sign({ signer, field: 'First' });
const { page } = objectNumbers;

/** Behind the signature, written by hand. */
function withRevision(objects: readonly (readonly [number, string])[], { places = '', previous = '' } = {}): Buffer {
  const text = signed.bytes.toString('latin1');
  const last = /startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1] ?? '';
  let body = text;
  let rows = '';
  for (const [number, value] of objects) {
    rows += `${number} 1\n${String(body.length).padStart(10, '0')} 00000 n \n`;
    body += `${number} 0 obj\n${value}\nendobj\n`;
  }
  const at = body.length;
  body += `xref\n${rows}${places}trailer\n<< /Size 99 /Root 1 0 R /Prev ${previous || last} >>\nstartxref\n${at}\n%%EOF\n`;
  return Buffer.from(body, 'latin1');
}

const harmless = [50, '<< /Nothing true >>'] as const;
const place = (number: number, offset: number) => `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`;

describe('A revision behind a signature', () => {
  it('that is whole can be judged', async () => {
    expect((await describeBytes(withRevision([harmless]))).verdict).toBe('only-additions-allowed');
  });

  it.each([
    [
      'refers to itself',
      () =>
        withRevision([harmless], {
          previous: String(signed.bytes.length + '50 0 obj\n<< /Nothing true >>\nendobj\n'.length),
        }),
      'undecidable',
    ],
    ['refers to what is no list of places', () => withRevision([harmless], { previous: '9' }), 'undecidable'],
    ['gives an object two places', () => withRevision([harmless], { places: place(50, 9) }), 'undecidable'],
    [
      'gives an object the place of another',
      () => withRevision([], { places: place(page, signed.bytes.indexOf(`\n${objectNumbers.font} 0 obj`) + 1) }),
      'undecidable',
    ],
    [
      'has objects that overlap',
      () =>
        withRevision([[50, '<< /Length 17 >>\nstream\n51 0 obj 1 endobj\nendstream']], {
          places: place(51, signed.bytes.length + '50 0 obj\n<< /Length 17 >>\nstream\n'.length),
        }),
      'changed',
    ],
    [
      'has an object that it does not list',
      () => withRevision([[50, `<< >>\nendobj\n${page} 0 obj\n<< >>`]]),
      'changed',
    ],
    [
      'replaces a page without saying so twice',
      () => withRevision([[page, signed.object(page).replace('/MediaBox', '/Rotate 90 /MediaBox')]]),
      'changed',
    ],
    [
      'says the same thing twice',
      () => withRevision([[page, signed.object(page).replace('/MediaBox', '/Rotate 0 /Rotate 90 /MediaBox')]]),
      'undecidable',
    ],
    [
      'has a stream of another length',
      () => withRevision([[objectNumbers.content, '<< /Length 3 >>\nstream\nabcdef\nendstream']]),
      'undecidable',
    ],
  ])('that %s is not taken for a harmless one', async (_what, make, verdict) => {
    const answer = await describeBytes(make());
    expect(['undecidable', 'changed']).toContain(answer.verdict);
    expect(answer.verdict, answer.reason ?? '').toBe(verdict);
  });

  it('may repeat in a trailer behind its stream what leads nowhere', async () => {
    const { bytes } = unsignedPdf({ xref: 'stream' }).sign({ signer });
    const at = bytes.lastIndexOf('startxref');
    // The last revision is made longer by a trailer, and signed by nobody: what is asked is whether it can be read.
    const trailing = (entries: string) =>
      describeBytes(
        Buffer.concat([bytes.subarray(0, at), Buffer.from(`trailer\n<< ${entries} >>\n`), bytes.subarray(at)]),
      );
    expect((await trailing('/Size 9 /ID [(a) (b)]')).signatures).toHaveLength(1);
    for (const entries of ['/Root 1 0 R', '/Prev 9', '/Encrypt 9 0 R'])
      expect(await trailing(entries)).toMatchObject({ verdict: 'undecidable', signatures: [] });
  });

  it('is followed by some white space, not by so much that readers do not find it', async () => {
    const followed = (bytes: number) => describeBytes(Buffer.concat([signed.bytes, Buffer.alloc(bytes)]));
    expect((await followed(1_000)).verdict).toBe('unchanged');
    expect((await followed(2_000)).verdict).toBe('undecidable');
    const usedMs = await processorMs(async () => {
      expect(await followed(100_000_000)).toMatchObject({ verdict: 'undecidable' });
    });
    expect(usedMs).toBeLessThan(1_500);
  });

  it('is one of at most a thousand', async () => {
    let pdf = signed;
    for (let count = 0; count < 120; count++) pdf = pdf.replace({ 50: `<< /Count ${count} >>` });
    const usedMs = await processorMs(async () => {
      expect(await describeBytes(pdf.bytes)).toMatchObject({ verdict: 'only-additions-allowed' });
    });
    expect(usedMs).toBeLessThan(1_000);
  });
});

it('What reads files that anybody may have made needs no other library than these', () => {
  const root = new URL('../../../electron/core/verify/pdf-signatures/', import.meta.url);
  // Of the window's contract the words of the answer alone, and the sentences why.
  const words = ['contract/pdf-signatures.ts', 'locales/en/shared/file-reasons.ts'].map(
    (one) => `../../../../../${one}`,
  );
  const allowed = /^(\.{1,2}\/|@noble\/(curves|hashes)\/|node:(crypto|zlib)$)/;
  for (const folder of ['answer', 'changes', 'cms', 'signature-fields', 'structure'])
    for (const name of readdirSync(new URL(`${folder}/`, root))) {
      const source = readFileSync(new URL(`${folder}/${name}`, root), 'utf8');
      const imported = [...source.matchAll(/(?:from|import\() ?'([^']+)'/g)].map(([, one = '']) => one);
      const others = imported.filter((one) => !words.includes(one) && (!allowed.test(one) || one.startsWith('../../')));
      expect(others, name).toEqual(name === 'open-descriptor.ts' ? ['node:fs'] : []);
    }
  const { length } = [
    ...readFileSync(new URL('answer/open-descriptor.ts', root), 'utf8').matchAll(
      /\b(openSync|readFile\w*|write\w*)\b/g,
    ),
  ];
  expect(length).toBe(0);
});
