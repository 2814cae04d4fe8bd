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

function decodeGroup(group: Uint8Array, output: Buffer, at: number): number {
  const [a = 0, b = 0, c = 0, d = 0] = group.map((character) => kinds[character] ?? 255);
  if (a > 63 || b > 63) return -1;
  if (c === 65) {
    // One byte: the four unused bits must be zero, else two texts would mean the same bytes.
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

/** Decodes whole groups without space or padding. Returns the number of bytes, or -1. */
function decodeGroups(input: Buffer, start: number, end: number, output: Buffer, at: number): number {
  let written = at;
  for (let from = start; from < end; from += stepBytes) {
    const to = Math.min(from + stepBytes, end);
    const bytes = output.write(input.toString('latin1', from, to), written, 'base64');
    if (bytes !== ((to - from) / 4) * 3) return -1;
    written += bytes;
  }
  return written - at;
}

function hasUrlSafeCharacters(input: Buffer, start: number, end: number): boolean {
  const part = input.subarray(start, end);
  return part.includes(dash) || part.includes(underscore);
}

/** Copies the input without its space into `output`. Returns the number of characters, or -1. */
function removeSpace(input: Buffer, start: number, end: number, output: Buffer): number {
  let to = 0;
  for (let from = start; from < end; from++) {
    const character = input[from] as number;
    const kind = kinds[character] as number;
    if (kind < 64 || kind === 65) output[to++] = character;
    else if (kind !== 64) return -1;
  }
  return to;
}

/** Decodes text with little space. The last group is always held back, because `=` may stand only there. */
class GroupDecoder {
  length = 0;
  private readonly group = new Uint8Array(4);
  private held = 0;
  private padded = false;

  copyFrom(other: GroupDecoder): void {
    this.group.set(other.group);
    this.held = other.held;
    this.padded = other.padded;
    this.length = other.length;
  }

  write(input: Buffer, start: number, end: number, output: Buffer, at: number): number {
    let written = at;
    let from = start;
    // Up to the next group border, and one group further than the held one.
    while (from < end && (this.held !== 4 || this.padded)) {
      const bytes = this.writeOne(input[from++] as number, output, written);
      if (bytes < 0) return -1;
      written += bytes;
    }
    const bulk = (end - from - 4) & ~3;
    if (bulk > 0) {
      if (decodeGroup(this.group, output, written) !== 3) return -1;
      written += 3;
      this.held = 0;
      const decoded = decodeGroups(input, from, from + bulk, output, written);
      if (decoded < 0) return -1;
      written += decoded;
      this.length += bulk;
      from += bulk;
    }
    for (; from < end; from++) {
      const bytes = this.writeOne(input[from] as number, output, written);
      if (bytes < 0) return -1;
      written += bytes;
    }
    return written - at;
  }

  end(output: Buffer, at: number): number {
    if (this.held === 0) return 0;
    return this.held === 4 ? decodeGroup(this.group, output, at) : -1;
  }

  /** Takes one character: for the ends of chunks. */
  private writeOne(character: number, output: Buffer, at: number): number {
    const kind = kinds[character] ?? 255;
    if (kind === 64) return 0;
    if (kind === 255 || this.padded) {
      // After padding only the rest of the padding may come.
      if (kind !== 65 || this.held !== 3) return -1;
    }
    let written = 0;
    if (this.held === 4) {
      written = decodeGroup(this.group, output, at);
      this.held = 0;
      if (written !== 3) return -1;
    }
    this.group[this.held++] = character;
    this.length += 1;
    if (kind === 65) {
      if (this.held < 3) return -1;
      this.padded = true;
    }
    return written;
  }
}

/**
 * Strict base64, chunk by chunk, space allowed anywhere. Node's own decoder does the work, and the checks here undo its leniency: it skips unknown characters, which shows in the length of
 * its output, and it accepts the two characters of the URL alphabet, which are searched for.
 */
export function createBase64Decoding() {
  const decoder = new GroupDecoder();
  const before = new GroupDecoder();
  let isWrapped = false;
  let scratch = Buffer.alloc(0);
  return {
    /** Number of base64 characters so far, without space. */
    get length() {
      return decoder.length;
    },
    /** Decodes into `output` (room for 3/4 of the input and 3 bytes). Returns the number of bytes written, or -1 if the input is not base64. */
    write(input: Buffer, start: number, end: number, output: Buffer, at: number): number {
      if (hasUrlSafeCharacters(input, start, end)) return -1;
      if (!isWrapped) {
        before.copyFrom(decoder);
        const bytes = decoder.write(input, start, end, output, at);
        if (bytes >= 0) return bytes;
        // Most likely line breaks: searching for them first would cost as much as decoding.
        decoder.copyFrom(before);
        isWrapped = true;
      }
      if (scratch.length < end - start) scratch = Buffer.allocUnsafeSlow(end - start);
      const size = removeSpace(input, start, end, scratch);
      return size < 0 ? -1 : decoder.write(scratch, 0, size, output, at);
    },
    /** Writes the last bytes. Returns their number, or -1 if the text ends in the middle of a group. */
    end: (output: Buffer, at: number) => decoder.end(output, at),
  };
}
