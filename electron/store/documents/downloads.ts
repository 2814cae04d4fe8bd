import type { DownloadedHere } from '../../../contract/verify-result.ts';
import type { Sql } from '../database/sql.ts';

/** A document of the service that was saved as a file of this computer. */
export interface NewDownload {
  readonly sha256: string;
  readonly connectionId: string;
  readonly documentId: string;
  readonly name: string;
  /** ISO 8601, UTC. */
  readonly downloadedAt: string;
}

/** One row per document and bytes, however often they were downloaded. */
export interface DownloadTable {
  put(download: NewDownload): void;
  /** Downloads of these bytes: those of this connection first, then the latest first. A registered document has its present name. */
  bySha256(sha256: string, connectionId: string, limit: number): DownloadedHere[];
}

export function downloadTable(sql: Sql): DownloadTable {
  return {
    put: ({ sha256, connectionId, documentId, name, downloadedAt }) =>
      void sql.run(
        `INSERT INTO downloads (sha256, connection_id, document_id, name, downloaded_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET name = excluded.name, downloaded_at = excluded.downloaded_at`,
        sha256,
        connectionId,
        documentId,
        name,
        downloadedAt,
      ),
    bySha256: (sha256, connectionId, limit) =>
      sql.all<DownloadedHere>(
        `SELECT w.connection_id AS connectionId, w.document_id AS documentId, coalesce(d.name, w.name) AS name,
           w.downloaded_at AS downloadedAt
         FROM downloads AS w
           LEFT JOIN documents AS d ON d.connection_id = w.connection_id AND d.document_id = w.document_id
         WHERE w.sha256 = ? ORDER BY w.connection_id = ? DESC, w.downloaded_at DESC LIMIT ?`,
        sha256,
        connectionId,
        limit,
      ),
  };
}
