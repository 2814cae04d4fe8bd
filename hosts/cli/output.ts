import { writeSync } from 'node:fs';

/** A stream for text. Never throws: started work must not stop because its results cannot be printed. */
export interface Output {
  write(text: string): void;
}

/** A terminal or pipe that another program has made non-blocking may be full for a short time. */
const tryAgainMs = 20;
const triesWhenFull = 500;

/** Calls `onLost` once, with the reason, when a write fails. Nothing is written after that, since a line would be incomplete. */
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
  // A pipe or a terminal has a handle; a file has none: its stream throws during a write and is unusable afterwards.
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
