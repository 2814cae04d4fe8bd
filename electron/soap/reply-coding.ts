import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { appError, codeOf, failureOf } from '../core/foundation/app-error.ts';

/** From here on what comes out is held against what went in. */
const ratioFromBytes = 4 * 1024 * 1024;
/** Lists of much the same entries come to a tenth of this; what was made to fill a memory goes to a thousand. */
const maxRatio = 200;
/** A document of 4 GiB in base64 stays below. */
const maxDecodedBytes = 8 * 1024 ** 3;

const codings = {
  gzip: () => createGunzip(),
  'x-gzip': () => createGunzip(),
  br: () => createBrotliDecompress(),
  // By its name a zlib stream; some servers leave zlib's two bytes away.
  deflate: (first: Buffer) => (isZlib(first) ? createInflate() : createInflateRaw()),
} as const satisfies Record<string, (first: Buffer) => Transform>;

export type ContentCoding = keyof typeof codings;

function isZlib(first: Buffer): boolean {
  const [method = 0, flags = 0] = first;
  return (method & 0x0f) === 8 && (first.length < 2 || (method * 256 + flags) % 31 === 0);
}

/**
 * The Content-Encoding of an answer; null for none. It is never asked for, but services behind a proxy that compresses everything send it all the
 * same. Throws reply-unreadable (not-xml), by name, for one that is not read here.
 */
export function contentCoding(response: IncomingMessage): ContentCoding | null {
  const coding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return null;
  if (Object.hasOwn(codings, coding)) return coding as ContentCoding;
  throw appError('reply-unreadable', `the content coding "${coding.slice(0, 60)}" is not read`, { detail: 'not-xml' });
}

type TakePiece = (piece: Buffer) => void | Promise<void>;

export interface BodyDecoding {
  /** Resolves when what came out of it has been taken. Rejects as `end`. */
  write(chunk: Buffer): Promise<void>;
  /**
   * Rejects with reply-unreadable: truncated-reply, not-xml (damaged), reply-too-large (a few bytes that grow to gigabytes), or with what `take`
   * threw.
   */
  end(): Promise<void>;
  destroy(): void;
}

/** Decodes a body as it arrives: nothing of it is kept. */
export function createBodyDecoding(coding: ContentCoding, take: TakePiece): BodyDecoding {
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
    async write(chunk) {
      stream ??= start(chunk);
      const into = stream;
      encodedBytes += chunk.length;
      const written = new Promise<void>((resolve) => void into.write(chunk, () => resolve()));
      // Where the taking ends badly, the writing may never call back; it alone knows why.
      await Promise.race([written, taken]);
    },
    async end() {
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
