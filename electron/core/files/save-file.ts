import type { Target } from './place-file.ts';
import { createTargetFile } from './target-file.ts';

/** Reports and tables: how large they become shows while they are written. */
const usualBytes = 256 * 1024;

/**
 * Writes a file that is there only when it is whole; answers its path. Rejects with file-unreadable (target-not-writable, target-exists) or storage-full, and with whatever the
 * source throws; then nothing has changed.
 */
export async function saveFile(
  target: Target,
  pieces: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
): Promise<string> {
  const file = await createTargetFile(target, usualBytes);
  try {
    for await (const piece of pieces) {
      const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
      for (let from = 0; from < bytes.length; ) {
        file.reserve(1);
        const length = Math.min(bytes.length - from, file.buffer.length - file.at);
        file.buffer.set(bytes.subarray(from, from + length), file.at);
        file.at += length;
        from += length;
        await file.settle();
      }
    }
    return (await file.finish()).path;
  } catch (error) {
    await file.discard();
    throw error;
  }
}
