import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { openFile, readFully } from '../../core/files/open-file.ts';
import { type AppError, appError, codeOf, failureOf } from '../../core/foundation/app-error.ts';
import { readDetailOf, shortageOf } from '../../core/foundation/fs-errors.ts';
import type { Block, DocumentSource, GrowingFile } from '../service/client.ts';

/** A document opened for sending. */
export interface OpenDocument {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  /** Rejects unless a request with bytes of this hash may be complete. */
  readonly whole: GrowingFile['whole'];
  readonly growing: GrowingFile | undefined;
}

/** A local read error as file-unreadable, or as storage-unusable if too many files are open. The note never holds the path. */
export function unreadable(error: unknown): AppError {
  if (failureOf(error)) return error as AppError;
  const note = `the document cannot be read (${codeOf(error)})`;
  return shortageOf(error) ?? appError('file-unreadable', note, { detail: readDetailOf(error) });
}

/** Opens a document. Rejects with the result of `unreadable`, or with file-changed if its size is not the expected one. */
export async function openDocument(source: DocumentSource): Promise<OpenDocument> {
  const { path, sizeBytes, sha256 } = source;
  const growing = typeof sha256 === 'string' ? undefined : sha256;
  let handle: FileHandle;
  try {
    handle = await (growing ? openFile(growing.path).catch(() => openFile(path)) : openFile(path));
  } catch (error) {
    throw unreadable(error);
  }
  try {
    const { size } = await handle.stat();
    if (!growing && size !== sizeBytes) throw appError('file-changed', `${size} bytes on disk, ${sizeBytes} announced`);
    const whole = async (sent: string) => {
      if (sent !== sha256) throw appError('file-changed', 'what was read of the document is not what was to be sent');
    };
    return { handle, sizeBytes, whole: growing?.whole ?? whole, growing };
  } catch (error) {
    await handle.close();
    throw error;
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

/** How the sending of a body is watched. */
export interface SendingWatch {
  /** Aborted when nothing more is to be sent. */
  readonly over: AbortSignal;
  /** Waits for work of this computer: meanwhile the service's silence does not count. */
  readonly locally: (work: Promise<void>) => Promise<void>;
}

const nothing: Block = { bytes: Buffer.alloc(0), done: () => undefined };

/**
 * The next block: at most `length` bytes, or what is still in memory of a file that is being written. An empty one when nothing more is to be sent. The last one comes only
 * once the request may be whole with all that was read.
 */
async function readBlock(
  { handle, sizeBytes, whole, growing }: OpenDocument,
  { over, locally }: SendingWatch,
  ...[sum, input, length, position]: [sum: { hash: Hash }, input: () => Buffer, length: number, position: number]
): Promise<Block> {
  const written = growing?.has(position + length);
  if (written) await locally(untilOver(written, over));
  if (over.aborted) return nothing;
  const taken = growing?.take(position);
  const bytes = taken?.bytes ?? input().subarray(0, length);
  if (!taken) {
    const reading = readFully(handle, bytes, length, position);
    const bytesRead = await reading.catch((error: unknown) => Promise.reject(unreadable(error)));
    if (bytesRead < length) throw appError('file-changed', 'the document became shorter while it was being sent');
  }
  const { before, after } = taken?.hashes ?? {};
  // What was hashed when it was copied is not hashed again, if what was read until here is what was copied.
  if (before && after && digestOf(before) === digestOf(sum.hash)) sum.hash = after.copy();
  else sum.hash.update(bytes);
  if (position + bytes.length === sizeBytes) await locally(untilOver(whole(digestOf(sum.hash), over), over));
  return taken ?? { ...nothing, bytes };
}

const digestOf = (hash: Hash) => hash.copy().digest('hex');

/** Resolves or rejects with `work`, or resolves as soon as the signal is aborted. */
async function untilOver(work: Promise<void>, over: AbortSignal): Promise<void> {
  let onOver = () => {};
  const ended = new Promise<void>((resolve) => {
    onOver = resolve;
    over.addEventListener('abort', onOver, { once: true });
  });
  if (over.aborted) onOver();
  await Promise.race([work, ended]).finally(() => over.removeEventListener('abort', onOver));
}

/** Writes the base64 of `input` to `output`. Returns its length. */
function encodeInto(input: Buffer, output: Buffer): number {
  let end = 0;
  for (let at = 0; at < input.length; at += stepBytes) {
    end += output.write(input.toString('base64', at, Math.min(at + stepBytes, input.length)), end, 'latin1');
  }
  return end;
}

/**
 * Sends a document as base64: reads one block ahead while another is encoded and up to three are being written, in five
 * reused buffers (at most 3.6 MB, less for a small document). Stops early when the watch says so. What was read is hashed, and the last block stays back
 * until it is known to be what is to be sent: no service can have a whole request with other bytes.
 */
export async function sendDocument(document: OpenDocument, write: Write, watch: SendingWatch): Promise<void> {
  const { sizeBytes } = document;
  const room = Math.min(largestBlockBytes, Math.ceil(sizeBytes / 3) * 3);
  const inputs: (Buffer | undefined)[] = [];
  const outputs = [0, 1, 2].map(() => Buffer.allocUnsafeSlow((room / 3) * 4));
  const onTheWay: (Promise<void> | undefined)[] = [];
  let blockBytes = Math.min(firstBlockBytes, room);
  const sum = { hash: createHash('sha256') };
  const inputOf = (turn: number) => {
    inputs[turn % 2] ??= Buffer.allocUnsafeSlow(room);
    return inputs[turn % 2] as Buffer;
  };
  const read = (turn: number, position: number): Promise<Block> => {
    const length = Math.min(blockBytes, sizeBytes - position);
    const reading =
      length > 0 ? readBlock(document, watch, sum, () => inputOf(turn), length, position) : Promise.resolve(nothing);
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
  for (let turn = 0; position < sizeBytes; turn++) {
    const { bytes, done } = await ahead;
    if (watch.over.aborted) break;
    position += bytes.length;
    ahead = read(turn + 1, position);
    await onTheWay[turn % 3];
    const output = outputs[turn % 3] as Buffer;
    const encoded = encodeInto(bytes, output);
    done();
    const sending = timed(output.subarray(0, encoded));
    sending.catch(() => undefined);
    onTheWay[turn % 3] = sending;
  }
  await ahead;
  await Promise.all(onTheWay);
}
