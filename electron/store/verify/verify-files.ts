import type { FileVerdict } from '../../../contract/pdf-signatures.ts';
import type { Comparison, FileChange } from '../../../contract/verify-result.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { answerRow, type FileAnswer, insertRow, markGone, type NewFile, reopenRow } from './verify-file-versions.ts';
import { type FileFilter, filesAfter, pageOfFiles, visible } from './verify-lists.ts';
import { goneRank, type OwnVerdict, type StoredFile, type StoredRun } from './verify-rows.ts';

/** Files of verification runs. Call the writing functions inside of `Sql.transaction`, so that rows and counts of a run change together. */
export interface VerifyFileTable {
  add(run: StoredRun, file: NewFile): void;
  nextIdx(scope: string): number;
  /** The open version of a file. */
  open(scope: string, path: string): StoredFile | null;
  /** By its row number; null if the row no longer exists. */
  bySeq(seq: number): StoredFile | null;
  /** The version of a file that a run sees. */
  inRun(run: StoredRun, idx: number): StoredFile | null;
  /** What was last found in a file with these bytes, in any run, as it is stored; null if none was looked at. */
  lastExamined(sha256: string): string | null;
  /** Rows that are pending in this run, after the row number `seq`: those that an earlier one left are not, before they are taken over. */
  todo(run: StoredRun, limit: number, seq?: number): StoredFile[];
  /** Open rows after the row number `seq`, for reading in slices. */
  openAfter(scope: string, seq: number, limit: number): StoredFile[];
  openCounts(scope: string): { readonly rank: number; readonly n: number }[];
  countsIn(run: StoredRun): { readonly rank: number; readonly n: number }[];
  /** Counts of the changes found in this run. */
  changedCounts(run: StoredRun): { readonly change: FileChange; readonly n: number }[];
  /** Numbers of the signed files that a run sees, by what they themselves prove. */
  ownCounts(run: StoredRun): { readonly verdict: FileVerdict; readonly n: number }[];
  /** False if the row is no longer pending. */
  answer(seq: number, answer: FileAnswer): boolean;
  /** Updates the stamp of a file whose bytes are unchanged. */
  touch(seq: number, stamp: string | null): void;
  /** Makes a file pending in `run`; other runs keep the version they saw. */
  reopen(run: StoredRun, row: StoredFile, now: { readonly sizeBytes: number; readonly stamp: string | null }): void;
  /** Marks a file as gone in `run`. */
  gone(run: StoredRun, row: StoredFile): void;
  /** Makes the files that an earlier run left pending pending in this one. */
  takeOver(run: StoredRun): void;
  /** Closes the rows of files that were gone in an earlier run, so that this run does not report them again. */
  closeGone(run: StoredRun): void;
  compared(seq: number, comparison: Comparison): void;
  /** What the file itself proves, decided anew by other rules; its bytes are the same. */
  judged(seq: number, own: OwnVerdict): void;
  page(
    run: StoredRun,
    filter: FileFilter & { readonly offset: number; readonly limit: number },
  ): { rows: StoredFile[]; total: number };
  /** All files of a run in the order of the list, in slices: `last` is the last row of the slice before. */
  after(run: StoredRun, last: StoredFile | null, limit: number): StoredFile[];
  /** Words and answers of all rows whose answer was derived from words of a service. */
  worded(): { readonly connectionId: string; readonly raw: string; readonly answer: string }[];
  /** Replaces the answer `before` to the words `raw` in all rows of a connection. */
  reword(connectionId: string, raw: string, before: string, after: string, rank: number): void;
  /** Removes at most `limit` rows that no run sees; false when nothing is left. Call again later. */
  sweep(limit: number): boolean;
}

export function verifyFileTable(sql: Sql): VerifyFileTable {
  return {
    ...fileLookups(sql),
    ...fileCounts(sql),
    ...fileChanges(sql),
    add: (run, file) => insertRow(sql, run, file, null),
    answer: (seq, given) => answerRow(sql, seq, given),
    reopen: (run, row, now) => reopenRow(sql, run, row, now),
    gone: (run, row) => markGone(sql, run, row),
    page: (run, filter) => pageOfFiles(sql, run, filter),
    after: (run, last, limit) => filesAfter(sql, run, last, limit),
    sweep: (limit) => sweep(sql, limit),
  };
}

type Lookups = 'nextIdx' | 'open' | 'bySeq' | 'inRun' | 'lastExamined' | 'todo' | 'openAfter' | 'worded';

