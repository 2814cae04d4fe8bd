/** How well texts match a search: 3 one is equal, 2 one begins with it, 1 every word of the search begins a word of them, 0 not at all. */
export type MatchRank = 0 | 1 | 2 | 3;

/** A text as searches compare it: lower case, without accents. */
export function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

export function matchRank(search: string, texts: readonly string[]): MatchRank {
  const wanted = folded(search).trim();
  const own = texts.map((text) => folded(text).trim());
  if (wanted === '') return 1;
  if (own.includes(wanted)) return 3;
  if (own.some((text) => text.startsWith(wanted))) return 2;
  const words = own.join(' ').split(/[^\p{L}\p{N}]+/u);
  const asked = wanted.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return asked.length > 0 && asked.every((word) => words.some((one) => one.startsWith(word))) ? 1 : 0;
}
