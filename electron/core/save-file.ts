import { createTargetFile } from '../soap/target-file.ts';

/** Reports and tables: how large they become shows while they are written. */
const usualBytes = 256 * 1024;

/**
 * Writes a file that is there only when it is whole. Rejects with file-unreadable (target-not-writable) or storage-full, and with whatever the
 * source throws; then nothing has changed.
 */
export async function saveFile(
  path: string,
  pieces: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const target = await createTargetFile(path, usualBytes);
  try {
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      for (let from = 0; from < bytes.length; ) {
        target.reserve(1);
        const length = Math.min(bytes.length - from, target.buffer.length - target.at);
        target.buffer.set(bytes.subarray(from, from + length), target.at);
        target.at += length;
        from += length;
        await target.settle();
      }
    }
    await target.finish();
  } catch (error) {
    await target.discard();
    throw error;
  }
}
