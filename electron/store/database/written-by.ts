import { pathToFileURL } from 'node:url';
import { openSql, type Sql } from './sql.ts';

/** Row of the table `settings`: the highest version of the program that ever opened the database. */
const key = 'program.version';

/** Stores the version if this program is newer than all before. */
export function keepProgramVersion(sql: Sql, version: string): void {
  const known = sql.get<{ value: string }>('SELECT value FROM settings WHERE key = ?', key)?.value;
  if (known !== undefined && !isNewer(version, known)) return;
  sql.run(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    version,
  );
}

/**
 * The version in a database that is too new for this `program`; null if there is none that is newer. The file is opened as immutable, so that nothing beside it is created or
 * changed: values that are only in the write-ahead log are not seen.
 */
export function writtenBy(path: string, program = ''): string | null {
  let sql: Sql | null = null;
  try {
    sql = openSql(`${pathToFileURL(path).href}?immutable=1`);
    const row = sql.get<{ value: Uint8Array }>(
      `SELECT CAST(value AS BLOB) AS value FROM settings WHERE key = '${key}'`,
    );
    const text = Buffer.from(row?.value ?? new Uint8Array()).toString();
    return /^\d{1,6}\.\d{1,6}\.\d{1,6}[\w.+-]{0,30}$/.test(text) && isNewer(text, program) ? text : null;
  } catch {
    return null;
  } finally {
    sql?.close();
  }
}

function isNewer(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number));
  for (let n = 0; n < 3; n++) {
    const difference = (left?.[n] ?? 0) - (right?.[n] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
