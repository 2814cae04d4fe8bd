import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { MalformedRequest } from './faults.ts';

/** A received document in a file of its own. The seal continues its hash. */
export interface ReceivedDocument {
  readonly path: string;
  /** Size as sent, even if it was too large to keep. */
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

/** Keeps nothing, and reads base64 as nothing. */
export const discardingSink: DocumentSink = {
  push: () => undefined,
  finish: () => Promise.reject(new Error('nothing was kept')),
  discard: async () => undefined,
};

/** `toString` and `write` of base64 are several times slower above this size. A multiple of 4. */
const stepBytes = 48 * 1024;
const blockBytes = 16 * 36 * 1024;
const strict = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Writes blocks to a file and hashes them; one block is filled while the other is written. */
class BlockWriter {
  readonly hash = createHash('sha256');
  sizeBytes = 0;
  block = Buffer.allocUnsafeSlow(blockBytes);
  filled = 0;
  readonly #file: FileHandle;
  readonly #limitBytes: number;
  #other = Buffer.allocUnsafeSlow(blockBytes);
  #writing: Promise<unknown> = Promise.resolve();

  constructor(file: FileHandle, limitBytes: number) {
    this.#file = file;
    this.#limitBytes = limitBytes;
  }

  async flush(): Promise<void> {
    const full = this.block.subarray(0, this.filled);
    this.hash.update(full);
    this.sizeBytes += this.filled;
    this.filled = 0;
    [this.block, this.#other] = [this.#other, this.block];
    const before = this.#writing;
    if (this.sizeBytes <= this.#limitBytes) {
      this.#writing = before.then(() => this.#file.appendFile(full));
      // Awaited at the next flush; without this a full disk would be an unhandled rejection until then.
      this.#writing.catch(() => undefined);
    }
    await before;
  }

  async end(): Promise<void> {
    await this.flush();
    await this.#writing;
    await this.#file.close();
  }

  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#file.close().catch(() => undefined);
  }
}

class StrictBase64Sink implements DocumentSink {
  readonly #path: string;
  readonly #limitBytes: number;
  readonly #writer: BlockWriter;
  #carry = '';
  #isPadded = false;

  constructor(path: string, limitBytes: number, file: FileHandle) {
    this.#path = path;
    this.#limitBytes = limitBytes;
    this.#writer = new BlockWriter(file, limitBytes);
  }

  push(text: Buffer, start: number, end: number): Promise<void> | undefined {
    let at = start;
    while (at < end && this.#writer.filled + stepBytes <= blockBytes) at = this.#decodeStep(text, at, end);
    return at < end ? this.#pushAndFlush(text, at, end) : undefined;
  }

  async finish(): Promise<ReceivedDocument> {
    if (this.#carry !== '') throw new MalformedRequest('base64 ends in the middle');
    await this.#writer.end();
    const { sizeBytes, hash } = this.#writer;
    const tooLarge = sizeBytes > this.#limitBytes;
    return { path: this.#path, sizeBytes, sha256: hash.copy().digest('hex'), hash, tooLarge };
  }

  async discard(): Promise<void> {
    await this.#writer.abandon();
    await rm(this.#path, { force: true });
  }

  async #pushAndFlush(text: Buffer, start: number, end: number): Promise<void> {
    for (let at = start; at < end; ) {
      if (this.#writer.filled + stepBytes > blockBytes) await this.#writer.flush();
      at = this.#decodeStep(text, at, end);
    }
  }

  #decodeStep(text: Buffer, at: number, end: number): number {
    const wanted = this.#carry === '' ? stepBytes : 4 - this.#carry.length;
    let stop = Math.min(end, at + wanted);
    if (this.#carry === '' && stop - at > 4) stop -= (stop - at) % 4;
    this.#decode(text.toString('latin1', at, stop));
    return stop;
  }

  #decode(text: string): void {
    const writer = this.#writer;
    if (this.#carry === '' && !this.#isPadded && text.length % 4 === 0) {
      const decoded = writer.block.write(text, writer.filled, 'base64');
      // Node skips unknown characters and accepts the URL-safe alphabet: these checks refuse both.
      if (decoded === (text.length / 4) * 3 && !text.includes('-') && !text.includes('_')) {
        writer.filled += decoded;
        return;
      }
    }
    this.#decodeIrregular(text);
  }

  /** Decodes anything that is not a plain run of quads: line breaks, the padded end, pieces of a quad, mistakes. */
  #decodeIrregular(text: string): void {
    const clean = this.#carry + text.replace(/[ \t\r\n]+/g, '');
    const whole = clean.length - (clean.length % 4);
    const quads = clean.slice(0, whole);
    this.#carry = clean.slice(whole);
    if ((this.#isPadded && clean !== '') || !strict.test(quads)) throw new MalformedRequest('not base64');
    this.#isPadded ||= quads.endsWith('=');
    if (this.#isPadded && this.#carry !== '') throw new MalformedRequest('base64 goes on after its end');
    this.#writer.filled += this.#writer.block.write(quads, this.#writer.filled, 'base64');
  }
}

/** Creates a file that strictly decoded base64 is written to and hashed: a document is never whole in memory, whatever its size. */
export async function openDocumentSink(path: string, limitBytes: number): Promise<DocumentSink> {
  return new StrictBase64Sink(path, limitBytes, await open(path, 'wx', 0o600));
}
