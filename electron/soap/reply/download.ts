import type { IncomingMessage } from 'node:http';
import type { Target } from '../../core/files/place-file.ts';
import { assertRoom, createTargetFile, type DocumentSink } from '../../core/files/target-file.ts';
import { appError, failureOf } from '../../core/foundation/app-error.ts';
import { createTurns } from '../../core/foundation/throttled.ts';
import type { DownloadReply } from '../service/client.ts';
import { wireName } from '../service/element-names.ts';
import { announcedBytes, statusFailure } from '../wire/reply-head.ts';
import { createTextDecoding } from './decode-text.ts';
import { DocumentScan } from './document-scanner.ts';
import type { Reading } from './feed-reply.ts';
import { readBody } from './read-body.ts';
import { createReplyFeed, noEvents, textFailure } from './read-reply.ts';

/** A chunk of base64 takes a tenth of it. */
const slowChunkMs = 1;
const scannable = /^(utf-?8|us-ascii|iso-8859-\d+|windows-125\d)$/i;

/** True for UTF-16: its byte order mark, or `<` with a zero byte. */
function isWide([first, second]: Buffer): boolean {
  return (first === 0xfe && second === 0xff) || (first === 0xff && second === 0xfe) || first === 0 || second === 0;
}

/**
 * The scanner reads bytes, so a reply in an encoding in which `<` is not one byte (UTF-16) goes through a text first. The first bytes show it, whatever the
 * head says. Only for such replies: it costs more than the scan itself.
 */
function createScannable(charset: string | null) {
  let decoding: ReturnType<typeof createTextDecoding> | null = null;
  let held: Buffer | null = Buffer.alloc(0);
  const start = (first: Buffer): Buffer => {
    held = null;
    if (!isWide(first) && scannable.test(charset ?? 'utf-8')) return first;
    decoding = createTextDecoding(charset);
    return Buffer.from(decoding.write(first));
  };
  return {
    bytes: (chunk: Buffer): Buffer => {
      if (decoding) return Buffer.from(decoding.write(chunk));
      if (!held) return chunk;
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      return held.length < 2 ? Buffer.alloc(0) : start(held);
    },
    end: (): Buffer => (decoding ? Buffer.from(decoding.end()) : (held ?? Buffer.alloc(0))),
    /** The encoding of what `bytes` returned. */
    charset: () => (decoding ? 'utf-8' : charset),
  };
}

/** Parses the reply without the document: finds faults, other replies, wrong namespaces, nil and absent results. */
function checkRest(rest: Buffer, charset: string | null, reading: Reading): void {
  const decoding = createTextDecoding(charset);
  const feed = createReplyFeed(reading, rest.length + 1, noEvents);
  feed.write(decoding.write(rest) + decoding.end());
  feed.end();
}

/** `%PDF` in base64. */
const pdfStart = /^\s*JVBER/;

/**
 * The service's text if it sent text instead of a document, else null. Some texts happen to be base64 ("Not Found" is): nothing
 * that short is a document, and it must not be saved as one.
 */
function textInsteadOfDocument({ otherText, shortText }: DocumentScan): string | null {
  if (otherText !== null) return otherText;
  return shortText === null || shortText.trim() === '' || pdfStart.test(shortText) ? null : shortText;
}

/**
 * Writes the document in GetDocument's reply to a sink as it arrives. Rejects with service-refused (soap-fault, negative-code,
 * no-document-in-reply), reply-unreadable, service-timeout, cancelled, or with the sink's error.
 */
export async function receiveDocument(response: IncomingMessage, reading: Reading, file: DocumentSink): Promise<void> {
  const { target, operation, options, status } = reading;
  const resultName = wireName(target.elementNames, operation, `${operation}Result`);
  const scan = new DocumentScan(['Envelope', 'Body', `${operation}Response`, resultName], file);
  const readable = createScannable(reading.charset);
  try {
    const otherWork = createTurns();
    const onChunk = (chunk: Buffer) => {
      const begun = performance.now();
      scan.push(readable.bytes(chunk));
      // Base64 is scanned much faster than it arrives; what is slower must not hold the process.
      const isSlow = performance.now() - begun > slowChunkMs;
      return file.settle() ?? (isSlow ? otherWork() : undefined);
    };
    await readBody(response, target.timeouts.idleMs, options, onChunk, { socketBuffer: reading.socketBuffer });
    scan.push(readable.end());
    scan.end();
    checkRest(scan.rest(), readable.charset(), reading);
  } catch (error) {
    throw status >= 400 && failureOf(error)?.code === 'reply-unreadable' ? statusFailure(status) : error;
  }
  const text = textInsteadOfDocument(scan);
  if (text !== null) throw textFailure(reading.redact(text), 'document');
  if (file.sizeBytes === 0) {
    throw appError('service-refused', 'the reply holds no document', { detail: 'no-document-in-reply' });
  }
}

/**
 * Writes the document in GetDocument's reply to `target`, through a temporary file beside it that is removed on any failure. Rejects with
 * service-refused (soap-fault, negative-code, no-document-in-reply), reply-unreadable, service-timeout, cancelled,
 * storage-full or file-unreadable (target-not-writable, target-exists).
 */
export async function downloadDocument(
  response: IncomingMessage,
  reading: Reading,
  target: Target,
): Promise<DownloadReply> {
  await assertRoom(target.path, Math.ceil(((announcedBytes(response) ?? 0) * 3) / 4));
  const file = await createTargetFile(target);
  try {
    await receiveDocument(response, reading, file);
    return await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
