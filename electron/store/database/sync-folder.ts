import { closeSync, fsyncSync, openSync } from 'node:fs';

/** fsync of the folder makes new names and moves last; Windows has no such thing. Never throws. */
export function syncFolder(folder: string): void {
  try {
    const handle = openSync(folder, 'r');
    try {
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch {
    // See above.
  }
}
