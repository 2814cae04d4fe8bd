/** The words of a search that an FTS5 index can have; empty for a search without words, null if nothing can match (only punctuation). */
export function searchWords(search: string): readonly string[] | null {
  const asked = search.split(/[\s\0]+/).filter((word) => word !== '');
  const words = asked.filter((word) => /[\p{L}\p{N}\p{Co}]/u.test(word));
  return asked.length > 0 && words.length === 0 ? null : words;
}

/** The FTS5 expression for words that begin with this one. */
export function beginsWith(word: string): string {
  return `"${word.replaceAll('"', '""')}"*`;
}
