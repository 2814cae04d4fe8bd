import type { VerdictGroup } from '../../../contract/answers.ts';
import type { FileVerdict } from '../../../contract/pdf-signatures.ts';
import type { FileChange } from '../../../contract/verify-result.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { pendingRank, ranks, type StoredFile, type StoredRun } from './verify-rows.ts';

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

/** How many files have a rank of the list. */
export interface RankCount {
  readonly rank: number;
  readonly n: number;
}

/** What a search leaves of a run: how many files have a rank, what they themselves prove, and the change that the run found. */
export interface FoundCount extends RankCount {
  readonly verdict: FileVerdict | null;
  readonly change: FileChange | null;
}

/** SQL condition for the files of a run that a search leaves, and its values. */
function leftBy({ scope, seq }: StoredRun, search = '') {
  const words = search.split(/\s+/).filter(Boolean);
  return {
    isSearch: words.length > 0,
    where: `scope = ? AND ${visible}${" AND (folder || '/' || name) LIKE ? ESCAPE '\\'".repeat(words.length)}`,
    values: [scope, seq, seq, ...words.map((word): SqlValue => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`)],
  };
}

/** A page of a run's files in the order of the list, and the total that matches the filter. `found`: what the search alone leaves, null without one. */
export function pageOfFiles(
  sql: Sql,
  run: StoredRun,
  { group, change, own, search, offset, limit }: FileFilter & { readonly offset: number; readonly limit: number },
): { rows: StoredFile[]; total: number; found: readonly FoundCount[] | null } {
  const left = leftBy(run, search);
  let { where } = left;
  const values = [...left.values];
  // They are the total and all counters, too: a search looks once at every file.
  const found = left.isSearch
    ? sql.all<FoundCount>(
        `SELECT rank, own_verdict AS verdict, iif(from_run = ?, change, NULL) AS change, count(*) AS n
         FROM verify_files INDEXED BY verify_files_list WHERE ${where} GROUP BY 1, 2, 3`,
        run.seq,
        ...values,
      )
    : null;
  if (group !== undefined) {
    where += ' AND rank = ?';
    values.push(ranks[group]);
  }
  if (change === 'unchanged') {
    where += ` AND rank <> ${pendingRank} AND (from_run <> ? OR change = 'unchanged')`;
    values.push(run.seq);
  } else if (change !== undefined) {
    where += ` AND rank <> ${pendingRank} AND from_run = ? AND change = ?`;
    values.push(run.seq, change);
  }
  if (own !== undefined) {
    where += ' AND own_verdict = ?';
    values.push(own);
  }
  const index = change !== undefined && change !== 'unchanged' ? 'verify_files_changed' : 'verify_files_list';
  const inGroup = found?.filter(({ rank }) => group === undefined || rank === ranks[group]);
  const total =
    inGroup && change === undefined && own === undefined
      ? inGroup.reduce((sum, { n }) => sum + n, 0)
      : (sql.get<{ n: number }>(`SELECT count(*) AS n FROM verify_files INDEXED BY ${index} WHERE ${where}`, ...values)
          ?.n ?? 0);
  const rows = sql.all<StoredFile>(
    `SELECT f.* FROM (SELECT seq FROM verify_files INDEXED BY ${index} WHERE ${where} ORDER BY rank, sort_key, seq LIMIT ? OFFSET ?) AS page
     JOIN verify_files AS f ON f.seq = page.seq ORDER BY f.rank, f.sort_key, f.seq`,
    ...values,
    limit,
    offset,
  );
  return { rows, total, found };
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
