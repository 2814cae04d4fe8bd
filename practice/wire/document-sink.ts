import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { unreadableValue } from './faults.ts';

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
  /** Takes base64 text. A promise means: wait before the next. Throws the fault for what is not base64. */
  push(text: Buffer, start: number, end: number): Promise<void> | undefined;
  /** Null if nothing was to be kept. Throws the fault for base64 that ends in the middle. */
  finish(): Promise<ReceivedDocument | null>;
  discard(): Promise<void>;
}

/** `toString` and `write` of base64 are several times slower above this size. A multiple of 4. */
const stepBytes = 48 * 1024;
const blockBytes = 16 * 36 * 1024;
const strict = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Writes blocks to a file and hashes them; one block is filled while the other is written. Without a file it keeps nothing. */
class BlockWriter {
  readonly hash = createHash('sha256');
  sizeBytes = 0;
  block: Buffer;
  filled = 0;
  readonly #file: FileHandle | null;
  readonly #limitBytes: number;
  #other: Buffer;
  #writing: Promise<unknown> = Promise.resolve();

  constructor(file: FileHandle | null, limitBytes: number) {
    this.#file = file;
    this.#limitBytes = limitBytes;
    this.block = Buffer.allocUnsafeSlow(file ? blockBytes : stepBytes);
    this.#other = file ? Buffer.allocUnsafeSlow(blockBytes) : this.block;
  }

  async flush(): Promise<void> {
    const file = this.#file;
    if (!file) {
      this.filled = 0;
      return;
    }
    const full = this.block.subarray(0, this.filled);
    this.hash.update(full);
    this.sizeBytes += this.filled;
    this.filled = 0;
    [this.block, this.#other] = [this.#other, this.block];
    const before = this.#writing;
    if (this.sizeBytes <= this.#limitBytes) {
      this.#writing = before.then(() => file.appendFile(full));
      // Awaited at the next flush; without this a full disk would be an unhandled rejection until then.
      this.#writing.catch(() => undefined);
    }
    await before;
  }

  async end(): Promise<void> {
    await this.flush();
    await this.#writing;
    await this.#file?.close();
  }

  async abandon(): Promise<void> {
    await this.#writing.catch(() => undefined);
    await this.#file?.close().catch(() => undefined);
  }
}

/** The fault for a character that base64 does not have, or not there. */
export function notBase64() {
  return unreadableValue(
    'The input is not a valid Base-64 string as it contains a non-base 64 character, more than two padding characters, or an illegal character among the padding characters.',
  );
}

class StrictBase64Sink implements DocumentSink {
  readonly #path: string | null;
  readonly #limitBytes: number;
  readonly #writer: BlockWriter;
  #carry = '';
  #isPadded = false;

  constructor(path: string | null, limitBytes: number, file: FileHandle | null) {
    this.#path = path;
    this.#limitBytes = limitBytes;
    this.#writer = new BlockWriter(file, limitBytes);
  }

  push(text: Buffer, start: number, end: number): Promise<void> | undefined {
    let at = start;
    while (at < end && this.#hasRoom()) at = this.#decodeStep(text, at, end);
    return at < end ? this.#pushAndFlush(text, at, end) : undefined;
  }

  async finish(): Promise<ReceivedDocument | null> {
    if (this.#carry !== '') throw unreadableValue('Invalid length for a Base-64 char array or string.');
    await this.#writer.end();
    if (this.#path === null) return null;
    const { sizeBytes, hash } = this.#writer;
    const tooLarge = sizeBytes > this.#limitBytes;
    return { path: this.#path, sizeBytes, sha256: hash.copy().digest('hex'), hash, tooLarge };
  }

  async discard(): Promise<void> {
    await this.#writer.abandon();
    if (this.#path !== null) await rm(this.#path, { force: true });
  }

  async #pushAndFlush(text: Buffer, start: number, end: number): Promise<void> {
    for (let at = start; at < end; ) {
      if (!this.#hasRoom()) await this.#writer.flush();
      at = this.#decodeStep(text, at, end);
    }
  }

  #hasRoom(): boolean {
    return this.#writer.filled + stepBytes <= this.#writer.block.length;
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
    if ((this.#isPadded && clean !== '') || !strict.test(quads)) throw notBase64();
    this.#isPadded ||= quads.endsWith('=');
    if (this.#isPadded && this.#carry !== '') throw notBase64();
    this.#writer.filled += this.#writer.block.write(quads, this.#writer.filled, 'base64');
  }
}

/** Creates a file that strictly decoded base64 is written to and hashed: a document is never whole in memory, whatever its size. */
export async function openDocumentSink(path: string, limitBytes: number): Promise<DocumentSink> {
  return new StrictBase64Sink(path, limitBytes, await open(path, 'wx', 0o600));
}

/** Reads base64 as strictly, and keeps nothing of it. */
export function openCheckingSink(): DocumentSink {
  return new StrictBase64Sink(null, 0, null);
}
