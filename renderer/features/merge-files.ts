import type { FileToken } from '../../contract/files.ts';

/** Adds files to a list. A file that is already in it keeps its position and gets the new token, so that it is read again. */
export function mergeFiles(have: readonly FileToken[], more: readonly FileToken[]): readonly FileToken[] {
  const all = [...have];
  const replaced = new Set<number>();
  for (const one of more) {
    // Only among the files listed before: two files of one drop are two.
    const at = have.findIndex(({ source }, index) => source === one.source && !replaced.has(index));
    if (at < 0) all.push(one);
    else {
      all[at] = one;
      replaced.add(at);
    }
  }
  return all;
}
