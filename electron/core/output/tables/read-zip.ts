import { crc32, createInflateRaw } from 'node:zlib';

/** Parts of an archive in memory, which are unpacked one by one and piece by piece. */
export type ZipParts = ReturnType<typeof readZip>;

interface Part {
  readonly method: number;
  readonly crc: number;
  /** Declared size. */
  readonly sizeBytes: number;
  readonly packedBytes: number;
  readonly headerAt: number;
}

/** Most parts of an archive: far more than a workbook has. */
const mostParts = 10_000;
const pieceBytes = 32 * 1024;
const mostCommentBytes = 0xffff;
const [localMark, centralMark, endMark, farEndMark, farEndPlaceMark] = [
  0x04034b50, 0x02014b50, 0x06054b50, 0x06064b50, 0x07064b50,
];
const [far16, far32] = [0xffff, 0xffffffff];
const [stored, deflated] = [0, 8];

/** Reads the central directory at the end of the archive, as every program does. Throws an Error if it is damaged. */
export function readZip(bytes: Buffer) {
  const parts = new Map(listed(bytes));
  return {
    has: (name: string): boolean => parts.has(name),
    /** Throws a RangeError as soon as there are more than `mostBytes`, whatever size the archive declares, and another Error if the part is damaged. */
    pieces: async function* (name: string, mostBytes: number): AsyncGenerator<Buffer> {
      const part = parts.get(name);
      if (!part) throw new Error('no such part');
      if (part.sizeBytes > mostBytes) throw new RangeError('larger than allowed');
      let length = 0;
      let crc = 0;
      for await (const piece of unpacked(bytes, part)) {
        length += piece.length;
        if (length > mostBytes) throw new RangeError('larger than allowed');
        crc = crc32(piece, crc);
        yield piece;
      }
      if (crc !== part.crc) throw new Error('not what was packed');
    },
  };
}

async function* unpacked(bytes: Buffer, { method, packedBytes, headerAt }: Part): AsyncGenerator<Buffer> {
  if (bytes.readUInt32LE(headerAt) !== localMark) throw new Error('a part is not where it should be');
  const from = headerAt + 30 + bytes.readUInt16LE(headerAt + 26) + bytes.readUInt16LE(headerAt + 28);
  const packed = bytes.subarray(from, from + packedBytes);
  if (method === stored) {
    for (let at = 0; at < packed.length; at += pieceBytes) yield packed.subarray(at, at + pieceBytes);
    return;
  }
  const inflate = createInflateRaw({ chunkSize: pieceBytes });
  inflate.end(packed);
  yield* inflate;
}

function* listed(bytes: Buffer): Generator<readonly [string, Part]> {
  const { count, from } = centralDirectoryOf(bytes);
  if (count > mostParts) throw new Error('too many parts');
  for (let at = from, n = 0; n < count; n++) {
    if (bytes.readUInt32LE(at) !== centralMark) throw new Error('the list of parts is damaged');
    const [flags, method, crc] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 16)];
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    const name = bytes.toString('utf8', at + 46, at + 46 + nameBytes);
    const extra = bytes.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes);
    const [sizeBytes, packedBytes, headerAt] = farNumbers(extra, [
      bytes.readUInt32LE(at + 24),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ]);
    const isReadable = (flags & 1) === 0 && (method === stored || method === deflated);
    if (isReadable) yield [name, { method, crc, sizeBytes, packedBytes, headerAt }];
    at += 46 + nameBytes + extraBytes + commentBytes;
  }
}

/** Numbers that do not fit into 32 bits are in an extra field (ZIP64), in this order. */
function farNumbers(extra: Buffer, [sizeBytes, packedBytes, headerAt]: readonly [number, number, number]) {
  const far: number[] = [];
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const end = Math.min(extra.length, at + 4 + extra.readUInt16LE(at + 2));
    for (let from = at + 4; from + 8 <= end; from += 8) far.push(Number(extra.readBigUInt64LE(from)));
  }
  const real = (number: number) => (number === far32 ? (far.shift() ?? number) : number);
  return [real(sizeBytes), real(packedBytes), real(headerAt)] as const;
}

function centralDirectoryOf(bytes: Buffer): { readonly count: number; readonly from: number } {
  const lowest = Math.max(0, bytes.length - 22 - mostCommentBytes);
  let end = bytes.length - 22;
  while (end >= lowest && bytes.readUInt32LE(end) !== endMark) end -= 1;
  if (end < lowest) throw new Error('the end is missing');
  const near = { count: bytes.readUInt16LE(end + 10), from: bytes.readUInt32LE(end + 16) };
  if (near.count !== far16 && near.from !== far32) return near;
  if (end < 20 || bytes.readUInt32LE(end - 20) !== farEndPlaceMark) return near;
  const farEnd = Number(bytes.readBigUInt64LE(end - 12));
  if (bytes.readUInt32LE(farEnd) !== farEndMark) throw new Error('the end is damaged');
  return { count: Number(bytes.readBigUInt64LE(farEnd + 32)), from: Number(bytes.readBigUInt64LE(farEnd + 48)) };
}
