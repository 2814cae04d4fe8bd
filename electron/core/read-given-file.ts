import { readWhole } from '../soap/open-file.ts';
import { failing } from './failing.ts';
import { readTrouble } from './file-trouble.ts';

/** A file that a host was told to read, of at most `mostBytes`. Never waits for a pipe or reads a device to its end. Rejects with file-unreadable or bad-input. */
export async function readGivenFile(path: string, mostBytes: number): Promise<Buffer> {
  const bytes = await readWhole(path, mostBytes).catch((error: unknown) => {
    throw readTrouble(error);
  });
  if (!bytes) throw failing('bad-input', `the file is larger than ${Math.round(mostBytes / 1024 / 1024)} MB`);
  return bytes;
}
