import type { FileToken } from '../../contract/files.ts';

/** What is shown already and was taken once more stands where it stood, once, and is read anew. */
export function withMore(have: readonly FileToken[], more: readonly FileToken[]): readonly FileToken[] {
  const all = [...have];
  const replaced = new Set<number>();
  for (const one of more) {
    // Among those that were shown before: two of one drop are two.
    const at = have.findIndex(({ source }, index) => source === one.source && !replaced.has(index));
    if (at < 0) all.push(one);
    else {
      all[at] = one;
      replaced.add(at);
    }
  }
  return all;
}
