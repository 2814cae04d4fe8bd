import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunLock } from '../store/run-lock.ts';
import { failing } from './failing.ts';
import { writeTrouble } from './file-trouble.ts';

/** Files that came as bytes (mail clients, the browser): kept on disk until the program ends. */
export interface Arrivals {
  /**
   * Answers the path. Rejects with bad-input beyond the bounds and with storage-full; nothing stays behind then.
   * What the source itself throws goes on as it is.
   */
  take(bytes: AsyncIterable<Uint8Array>): Promise<string>;
  /** Removes what this run took. */
  close(): Promise<void>;
}

export interface ArrivalBounds {
  readonly fileBytes: number;
  /** Of all that one run takes. */
  readonly runBytes: number;
}

export const arrivalBounds: ArrivalBounds = { fileBytes: 4 * 2 ** 30, runBytes: 16 * 2 ** 30 };

/** One folder a run below `arrived`: what a run that is over left behind is removed first. */
export async function openArrivals(
  dataDir: string,
  run: Pick<RunLock, 'runId' | 'isAlive'>,
  bounds: ArrivalBounds = arrivalBounds,
): Promise<Arrivals> {
  const all = join(dataDir, 'arrived');
  await mkdir(all, { recursive: true, mode: 0o700 });
  for (const runId of await readdir(all)) {
    if (!run.isAlive(runId)) await rm(join(all, runId), { recursive: true, force: true });
  }
  const own = join(all, run.runId);
  let taken = 0;
  return {
    take: async (bytes) => {
      await mkdir(own, { recursive: true, mode: 0o700 });
      // The name of the arrival stays out of the path: it may be too long or unfit for this file system.
      const path = join(own, randomUUID());
      const file = await open(path, 'wx', 0o600);
      let written = 0;
      try {
        for await (const chunk of bytes) {
          written += chunk.byteLength;
          taken += chunk.byteLength;
          if (written > bounds.fileBytes || taken > bounds.runBytes)
            throw failing('bad-input', 'the file is too large');
          await file.writeFile(chunk);
        }
        await file.close();
        return path;
      } catch (error) {
        taken -= written;
        await file.close().catch(() => undefined);
        await rm(path, { force: true });
        throw writeTrouble(error) ?? error;
      }
    },
    close: () => rm(own, { recursive: true, force: true }),
  };
}
