import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { failing } from './failing.ts';
import { readTrouble } from './file-trouble.ts';

const chunkBytes = 512 * 1024;

/** SHA-256 of a file, lower-case hex, read as a stream. Rejects with file-unreadable or cancelled. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes, signal })) {
      hash.update(chunk as Buffer);
      sizeBytes += (chunk as Buffer).length;
    }
  } catch (error) {
    throw signal?.aborted ? failing('cancelled', 'cancelled while reading') : readTrouble(error);
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}
