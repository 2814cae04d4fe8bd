import { gzipSync } from 'node:zlib';
import type { Random } from './random.ts';

const names = [
  'a',
  's:Body',
  'Fault',
  '__proto__',
  'constructor',
  'x:y:z',
  'Ä',
  'GetVersionResult',
  'ESignList',
  '-',
  '',
];
const uris = [
  '',
  'urn:x',
  'http://www.w3.org/2003/05/soap-envelope',
  'http://schemas.xmlsoap.org/soap/envelope/',
  '&x;',
];
const texts = [
  ...[
    '',
    ' ',
    '-121',
    '-99999999999',
    '-0',
    '0',
    '1e999',
    'NaN',
    'null',
    '__proto__',
    '\u202e',
    '\u0000',
    '\ufeff',
    ']]>',
  ],
  ...[
    '&#0;',
    '&#x110000;',
    '&x;',
    '&amp;amp;',
    '&',
    '<',
    '<![CDATA[x]]>',
    '<!-- x -->',
    '<?x y?>',
    '%PDF',
    'QUJD',
    'QQ==QQ==',
  ],
  ...['99999-99-99T99:99:99', '2026-02-30T25:00:00Z', 'true', '9'.repeat(400), 'x'.repeat(70_000), '\ud800'],
];
const doctypes = [
  '<!DOCTYPE a>',
  '<!DOCTYPE html>',
  '<!DOCTYPE a [<!ENTITY x "y">]>',
  '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
];

/** Start tags, end tags, other markup and texts, as they follow each other. */
const piecesOf = (xml: string) => xml.match(/<[^>]*>|[^<]+/g) ?? [];

type Change = (pieces: string[], random: Random) => void;

const at = (pieces: readonly string[], random: Random) => random.below(pieces.length + 1);
const tagAt = (pieces: readonly string[], random: Random) => {
  const tags = pieces.flatMap((piece, index) => (piece.startsWith('<') ? [index] : []));
  return random.one(tags.length > 0 ? tags : [0]);
};
const replaced = (pieces: string[], index: number, change: (piece: string) => string) => {
  pieces[index] = change(pieces[index] ?? '');
};

/** Changes of the structure, each with a purpose: names, namespaces, nesting, order, texts, markup. */
const changes: readonly Change[] = [
  (pieces, random) =>
    replaced(pieces, tagAt(pieces, random), (tag) => tag.replace(/^<(\/?)[^\s/>]+/, `<$1${random.one(names)}`)),
  (pieces, random) =>
    replaced(pieces, tagAt(pieces, random), (tag) =>
      tag.replace(/(xmlns(?::\w+)?)="[^"]*"/, `$1="${random.one(uris)}"`),
    ),
  (pieces, random) =>
    replaced(pieces, tagAt(pieces, random), (tag) =>
      tag.replace(/\/?>$/, ` ${random.one(names)}="${random.one(texts).slice(0, 200)}">`),
    ),
  (pieces, random) =>
    replaced(pieces, tagAt(pieces, random), (tag) =>
      tag.replace(/>$/, ' xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true">'),
    ),
  (pieces, random) => void pieces.splice(tagAt(pieces, random), 1),
  (pieces, random) => void pieces.splice(at(pieces, random), random.below(4)),
  (pieces, random) => {
    const from = at(pieces, random);
    pieces.splice(at(pieces, random), 0, ...pieces.slice(from, from + 1 + random.below(8)));
  },
  (pieces, random) => {
    const from = at(pieces, random);
    const moved = pieces.splice(from, 1 + random.below(6));
    pieces.splice(at(pieces, random), 0, ...moved);
  },
  (pieces, random) => void pieces.splice(at(pieces, random), 0, random.one(texts)),
  (pieces, random) => {
    const index = pieces.findIndex((piece, here) => !piece.startsWith('<') && here >= random.below(pieces.length));
    if (index >= 0) pieces[index] = random.one(texts);
  },
  (pieces, random) => void pieces.splice(at(pieces, random), 0, `<${random.one(names)}>`.repeat(1 + random.below(80))),
  (pieces, random) =>
    void pieces.splice(at(pieces, random), 0, `<a>${random.one(texts)}</a>`.repeat(1 + random.below(300))),
  (pieces, random) => void pieces.splice(1, 0, random.one(doctypes)),
  (pieces, random) => void pieces.splice(at(pieces, random), pieces.length),
  (pieces, random) =>
    replaced(pieces, random.below(pieces.length), (piece) => piece.slice(0, random.below(piece.length + 1))),
];

/** A text of XML with one to five changes of its structure. */
export function mutatedXml(xml: string, random: Random): string {
  const pieces = [...piecesOf(xml)];
  for (let left = random.chance(3) ? 1 + random.below(5) : 1; left > 0; left--) random.one(changes)(pieces, random);
  return pieces.join('');
}

/** The bytes of a text in some encoding, sometimes damaged. */
export function encodedAs(text: string, random: Random): Buffer {
  const bytes = Buffer.from(
    random.chance(12) ? `\ufeff${text}` : text,
    random.one(['utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'utf8', 'utf16le', 'latin1'] as const),
  );
  return damaged(random.chance(20) && bytes.length % 2 === 0 ? bytes.swap16() : bytes, random);
}

/** Bytes with, now and then, some of them changed, doubled or missing. */
export function damaged(bytes: Buffer, random: Random, times = 12): Buffer {
  if (!random.chance(times) || bytes.length === 0) return bytes;
  const from = random.below(bytes.length);
  const other = Buffer.from(Array.from({ length: random.below(4) }, () => random.below(256)));
  const [before, behind] = [bytes.subarray(0, from), bytes.subarray(from + random.below(8))];
  return random.chance(2) ? before : Buffer.concat([before, other, behind]);
}

/** The bytes in chunks of any sizes. */
export function chunksOf(bytes: Buffer, random: Random): Buffer[] {
  const most = random.one([1, 3, 7, 64, 1_000, 100_000]);
  const chunks: Buffer[] = [];
  const whole = bytes.length > 20_000 && most < 64 ? 64 : most;
  for (let from = 0; from < bytes.length; ) {
    const to = from + 1 + random.below(whole);
    chunks.push(bytes.subarray(from, to));
    from = to;
  }
  return chunks;
}

export const gzipped = (bytes: Buffer, random: Random) => damaged(gzipSync(bytes), random, 3);

/** A value of JSON with some of its parts replaced by others of another kind. */
export function mutatedJson(value: unknown, random: Random, depth = 0): unknown {
  if (random.chance(5 + depth))
    return random.one<unknown>([null, true, -1, 1e308, 2 ** 31, '', [], {}, ...texts, [[]], { a: 1 }]);
  if (Array.isArray(value)) {
    const kept = value.filter(() => !random.chance(8)).map((one) => mutatedJson(one, random, depth + 1));
    return random.chance(10) ? [...kept, ...kept, null] : kept;
  }
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value)
    .filter(() => !random.chance(10))
    .map(([name, one]) => [random.chance(30) ? random.one(names) : name, mutatedJson(one, random, depth + 1)] as const);
  return Object.fromEntries(random.chance(20) ? [...entries, [random.one(names), random.one(texts)]] : entries);
}
