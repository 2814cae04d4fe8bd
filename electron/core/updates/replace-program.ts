import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { access, copyFile, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFile, syncFolder } from '../files/atomic-write.ts';
import { UpdateError } from './update-error.ts';

/*
 * Replaces the one file of an AppImage. electron-updater removes the old file first and then moves the new one: if that fails, nothing is left. Here the new file is
 * laid beside the old one while the program runs, and at its end only renamed: there is the old file or the new one at any time.
 */

/** True if this person can replace the file. */
export async function mayReplaceFile(program: string): Promise<boolean> {
  try {
    await access(dirname(await realpath(program)), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const besides = (program: string) => join(dirname(program), `.${basename(program)}.update`);

/** Copies a fetched file beside the program. Rejects as node:fs, and then leaves nothing. */
export async function layBeside(program: string, fetched: string): Promise<void> {
  const path = besides(await realpath(program));
  try {
    await copyFile(fetched, path);
    await syncFile(path);
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Puts the file that lies beside the program in its place, if it still is the signed one. Rejects with an UpdateError or as node:fs; then the program is as it was. */
export async function replaceByLaidFile(program: string, sha512: string): Promise<void> {
  const place = await realpath(program);
  const path = besides(place);
  const hash = createHash('sha512');
  await pipeline(createReadStream(path), hash);
  if (hash.digest('base64') !== sha512) {
    await rm(path, { force: true });
    throw new UpdateError('damaged', 'the fetched file changed before it was installed');
  }
  await rename(path, place);
  await syncFolder(dirname(place));
}

/** Removes what an earlier run laid beside the program and did not install. Never rejects. */
export async function removeLaidFile(program: string): Promise<void> {
  await realpath(program)
    .then((place) => rm(besides(place), { force: true }))
    .catch(() => undefined);
}
