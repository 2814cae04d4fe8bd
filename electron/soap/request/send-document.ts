import type { FileHandle } from 'node:fs/promises';
import { stampOf } from '../../core/files/file-stamp.ts';
import { openFile, readFully } from '../../core/files/open-file.ts';
import { type AppError, appError, codeOf, failureOf } from '../../core/foundation/app-error.ts';
import { readDetailOf, shortageOf } from '../../core/foundation/fs-errors.ts';
import type { DocumentSource } from '../service/client.ts';

/** A document opened for sending, with its size and times at that moment. */
export interface OpenDocument {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  readonly stamp: string;
}

/** A local read error as file-unreadable, or as storage-unusable if too many files are open. The note never holds the path. */
export function unreadable(error: unknown): AppError {
  if (failureOf(error)) return error as AppError;
  const note = `the document cannot be read (${codeOf(error)})`;
  return shortageOf(error) ?? appError('file-unreadable', note, { detail: readDetailOf(error) });
}

/** Opens a document. Rejects with the result of `unreadable`, or with file-changed if its size is not the expected one. */
export async function openDocument(source: DocumentSource): Promise<OpenDocument> {
  let handle: FileHandle;
  try {
    handle = await openFile(source.path);
  } catch (error) {
    throw unreadable(error);
  }
  try {
    const stats = await handle.stat({ bigint: true });
    if (stats.size !== BigInt(source.sizeBytes)) {
      throw appError('file-changed', `${stats.size} bytes on disk, ${source.sizeBytes} announced`);
    }
    return { handle, sizeBytes: source.sizeBytes, stamp: stampOf(stats) };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Rejects with file-changed (or file-unreadable) if size or one of the times differs from when the file was opened. Called before the last bytes of a
 * request leave, so that a request with a mixture of two versions is never completed.
 */
export async function assertUnchanged(document: OpenDocument): Promise<void> {
  const stats = await document.handle.stat({ bigint: true }).catch((error: unknown) => {
    throw unreadable(error);
  });
  if (stampOf(stats) !== document.stamp) {
    throw appError('file-changed', 'the document was changed while it was being sent');
  }
}

/** Above this size V8 puts the string into another heap space and encoding slows down from 7 GB/s to 1 GB/s. */
const stepBytes = 48 * 1024;
/** Blocks start small and grow while the peer is fast, so that a slow connection shows progress and does not count as stalled. */
const firstBlockBytes = 2 * stepBytes;
const largestBlockBytes = 12 * stepBytes;
const quickMs = 50;
const slowMs = 500;

/** Writes bytes to the socket; resolves when the system has taken them and the buffer may be reused. */
export type Write = (bytes: Buffer) => Promise<void>;

async function readBlock(document: OpenDocument, buffer: Buffer, length: number, position: number): Promise<number> {
  const bytesRead = await readFully(document.handle, buffer, length, position).catch((error: unknown) => {
    throw unreadable(error);
  });
  if (bytesRead < length) throw appError('file-changed', 'the document became shorter while it was being sent');
  return bytesRead;
}

/** Writes the base64 of `input` to `output`. Returns its length. */
function encodeInto(input: Buffer, length: number, output: Buffer): number {
  let end = 0;
  for (let at = 0; at < length; at += stepBytes) {
    end += output.write(input.toString('base64', at, Math.min(at + stepBytes, length)), end, 'latin1');
  }
  return end;
}

/**
 * Sends a document as base64: reads one block ahead while another is encoded and up to three are being written, in five
 * reused buffers (at most 3.6 MB, less for a small document). Stops early when `stopped` returns true.
 */
export async function sendDocument(document: OpenDocument, write: Write, stopped: () => boolean): Promise<void> {
  const { sizeBytes } = document;
  const room = Math.min(largestBlockBytes, Math.ceil(sizeBytes / 3) * 3);
  const inputs = [Buffer.allocUnsafeSlow(room), Buffer.allocUnsafeSlow(room)];
  const outputs = [0, 1, 2].map(() => Buffer.allocUnsafeSlow((room / 3) * 4));
  const onTheWay: (Promise<void> | undefined)[] = [];
  let blockBytes = Math.min(firstBlockBytes, room);
  const read = (turn: number, position: number): Promise<number> => {
    const length = Math.min(blockBytes, sizeBytes - position);
    const reading = length > 0 ? readBlock(document, inputs[turn % 2] as Buffer, length, position) : Promise.resolve(0);
    // Awaited one turn later: until then a failure must not count as unhandled.
    reading.catch(() => undefined);
    return reading;
  };
  const timed = async (bytes: Buffer) => {
    const since = performance.now();
    await write(bytes);
    const tookMs = performance.now() - since;
    if (tookMs < quickMs) blockBytes = Math.min(blockBytes * 2, largestBlockBytes, room);
    else if (tookMs > slowMs) blockBytes = Math.min(room, Math.max(stepBytes, (blockBytes / 2) | 0));
    blockBytes -= blockBytes % 3;
  };
  let position = 0;
  let ahead = read(0, 0);
  for (let turn = 0; position < sizeBytes && !stopped(); turn++) {
    const length = await ahead;
    position += length;
    ahead = read(turn + 1, position);
    await onTheWay[turn % 3];
    const output = outputs[turn % 3] as Buffer;
    const encoded = encodeInto(inputs[turn % 2] as Buffer, length, output);
    const sending = timed(output.subarray(0, encoded));
    sending.catch(() => undefined);
    onTheWay[turn % 3] = sending;
  }
  await ahead;
  await Promise.all(onTheWay);
}
