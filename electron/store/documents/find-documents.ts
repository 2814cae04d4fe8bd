import type { Sql } from '../database/sql.ts';
import { documentMatch } from './document-search.ts';
import type { StoredDocument } from './stored-document.ts';

/**
 * Documents of all connections for a search while typing: those whose name begins with the text, then the newest that match its words. Reads at most `limit`
 * rows of each, and counts nothing.
 */
export function findDocumentsByText(sql: Sql, text: string, limit: number): StoredDocument[] {
  const match = documentMatch({ search: text });
  if (match === null || match === '') return [];
  const begins = sql.all<StoredDocument>(
    `SELECT * FROM documents INDEXED BY documents_name WHERE name >= ? COLLATE NOCASE AND name < ? COLLATE NOCASE
     ORDER BY name COLLATE NOCASE, seq LIMIT ?`,
    text.trim(),
    `${text.trim()}\u{10FFFF}`,
    limit,
  );
  const newest = sql.all<StoredDocument>(
    `SELECT d.* FROM (SELECT rowid FROM documents_search WHERE documents_search MATCH ? ORDER BY rowid DESC LIMIT ?) AS found
     JOIN documents AS d ON d.seq = found.rowid ORDER BY d.seq DESC`,
    match,
    limit,
  );
  return [...new Map([...begins, ...newest].map((row) => [row.seq, row])).values()];
}
