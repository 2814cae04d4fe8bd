import type { Comparison, EarlierResult, FileChange } from '../../../contract/verify-result.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { type FileFilter, filesAfter, pageOfFiles, visible } from './verify-lists.ts';
import { goneRank, groupOfRank, pendingRank, type StoredFile, type StoredRun } from './verify-rows.ts';

export interface NewFile {
  readonly idx: number;
  readonly path: string;
  readonly name: string;
  readonly folder: string;
  readonly sortKey: string;
  readonly sizeBytes: number;
  readonly stamp: string | null;
}

/** What asking about a file brought. */
export interface FileAnswer {
  readonly sizeBytes: number;
  readonly stamp: string | null;
  readonly sha256: string | null;
  readonly rank: number;
  readonly answer: string;
  readonly raw: string | null;
  readonly failure: string | null;
  readonly askedAt: string;
  readonly change: FileChange | null;
}

/** Rows of runs. Writing belongs inside of `Sql.transaction`, so that rows and counts of a run change together. */
export interface VerifyFileTable {
  add(run: StoredRun, file: NewFile): void;
  nextIdx(scope: string): number;
  /** As it is now. */
  open(scope: string, path: string): StoredFile | null;
  /** By its place in the table; null where it is not there any more. */
  bySeq(seq: number): StoredFile | null;
  /** A file as a run sees it. */
  inRun(run: StoredRun, idx: number): StoredFile | null;
  todo(scope: string, limit: number): StoredFile[];
  /** Open rows in slices of their place in the table. */
  openAfter(scope: string, seq: number, limit: number): StoredFile[];
  openCounts(scope: string): { readonly rank: number; readonly n: number }[];
  countsIn(run: StoredRun): { readonly rank: number; readonly n: number }[];
  /** What changed in this run. */
  changedCounts(run: StoredRun): { readonly change: FileChange; readonly n: number }[];
  /** False where the row is not pending any more. */
  answer(seq: number, answer: FileAnswer): boolean;
  /** The bytes are the same under another time. */
  touch(seq: number, stamp: string): void;
  /** To be asked about in `run`; what other runs saw of it stays. */
  reopen(run: StoredRun, row: StoredFile, now: { readonly sizeBytes: number; readonly stamp: string | null }): void;
  /** The file is not there any more in `run`. */
  gone(run: StoredRun, row: StoredFile): void;
  /** What an earlier run left pending becomes pending in this one. */
  takeOver(run: StoredRun): void;
  /** What was gone in an earlier run is not told again. */
  closeGone(run: StoredRun): void;
  compared(seq: number, comparison: Comparison): void;
  page(
    run: StoredRun,
    filter: FileFilter & { readonly offset: number; readonly limit: number },
  ): { rows: StoredFile[]; total: number };
  /** All of a run in the order of the list, in slices: give the last row of the slice before. */
  after(run: StoredRun, last: StoredFile | null, limit: number): StoredFile[];
  /** Words and groups of all rows that rest on words of a service. */
  worded(): { readonly raw: string; readonly answer: string }[];
  /** Gives all rows with this answer another one. */
  reword(raw: string, before: string, after: string, rank: number): void;
  /** Removes at most `limit` rows that no run sees; false when nothing is left. Call again later. */
  sweep(limit: number): boolean;
}

export function verifyFileTable(sql: Sql): VerifyFileTable {
  const one = (text: string, ...values: SqlValue[]) => sql.get<StoredFile>(text, ...values) ?? null;
  return {
    add: (run, file) => insert(sql, run, file, null),
    nextIdx: (scope) =>
      (sql.get<{ n: number | null }>('SELECT max(idx) AS n FROM verify_files WHERE scope = ?', scope)?.n ?? -1) + 1,
    open: (scope, path) =>
      one('SELECT * FROM verify_files WHERE scope = ? AND path = ? AND to_run IS NULL', scope, path),
    bySeq: (seq) => one('SELECT * FROM verify_files WHERE seq = ?', seq),
    inRun: ({ scope, seq }, idx) =>
      one(`SELECT * FROM verify_files WHERE scope = ? AND idx = ? AND ${visible}`, scope, idx, seq, seq),
    todo: (scope, limit) =>
      sql.all(
        'SELECT * FROM verify_files WHERE scope = ? AND rank = 6 AND to_run IS NULL ORDER BY seq LIMIT ?',
        scope,
        limit,
      ),
    openAfter: (scope, seq, limit) =>
      sql.all(
        'SELECT * FROM verify_files WHERE seq > ? AND scope = ? AND to_run IS NULL ORDER BY seq LIMIT ?',
        seq,
        scope,
        limit,
      ),
    openCounts: (scope) =>
      sql.all('SELECT rank, count(*) AS n FROM verify_files WHERE scope = ? AND to_run IS NULL GROUP BY rank', scope),
    changedCounts: ({ scope, seq }) =>
      sql.all(
        `SELECT change, count(*) AS n FROM verify_files
         WHERE scope = ? AND from_run = ? AND change IS NOT NULL AND (to_run IS NULL OR to_run > ?) GROUP BY change`,
        scope,
        seq,
        seq,
      ),
    countsIn: ({ scope, seq }) =>
      sql.all(
        `SELECT rank, count(*) AS n FROM verify_files WHERE scope = ? AND ${visible} GROUP BY rank`,
        scope,
        seq,
        seq,
      ),
    answer: (seq, given) => answer(sql, seq, given),
    touch: (seq, stamp) => void sql.run('UPDATE verify_files SET stamp = ? WHERE seq = ?', stamp, seq),
    reopen: (run, row, now) => reopen(sql, run, row, now),
    gone: (run, row) => gone(sql, run, row),
    takeOver: (run) => {
      const rows = sql.all<StoredFile>(
        'SELECT * FROM verify_files WHERE scope = ? AND rank = 6 AND to_run IS NULL AND from_run < ?',
        run.scope,
        run.seq,
      );
      for (const row of rows) reopen(sql, run, row, { sizeBytes: row.size_bytes, stamp: row.stamp });
    },
    closeGone: ({ scope, seq }) =>
      void sql.run(
        'UPDATE verify_files SET to_run = ? WHERE scope = ? AND rank = ? AND to_run IS NULL AND from_run < ?',
        seq,
        scope,
        goneRank,
        seq,
      ),
    compared: (seq, comparison) =>
      void sql.run('UPDATE verify_files SET comparison = ? WHERE seq = ?', JSON.stringify(comparison), seq),
    page: (run, filter) => pageOfFiles(sql, run, filter),
    after: (run, last, limit) => filesAfter(sql, run, last, limit),
    worded: () =>
      sql.all(
        'SELECT DISTINCT raw, answer FROM verify_files WHERE raw IS NOT NULL AND failure IS NULL AND answer IS NOT NULL',
      ),
    reword: (raw, before, next, rank) =>
      void sql.run(
        'UPDATE verify_files SET answer = ?, rank = iif(rank IN (3, 6), rank, ?) WHERE raw = ? AND answer = ? AND failure IS NULL',
        next,
        rank,
        raw,
        before,
      ),
    sweep: (limit) => sweep(sql, limit),
  };
}

