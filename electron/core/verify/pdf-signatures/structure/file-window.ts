import { Unreadable } from '../doubt.ts';

/** A file that is open for reading; it is read synchronously, in a thread that may wait. */
export interface OpenFile {
  readonly size: number;
  /** Fills the target from this position; the file has as many bytes there. */
  readonly readInto: (target: Uint8Array, position: number) => void;
}

/** Bytes by their position; -1 behind the end. */
export interface Bytes {
  readonly length: number;
  at(position: number): number;
  slice(start: number, end: number): Uint8Array;
}

const blockBytes = 64 * 1024;
const maxBlocks = 32;
/** What is asked for in one piece; signatures, the largest such thing, are smaller. */
const maxSlice = 64 * 1024 * 1024;

/** Two megabytes of a file of any size. */
export function openWindow(file: OpenFile): Bytes {
  const blocks = new Map<number, Uint8Array>();
  let [current, currentStart]: [Uint8Array, number] = [new Uint8Array(), -1];

  function load(position: number): void {
    const index = Math.floor(position / blockBytes);
    let block = blocks.get(index);
    if (block) blocks.delete(index);
    else {
      block = new Uint8Array(Math.min(blockBytes, file.size - index * blockBytes));
      file.readInto(block, index * blockBytes);
      const [oldest] = blocks.keys();
      if (blocks.size >= maxBlocks && oldest !== undefined) blocks.delete(oldest);
    }
    blocks.set(index, block);
    current = block;
    currentStart = index * blockBytes;
  }

  return {
    length: file.size,
    at: (position) => {
      const inside = position - currentStart;
      if (currentStart >= 0 && inside >= 0 && inside < current.length) return current[inside] ?? -1;
      if (position < 0 || position >= file.size) return -1;
      load(position);
      return current[position - currentStart] ?? -1;
    },
    slice: (start, end) => {
      if (start < 0 || end < start || end > file.size) throw new Unreadable('cut-off');
      if (end - start > maxSlice) throw new Unreadable('too-large');
      const bytes = new Uint8Array(end - start);
      file.readInto(bytes, start);
      return bytes;
    },
  };
}

export function bytesOf(bytes: Uint8Array): Bytes {
  return {
    length: bytes.length,
    at: (position) => bytes[position] ?? -1,
    slice: (start, end) => bytes.subarray(start, end),
  };
}
