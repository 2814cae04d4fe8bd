import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { readFully } from '../files/open-file.ts';
import type { DocumentSink } from '../files/target-file.ts';

const blockBytes = 768 * 1024;
/** Number of blocks that may wait for the disk before the peer is paused. */
const maxWaiting = 2;

export interface Compared {
  readonly copySizeBytes: number;
  /** SHA-256 of the copy, lower-case hex. */
  readonly copySha256: string;
  /** Offset of the first byte that differs, or of the end of the shorter one; null if all bytes are equal. */
  readonly firstDifferenceAt: number | null;
}

/** A sink that compares the received bytes with a file, block by block, and keeps nothing. */
export interface ComparingSink extends DocumentSink {
  /** Compares the rest. Rejects with errors of reading the file. */
  finish(): Promise<Compared>;
}

export function createComparingSink(file: FileHandle): ComparingSink {
  const hash = createHash('sha256');
  const own = Buffer.allocUnsafeSlow(blockBytes);
  const free: Buffer[] = [];
  let waiting = 0;
  let position = 0;
  let firstDifferenceAt: number | null = null;
  let failed: unknown;
  let last: Promise<void> = Promise.resolve();

  const compare = async (block: Buffer, length: number, from: number) => {
    if (failed === undefined && firstDifferenceAt === null) {
      firstDifferenceAt = await differenceInFile(file, block.subarray(0, length), from, own);
    }
    free.push(block);
  };
  const flush = () => {
    const { buffer, at } = sink;
    if (at === 0) return;
    const from = position;
    hash.update(buffer.subarray(0, at));
    position += at;
    waiting += 1;
    last = last
      .then(() => compare(buffer, at, from))
      .catch((error: unknown) => {
        failed ??= error;
      })
      .finally(() => {
        waiting -= 1;
      });
    sink.buffer = free.pop() ?? Buffer.allocUnsafeSlow(blockBytes);
    sink.at = 0;
  };
  const sink: ComparingSink = {
    buffer: Buffer.allocUnsafeSlow(blockBytes),
    at: 0,
    reserve: (bytes) => {
      if (sink.at + bytes > sink.buffer.length) flush();
    },
    settle: () => {
      if (failed !== undefined) throw failed;
      return waiting <= maxWaiting ? undefined : last;
    },
    get sizeBytes() {
      return position + sink.at;
    },
    finish: async () => {
      flush();
      await last;
      if (failed !== undefined) throw failed;
      // The file may be longer than the copy.
      if (firstDifferenceAt === null && (await file.stat()).size > position) firstDifferenceAt = position;
      return { copySizeBytes: position, copySha256: hash.digest('hex'), firstDifferenceAt };
    },
  };
  return sink;
}

/**
 * Offset in the file of the first byte that differs from `content`, or of the end of the file if it is shorter; null if all of `content` is there at
 * `from`. `own`: buffer for what the file holds, at least as long as `content`.
 */
async function differenceInFile(file: FileHandle, content: Buffer, from: number, own: Buffer): Promise<number | null> {
  const there = await readFully(file, own, content.length, from);
  const at = firstDifference(content, own, Math.min(content.length, there));
  if (at >= 0) return from + at;
  return there < content.length ? from + there : null;
}

/** Index of the first difference, -1 if there is none. Bisects with Buffer.compare, which is faster than a loop in JavaScript. */
function firstDifference(a: Buffer, b: Buffer, length: number): number {
  let from = 0;
  let to = length;
  if (a.compare(b, 0, length, 0, length) === 0) return -1;
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if (a.compare(b, from, middle, from, middle) === 0) from = middle;
    else to = middle;
  }
  return from;
}
