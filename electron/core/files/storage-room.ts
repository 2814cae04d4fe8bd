import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Space reserved for the database and its log (4 MiB at most), however much waits to be copied: the end of every job must be written. */
const ledgerBytes = 8 * 1024 * 1024;
/** Space that files that came as bytes must leave free: they stay after they have been sent. */
const arrivedBytes = 16 * 1024 * 1024;
/** With this much free space nothing has to be saved: everything is copied at once. */
const plentyBytes = 256 * 1024 * 1024;

export type Room = Awaited<ReturnType<typeof roomFor>>;

/**
 * Free space on the disk of the spool. On a small disk the reserve for the database is at most a quarter of it, the others a half. `promisedBytes`: size of
 * copies in progress.
 */
export async function roomFor(dataDir: string, promisedBytes: number) {
  const folder = spoolFolder(dataDir);
  const disk = await statfs(folder).catch(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
    return statfs(folder).catch(() => null);
  });
  const stats = disk && disk.blocks > 0 ? disk : null;
  const room = (leftBytes: number, ofDisk: number) =>
    stats === null
      ? Number.POSITIVE_INFINITY
      : Math.max(
          0,
          stats.bavail * stats.bsize - promisedBytes - Math.min(leftBytes, stats.blocks * stats.bsize * ofDisk),
        );
  return {
    /** Bytes for copies, without the database's reserve. Infinite if the system does not report the free space. */
    usableBytes: room(ledgerBytes, 1 / 4),
    /** Bytes for files that came as bytes. */
    arrivalBytes: room(arrivedBytes, 1 / 2),
    /** Bytes that may be used without saving space. */
    plentyBytes: room(plentyBytes, 1 / 2),
  };
}

/** Folder of the queue's copies of files to be sent. */
export function spoolFolder(dataDir: string): string {
  return join(dataDir, 'spool');
}
