import type { FileHandle } from 'node:fs/promises';

/** Reads `length` bytes from `position` on into the beginning of `into`; answers the number read, which is smaller only at the end of the file. Rejects as node:fs. */
export async function readFully(file: FileHandle, into: Buffer, length: number, position: number): Promise<number> {
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(into, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

/** Writes all bytes. The system may write only a part of them (a disk that fills up): the rest is tried again, which then reports the error. Rejects as node:fs. */
export async function writeFully(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
