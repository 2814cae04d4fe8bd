/** Each part of a file of today has up to a million rounds, which take a second; what asks for more would hold the program. */
export const mostRounds = 5_000_000;

const sequence = 0x30;
const octetString = 0x04;
const integer = 0x02;
const mostDepth = 24;

/** What one look at a file may take, whatever it claims to be. */
interface Look {
  left: number;
  rounds: number;
}

/**
 * The number of rounds by which all keys in PKCS#12 or PKCS#8 are derived (RFC 7292, 8018, 7914): where a salt, which is an octet string, is followed by a
 * number. Of scrypt it is the work of all its numbers. Read before OpenSSL gets the file, because it has no limit.
 */
export function roundsOf(files: readonly Buffer[]): number {
  const look: Look = { left: 100_000, rounds: 0 };
  for (const part of files.flatMap(partsOf)) readParts(part, look, 0);
  return look.rounds;
}

/** The file itself, or what the blocks of a PEM file hold. */
function partsOf(file: Buffer): Buffer[] {
  if (file[0] === sequence) return [file];
  const blocks = file.toString('latin1').matchAll(/-----BEGIN [^-\r\n]{0,60}-----([A-Za-z0-9+/=\s]*)/g);
  return [...blocks].map(([, inside = '']) => Buffer.from(inside, 'base64'));
}

/** Reads elements of BER one after the other, and what is inside of them; stops at what is none. */
function readParts(bytes: Buffer, look: Look, depth: number): void {
  let isAfterSalt = false;
  let work = 0;
  for (let at = 0; at + 2 <= bytes.length && look.left > 0; look.left -= 1) {
    const tag = bytes.readUInt8(at);
    const [from, to] = boundsAt(bytes, at + 1);
    if (from > bytes.length || to > bytes.length || depth > mostDepth) return;
    const inside = bytes.subarray(from, to);
    if (tag === integer && isAfterSalt) {
      const before = work;
      work = Math.min(Math.max(before, 1) * Math.max(numberIn(inside), 1), Number.MAX_SAFE_INTEGER);
      look.rounds += work - before;
    } else {
      isAfterSalt = tag === octetString;
      work = 0;
    }
    // Octet strings of PKCS#12 hold further elements.
    if ((tag & 0x20) !== 0 || (tag === octetString && inside[0] === sequence)) readParts(inside, look, depth + 1);
    at = to;
  }
}

/** Where the content of an element begins and ends; `at`: its length. One without a length goes to the end of what it is in. */
function boundsAt(bytes: Buffer, at: number): readonly [from: number, to: number] {
  const first = bytes.readUInt8(at);
  if (first < 0x80) return [at + 1, at + 1 + first];
  const size = first & 0x7f;
  if (size === 0) return [at + 1, bytes.length];
  if (size > 4 || at + 1 + size > bytes.length) return [bytes.length + 1, bytes.length + 1];
  const from = at + 1 + size;
  return [from, from + bytes.readUIntBE(at + 1, size)];
}

/** A number of up to six bytes; a longer one is more than any limit. */
function numberIn(bytes: Buffer): number {
  if (bytes.length === 0) return 0;
  return bytes.length > 6 ? Number.MAX_SAFE_INTEGER : bytes.readUIntBE(0, bytes.length);
}
