import type { FileVerdict } from '../../../contract/pdf-signatures.ts';
import type { Comparison, FileChange } from '../../../contract/verify-result.ts';
import type { Sql, SqlValue } from '../database/sql.ts';
import { answerRow, type FileAnswer, insertRow, markGone, type NewFile, reopenRow } from './verify-file-versions.ts';
import { type FileFilter, filesAfter, pageOfFiles, type RankCount, visible } from './verify-lists.ts';
import { goneRank, type OwnVerdict, ranks, type StoredFile, type StoredRun } from './verify-rows.ts';

/** Files of verification runs. Call the writing functions inside of `Sql.transaction`, so that rows and counts of a run change together. */
export type VerifyFileTable = ReturnType<typeof verifyFileTable>;

export function verifyFileTable(sql: Sql) {
  return {
    ...fileLookups(sql),
    ...fileCounts(sql),
    ...fileChanges(sql),
    add: (run: StoredRun, file: NewFile) => insertRow(sql, run, file, null),
    /** False if the row is no longer pending. */
    answer: (seq: number, given: FileAnswer) => answerRow(sql, seq, given),
    /** Makes a file pending in `run`; other runs keep the version they saw. */
    reopen: (run: StoredRun, row: StoredFile, now: { readonly sizeBytes: number; readonly stamp: string | null }) =>
      reopenRow(sql, run, row, now),
    /** Marks a file as gone in `run`. */
    gone: (run: StoredRun, row: StoredFile) => markGone(sql, run, row),
    page: (run: StoredRun, filter: FileFilter & { readonly offset: number; readonly limit: number }) =>
      pageOfFiles(sql, run, filter),
    /** All files of a run in the order of the list, in slices: `last` is the last row of the slice before. */
    after: (run: StoredRun, last: StoredFile | null, limit: number) => filesAfter(sql, run, last, limit),
    /** Removes at most `limit` rows that no run sees; false when nothing is left. Call again later. */
    sweep: (limit: number) => sweep(sql, limit),
  };
}

function fileLookups(sql: Sql) {
  const one = (text: string, ...values: SqlValue[]) => sql.get<StoredFile>(text, ...values) ?? null;
  return {
    nextIdx: (scope: string) =>
      (sql.get<{ n: number | null }>('SELECT max(idx) AS n FROM verify_files WHERE scope = ?', scope)?.n ?? -1) + 1,
    /** The open version of a file. */
    open: (scope: string, path: string) =>
      one('SELECT * FROM verify_files WHERE scope = ? AND path = ? AND to_run IS NULL', scope, path),
    /** By its row number; null if the row no longer exists. */
    bySeq: (seq: number) => one('SELECT * FROM verify_files WHERE seq = ?', seq),
    /** The version of a file that a run sees. */
    inRun: ({ scope, seq }: StoredRun, idx: number) =>
      one(`SELECT * FROM verify_files WHERE scope = ? AND idx = ? AND ${visible}`, scope, idx, seq, seq),
    /** What was last found in a file with these bytes, in any run, as it is stored; null if none was looked at. */
    lastExamined: (sha256: string) =>
      one(
        `SELECT * FROM verify_files INDEXED BY verify_files_bytes WHERE sha256 = ? AND signatures IS NOT NULL
         ORDER BY json_extract(signatures, '$.examinedAt') DESC, seq DESC LIMIT 1`,
        sha256,
      )?.signatures ?? null,
    /** Rows that are pending in this run, after the row number `seq`: those that an earlier one left are not, before they are taken over. */
    todo: (run: StoredRun, limit: number, seq = 0) =>
      sql.all<StoredFile>(
        `SELECT * FROM verify_files WHERE scope = ? AND rank = 7 AND to_run IS NULL AND seq > ? AND from_run = ?
         ORDER BY seq LIMIT ?`,
        run.scope,
        seq,
        run.seq,
        limit,
      ),
    /** Open rows after the row number `seq`, for reading in slices. */
    openAfter: (scope: string, seq: number, limit: number) =>
      sql.all<StoredFile>(
        'SELECT * FROM verify_files WHERE seq > ? AND scope = ? AND to_run IS NULL ORDER BY seq LIMIT ?',
        seq,
        scope,
        limit,
      ),
    /** Words and answers of all rows whose answer was derived from words of a service. */
    worded: () =>
      sql.all<{ readonly connectionId: string; readonly raw: string; readonly answer: string }>(
        `SELECT DISTINCT r.connection_id AS connectionId, f.raw, f.answer
         FROM verify_files AS f JOIN (SELECT DISTINCT scope, connection_id FROM verify_runs) AS r ON r.scope = f.scope
         WHERE f.raw IS NOT NULL AND f.failure IS NULL AND f.answer IS NOT NULL`,
      ),
  };
}

