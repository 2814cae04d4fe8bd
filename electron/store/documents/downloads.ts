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

/** More than a person downloads in years; beyond it the oldest are forgotten, and such a file is then not recognised by its hash. */
const mostKept = 100_000;
const putsBetweenPrunes = 1_000;

/** One row per document and bytes, however often they were downloaded; the latest 100,000. */
export function downloadTable(sql: Sql, most = mostKept, between = putsBetweenPrunes) {
  let untilPrune = 0;
  const prune = () =>
    sql.run(
      'DELETE FROM downloads WHERE downloaded_at < (SELECT downloaded_at FROM downloads ORDER BY downloaded_at DESC LIMIT 1 OFFSET ?)',
      most - 1,
    );
  return {
    put: ({ sha256, connectionId, documentId, name, downloadedAt }: NewDownload): void => {
      sql.run(
        `INSERT INTO downloads (sha256, connection_id, document_id, name, downloaded_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET name = excluded.name, downloaded_at = excluded.downloaded_at`,
        sha256,
        connectionId,
        documentId,
        name,
        downloadedAt,
      );
      untilPrune -= 1;
      if (untilPrune > 0) return;
      untilPrune = between;
      prune();
    },
    /** Downloads of these bytes: those of this connection first, then the latest first. A registered document has its present name. */
    bySha256: (sha256: string, connectionId: string, limit: number): DownloadedHere[] =>
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
