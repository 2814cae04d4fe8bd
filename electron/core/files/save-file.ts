import type { Target } from './place-file.ts';
import { createTargetFile } from './target-file.ts';

/**
 * Writes a file that appears under its name only when it is complete; answers its path. Rejects with file-unreadable (target-not-writable, target-exists) or storage-full, and
 * with errors of the source; then nothing has changed.
 */
export async function saveFile(
  target: Target,
  pieces: Iterable<Uint8Array | string> | AsyncIterable<Uint8Array | string>,
): Promise<string> {
  const file = await createTargetFile(target);
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
