import { writeSync } from 'node:fs';

/** Where text goes. Never throws: work that has begun must not break off because nobody can be told about it. */
export interface Output {
  write(text: string): void;
}

/** A terminal or a pipe that another program has set not to wait is full for a moment. */
const tryAgainMs = 20;
const triesWhenFull = 500;

/** `onLost` is told once, with the reason, when something cannot be written; nothing is written after that, since a line would be cut. */
export function openOutput(
  stream: NodeJS.WriteStream & { readonly fd: number },
  onLost: (why: string) => void,
): Output {
  let isLost = false;
  const lose = (error: unknown) => {
    if (isLost) return;
    isLost = true;
    onLost(reasonOf(error));
  };
  stream.on('error', lose);
  // A pipe or a terminal has a handle; a file has none, and its stream throws in the middle of a write and is broken from then on.
  const isFile = !('_handle' in stream);
  return {
    write: (text) => {
      if (isLost) return;
      try {
        if (isFile) writeAll(stream.fd, Buffer.from(text));
        else stream.write(text);
      } catch (error) {
        lose(error);
      }
    },
  };
}

function writeAll(fd: number, bytes: Buffer): void {
  let tries = 0;
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(fd, bytes, written);
      tries = 0;
    } catch (error) {
      tries += 1;
      if (codeOf(error) !== 'EAGAIN' || tries > triesWhenFull) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, tryAgainMs);
    }
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EPIPE: 'the program that reads them has ended',
  EAGAIN: 'the program that reads them does not take them',
  EIO: 'the terminal is gone',
};

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return reasons[code] ?? code;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'for an unknown reason';
}
