import type { EarlierResult } from '../../../contract/verify-result.ts';
import type { Sql } from '../database/sql.ts';
import { goneRank, groupOfRank, type OwnVerdict, pendingRank, type StoredFile, type StoredRun } from './verify-rows.ts';

/*
 * Writing the versions of a file: a row is valid from the run `from_run` up to before the run `to_run` (null: it is the open version). Call these functions in
 * a transaction.
 */

export type NewFile = ReturnType<typeof newFileOf>;

/** Result of asking the service about a file, or, with the rank of a pending one, of looking at it without asking. */
export interface FileAnswer
  extends Pick<StoredFile, 'stamp' | 'sha256' | 'rank' | 'answer' | 'raw' | 'failure' | 'change'> {
  readonly sizeBytes: number;
  readonly askedAt: string | null;
  readonly own: OwnVerdict | null;
}

/** Adds a pending version of a file. `earlier`: the result of the version before, as JSON. */
export function insertRow(sql: Sql, run: StoredRun, file: NewFile, earlier: string | null): void {
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

/** Writes the result of a pending row; false if the row is no longer pending, or no longer the open version. */
export function answerRow(sql: Sql, seq: number, given: FileAnswer): boolean {
  const changed = sql.run(
    `UPDATE verify_files SET size_bytes = ?, stamp = ?, sha256 = ?, rank = ?, answer = ?, raw = ?, failure = ?, asked_at = ?,
       change = ?, signatures = ?, own_verdict = ? WHERE seq = ? AND rank = 7 AND to_run IS NULL`,
    given.sizeBytes,
    given.stamp,
    given.sha256,
    given.rank,
    given.answer,
    given.raw,
    given.failure,
    given.askedAt,
    given.change,
    given.own?.signatures ?? null,
    given.own?.verdict ?? null,
    seq,
  );
  return changed > 0;
}

/** The result of this version for the next one. A version that was never asked about passes on the result that it had from the version before. */
function earlierOf(row: StoredFile): string | null {
  const group = groupOfRank(row.rank);
  if (group === null) return row.earlier;
  return JSON.stringify({ sha256: row.sha256, group, raw: row.raw, askedAt: row.asked_at } satisfies EarlierResult);
}

const newFileOf = (row: StoredFile) => ({
  idx: row.idx,
  path: row.path,
  name: row.name,
  folder: row.folder,
  sortKey: row.sort_key,
  sizeBytes: row.size_bytes,
  stamp: row.stamp,
});

function closeRow(sql: Sql, run: StoredRun, row: StoredFile): void {
  sql.run('UPDATE verify_files SET to_run = ? WHERE seq = ?', run.seq, row.seq);
}

/** Makes a file pending in `run`: in the row of this run, else in a new version, so that earlier runs keep their result. */
export function reopenRow(
  sql: Sql,
  run: StoredRun,
  row: StoredFile,
  now: { readonly sizeBytes: number; readonly stamp: string | null },
): void {
  if (row.from_run === run.seq) {
    sql.run(
      `UPDATE verify_files SET size_bytes = ?, stamp = ?, sha256 = NULL, rank = ?, answer = NULL, raw = NULL, failure = NULL,
         asked_at = NULL, change = NULL, signatures = NULL, own_verdict = NULL WHERE seq = ?`,
      now.sizeBytes,
      now.stamp,
      pendingRank,
      row.seq,
    );
    return;
  }
  closeRow(sql, run, row);
  insertRow(sql, run, { ...newFileOf(row), ...now }, earlierOf(row));
}

/** Marks a file as gone in `run`; earlier runs keep their version. */
export function markGone(sql: Sql, run: StoredRun, row: StoredFile): void {
  const earlier = earlierOf(row);
  if (row.from_run !== run.seq) {
    closeRow(sql, run, row);
    insertRow(sql, run, newFileOf(row), earlier);
  }
  sql.run(
    `UPDATE verify_files SET rank = ?, change = 'gone', answer = NULL, raw = NULL, failure = NULL, signatures = NULL, own_verdict = NULL, earlier = ?
     WHERE scope = ? AND idx = ? AND to_run IS NULL`,
    goneRank,
    earlier,
    row.scope,
    row.idx,
  );
}
