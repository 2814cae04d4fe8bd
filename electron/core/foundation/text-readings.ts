/** What a text may mean: with its escapes resolved, its dumps of bytes read, and without what nobody sees or what breaks lines. */

/** A text that was read out of another, and where the part from `from` to `to` stands in the original. */
export interface Reading {
  readonly text: string;
  readonly origin: (from: number, to: number) => readonly [from: number, to: number];
}

/** Signs that nobody sees: joiners, soft hyphens, selectors, marks of direction. */
const invisible = String.raw`\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\u{e0000}-\u{e007f}`;
const lineEnd = String.raw`(?:[\r\n]|\\{1,4}[rn])`;
/** What stands between two characters without a meaning, or before one; also the character in the place of one that XML forbids. */
const between = new RegExp(String.raw`\\{1,4}[rn]?|[\0\ufffd${invisible}]|\p{M}|(?<!\s)\s{1,4}(?!\s)`, 'giu');
/** An element, the name before the text of one in a line of its own, and a name that HTML has for a sign. */
export const markup = new RegExp(
  String.raw`<[/!?]?[a-z][^<>]{0,200}>|${lineEnd}[\p{L}_][\p{L}\p{N}_.-]{0,100}:|&[a-z][a-z0-9]{1,30};`,
  'giu',
);

/** A character of UTF-8, each byte behind this sign. */
const bytesBehind = (sign: string) =>
  `${sign}(?:[0-7][0-9a-f]|[cd][0-9a-f]${sign}[89ab][0-9a-f]|e[0-9a-f](?:${sign}[89ab][0-9a-f]){2}|f[0-7](?:${sign}[89ab][0-9a-f]){3}|[0-9a-f]{2})`;
/** References of XML, escapes of URLs and of strings. */
const escapes = new RegExp(
  [
    '&(?:amp|lt|gt|quot|apos);',
    '&#0{0,8}(?:x[0-9a-f]{1,14}|[0-9]{1,8});',
    '&#0{0,8}(?:x0{0,8}[2-9a-f][0-9a-f]|[12][0-9]{2}|[3-9][0-9])',
    bytesBehind('%'),
    String.raw`\\{1,4}(?:u\{0{0,4}[0-9a-f]{1,6}\}|u[0-9a-f]{4}|x[0-9a-f]{2}|0)`,
  ].join('|'),
  'gi',
);
const names: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const references = Object.keys(names).map((name) => `${name};`);

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** The character that such bytes are, of UTF-8 or else of Latin-1. */
function characterOf(bytes: string): string {
  const read = Buffer.from(bytes.replace(/[%=]/g, ''), 'hex');
  const text = read.toString();
  return (text.includes('\ufffd') ? read.toString('latin1') : text).replace('\0', '');
}

