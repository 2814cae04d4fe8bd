import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, copyFile, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openFile } from '../../soap/open-file.ts';
import { assertRoom, syncFolder } from '../../soap/target-file.ts';
import { failing } from '../failing.ts';
import { readTrouble, writeTrouble } from '../file-trouble.ts';
import { hashFile } from '../hash-file.ts';

export type SpoolPart = 'document' | 'image';

export interface Spooled {
  readonly path: string;
  readonly sizeBytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

/**
 * Copies of what was chosen, so that what is sent is what was chosen, whatever happens to the original. A file under its final name is complete and
 * on the disk.
 */
export interface Spool {
  /** Rejects with file-unreadable, file-changed (while it was copied, or since it was looked at), storage-full, cancelled; then nothing stays. */
  copyIn(
    jobId: string,
    part: SpoolPart,
    source: { readonly path: string; readonly sizeBytes: number },
    signal: AbortSignal,
  ): Promise<Spooled>;
  pathOf(jobId: string, part: SpoolPart): string;
  has(jobId: string, part: SpoolPart): Promise<boolean>;
  /** Never rejects: what cannot be removed now is removed at the next start. */
  remove(jobId: string): Promise<void>;
  /** Removes files of jobs that need none. */
  sweep(isNeeded: (jobId: string) => boolean): Promise<void>;
}

const parts: readonly SpoolPart[] = ['document', 'image'];
const chunkBytes = 512 * 1024;

export function openSpool(dataDir: string): Spool {
  const folder = join(dataDir, 'spool');
  const pathOf = (jobId: string, part: SpoolPart) => join(folder, `${jobId}.${part}`);
  return {
    pathOf,
    copyIn: async (jobId, part, source, signal) => {
      const target = pathOf(jobId, part);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        const done = await copyUnchanged(source, `${target}.part`, signal);
        await rename(`${target}.part`, target);
        await syncFolder(folder);
        return { path: target, ...done };
      } catch (error) {
        await rm(`${target}.part`, { force: true }).catch(() => undefined);
        throw signal.aborted ? failing('cancelled', 'cancelled while it was copied') : readTrouble(error);
      }
    },
    has: (jobId, part) =>
      stat(pathOf(jobId, part)).then(
        () => true,
        () => false,
      ),
    remove: async (jobId) => {
      for (const part of parts) await rm(pathOf(jobId, part), { force: true }).catch(() => undefined);
    },
    sweep: async (isNeeded) => {
      for (const name of await readdir(folder).catch(() => [])) {
        const jobId = name.split('.')[0] ?? '';
        if (!isNeeded(jobId)) await rm(join(folder, name), { force: true }).catch(() => undefined);
      }
    },
  };
}

async function copyUnchanged(
  source: { readonly path: string; readonly sizeBytes: number },
  target: string,
  signal: AbortSignal,
): Promise<{ sizeBytes: number; sha256: string }> {
  signal.throwIfAborted();
  const from = await openFile(source.path);
  try {
    const before = await from.stat();
    if (before.size !== source.sizeBytes) throw failing('file-changed', 'the size is not what it was when chosen');
    const done = (await cloned(source.path, target, signal)) ?? (await copied(from, before.size, target, signal));
    const after = await from.stat();
    if (done.sizeBytes !== before.size || after.size !== before.size || after.mtimeMs !== before.mtimeMs)
      throw failing('file-changed', 'the file changed while it was copied');
    return done;
  } finally {
    await from.close();
  }
}

/** Where the file system can share blocks (APFS, Btrfs, XFS), a copy costs neither time nor space; then only the hash is read. */
async function cloned(
  path: string,
  target: string,
  signal: AbortSignal,
): Promise<{ sizeBytes: number; sha256: string } | null> {
  try {
    await copyFile(path, target, constants.COPYFILE_FICLONE_FORCE);
  } catch {
    return null;
  }
  // It came with the original's permissions, which may forbid writing.
  await chmod(target, 0o600);
  const file = await open(target, 'r+');
  await file.sync().finally(() => file.close());
  return hashFile(target, signal);
}

async function copied(
  from: FileHandle,
  expectedBytes: number,
  target: string,
  signal: AbortSignal,
): Promise<{ sizeBytes: number; sha256: string }> {
  await assertRoom(target, expectedBytes);
  const to = await open(target, 'w', 0o600);
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let sizeBytes = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await from.read(buffer, 0, chunkBytes, sizeBytes);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      await writeAll(to, chunk, sizeBytes);
      sizeBytes += bytesRead;
    }
    await to.sync();
  } catch (error) {
    throw writeTrouble(error) ?? error;
  } finally {
    await to.close();
  }
  return { sizeBytes, sha256: hash.digest('hex') };
}

/** A write may take less than it was given (a disk that fills up): the rest is tried again and tells why. */
async function writeAll(to: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await to.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}
