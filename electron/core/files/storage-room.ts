import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Left to the ledger and its log (4 MiB at most), however much waits to be copied: they must take every ending. */
const ledgerBytes = 8 * 1024 * 1024;
/** Left besides by files that came as bytes: their room is not given back when they have been sent. */
const arrivedBytes = 16 * 1024 * 1024;
/** With so much left there is no need to be sparing: everything is copied at once. */
const plentyBytes = 256 * 1024 * 1024;

export interface Room {
  /** For copies, without what is the ledger's. Infinite where the system does not tell. */
  readonly usableBytes: number;
  /** For files that came as bytes. */
  readonly arrivalBytes: number;
  /** As much as may be taken without a thought of sparing. */
  readonly plentyBytes: number;
}

/** On the disk of the spool. Of a small disk the ledger's share is a quarter, and the others a half. `promisedBytes`: of copies that are being made. */
export async function roomFor(dataDir: string, promisedBytes: number): Promise<Room> {
  const folder = spoolFolder(dataDir);
  const disk = await statfs(folder).catch(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => undefined);
    return statfs(folder).catch(() => null);
  });
  const told = disk && disk.blocks > 0 ? disk : null;
  const room = (leftBytes: number, ofDisk: number) =>
    told === null
      ? Number.POSITIVE_INFINITY
      : Math.max(0, told.bavail * told.bsize - promisedBytes - Math.min(leftBytes, told.blocks * told.bsize * ofDisk));
  return {
    usableBytes: room(ledgerBytes, 1 / 4),
    arrivalBytes: room(arrivedBytes, 1 / 2),
    plentyBytes: room(plentyBytes, 1 / 2),
  };
}

/** Where the queue keeps its copies of what is to be sent. */
export function spoolFolder(dataDir: string): string {
  return join(dataDir, 'spool');
}
