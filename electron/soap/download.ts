import type { BlockWriters } from '../core/files/block-writing.ts';
import type { DocumentSink } from '../core/files/byte-sink.ts';
import type { Target } from '../core/files/place-file.ts';
import { assertRoom, createTargetFile } from '../core/files/target-file.ts';
import { appError, failureOf } from '../core/foundation/app-error.ts';
import { negativeCode } from './answers.ts';
import type { DownloadReply } from './client.ts';
import { createTextDecoding } from './decode-text.ts';
import { createDocumentScan } from './document-scanner.ts';
import { wireName } from './element-names.ts';
import type { Consume } from './feed-reply.ts';
import { readBody } from './read-body.ts';
import { createReplyFeed } from './read-reply.ts';
import { refusal } from './refusal.ts';
import { announcedBytes, statusFailure } from './reply-head.ts';

type Response = Parameters<Consume<never>>[0];
type Reading = Parameters<Consume<never>>[1];

/** The scanner reads bytes, so it cannot scan encodings in which `<` is not one byte. */
function assertScannable(charset: string | null): void {
  if (!/^(utf-?8|us-ascii|iso-8859-\d+|windows-125\d)$/i.test(charset ?? 'utf-8')) {
    throw appError('reply-unreadable', `a document in ${charset?.slice(0, 40)} is not read`, { detail: 'not-xml' });
  }
}

/** Parses the reply without the document: finds faults, other replies, wrong namespaces, nil and absent results. */
function checkRest(rest: Buffer, reading: Reading): void {
  const decoding = createTextDecoding(reading.charset);
  const feed = createReplyFeed(
    { ...reading, totalUnits: rest.length + 1 },
    { result: () => undefined, open: () => undefined, text: () => undefined, close: () => undefined },
  );
  feed.write(decoding.write(rest) + decoding.end());
  feed.end();
}

/** `%PDF` in base64. */
const pdfStart = /^\s*JVBER/;

/**
 * The service's text if it sent text instead of a document, else null. Some texts happen to be base64 ("Not Found" is): nothing
 * that short is a document, and it must not be saved as one.
 */
function textInsteadOfDocument({ otherText, shortText }: ReturnType<typeof createDocumentScan>): string | null {
  if (otherText !== null) return otherText;
  return shortText === null || shortText.trim() === '' || pdfStart.test(shortText) ? null : shortText;
}

function refuseText(text: string): never {
  const code = negativeCode(text);
  if (code) throw refusal(code, text.trim());
  throw appError('reply-unreadable', 'a text where a document was expected', {
    detail: 'wrong-reply',
    raw: text.trim(),
  });
}

/**
 * Writes the document in GetDocument's reply to a sink as it arrives. Rejects with service-refused (soap-fault, negative-code,
 * no-document-in-reply), reply-unreadable, service-timeout, cancelled, or with the sink's error.
 */
export async function receiveDocument(response: Response, reading: Reading, file: DocumentSink): Promise<void> {
  assertScannable(reading.charset);
  const { target, operation, options, status } = reading;
  const resultName = wireName(target.elementNames, operation, `${operation}Result`);
  const scan = createDocumentScan(['Envelope', 'Body', `${operation}Response`, resultName], file);
  try {
    const onChunk = (chunk: Buffer) => {
      scan.push(chunk);
      return file.settle();
    };
    await readBody(response, target.timeouts.idleMs, options, onChunk, reading.socketBuffer);
    scan.end();
    checkRest(scan.rest(), reading);
  } catch (error) {
    throw status >= 400 && failureOf(error)?.code === 'reply-unreadable' ? statusFailure(status) : error;
  }
  const text = textInsteadOfDocument(scan);
  if (text !== null) refuseText(text);
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
  response: Response,
  reading: Reading,
  target: Target,
  writers: BlockWriters,
): Promise<DownloadReply> {
  const expectedBytes = ((announcedBytes(response) ?? 0) / 4) * 3;
  await assertRoom(target.path, expectedBytes);
  const file = await createTargetFile(target, (handle) => writers.open(handle, expectedBytes));
  try {
    await receiveDocument(response, reading, file);
    return await file.finish();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