function resolveEscape(written: string): string {
  if (written.startsWith('&#')) {
    const [, isHex, digits = ''] = /^&#0*(x?)([0-9a-f]+)/i.exec(written) ?? [];
    return character(Number.parseInt(digits, isHex ? 16 : 10));
  }
  if (written.startsWith('&')) return names[written.slice(1, -1).toLowerCase()] ?? '';
  if (written.startsWith('%')) return characterOf(written);
  return character(Number.parseInt(written.replace(/^\\+[ux]?\{?/i, ''), 16));
}

type Meaning = readonly [pattern: RegExp, read: (part: string) => string];

/** Bytes as octal numbers behind backslashes, and in quoted-printable. */
const byteEscapes: readonly Meaning[] = [
  [/\\{1,4}0{0,2}(?:[1-3][0-7]{2}|[4-7][0-7])/g, (part) => character(Number.parseInt(part.replace(/\\/g, ''), 8))],
  [
    new RegExp(`${bytesBehind('=')}|=${lineEnd}{1,4}`, 'gi'),
    (part) => (/^=[0-9a-f]/i.test(part) ? characterOf(part) : ''),
  ],
  [/(?<=[0-9a-f]{2})\\{1,4}x(?=[0-9a-f]{2})/gi, () => ''],
];
/** Bytes in hex with signs between, and as decimal numbers. */
const dumps: readonly Meaning[] = [
  [/(?<=[0-9a-f]{2})(?:[\s:,;-]{1,2}(?:0x|\\{1,4}x)?|0x)(?=[0-9a-f]{2})/gi, () => ''],
  [
    /(?:(?<=[0-9])[\s:,;-]{1,2})?(?<![0-9])[0-9]{1,5}(?![0-9])/g,
    (part) => {
      const byte = Number(part.replace(/^\D+/, ''));
      return byte < 256 ? character(byte) : part;
    },
  ],
];

/** The same text with what `pattern` finds replaced by what it means; null if there is nothing. */
export function derive(parent: Reading, pattern: RegExp, read: (part: string) => string): Reading | null {
  /** Four numbers for each replacement: its place and length here, and its beginning and end in the parent. */
  const edits: number[] = [];
  let grown = 0;
  const text = parent.text.replace(pattern, (part: string, offset: number) => {
    const meaning = read(part);
    edits.push(offset + grown, meaning.length, offset, offset + part.length);
    grown += meaning.length - part.length;
    return meaning;
  });
  if (edits.length === 0) return null;
  const parentOf = (at: number): readonly [number, number] => {
    let [low, high] = [0, edits.length / 4];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((edits[middle * 4] as number) <= at) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return [at, at + 1];
    const [place = 0, length = 0, from = 0, to = 0] = edits.slice(low * 4 - 4, low * 4);
    if (at < place + length) return [from, to];
    const moved = to + at - place - length;
    return [moved, moved + 1];
  };
  return { text, origin: (from, to) => parent.origin(parentOf(from)[0], parentOf(to - 1)[1]) };
}

/** Escapes are resolved this often: of URLs and XML they may be escaped again, twice. */
const mostLevels = 3;

/** The reading, and with its escapes resolved once, twice, … */
function levelsFrom(first: Reading): Reading[] {
  const readings: Reading[] = [first];
  let level: Reading | null = first;
  for (let times = 0; times < mostLevels && level; times += 1) {
    level = derive(level, escapes, resolveEscape);
    if (level) readings.push(level);
  }
  return readings;
}

/** Each level also without what stands between characters. */
const resolved = (first: Reading): Reading[] =>
  levelsFrom(first).flatMap((one) => [one, derive(one, between, () => '') ?? one]);

export const asItIs = (text: string): Reading => ({ text, origin: (from, to) => [from, to] });
export const levelsOf = (text: string): Reading[] => levelsFrom(asItIs(text));

/** Every way in which a text may be read. */
export function readingsOf(text: string): Reading[] {
  const plain = asItIs(text);
  const meanings = hasDump(text) ? [...byteEscapes, ...dumps] : byteEscapes;
  const read = meanings.map(([pattern, meaning]) => derive(plain, pattern, meaning)).filter((one) => one !== null);
  return [...new Set([plain, ...read].flatMap(resolved))];
}

/** The secret as a text in which it stands is read: without its own backslashes and spaces, and with what looks like an escape resolved. */
export function readAsText(secret: string): string[] {
  return resolved(asItIs(secret)).map(({ text }) => text);
}

const neverUsual = String.raw`\0-\x1f\\\x7f-\xbf\u0132\u0133\u013f\u0140\u0149\u017f-\uffff`;
/** Characters with which an escape begins, that break a line, or that Unicode has in several forms; as in the brackets of an expression. */
export const unusualCharacters = `%&=${neverUsual}`;
/** What may be read in more than one way, or without its markup; dumps of bytes aside. */
export const someEscape = new RegExp(`[${neverUsual}]|&(?:#|[a-z][a-z0-9]{1,30};)|<[a-z/!?]|[%=][0-9a-f]{2}`, 'i');

/** The text with the five references resolved that XML itself defines by a name. */
export function withoutReferences(text: string): string {
  let read = '';
  let from = 0;
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    const name = references.find((one) => text.startsWith(one, at + 1));
    if (!name) continue;
    read += text.slice(from, at) + names[name.slice(0, -1)];
    from = at + 1 + name.length;
  }
  return from === 0 ? text : read + text.slice(from);
}

