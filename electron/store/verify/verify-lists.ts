import type { VerdictGroup } from '../../../contract/answers.ts';
import type { FileVerdict } from '../../../contract/pdf-signatures.ts';
import type { FileChange } from '../../../contract/verify-result.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { ranks, type StoredFile, type StoredRun } from './verify-rows.ts';

export interface FileFilter {
  readonly group?: VerdictGroup | undefined;
  readonly change?: FileChange | undefined;
  /** What the file itself proves. */
  readonly own?: FileVerdict | undefined;
  /** Words that the name and folder of a file contain. */
  readonly search?: string | undefined;
}

/** SQL condition for the rows of a scope that a run sees; takes the run's number twice. */
export const visible = 'from_run <= ? AND (to_run IS NULL OR to_run > ?)';

/** A page of a run's files in the order of the list, and the total that matches the filter. */
export function pageOfFiles(
  sql: Sql,
  run: StoredRun,
  { group, change, own, search, offset, limit }: FileFilter & { readonly offset: number; readonly limit: number },
): { rows: StoredFile[]; total: number } {
  const values: SqlValue[] = [run.scope, run.seq, run.seq];
  let where = `scope = ? AND ${visible}`;
  if (group !== undefined) {
    where += ' AND rank = ?';
    values.push(ranks[group]);
  }
  if (change === 'unchanged') {
    where += " AND rank <> 7 AND (from_run <> ? OR change = 'unchanged')";
    values.push(run.seq);
  } else if (change !== undefined) {
    where += ' AND from_run = ? AND change = ?';
    values.push(run.seq, change);
  }
  if (own !== undefined) {
    where += ' AND own_verdict = ?';
    values.push(own);
  }
  for (const word of search?.split(/\s+/).filter(Boolean) ?? []) {
    where += " AND (folder || '/' || name) LIKE ? ESCAPE '\\'";
    values.push(`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
  }
  const index = change !== undefined && change !== 'unchanged' ? 'verify_files_changed' : 'verify_files_list';
  const total =
    sql.get<{ n: number }>(`SELECT count(*) AS n FROM verify_files INDEXED BY ${index} WHERE ${where}`, ...values)?.n ??
    0;
  const rows = sql.all<StoredFile>(
    `SELECT f.* FROM (SELECT seq FROM verify_files INDEXED BY ${index} WHERE ${where} ORDER BY rank, sort_key, seq LIMIT ? OFFSET ?) AS page
     JOIN verify_files AS f ON f.seq = page.seq ORDER BY f.rank, f.sort_key, f.seq`,
    ...values,
    limit,
    offset,
  );
  return { rows, total };
}

/** The next files of a run in the order of the list, after `last`. */
export function filesAfter(sql: Sql, run: StoredRun, last: StoredFile | null, limit: number): StoredFile[] {
  return sql.all<StoredFile>(
    `SELECT * FROM verify_files INDEXED BY verify_files_list
     WHERE scope = ? AND (rank, sort_key, seq) > (?, ?, ?) AND ${visible} ORDER BY rank, sort_key, seq LIMIT ?`,
    run.scope,
    last?.rank ?? -1,
    last?.sort_key ?? '',
    last?.seq ?? 0,
    run.seq,
    run.seq,
    limit,
  );
}
