import { undecidable } from '../doubt.ts';

/** Reads ASN.1 where it is asked for, one level at a time: of a signature with thousands of revocation entries only the parts that matter are looked at, and nothing is copied. Definite and, as old signers write it, indefinite lengths; every bound is checked before a byte is read. */
export interface Element {
  /** Class, form and number in one byte; the numbers from 31 on do not occur here. */
  readonly tag: number;
  /** Where it stands, with its header and, where the length is indefinite, its end marker. */
  readonly bytes: Uint8Array;
  readonly content: Uint8Array;
  readonly isIndefinite: boolean;
}

export const tags = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, sequence: 0x30, set: 0x31 } as const;

/** The bounds of what is looked at; no honest signature comes near. */
const maxDepth = 32;
const maxElements = 10_000;

/** The element at the beginning of the bytes; more may follow. */
export function readElement(bytes: Uint8Array): Element {
  const { tag, start, length } = readHeader(bytes, 0);
  if (length === null) {
    const end = endOfIndefinite(bytes, start);
    return { tag, bytes: bytes.subarray(0, end), content: bytes.subarray(start, end - 2), isIndefinite: true };
  }
  const end = start + length;
  return { tag, bytes: bytes.subarray(0, end), content: bytes.subarray(start, end), isIndefinite: false };
}

/** What is inside of a constructed element, one level deep. */
export function readChildren(parent: Element): Element[] {
  if (!(parent.tag & 0x20)) throw malformed();
  const found: Element[] = [];
  for (let rest = parent.content; rest.length > 0; ) {
    const element = readElement(rest);
    if (found.push(element) > maxElements) throw malformed();
    rest = rest.subarray(element.bytes.length);
  }
  return found;
}

/** The children of an element that must be of one kind. */
export const readAs = (tag: number, element: Element | undefined): Element[] => readChildren(expectTag(tag, element));

export const readSequence = (element: Element | undefined) => readAs(tags.sequence, element);

export function expectTag(tag: number, element: Element | undefined): Element {
  if (element?.tag !== tag) throw malformed();
  return element;
}

/** The content of an octet string; old signers write it in pieces. */
export function readOctets(element: Element | undefined): Uint8Array {
  if (element?.tag !== (tags.octets | 0x20)) return expectTag(tags.octets, element).content;
  return Buffer.concat(readChildren(element).map((piece) => expectTag(tags.octets, piece).content));
}

/** The content of a bit string that has whole bytes. */
export function readBits(element: Element | undefined): Uint8Array {
  const { content } = expectTag(tags.bits, element);
  if (content[0] !== 0) throw malformed();
  return content.subarray(1);
}

/** As it is written, as `oid` has it. */
export function readOid(element: Element | undefined): string {
  return Buffer.from(expectTag(tags.oid, element).content).toString('hex');
}

/** How an object identifier is written, of how people write it. */
export function oid(dotted: string): string {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const sevens = [arc & 0x7f];
    for (let left = arc >> 7; left > 0; left >>= 7) sevens.unshift(0x80 | (left & 0x7f));
    return sevens;
  });
  return Buffer.from(bytes).toString('hex');
}

/** Without sign: some old certificates lack the zero in front of a modulus. */
export function readUnsigned(element: Element | undefined): bigint {
  return toNumber(expectTag(tags.integer, element).content);
}

export function toNumber(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

export const sameBytes = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;

/** The header in its shortest form, as DER wants it. */
export function encodeHeader(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length);
  const digits = length.toString(16);
  const size = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Uint8Array.of(tag, 0x80 | size.length, ...size);
}

export const malformed = () => undecidable('not-cms');

function readHeader(bytes: Uint8Array, at: number): { tag: number; start: number; length: number | null } {
  const [tag, size] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || size === undefined || (tag & 0x1f) === 0x1f) throw malformed();
  if (size === 0x80) {
    if (!(tag & 0x20)) throw malformed();
    return { tag, start: at + 2, length: null };
  }
  const start = at + 2 + (size > 0x80 ? size - 0x80 : 0);
  if (size > 0x84 || start > bytes.length) throw malformed();
  const length = size < 0x80 ? size : Number(toNumber(bytes.subarray(at + 2, start)));
  if (start + length > bytes.length) throw malformed();
  return { tag, start, length };
}

/** Where the end marker ends that closes what began before `start`; goes into nothing that tells its length. */
function endOfIndefinite(bytes: Uint8Array, start: number): number {
  let at = start;
  let open = 1;
  for (let seen = 0; open > 0; seen++) {
    const { tag, start: inside, length } = readHeader(bytes, at);
    if (open > maxDepth || seen > maxElements) throw malformed();
    if (length === null) open++;
    else if (tag === 0) {
      if (length > 0) throw malformed();
      open--;
    }
    at = inside + (length ?? 0);
  }
  return at;
}
