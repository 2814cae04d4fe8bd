import { rowsOutOfView } from '../database/removed-rows.ts';
import type { RunLock } from '../database/run-lock.ts';
import type { Sql } from '../database/sql.ts';

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
