import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes that are decoded between two turns of the event loop. */
const sliceBytes = 64 * 1024;

/**
 * The decoded text in slices, null if it is no text. Encoding: by the byte order mark; else UTF-8 if it is valid; else windows-1252, which Excel on
 * Windows writes.
 */
export async function decodeText(bytes: Buffer): Promise<string[] | null> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes, new TextDecoder('utf-16le'));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes, new TextDecoder('utf-16be'));
  try {
    return await decoded(bytes, new TextDecoder('utf-8', { fatal: true }));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return decoded(bytes, new TextDecoder('windows-1252'));
  }
}

/** Null if it is no text. Rejects with a TypeError if it is not in this encoding. */
async function decoded(bytes: Buffer, decoder: InstanceType<typeof TextDecoder>): Promise<string[] | null> {
  const slices: string[] = [];
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    const stream = at + sliceBytes < bytes.length;
    const slice = decoder.decode(bytes.subarray(at, at + sliceBytes), { stream });
    if (slice.includes('\0')) return null;
    slices.push(slice);
    await nextTurn();
  }
  return slices;
}
