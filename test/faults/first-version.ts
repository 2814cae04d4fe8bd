import { join } from 'node:path';
import { openSql } from '../../electron/store/database/sql.ts';
import type { NewDocument } from '../../electron/store/documents/documents.ts';
import { migrations } from '../../electron/store/schema/migrations.ts';
import { openStore } from '../../electron/store/store.ts';

const log = { info: () => undefined, error: () => undefined };

/** Rows of a database that `firstVersion` makes. */
export const documents = 20_000;
export const jobs = 50;

export function invented(n: number): NewDocument {
  const id = `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
  return {
    connectionId: 'office',
    documentId: id,
    jobId: null,
    name: `Lease ${n}`,
    description: 'copy',
    clientId: `C-${n}`,
    signers: '',
    fileName: `${n}.pdf`,
    sizeBytes: n,
    sha256: null,
    registeredAt: new Date(1_700_000_000_000 + n).toISOString(),
  };
}

/** A database of the first version. */
export async function firstVersion(dataDir: string): Promise<void> {
  const { store } = await openStore({ dataDir, log, steps: migrations.slice(0, 1) });
  store.close();
  const sql = openSql(join(dataDir, 'sealdesk.db'));
  sql.transaction(() => {
    for (let n = 0; n < documents; n++) {
      const { connectionId, documentId, name, description, clientId, fileName, sizeBytes, registeredAt } = invented(n);
      sql.run(
        `INSERT INTO documents (id, connection_id, document_id, name, description, client_id, signers, file_name,
           size_bytes, registered_at) VALUES (?, ?, ?, ?, ?, ?, '', ?, ?, ?)`,
        ...[`d${n}`, connectionId, documentId, name, description, clientId, fileName, sizeBytes, registeredAt],
      );
    }
    sql.run(
      `INSERT INTO documents_search (rowid, connection, name, description, client_id, document_id, signers, file_name)
       SELECT seq, connection_id, name, description, client_id, document_id, signers, file_name FROM documents`,
    );
    sql.run("INSERT INTO batches (id, run_id, complete, created_at) VALUES ('b', 'gone', 1, '2026-01-01')");
    for (let n = 0; n < jobs; n++)
      sql.run(
        `INSERT INTO jobs (id, batch_seq, batch_id, run_id, connection_id, operation, title, args, record, image_bytes,
           has_secret, size_bytes, state, created_at, updated_at)
         VALUES (?, 1, 'b', 'gone', 'office', 'AddQuickNote', 'Note', '{}', 'null', 0, 0, 0, ?, '2026', '2026')`,
        `j${n}`,
        n % 2 === 0 ? 'done' : 'in-doubt',
      );
  });
  sql.close();
}
