import { createHash, type Hash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { MalformedRequest } from './faults.ts';

/** A document that came in, in a file of its own. Its hash can be continued, for the seal. */
export interface ReceivedDocument {
  readonly path: string;
  /** What was sent, even where it was too large to keep. */
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly hash: Hash;
  readonly tooLarge: boolean;
}

export interface DocumentSink {
  /** Takes base64 text. A promise means: wait before the next. Throws MalformedRequest. */
  push(text: Buffer, start: number, end: number): Promise<void> | undefined;
  finish(): Promise<ReceivedDocument>;
  discard(): Promise<void>;
}

/** `toString` and `write` of base64 are several times slower above this size. A multiple of 4. */
const stepBytes = 48 * 1024;
const blockBytes = 16 * 36 * 1024;
const strict = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes strictly while it writes and hashes: a document is never whole in memory, whatever its size. */
export async function openDocumentSink(path: string, limitBytes: number): Promise<DocumentSink> {
  const file = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let block = Buffer.allocUnsafeSlow(blockBytes);
  let other = Buffer.allocUnsafeSlow(blockBytes);
  let filled = 0;
  let sizeBytes = 0;
  let carry = '';
  let padded = false;
  let writing: Promise<unknown> = Promise.resolve();

  async function flush(): Promise<void> {
    const full = block.subarray(0, filled);
    hash.update(full);
    sizeBytes += filled;
    filled = 0;
    [block, other] = [other, block];
    const before = writing;
    if (sizeBytes <= limitBytes) {
      writing = before.then(() => file.appendFile(full));
      // Awaited at the next flush; without this a full disk would be an unhandled rejection until then.
      writing.catch(() => undefined);
    }
    await before;
  }

  /** Anything that is not a plain run of quads: line breaks, the padded end, pieces of a quad, mistakes. */
  function takeCarefully(text: string): void {
    const clean = carry + text.replace(/[ \t\r\n]+/g, '');
    const whole = clean.length - (clean.length % 4);
    const quads = clean.slice(0, whole);
    carry = clean.slice(whole);
    if ((padded && clean !== '') || !strict.test(quads)) throw new MalformedRequest('not base64');
    padded ||= quads.endsWith('=');
    if (padded && carry !== '') throw new MalformedRequest('base64 goes on after its end');
    filled += block.write(quads, filled, 'base64');
  }

  function take(text: string): void {
    if (carry === '' && !padded && text.length % 4 === 0) {
      const decoded = block.write(text, filled, 'base64');
      // Node skips what it does not know and takes the URL-safe alphabet as well: both are told apart here.
      if (decoded === (text.length / 4) * 3 && !text.includes('-') && !text.includes('_')) {
        filled += decoded;
        return;
      }
    }
    takeCarefully(text);
  }

  async function pushAll(text: Buffer, start: number, end: number): Promise<void> {
    for (let at = start; at < end; ) {
      if (filled + stepBytes > blockBytes) await flush();
      at = step(text, at, end);
    }
  }

  function step(text: Buffer, at: number, end: number): number {
    const wanted = carry === '' ? stepBytes : 4 - carry.length;
    let stop = Math.min(end, at + wanted);
    if (carry === '' && stop - at > 4) stop -= (stop - at) % 4;
    take(text.toString('latin1', at, stop));
    return stop;
  }

  return {
    push(text, start, end) {
      let at = start;
      while (at < end && filled + stepBytes <= blockBytes) at = step(text, at, end);
      return at < end ? pushAll(text, at, end) : undefined;
    },
    async finish() {
      if (carry !== '') throw new MalformedRequest('base64 ends in the middle');
      await flush();
      await writing;
      await file.close();
      return { path, sizeBytes, sha256: hash.copy().digest('hex'), hash, tooLarge: sizeBytes > limitBytes };
    },
    async discard() {
      await writing.catch(() => undefined);
      await file.close().catch(() => undefined);
      await rm(path, { force: true });
    },
  };
}
