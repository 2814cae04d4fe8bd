import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { appError, codeOf, failureOf } from '../../core/foundation/app-error.ts';

/** Above this size the ratio of output to input is checked. */
const ratioFromBytes = 4 * 1024 * 1024;
/** Lists of similar entries reach a tenth of this; a decompression bomb reaches a thousand. */
const maxRatio = 200;
/** Above the size of a 4 GiB document in base64. */
const maxDecodedBytes = 8 * 1024 ** 3;

const codings = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // Should be a zlib stream; some servers leave out zlib's two header bytes.
  deflate: (first: Buffer) => (isZlib(first) ? createInflate() : createInflateRaw()),
} as const satisfies Record<string, (first: Buffer) => Transform>;

export type ContentCoding = keyof typeof codings;

function isZlib(first: Buffer): boolean {
  const [method = 0, flags = 0] = first;
  return (method & 0x0f) === 8 && (first.length < 2 || (method * 256 + flags) % 31 === 0);
}

/**
 * The Content-Encoding of an answer; null for none. Requests exclude compression, but services behind a proxy that compresses everything send it
 * anyway. Throws reply-unreadable (not-xml) with its name for an unknown one.
 */
export function contentCoding(response: IncomingMessage): ContentCoding | null {
  const coding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return null;
  if (Object.hasOwn(codings, coding)) return coding as ContentCoding;
  throw appError('reply-unreadable', `the content coding "${shorten(coding)}" is not read`, { detail: 'not-xml' });
}

type TakePiece = (piece: Buffer) => void | Promise<void>;

export type BodyDecoding = ReturnType<typeof createBodyDecoding>;

/** Decodes a body as it arrives and keeps nothing of it. */
export function createBodyDecoding(coding: ContentCoding, take: TakePiece) {
  let stream: Transform | undefined;
  let taken: Promise<void> | undefined;
  let encodedBytes = 0;
  const start = (first: Buffer): Transform => {
    const made = codings[coding](first);
    taken = passOn(made, take, () => encodedBytes).catch((error: unknown) => {
      throw failureOf(error) ? error : decodingFailure(coding, error);
    });
    taken.catch(() => made.destroy());
    return made;
  };
  return {
    /** Resolves when the consumer has taken the output. Rejects as `end`. */
    async write(chunk: Buffer): Promise<void> {
      stream ??= start(chunk);
      const into = stream;
      encodedBytes += chunk.length;
      const written = new Promise<void>((resolve) => void into.write(chunk, () => resolve()));
      // If the consumer fails, the write may never call back; only `taken` holds the reason.
      await Promise.race([written, taken]);
    },
    /**
     * Rejects with reply-unreadable: truncated-reply, not-xml (damaged), reply-too-large (a few bytes that grow to gigabytes), or with the error
     * of `take`.
     */
    async end(): Promise<void> {
      if (!stream) return;
      stream.end();
      await taken;
    },
    destroy: () => void stream?.destroy(),
  };
}

async function passOn(stream: Transform, take: TakePiece, encodedBytes: () => number): Promise<void> {
  let decodedBytes = 0;
  for await (const piece of stream) {
    decodedBytes += (piece as Buffer).length;
    const isBomb = decodedBytes > ratioFromBytes && decodedBytes > encodedBytes() * maxRatio;
    if (isBomb || decodedBytes > maxDecodedBytes)
      throw appError('reply-unreadable', `${encodedBytes()} bytes that grow to more than ${decodedBytes}`, {
        detail: 'reply-too-large',
      });
    await take(piece as Buffer);
  }
}

function decodingFailure(coding: ContentCoding, error: unknown) {
  const code = codeOf(error);
  return code === 'Z_BUF_ERROR'
    ? appError('reply-unreadable', `the ${coding} coding broke off`, { detail: 'truncated-reply' })
    : appError('reply-unreadable', `the ${coding} coding is damaged: ${code}`, { detail: 'not-xml' });
}

/**
 * A word of a head as it may be quoted in a failure: whole, or by its length. Cut, it could hold the beginning of a secret, which no redaction would find.
 */
export function shorten(word: string): string {
  return word.length <= 100 ? word : `a value of ${word.length} characters`;
}
