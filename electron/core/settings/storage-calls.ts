import { lstat, opendir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoragePart, StorageUsage } from '../../../contract/diagnostics.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import { toOwnFileError } from '../foundation/fs-errors.ts';
import type { Ports } from '../foundation/ports.ts';

/** Calls about what the program keeps on this computer. */
export function storageCalls({
  dataDir,
  logFile,
  desktop,
}: Pick<Ports, 'dataDir' | 'logFile' | 'desktop'>): HandlersOf<'storage'> {
  return {
    'storage.usage': () => measureStorage(dataDir, logFile),
    'storage.showFolder': () => desktop.showInFolder(join(dataDir, 'sealdesk.db')),
    'storage.clearLogs': async () => {
      await removeLogs(logFile).catch((error: unknown) => {
        throw toOwnFileError(error);
      });
      return measureStorage(dataDir, logFile);
    },
  };
}

/** Files counted at most: a queue of many thousands of copies must not keep the disk busy for minutes. */
const mostFiles = 100_000;

/** Names in the data folder and the part that each belongs to; what none names is `other`. */
const parts: readonly (readonly [RegExp, StoragePart])[] = [
  [/^sealdesk\.db(-wal|-shm)?$/, 'database'],
  [/^(spool|arrived|drafts|bulk)$/, 'copies'],
  [/^practice$/, 'practice'],
  [/^set-aside$|\.bak$|\.damaged-/, 'setAside'],
];

/** Measures the data folder and the log, which may be outside of it. Never rejects: what cannot be read counts as nothing. */
export async function measureStorage(folder: string, logFile: string | null): Promise<StorageUsage> {
  const bytes: Record<StoragePart, number> = { database: 0, copies: 0, practice: 0, setAside: 0, logs: 0, other: 0 };
  const logs = logFiles(logFile);
  const counted = { files: 0 };
  for (const log of logs) bytes.logs += await bytesOf(log, counted);
  for await (const { name } of entriesOf(folder)) {
    const path = join(folder, name);
    if (logs.includes(path)) continue;
    const part = parts.find(([pattern]) => pattern.test(name))?.[1] ?? 'other';
    bytes[part] += await bytesOf(path, counted);
  }
  return { folder, bytes, isComplete: counted.files < mostFiles };
}

/** Removes the log files; the log goes on in a new one. Rejects as node:fs. */
async function removeLogs(logFile: string | null): Promise<void> {
  for (const log of logFiles(logFile)) await rm(log, { force: true });
}

const logFiles = (logFile: string | null) => (logFile === null ? [] : [logFile, `${logFile}.old`]);

/** Bytes of a file, or of all files below a folder. Links are not followed. */
async function bytesOf(path: string, counted: { files: number }): Promise<number> {
  const status = await lstat(path).catch(() => null);
  if (!status || counted.files >= mostFiles) return 0;
  if (!status.isDirectory()) {
    counted.files += 1;
    return status.size;
  }
  let sum = 0;
  for await (const { name } of entriesOf(path)) sum += await bytesOf(join(path, name), counted);
  return sum;
}

async function* entriesOf(folder: string): AsyncGenerator<{ readonly name: string }> {
  try {
    yield* await opendir(folder);
  } catch {
    // A folder that is missing, or was removed meanwhile, is empty.
  }
}
