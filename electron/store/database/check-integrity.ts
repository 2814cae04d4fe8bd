import { isUtf8 } from 'node:buffer';
import { appError } from '../../core/foundation/app-error.ts';
import { type Sql, sqliteCode } from './sql.ts';

/** Rows whose texts are checked in one query. */
const rowsAtOnce = 5_000;

/**
 * Checks every page and every text: about a second for 100,000 documents, so call it only after a program that did not end in order. Indexes are
 * not compared with their tables. All texts are read as bytes: SQLite checks none of them, and one that is not UTF-8 would come as another text. Throws
 * storage-unusable, its cause SQLITE_CORRUPT.
 */
export function checkIntegrity(sql: Sql): void {
  try {
    if (sql.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check !== 'ok')
      throw damaged('the pages do not fit together');
    for (const table of tablesOf(sql)) checkTexts(sql, table);
  } catch (error) {
    // The statements are correct, so an error in one of them means a damaged schema.
    throw sqliteCode(error) === 'SQLITE_ERROR' ? damaged('the schema cannot be read') : error;
  }
}

function checkTexts(sql: Sql, table: string): void {
  const columns = bytesOf(
    sql,
    "SELECT CAST(name AS BLOB) AS bytes FROM pragma_table_info(?) WHERE type = 'TEXT'",
    table,
  ).map((name) => quoted(name));
  if (columns.length === 0) return;
  const texts = columns.map((column) => `coalesce(${column}, '')`).join(' || char(10) || ');
  const rows = Number(sql.get<{ rows: number }>(`SELECT count(*) AS rows FROM ${quoted(Buffer.from(table))}`)?.rows);
  for (let offset = 0; offset < rows; offset += rowsAtOnce) {
    const [bytes] = bytesOf(
      sql,
      `SELECT CAST(group_concat(texts, char(10)) AS BLOB) AS bytes FROM
         (SELECT ${texts} AS texts FROM ${quoted(Buffer.from(table))} LIMIT ${rowsAtOnce} OFFSET ${offset})`,
    );
    if (bytes && !isUtf8(bytes)) throw damaged('a text is not UTF-8');
  }
}

function tablesOf(sql: Sql): string[] {
  const names = bytesOf(
    sql,
    "SELECT CAST(name AS BLOB) AS bytes FROM sqlite_schema WHERE type = 'table' AND rootpage > 0",
  );
  if (!names.every((name) => isUtf8(name))) throw damaged('the name of a table is not UTF-8');
  return names.map((name) => name.toString());
}

function bytesOf(sql: Sql, text: string, ...values: string[]): Buffer[] {
  const rows = sql.all<{ bytes: Uint8Array | null }>(text, ...values);
  return rows.map(({ bytes }) => Buffer.from(bytes ?? new Uint8Array()));
}

function quoted(name: Buffer): string {
  if (!isUtf8(name)) throw damaged('a name is not UTF-8');
  return `"${name.toString().replaceAll('"', '""')}"`;
}

function damaged(how: string): Error {
  const failure = appError('storage-unusable', `the database is damaged: ${how}`);
  failure.cause = Object.assign(new Error(how), { code: 'SQLITE_CORRUPT' });
  return failure;
}
