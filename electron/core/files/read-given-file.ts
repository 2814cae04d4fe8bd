import { appError } from '../foundation/app-error.ts';
import { toReadError } from '../foundation/fs-errors.ts';
import { readWhole } from './open-file.ts';

/** Reads a file that a person named to a host, of at most `mostBytes`. Never waits for a pipe or reads a device. Rejects with file-unreadable or bad-input. */
export async function readGivenFile(path: string, mostBytes: number): Promise<Buffer> {
  const bytes = await readWhole(path, mostBytes).catch((error: unknown) => {
    throw toReadError(error);
  });
  const most =
    mostBytes < 1024 * 1024 ? `${Math.floor(mostBytes / 1024)} kB` : `${Math.floor(mostBytes / 1024 / 1024)} MB`;
  if (!bytes) throw appError('bad-input', `the file is larger than ${most}`);
  return bytes;
}
