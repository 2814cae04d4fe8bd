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

/** As `beginsWith`, of a word that may be the beginning of an ID; shorter ones begin too many by chance, and are looked for in the columns that people see. */
export function beginsWithOrId(word: string, seen: string): string {
  return /^[0-9a-f]{1,3}$/i.test(word) ? `{${seen}} : ${beginsWith(word)}` : beginsWith(word);
}

/**
 * SQL for how well the name of a row matches a search that its FTS5 index has found: 3 it is equal, 2 it begins with it, 1 it has all of its words, 0 it was found by something else. `row`:
 * the row number, `name`: the column outside of the index.
 */
export function nameRank(index: string, row: string, name: string, search: string) {
  const text = search.replaceAll(/\p{Co}/gu, ' ').trim();
  const words = searchWords(text) ?? [];
  if (words.length === 0) return { text: '0', values: [] };
  const found = `${row} IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ?)`;
  const begins = `name : ^ ${beginsWith(text)}`;
  return {
    text: `CASE WHEN ${found} THEN 2 + (length(${name}) = ?) ELSE ${found} END`,
    values: [begins, [...text].length, words.map((word) => `name : ${beginsWith(word)}`).join(' AND ')],
  };
}
