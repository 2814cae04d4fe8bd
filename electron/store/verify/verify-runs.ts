import type { SkippedFile } from '../../../contract/files.ts';
import type { VerifyRun } from '../../../contract/verify.ts';
import { rowsOutOfView } from '../database/removed-rows.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';
import { type Asking, emptyTally, type StoredRun, type Tally } from './verify-rows.ts';

export interface NewRun {
  readonly id: string;
  readonly auditId: string | null;
  readonly connectionId: string;
  readonly title: string;
  readonly ask: Asking;
}

/** The fields of a run that change while it runs. */
export interface RunState {
  readonly state: VerifyRun['state'];
  readonly listing: boolean;
  readonly trouble: VerifyRun['trouble'];
  readonly activeMs: number;
  readonly endedAt: string | null;
}

/** Runs in view: not those that were removed, by themselves or with their audit. */
const inView = `verify_runs WHERE removed_by IS NULL
  AND NOT EXISTS (SELECT 1 FROM verify_audits WHERE id = audit_id AND removed_by IS NOT NULL)`;

export function verifyRunTable(sql: Sql, lock: RunLock) {
  const get = (id: string) => sql.get<StoredRun>(`SELECT * FROM ${inView} AND id = ?`, id) ?? null;
  const outOfView = rowsOutOfView(sql, lock, 'verify_runs');
  const isWorkedOn = (run: StoredRun) => run.state === 'running' && lock.isAlive(run.owner);
  return {
    /** Adds a run owned by this program, in the state running and listing. */
    add: (run: NewRun): StoredRun => sql.transaction(() => addRun(sql, lock, run)),
    get,
    ...outOfView,
    /** Newest first. */
    list: ({ offset, limit }: { readonly offset: number; readonly limit: number }) => ({
      rows: sql.all<StoredRun>(`SELECT * FROM ${inView} ORDER BY seq DESC LIMIT ? OFFSET ?`, limit, offset),
      total: sql.get<{ n: number }>(`SELECT count(*) AS n FROM ${inView}`)?.n ?? 0,
    }),
    ...reads(sql),
    /** Makes this program the owner of a run and sets it to running. */
    take: (id: string) =>
      void sql.run(
        "UPDATE verify_runs SET owner = ?, state = 'running', trouble = NULL, ended_at = NULL WHERE id = ?",
        lock.runId,
        id,
      ),
    /** Its checks are counted by themselves, before they leave. */
    addCalls: (id: string, by: number) => void sql.run('UPDATE verify_runs SET calls = calls + ? WHERE id = ?', by, id),
    save: (id: string, state: RunState, tally: Tally) => saveRun(sql, id, state, tally),
    saveTally: (id: string, { total, answered, counts, changes }: Tally) =>
      void sql.run(
        'UPDATE verify_runs SET total = ?, answered = ?, counts = ?, changes = ? WHERE id = ?',
        total,
        answered,
        JSON.stringify(counts),
        JSON.stringify(changes),
        id,
      ),
    putLeftOut: ({ seq }: StoredRun, files: readonly SkippedFile[]) => putLeftOut(sql, seq, files),
    leftOut: (run: StoredRun, { offset, limit }: { readonly offset: number; readonly limit: number }) => ({
      files: leftOutFiles(sql, run, offset, limit),
      total: run.left_out,
    }),
    /** Stops running runs whose program has ended; plain runs with an incomplete file list are removed, and runs that are out of view for good. */
    adopt: () => {
      // Usually there is nothing to do; then no transaction may wait for another program.
      if (leftRunning(sql).some((run) => !isWorkedOn(run))) sql.transaction(() => adopt(sql, isWorkedOn));
      for (const id of outOfView.leftHidden()) sql.transaction(() => removeRun(sql, id));
    },
    /** True while this or another program works on the run. */
    isWorkedOn,
    remove: (id: string) => sql.transaction(() => removeRun(sql, id)),
    /** All runs of an audit (null: plain runs) but the newest `kept`, without those that a program works on. */
    beyond: (auditId: string | null, kept: number) =>
      sql
        .all<StoredRun>(
          'SELECT * FROM verify_runs WHERE audit_id IS ? ORDER BY seq DESC LIMIT -1 OFFSET ?',
          auditId,
          kept,
        )
        .filter((run) => !isWorkedOn(run)),
  };
}

function reads(sql: Sql) {
  return {
    /** The newest run of an audit. */
    lastOf: (auditId: string) =>
      sql.get<StoredRun>('SELECT * FROM verify_runs WHERE audit_id = ? ORDER BY seq DESC LIMIT 1', auditId) ?? null,
    /** The last run on a connection that made calls. */
    lastPaced: (connectionId: string) =>
      sql.get<StoredRun>(
        'SELECT * FROM verify_runs WHERE connection_id = ? AND calls > 0 AND active_ms > 0 ORDER BY seq DESC LIMIT 1',
        connectionId,
      ) ?? null,
  };
}

function addRun(sql: Sql, lock: RunLock, run: NewRun): StoredRun {
  const { counts, changes } = emptyTally();
  return sql.get<StoredRun>(
    `INSERT INTO verify_runs (id, scope, audit_id, connection_id, title, ask, state, owner, listing, trouble, total,
       answered, counts, changes, calls, left_out, active_ms, started_at)
     VALUES (?, ?, ?, ?, ?, ?, 'running', ?, 1, NULL, 0, 0, ?, ?, 0, 0, 0, ?) RETURNING *`,
    run.id,
    run.auditId ?? run.id,
    run.auditId,
    run.connectionId,
    run.title,
    run.ask,
    lock.runId,
    JSON.stringify(counts),
    JSON.stringify(changes),
    new Date().toISOString(),
  ) as StoredRun;
}

