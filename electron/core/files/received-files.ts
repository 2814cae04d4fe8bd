import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { appError } from '../foundation/app-error.ts';
import { asOwnFile } from '../foundation/fs-errors.ts';
import type { ProgramRuns } from './own-files.ts';
import { roomFor } from './storage-room.ts';

/** Files that came as bytes (mail clients, the browser): stored on disk until the program ends, and longer if a job still needs them. */
export type ReceivedFiles = Awaited<ReturnType<typeof openReceivedFiles>>;

export interface ReceivedFileBounds {
  readonly fileBytes: number;
  /** Bound of all files of one run together. */
  readonly runBytes: number;
}

export const receivedFileBounds: ReceivedFileBounds = { fileBytes: 4 * 2 ** 30, runBytes: 16 * 2 ** 30 };

/** The free space is checked each time that this much was written. */
const roomEachBytes = 2 * 1024 * 1024;

/** Answers the files below a folder that are still the source of a job to be sent. */
export type NeededBelow = (folder: string) => ReadonlySet<string>;

/** Opens this run's folder below `arrived`. First removes the files of ended runs that no job needs. */
export async function openReceivedFiles(
  dataDir: string,
  run: ProgramRuns,
  neededBelow: NeededBelow,
  bounds: ReceivedFileBounds = receivedFileBounds,
) {
  const all = join(dataDir, 'arrived');
  await mkdir(all, { recursive: true, mode: 0o700 });
  const own = join(all, run.runId);
  const clear = async (isOver: (runId: string) => boolean) => {
    const folders = (await readdir(all)).filter(isOver);
    const needed = folders.length > 0 ? neededBelow(all) : new Set<string>();
    for (const folder of folders) await removeBut(join(all, folder), needed);
  };
  const isDead = (runId: string) => !run.isAlive(runId);
  await clear(isDead);
  let taken = 0;
  return {
    /**
     * Stores a file; answers its path. Rejects with bad-input beyond the bounds, with storage-full and with storage-unusable, and with the errors of the source
     * itself; then the file is removed.
     */
    take: async (bytes: AsyncIterable<Uint8Array>): Promise<string> => {
      // The file's own name stays out of the path: it may be too long or invalid on this file system.
      const path = join(own, randomUUID());
      await asOwnFile(mkdir(own, { recursive: true, mode: 0o700 }));
      const file = await asOwnFile(open(path, 'wx', 0o600));
      let [written, checked] = [0, -roomEachBytes];
      try {
        for await (const chunk of bytes) {
          written += chunk.byteLength;
          taken += chunk.byteLength;
          if (written > bounds.fileBytes || taken > bounds.runBytes)
            throw appError('bad-input', 'the file is too large');
          if (written - checked >= roomEachBytes) {
            await assertRoom(dataDir, chunk.byteLength);
            checked = written;
          }
          await asOwnFile(file.writeFile(chunk));
        }
        await asOwnFile(file.close());
        return path;
      } catch (error) {
        taken -= written;
        await file.close().catch(() => undefined);
        await rm(path, { force: true }).catch(() => undefined);
        throw error;
      }
    },
    /** Removes the files of this and of ended runs that no job needs. */
    close: (): Promise<void> => clear((runId) => runId === run.runId || isDead(runId)),
  };
}

/** Rejects with storage-full if the space left for the database would be used. */
async function assertRoom(dataDir: string, neededBytes: number): Promise<void> {
  const { arrivalBytes } = await roomFor(dataDir, 0);
  if (arrivalBytes < neededBytes)
    throw appError('storage-full', 'there is no room for the file beside what the ledger needs');
}

async function removeBut(folder: string, needed: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (!needed.has(path)) await rm(path, { recursive: true, force: true });
  }
  // Fails, as it should, if a needed file is left in it.
  await rmdir(folder).catch(() => undefined);
}
