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

export interface AuditTable {
  /** Oldest first. */
  all(): StoredAudit[];
  get(id: string): StoredAudit | null;
  at(connectionId: string, path: string): StoredAudit | null;
  add(audit: StoredAudit): void;
  plan(id: string, everyMinutes: number | null, nextAt: string | null): void;
  /** Removes the audit and all of its runs; the rows of their files are removed later (`VerifyFileTable.sweep`). */
  remove(id: string): void;
}

export function auditTable(sql: Sql): AuditTable {
  return {
    all: () => sql.all('SELECT * FROM verify_audits ORDER BY created_at, id'),
    get: (id) => sql.get<StoredAudit>('SELECT * FROM verify_audits WHERE id = ?', id) ?? null,
    at: (connectionId, path) =>
      sql.get<StoredAudit>('SELECT * FROM verify_audits WHERE connection_id = ? AND path = ?', connectionId, path) ??
      null,
    add: (audit) =>
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
    plan: (id, everyMinutes, nextAt) =>
      void sql.run('UPDATE verify_audits SET every_minutes = ?, next_at = ? WHERE id = ?', everyMinutes, nextAt, id),
    remove: (id) =>
      sql.transaction(() => {
        sql.run('DELETE FROM verify_left_out WHERE run_seq IN (SELECT seq FROM verify_runs WHERE audit_id = ?)', id);
        sql.run('DELETE FROM verify_runs WHERE audit_id = ?', id);
        sql.run('DELETE FROM verify_audits WHERE id = ?', id);
        sql.run('INSERT OR IGNORE INTO verify_sweeps VALUES (?)', id);
      }),
  };
}
