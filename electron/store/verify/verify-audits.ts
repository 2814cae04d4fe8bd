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

export type AuditTable = ReturnType<typeof auditTable>;

export function auditTable(sql: Sql) {
  return {
    /** Oldest first. */
    all: (): StoredAudit[] => sql.all('SELECT * FROM verify_audits ORDER BY created_at, id'),
    get: (id: string): StoredAudit | null =>
      sql.get<StoredAudit>('SELECT * FROM verify_audits WHERE id = ?', id) ?? null,
    at: (connectionId: string, path: string): StoredAudit | null =>
      sql.get<StoredAudit>('SELECT * FROM verify_audits WHERE connection_id = ? AND path = ?', connectionId, path) ??
      null,
    add: (audit: StoredAudit): void =>
      void sql.run(
        'INSERT INTO verify_audits (id, connection_id, path, name, created_at, every_minutes, next_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
        audit.id,
        audit.connection_id,
        audit.path,
        audit.name,
        audit.created_at,
        audit.every_minutes,
        audit.next_at,
      ),
    plan: (id: string, everyMinutes: number | null, nextAt: string | null): void =>
      void sql.run('UPDATE verify_audits SET every_minutes = ?, next_at = ? WHERE id = ?', everyMinutes, nextAt, id),
    /** Removes the audit and all of its runs; the rows of their files are removed later (`VerifyFileTable.sweep`). */
    remove: (id: string): void =>
      sql.transaction(() => {
        sql.run('DELETE FROM verify_left_out WHERE run_seq IN (SELECT seq FROM verify_runs WHERE audit_id = ?)', id);
        sql.run('DELETE FROM verify_runs WHERE audit_id = ?', id);
        sql.run('DELETE FROM verify_audits WHERE id = ?', id);
        sql.run('INSERT OR IGNORE INTO verify_sweeps VALUES (?)', id);
      }),
  };
}
