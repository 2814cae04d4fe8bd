import { type FileHandle, open, readFile, truncate } from 'node:fs/promises';

/** An append-only file of JSON lines. A crash may truncate the last line; all lines before it count. */
export interface Journal<T> {
  /** Resolves when the system has taken the line. Lines are in the order of the calls. */
  append(record: T): Promise<void>;
  close(): Promise<void>;
}

/** Replays existing records, removes a truncated last line and appends after it. Skips a damaged line in the middle. */
export async function openJournal<T>(path: string, replay: (record: T) => void): Promise<Journal<T>> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const whole = bytes.lastIndexOf(0x0a) + 1;
  for (const line of bytes.toString('utf8', 0, whole).split('\n')) {
    const record = line === '' ? null : parsed<T>(line);
    if (record) replay(record);
  }
  if (whole < bytes.length) await truncate(path, whole);
  const file: FileHandle = await open(path, 'a', 0o600);
  let last: Promise<unknown> = Promise.resolve();
  return {
    append(record) {
      const written = last.then(() => file.appendFile(`${JSON.stringify(record)}\n`));
      last = written.catch(() => undefined);
      return written;
    },
    async close() {
      await last;
      await file.close();
    },
  };
}

function parsed<T>(line: string): T | null {
  try {
    return JSON.parse(line) as T;
  } catch {
    return null;
  }
}
