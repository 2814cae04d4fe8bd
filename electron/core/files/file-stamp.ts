import type { BigIntStats } from 'node:fs';

/** Size and both times of a file, as a text. A program that puts mtime back cannot put back ctime. */
export function stampOf({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs}`;
}

const secondNs = 1_000_000_000n;

/** What is kept of a file that was chosen, to know it again: `modifiedMs` is exactly the `mtimeMs` of numbers. */
export function chosenAs(stats: BigIntStats) {
  const restNs = ((stats.mtimeNs % secondNs) + secondNs) % secondNs;
  const modifiedMs = Number((stats.mtimeNs - restNs) / secondNs) * 1_000 + Number(restNs) / 1e6;
  return { sizeBytes: Number(stats.size), modifiedMs, identity: identityOf(stats) };
}

/** Which file is at a path, and when its entry was last changed, as a text. */
export function identityOf({ dev, ino, ctimeNs }: BigIntStats): string {
  return `${dev}:${ino} ${ctimeNs}`;
}

/**
 * True if two identities are of different files. A new ctime alone is no other file: permissions, marks of virus scanners and of what keeps folders in step, even a look into
 * the file on macOS change it. Nor is a new number alone: some network folders give one at each look.
 */
export function isOtherFile(one: string, other: string): boolean {
  const [file, changed] = one.split(' ', 2);
  const [otherFile, otherChanged] = other.split(' ', 2);
  return file !== otherFile && changed !== otherChanged;
}

/** The size in a stamp, in bytes. */
export function sizeIn(stamp: string): number {
  return Number(stamp.split(' ', 1)[0]);
}

/** Times of file systems without an own ctime (FAT, exFAT, many network folders) are multiples of this at least. */
const coarseNs = 10_000_000n;
/** Systems write times at the ticks of a clock: two changes within one tick have the same time. */
const tickMs = 1_000;

/** True if every later change must change the stamp. If not, only the bytes tell whether they are the same. */
export function showsChanges({ ctimeNs }: BigIntStats): boolean {
  const isCoarse = ctimeNs <= 0n || ctimeNs % coarseNs === 0n;
  return !isCoarse && Number(ctimeNs / 1_000_000n) < Date.now() - tickMs;
}
