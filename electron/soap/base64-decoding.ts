/** Value of each character of the alphabet, 64 for space, 65 for `=`, 255 for anything else. */
const kinds = new Uint8Array(256).fill(255);
for (const [value, character] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  kinds[character.charCodeAt(0)] = value;
}
for (const space of '\t\n\r ') kinds[space.charCodeAt(0)] = 64;
kinds['='.charCodeAt(0)] = 65;

/** As when encoding: longer strings are several times slower. A multiple of 4. */
const stepBytes = 48 * 1024;
const dash = 0x2d;
const underscore = 0x5f;

/** Strict base64, chunk by chunk, space allowed anywhere. */
export interface Base64Decoding {
  /** Decodes into `output` (room for 3/4 of the input and 3 bytes); answers the bytes written, or -1 where it is not base64. */
  write(input: Buffer, start: number, end: number, output: Buffer, at: number): number;
  /** The last bytes, or -1 where it ends in the middle of a group. */
  end(output: Buffer, at: number): number;
  /** Characters of base64 so far, without space. */
  readonly length: number;
}

function decodeGroup(group: Uint8Array, output: Buffer, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = group.map((character) => kinds[character] ?? 255);
  if (a > 63 || b > 63) return -1;
  if (c === 65) {
    // One byte: the four bits that are left over must be zero, else two texts would mean the same bytes.
    if (d !== 65 || (b & 15) !== 0) return -1;
    output[at] = (a << 2) | (b >> 4);
    return 1;
  }
  if (c > 63) return -1;
  output[at] = (a << 2) | (b >> 4);
  output[at + 1] = ((b & 15) << 4) | (c >> 2);
  if (d === 65) return (c & 3) === 0 ? 2 : -1;
  if (d > 63) return -1;
  output[at + 2] = ((c & 3) << 6) | d;
  return 3;
}

/**
 * Node's own decoder does the work, and its leniency is checked away: it skips what it does not know, which shows in the length of what
 * came out, and it takes the two characters of the URL alphabet, which are looked for. The last group is always held back, since
 * only there `=` may stand.
 */
export function createBase64Decoding(): Base64Decoding {
  const group = new Uint8Array(4);
  let held = 0;
  let padded = false;
  let length = 0;
  let isWrapped = false;
  let scratch = Buffer.alloc(0);

  /** Whole groups without space or padding. */
  const groups = (input: Buffer, start: number, end: number, output: Buffer, at: number): number => {
    let written = at;
    for (let from = start; from < end; from += stepBytes) {
      const to = Math.min(from + stepBytes, end);
      const bytes = output.write(input.toString('latin1', from, to), written, 'base64');
      if (bytes !== ((to - from) / 4) * 3) return -1;
      written += bytes;
    }
    return written - at;
  };
  const urlSafe = (input: Buffer, start: number, end: number) => {
    const part = input.subarray(start, end);
    return part.includes(dash) || part.includes(underscore);
  };
  /** One character after the other: for the ends of chunks. */
  const single = (character: number, output: Buffer, at: number): number => {
    const kind = kinds[character] ?? 255;
    if (kind === 64) return 0;
    if (kind === 255 || padded) {
      // After padding only the rest of the padding may come.
      if (kind !== 65 || held !== 3) return -1;
    }
    let written = 0;
    if (held === 4) {
      written = decodeGroup(group, output, at);
      held = 0;
      if (written !== 3) return -1;
    }
    group[held++] = character;
    length += 1;
    if (kind === 65) {
      if (held < 3) return -1;
      padded = true;
    }
    return written;
  };
  /** Takes the space out of a wrapped text; answers the new length, or -1. */
  const compact = (input: Buffer, start: number, end: number): number => {
    if (scratch.length < end - start) scratch = Buffer.allocUnsafeSlow(end - start);
    let to = 0;
    for (let from = start; from < end; from++) {
      const character = input[from] as number;
      const kind = kinds[character] as number;
      if (kind < 64 || kind === 65) scratch[to++] = character;
      else if (kind !== 64) return -1;
    }
    return to;
  };
  const plain = (input: Buffer, start: number, end: number, output: Buffer, at: number): number => {
    let written = at;
    let from = start;
    // Up to the next group border, and one group further than the held one.
    while (from < end && (held !== 4 || padded)) {
      const bytes = single(input[from++] as number, output, written);
      if (bytes < 0) return -1;
      written += bytes;
    }
    const bulk = (end - from - 4) & ~3;
    if (bulk > 0) {
      const bytes = decodeGroup(group, output, written);
      if (bytes !== 3) return -1;
      written += bytes;
      held = 0;
      const decoded = groups(input, from, from + bulk, output, written);
      if (decoded < 0) return -1;
      written += decoded;
      length += bulk;
      from += bulk;
    }
    for (; from < end; from++) {
      const bytes = single(input[from] as number, output, written);
      if (bytes < 0) return -1;
      written += bytes;
    }
    return written - at;
  };
  return {
    get length() {
      return length;
    },
    write(input, start, end, output, at) {
      if (urlSafe(input, start, end)) return -1;
      if (!isWrapped) {
        const before = { group: Uint8Array.from(group), held, padded, length };
        const bytes = plain(input, start, end, output, at);
        if (bytes >= 0) return bytes;
        // Most likely lines: looking for them before would cost as much as decoding.
        group.set(before.group);
        ({ held, padded, length } = before);
        isWrapped = true;
      }
      const size = compact(input, start, end);
      return size < 0 ? -1 : plain(scratch, 0, size, output, at);
    },
    end(output, at) {
      if (held === 0) return 0;
      return held === 4 ? decodeGroup(group, output, at) : -1;
    },
  };
}