/** By character: what a dump of bytes consists of. */
const separator = 1;
const digit = 2;
const kinds = new Uint8Array(2 ** 16);
for (const sign of ' \t\n\v\f\r:,;-') kinds[sign.charCodeAt(0)] = separator;
for (const sign of '0123456789abcdefxABCDEFX') kinds[sign.charCodeAt(0)] = digit;

/** Before its last a dump has at least as many bytes, each of so many digits at most. */
const leastBytes = 5;
const mostDigits = 5;
/** Of the shortest dump, six bytes of two digits with signs between, two characters at this distance are always looked at. */
const stride = 8;

/** False if the characters up to `at` are no part of a dump, nor of what touches one: a foreign one is among them, or more of a long number than can be beside a dump. */
function mayBeDump(units: Uint16Array, at: number): boolean {
  let digits = 0;
  for (let one = at - stride; one <= at; one += 1) {
    const kind = kinds[units[one] as number];
    if (kind === 0) return false;
    digits = kind === digit ? digits + 1 : 0;
    if (digits > mostDigits + 1) return false;
  }
  return true;
}

/** The end of the dump that begins somewhere at or before `at`; negative if what ends there is none. */
function dumpEnd(units: Uint16Array, at: number): number {
  let from = at;
  while (from > 0 && kinds[units[from - 1] as number] !== 0) from -= 1;
  let bytes = 0;
  let digits = 0;
  for (let end = from; ; end += 1) {
    const kind = end < units.length ? kinds[units[end] as number] : 0;
    if (kind === 0) return -end;
    if (kind === digit) digits += 1;
    else {
      if (digits > mostDigits) bytes = 0;
      else if (digits > 0) bytes += 1;
      if (bytes === leastBytes) return end;
      digits = 0;
    }
  }
}

/** True if a part of the text may be a list of bytes. */
export function hasDump(text: string, units = unitsOf(text)): boolean {
  for (let at = stride; at < units.length; at += stride) {
    if (kinds[units[at] as number] === 0) at += stride;
    else if (kinds[units[at - stride] as number] !== 0 && mayBeDump(units, at)) {
      const end = dumpEnd(units, at);
      if (end > 0) return true;
      at = -end;
    }
  }
  return false;
}

/** False for most texts: they can be read in one way only. */
export const hasReadings = (text: string): boolean => someEscape.test(text) || hasDump(text);

export const hidden = '•••';

export type Ranges = [from: number, to: number][];

/** A text is looked through in parts of this length, so that what is noted about its escapes stays small. */
const partUnits = 128 * 1024;

/** The parts of a text, each with the beginning of the next. */
export function* partsOf(text: string, overlap: number): Generator<{ readonly at: number; readonly part: string }> {
  for (let at = 0; at < text.length; at += partUnits) yield { at, part: text.slice(at, at + partUnits + overlap) };
}

/** The text with something else in the place of these parts, which may overlap. */
export function withoutRanges(text: string, found: Ranges): string {
  if (found.length === 0) return text;
  found.sort(([a], [b]) => a - b);
  let clean = '';
  let end = 0;
  for (const [from, to] of found) {
    if (from >= end) clean += text.slice(end, from) + hidden;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}

/** Most texts that are looked through are shorter, and share one memory. */
const sharedUnits = 64 * 1024;
const shared = new Uint16Array(sharedUnits);
const sharedBytes = Buffer.from(shared.buffer);

/** The characters of a text as numbers, which are read several times faster than those of a string; valid until the next call. */
export function unitsOf(text: string): Uint16Array {
  const bytes = text.length <= sharedUnits ? sharedBytes : Buffer.from(new ArrayBuffer(text.length * 2));
  bytes.write(text, 'utf16le');
  return new Uint16Array(bytes.buffer, 0, text.length);
}
