import { writeSync } from 'node:fs';

/** A stream for text. Never throws: started work must not stop because its results cannot be printed. */
export type Output = ReturnType<typeof openOutput>;

/** A terminal or pipe that another program has made non-blocking may be full for a short time. */
const tryAgainMs = 20;
const triesWhenFull = 500;

/** Calls `onLost` once, with the reason, when a write fails. Nothing is written after that, since a line would be incomplete. */
export function openOutput(stream: NodeJS.WriteStream & { readonly fd: number }, onLost: (why: LossReason) => void) {
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
    write: (text: string) => {
      if (isLost) return;
      try {
        if (isFile) writeAll(stream.fd, Buffer.from(text));
        else stream.write(text);
      } catch (error) {
        lose(error);
      }
    },
    /** Resolves when a reader has taken all that was written, or it is lost: a long result is not gathered in memory for one that is slower than the program. */
    drained: (): Promise<void> =>
      new Promise((resolve) => {
        if (isLost || isFile) resolve();
        else stream.write('', () => resolve());
      }),
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

/** Why results cannot be printed: a known code of the system, or one as it came. */
export type LossReason =
  | { readonly known: (typeof knownReasons)[number] | 'unknown' }
  | { readonly known: null; readonly code: string };

const knownReasons = ['ENOSPC', 'EDQUOT', 'EPIPE', 'EAGAIN', 'EIO'] as const;

function reasonOf(error: unknown): LossReason {
  const code = codeOf(error);
  if (code === null) return { known: 'unknown' };
  const known = knownReasons.find((one) => one === code);
  return known ? { known } : { known: null, code };
}

function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error ? String(error.code) : null;
}
