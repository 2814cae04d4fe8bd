import { closeSync, openSync, statSync, utimesSync, writeSync } from 'node:fs';

/** Gives a file an old time in whole seconds, which can be put back exactly. */
export const setOldTime = (path: string) => utimesSync(path, 1_700_000_000, 1_700_000_000);

/** Writes other bytes over the same file and puts its time back, as `rsync --inplace -t` and editors of tags do. */
export function overwriteKeepingTime(path: string, bytes: Buffer): void {
  const { atime, mtime } = statSync(path);
  const file = openSync(path, 'r+');
  writeSync(file, bytes);
  closeSync(file);
  utimesSync(path, atime, mtime);
}