function insert(sql: Sql, run: StoredRun, file: NewFile, earlier: string | null): void {
  sql.run(
    `INSERT INTO verify_files (scope, idx, from_run, path, name, folder, sort_key, size_bytes, stamp, rank, earlier)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    run.scope,
    file.idx,
    run.seq,
    file.path,
    file.name,
    file.folder,
    file.sortKey,
    file.sizeBytes,
    file.stamp,
    pendingRank,
    earlier,
  );
}

function answer(sql: Sql, seq: number, given: FileAnswer): boolean {
  const changed = sql.run(
    `UPDATE verify_files SET size_bytes = ?, stamp = ?, sha256 = ?, rank = ?, answer = ?, raw = ?, failure = ?, asked_at = ?,
       change = ? WHERE seq = ? AND rank = 6`,
    given.sizeBytes,
    given.stamp,
    given.sha256,
    given.rank,
    given.answer,
    given.raw,
    given.failure,
    given.askedAt,
    given.change,
    seq,
  );
  return changed > 0;
}

/** What a later version says of the one before; of a version that was never asked about, what that said of its own. */
function earlierOf(row: StoredFile): string | null {
  const group = groupOfRank(row.rank);
  if (group === null) return row.earlier;
  return JSON.stringify({ sha256: row.sha256, group, raw: row.raw, askedAt: row.asked_at } satisfies EarlierResult);
}

const newFileOf = (row: StoredFile): NewFile => ({
  idx: row.idx,
  path: row.path,
  name: row.name,
  folder: row.folder,
  sortKey: row.sort_key,
  sizeBytes: row.size_bytes,
  stamp: row.stamp,
});

function close(sql: Sql, run: StoredRun, row: StoredFile): void {
  sql.run('UPDATE verify_files SET to_run = ? WHERE seq = ?', run.seq, row.seq);
}

function reopen(
  sql: Sql,
  run: StoredRun,
  row: StoredFile,
  now: { readonly sizeBytes: number; readonly stamp: string | null },
): void {
  if (row.from_run === run.seq) {
    sql.run(
      `UPDATE verify_files SET size_bytes = ?, stamp = ?, rank = ?, answer = NULL, raw = NULL, failure = NULL,
         asked_at = NULL, change = NULL WHERE seq = ?`,
      now.sizeBytes,
      now.stamp,
      pendingRank,
      row.seq,
    );
    return;
  }
  close(sql, run, row);
  insert(sql, run, { ...newFileOf(row), ...now }, earlierOf(row));
}

function gone(sql: Sql, run: StoredRun, row: StoredFile): void {
  const earlier = earlierOf(row);
  if (row.from_run !== run.seq) {
    close(sql, run, row);
    insert(sql, run, newFileOf(row), earlier);
  }
  sql.run(
    `UPDATE verify_files SET rank = ?, change = 'gone', answer = NULL, raw = NULL, failure = NULL, earlier = ?
     WHERE scope = ? AND idx = ? AND to_run IS NULL`,
    goneRank,
    earlier,
    row.scope,
    row.idx,
  );
}

/** Of a scope of which a run was removed: rows that lie between the runs that are left. */
function sweep(sql: Sql, limit: number): boolean {
  const scope = sql.get<{ scope: string }>('SELECT scope FROM verify_sweeps LIMIT 1')?.scope;
  if (scope === undefined) return false;
  const removed = sql.run(
    `DELETE FROM verify_files WHERE seq IN (
       SELECT f.seq FROM verify_files AS f WHERE f.scope = ? AND NOT EXISTS (
         SELECT 1 FROM verify_runs AS r WHERE r.scope = f.scope AND r.seq >= f.from_run AND (f.to_run IS NULL OR r.seq < f.to_run))
       LIMIT ?)`,
    scope,
    limit,
  );
  if (removed < limit) sql.run('DELETE FROM verify_sweeps WHERE scope = ?', scope);
  return true;
}