function saveRun(sql: Sql, id: string, state: RunState, tally: Tally): void {
  sql.run(
    `UPDATE verify_runs SET state = ?, listing = ?, trouble = ?, active_ms = ?, ended_at = ?, total = ?, answered = ?,
       counts = ?, changes = ?, replies = ?, left_out = ? WHERE id = ?`,
    state.state,
    state.listing ? 1 : 0,
    state.trouble === null ? null : JSON.stringify(state.trouble),
    Math.round(state.activeMs),
    state.endedAt,
    tally.total,
    tally.answered,
    JSON.stringify(tally.counts),
    JSON.stringify(tally.changes),
    tally.replies,
    tally.leftOut,
    id,
  );
}

/** The rows of its files are removed later (`sweep`). */
function removeRun(sql: Sql, id: string): void {
  sql.run('INSERT OR IGNORE INTO verify_sweeps SELECT scope FROM verify_runs WHERE id = ?', id);
  sql.run('DELETE FROM verify_left_out WHERE run_seq = (SELECT seq FROM verify_runs WHERE id = ?)', id);
  sql.run('DELETE FROM verify_runs WHERE id = ?', id);
}

function putLeftOut(sql: Sql, runSeq: number, files: readonly SkippedFile[]): void {
  sql.run('DELETE FROM verify_left_out WHERE run_seq = ?', runSeq);
  files.forEach(({ name, folder, reason, kind }, at) => {
    const text = 'INSERT INTO verify_left_out VALUES (?, ?, ?, ?, ?, ?)';
    sql.run(text, runSeq, at, name, folder, reason, kind ?? null);
  });
}

function leftOutFiles(sql: Sql, { seq }: StoredRun, offset: number, limit: number): SkippedFile[] {
  return sql
    .all<{ name: string; folder: string; reason: SkippedFile['reason']; kind: string | null }>(
      `SELECT name, folder, reason, kind FROM verify_left_out WHERE run_seq = ? AND position >= ?
       ORDER BY position LIMIT ?`,
      seq,
      offset,
      limit,
    )
    .map(({ kind, ...file }) => (kind === null ? file : { ...file, kind }));
}

const leftRunning = (sql: Sql) => sql.all<StoredRun>("SELECT * FROM verify_runs WHERE state = 'running'");

/** The file list of a plain run came from a drop, which nobody can complete any more: the run is removed. An audit walks through its folder again. */
function adopt(sql: Sql, isWorkedOn: (run: StoredRun) => boolean): void {
  for (const run of leftRunning(sql)) {
    if (isWorkedOn(run)) continue;
    if (run.audit_id === null && run.listing === 1) removeRun(sql, run.id);
    else
      sql.run(
        "UPDATE verify_runs SET state = 'stopped', ended_at = ? WHERE seq = ?",
        new Date().toISOString(),
        run.seq,
      );
  }
}

export interface StoredAudit {
  readonly id: string;
  readonly connection_id: string;
  /** Absolute path of the folder. */
  readonly path: string;
  readonly name: string;
  readonly created_at: string;
  readonly every_minutes: number | null;
  readonly next_at: string | null;
}

export function auditTable(sql: Sql, run: RunLock) {
  const inView = 'verify_audits WHERE removed_by IS NULL';
  const at = 'verify_audits WHERE connection_id = ? AND path = ?';
  return {
    ...rowsOutOfView(sql, run, 'verify_audits'),
    /** Oldest first. */
    all: (): StoredAudit[] => sql.all(`SELECT * FROM ${inView} ORDER BY created_at, id`),
    get: (id: string): StoredAudit | null => sql.get<StoredAudit>(`SELECT * FROM ${inView} AND id = ?`, id) ?? null,
    at: (connectionId: string, path: string): StoredAudit | null =>
      sql.get<StoredAudit>(`SELECT * FROM ${at} AND removed_by IS NULL`, connectionId, path) ?? null,
    /** One of the same folder that is out of view cannot be put back any more. */
    add: (audit: StoredAudit): void => {
      const hidden = sql.get<{ id: string }>(`SELECT id FROM ${at}`, audit.connection_id, audit.path);
      if (hidden) remove(sql, hidden.id);
      sql.run(
        'INSERT INTO verify_audits (id, connection_id, path, name, created_at, every_minutes, next_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        audit.id,
        audit.connection_id,
        audit.path,
        audit.name,
        audit.created_at,
        audit.every_minutes,
        audit.next_at,
      );
    },
    plan: (id: string, everyMinutes: number | null, nextAt: string | null): void =>
      void sql.run('UPDATE verify_audits SET every_minutes = ?, next_at = ? WHERE id = ?', everyMinutes, nextAt, id),
    /** Removes the audit and all of its runs; the rows of their files are removed later (`VerifyFileTable.sweep`). */
    remove: (id: string): void => sql.transaction(() => remove(sql, id)),
  };
}

function remove(sql: Sql, id: string): void {
  sql.run('DELETE FROM verify_left_out WHERE run_seq IN (SELECT seq FROM verify_runs WHERE audit_id = ?)', id);
  sql.run('DELETE FROM verify_runs WHERE audit_id = ?', id);
  sql.run('DELETE FROM verify_audits WHERE id = ?', id);
  sql.run('INSERT OR IGNORE INTO verify_sweeps VALUES (?)', id);
}