function fileLookups(sql: Sql): Pick<VerifyFileTable, Lookups> {
  const one = (text: string, ...values: SqlValue[]) => sql.get<StoredFile>(text, ...values) ?? null;
  return {
    nextIdx: (scope) =>
      (sql.get<{ n: number | null }>('SELECT max(idx) AS n FROM verify_files WHERE scope = ?', scope)?.n ?? -1) + 1,
    open: (scope, path) =>
      one('SELECT * FROM verify_files WHERE scope = ? AND path = ? AND to_run IS NULL', scope, path),
    bySeq: (seq) => one('SELECT * FROM verify_files WHERE seq = ?', seq),
    inRun: ({ scope, seq }, idx) =>
      one(`SELECT * FROM verify_files WHERE scope = ? AND idx = ? AND ${visible}`, scope, idx, seq, seq),
    lastExamined: (sha256) =>
      one(
        `SELECT * FROM verify_files INDEXED BY verify_files_bytes WHERE sha256 = ? AND signatures IS NOT NULL
         ORDER BY json_extract(signatures, '$.examinedAt') DESC, seq DESC LIMIT 1`,
        sha256,
      )?.signatures ?? null,
    todo: (run, limit, seq = 0) =>
      sql.all(
        `SELECT * FROM verify_files WHERE scope = ? AND rank = 6 AND to_run IS NULL AND seq > ? AND from_run = ?
         ORDER BY seq LIMIT ?`,
        run.scope,
        seq,
        run.seq,
        limit,
      ),
    openAfter: (scope, seq, limit) =>
      sql.all(
        'SELECT * FROM verify_files WHERE seq > ? AND scope = ? AND to_run IS NULL ORDER BY seq LIMIT ?',
        seq,
        scope,
        limit,
      ),
    worded: () =>
      sql.all(
        `SELECT DISTINCT r.connection_id AS connectionId, f.raw, f.answer
         FROM verify_files AS f JOIN (SELECT DISTINCT scope, connection_id FROM verify_runs) AS r ON r.scope = f.scope
         WHERE f.raw IS NOT NULL AND f.failure IS NULL AND f.answer IS NOT NULL`,
      ),
  };
}

function fileCounts(sql: Sql): Pick<VerifyFileTable, 'openCounts' | 'countsIn' | 'changedCounts' | 'ownCounts'> {
  return {
    openCounts: (scope) =>
      sql.all('SELECT rank, count(*) AS n FROM verify_files WHERE scope = ? AND to_run IS NULL GROUP BY rank', scope),
    countsIn: ({ scope, seq }) =>
      sql.all(
        `SELECT rank, count(*) AS n FROM verify_files WHERE scope = ? AND ${visible} GROUP BY rank`,
        scope,
        seq,
        seq,
      ),
    ownCounts: ({ scope, seq }) =>
      sql.all(
        `SELECT own_verdict AS verdict, count(*) AS n FROM verify_files INDEXED BY verify_files_own
         WHERE scope = ? AND own_verdict IS NOT NULL AND ${visible} GROUP BY own_verdict`,
        scope,
        seq,
        seq,
      ),
    changedCounts: ({ scope, seq }) =>
      sql.all(
        `SELECT change, count(*) AS n FROM verify_files
         WHERE scope = ? AND from_run = ? AND change IS NOT NULL AND (to_run IS NULL OR to_run > ?) GROUP BY change`,
        scope,
        seq,
        seq,
      ),
  };
}

function fileChanges(
  sql: Sql,
): Pick<VerifyFileTable, 'touch' | 'takeOver' | 'closeGone' | 'compared' | 'judged' | 'reword'> {
  return {
    touch: (seq, stamp) => void sql.run('UPDATE verify_files SET stamp = ? WHERE seq = ?', stamp, seq),
    takeOver: (run) => {
      const rows = sql.all<StoredFile>(
        'SELECT * FROM verify_files WHERE scope = ? AND rank = 6 AND to_run IS NULL AND from_run < ?',
        run.scope,
        run.seq,
      );
      for (const row of rows) reopenRow(sql, run, row, { sizeBytes: row.size_bytes, stamp: row.stamp });
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
    judged: (seq, { signatures, verdict }) =>
      void sql.run('UPDATE verify_files SET signatures = ?, own_verdict = ? WHERE seq = ?', signatures, verdict, seq),
    reword: (connectionId, raw, before, next, rank) =>
      void sql.run(
        `UPDATE verify_files SET answer = ?, rank = iif(rank IN (3, 6), rank, ?)
         WHERE raw = ? AND answer = ? AND failure IS NULL AND scope IN (SELECT scope FROM verify_runs WHERE connection_id = ?)`,
        next,
        rank,
        raw,
        before,
        connectionId,
      ),
  };
}

/** Removes rows that no remaining run sees, in one scope from which a run was removed. */
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
