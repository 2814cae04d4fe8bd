import type { BigIntStats } from 'node:fs';

/** Size and both times of a file, as a text. A program that puts mtime back cannot put back ctime. */
export function stampOf({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs}`;
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