function fileCounts(sql: Sql) {
  return {
    openCounts: (scope: string) =>
      sql.all<RankCount>(
        'SELECT rank, count(*) AS n FROM verify_files WHERE scope = ? AND to_run IS NULL GROUP BY rank',
        scope,
      ),
    countsIn: ({ scope, seq }: StoredRun) =>
      sql.all<RankCount>(
        `SELECT rank, count(*) AS n FROM verify_files WHERE scope = ? AND ${visible} GROUP BY rank`,
        scope,
        seq,
        seq,
      ),
    /** Numbers of the signed files that a run sees, by what they themselves prove. */
    ownCounts: ({ scope, seq }: StoredRun) =>
      sql.all<{ readonly verdict: FileVerdict; readonly n: number }>(
        `SELECT own_verdict AS verdict, count(*) AS n FROM verify_files INDEXED BY verify_files_own
         WHERE scope = ? AND own_verdict IS NOT NULL AND ${visible} GROUP BY own_verdict`,
        scope,
        seq,
        seq,
      ),
    /** Numbers of the files that a run sees without an answer, by what the service or the program said, as JSON. */
    withoutAnswer: ({ scope, seq }: StoredRun) =>
      sql.all<{ readonly answer: string; readonly n: number }>(
        `SELECT answer, count(*) AS n FROM verify_files INDEXED BY verify_files_list
         WHERE scope = ? AND rank = ? AND answer IS NOT NULL AND ${visible} GROUP BY answer`,
        scope,
        ranks['no-answer'],
        seq,
        seq,
      ),
    /** Counts of the changes found in this run. */
    changedCounts: ({ scope, seq }: StoredRun) =>
      sql.all<{ readonly change: FileChange; readonly n: number }>(
        `SELECT change, count(*) AS n FROM verify_files
         WHERE scope = ? AND from_run = ? AND change IS NOT NULL AND (to_run IS NULL OR to_run > ?) GROUP BY change`,
        scope,
        seq,
        seq,
      ),
  };
}

function fileChanges(sql: Sql) {
  return {
    /** Updates the stamp of a file whose bytes are unchanged. */
    touch: (seq: number, stamp: string | null) =>
      void sql.run('UPDATE verify_files SET stamp = ? WHERE seq = ?', stamp, seq),
    /** Makes the files that an earlier run left pending pending in this one. */
    takeOver: (run: StoredRun) => {
      const rows = sql.all<StoredFile>(
        'SELECT * FROM verify_files WHERE scope = ? AND rank = 7 AND to_run IS NULL AND from_run < ?',
        run.scope,
        run.seq,
      );
      for (const row of rows) reopenRow(sql, run, row, { sizeBytes: row.size_bytes, stamp: row.stamp });
    },
    /** Closes the rows of files that were gone in an earlier run, so that this run does not report them again. */
    closeGone: ({ scope, seq }: StoredRun) =>
      void sql.run(
        'UPDATE verify_files SET to_run = ? WHERE scope = ? AND rank = ? AND to_run IS NULL AND from_run < ?',
        seq,
        scope,
        goneRank,
        seq,
      ),
    compared: (seq: number, comparison: Comparison) =>
      void sql.run('UPDATE verify_files SET comparison = ? WHERE seq = ?', JSON.stringify(comparison), seq),
    /** What the file itself proves, decided anew by other rules; its bytes are the same. */
    judged: (seq: number, { signatures, verdict }: OwnVerdict) =>
      void sql.run('UPDATE verify_files SET signatures = ?, own_verdict = ? WHERE seq = ?', signatures, verdict, seq),
    /** Replaces the answer `before` to the words `raw` in all rows of a connection. */
    reword: (connectionId: string, raw: string, before: string, next: string, rank: number) =>
      void sql.run(
        `UPDATE verify_files SET answer = ?, rank = iif(rank IN (4, 7), rank, ?)
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
