import type { FileHandle } from 'node:fs/promises';
import { stampOf } from '../../core/files/file-stamp.ts';
import { openFile, readFully } from '../../core/files/open-file.ts';
import { type AppError, appError, codeOf, failureOf } from '../../core/foundation/app-error.ts';
import { readDetailOf, shortageOf } from '../../core/foundation/fs-errors.ts';
import type { Block, DocumentSource, GrowingFile } from '../service/client.ts';

/** A document opened for sending, with its size and times at that moment. */
export interface OpenDocument {
  readonly handle: FileHandle;
  readonly sizeBytes: number;
  readonly stamp: string;
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
  let handle: FileHandle;
  try {
    const { path, growing } = source;
    handle = await (growing ? openFile(growing.path).catch(() => openFile(path)) : openFile(path));
  } catch (error) {
    throw unreadable(error);
  }
  try {
    const stats = await handle.stat({ bigint: true });
    if (!source.growing && stats.size !== BigInt(source.sizeBytes)) {
      throw appError('file-changed', `${stats.size} bytes on disk, ${source.sizeBytes} announced`);
    }
    return { handle, sizeBytes: source.sizeBytes, stamp: stampOf(stats), growing: source.growing };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/**
 * Rejects with file-changed (or file-unreadable) if size or one of the times differs from when the file was opened. Called before the last bytes of a
 * request leave, so that a request with a mixture of two versions is never completed. What was still being written has its size by now; who wrote it knows its bytes.
 */
export async function assertUnchanged(document: OpenDocument): Promise<void> {
  const stats = await document.handle.stat({ bigint: true }).catch((error: unknown) => {
    throw unreadable(error);
  });
  const { growing, sizeBytes, stamp } = document;
  if (growing ? stats.size !== BigInt(sizeBytes) : stampOf(stats) !== stamp) {
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

/** How the sending of a body is watched. */
export interface SendingWatch {
  /** Aborted when nothing more is to be sent. */
  readonly over: AbortSignal;
  /** Waits for work of this computer: meanwhile the service's silence does not count. */
  readonly locally: (work: Promise<void>) => Promise<void>;
}

const nothing: Block = { bytes: Buffer.alloc(0), done: () => undefined };

/** The next block: at most `length` bytes, or what is still in memory of a file that is being written. An empty one when nothing more is to be sent. */
async function readBlock(
  document: OpenDocument,
  { over, locally }: SendingWatch,
  input: () => Buffer,
  ...[length, position]: [length: number, position: number]
): Promise<Block> {
  const { growing } = document;
  const ready = growing?.ready(position + length, over);
  if (ready) await locally(untilOver(ready, over));
  if (over.aborted) return nothing;
  const taken = growing?.take(position);
  if (taken) return taken;
  const buffer = input();
  const bytesRead = await readFully(document.handle, buffer, length, position).catch((error: unknown) => {
    throw unreadable(error);
  });
  if (bytesRead < length) throw appError('file-changed', 'the document became shorter while it was being sent');
  return { ...nothing, bytes: buffer.subarray(0, length) };
}

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
 * reused buffers (at most 3.6 MB, less for a small document). Stops early when the watch says so. The last block of a document that is still being written waits
 * until the request may be complete.
 */
export async function sendDocument(document: OpenDocument, write: Write, watch: SendingWatch): Promise<void> {
  const { sizeBytes } = document;
  const room = Math.min(largestBlockBytes, Math.ceil(sizeBytes / 3) * 3);
  const inputs: (Buffer | undefined)[] = [];
  const outputs = [0, 1, 2].map(() => Buffer.allocUnsafeSlow((room / 3) * 4));
  const onTheWay: (Promise<void> | undefined)[] = [];
  let blockBytes = Math.min(firstBlockBytes, room);
  const inputOf = (turn: number) => {
    inputs[turn % 2] ??= Buffer.allocUnsafeSlow(room);
    return inputs[turn % 2] as Buffer;
  };
  const read = (turn: number, position: number): Promise<Block> => {
    const length = Math.min(blockBytes, sizeBytes - position);
    const reading =
      length > 0 ? readBlock(document, watch, () => inputOf(turn), length, position) : Promise.resolve(nothing);
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
