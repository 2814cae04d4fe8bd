import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from '../../database/sql.ts';
import { shownOf } from './partitions.ts';
import { shownSql } from './tracked-where.ts';

/** Documents that are counted between two turns of the event loop: some milliseconds. */
const documentsPerTurn = 5_000;

/** A function that counts the requests of a list, or of all lists. Its answers stay until a list is read again: every event of the lists asks for them. */
export function countRequests(sql: Sql): (connectionId: string, listType: number | null) => Promise<number> {
  const known = new Map<string, { readonly readings: string; readonly count: Promise<number> }>();
  return (connectionId, listType) => {
    const key = `${listType} ${connectionId}`;
    const readings = JSON.stringify(
      sql.all('SELECT list_type, as_of FROM tracked_lists WHERE connection_id = ? ORDER BY list_type', connectionId),
    );
    const last = known.get(key);
    if (last?.readings === readings) return last.count;
    const count = countNow(sql, connectionId, listType);
    known.set(key, { readings, count });
    // A count that failed is tried again.
    count.catch(() => known.delete(key));
    return count;
  };
}

async function countNow(sql: Sql, connectionId: string, listType: number | null): Promise<number> {
  const shown = shownOf(sql, connectionId, listType);
  if (shown === null) return 0;
  let count = 0;
  for (let after: string | null = null; ; await nextTurn()) {
    // The index has all columns of this query in the order of the groups; entries without a document come first.
    const found: { readonly n: number; readonly last: string | null } | undefined = sql.get(
      `SELECT count(*) AS n, max(document) AS last FROM (
         SELECT t.orig_document_id AS document FROM tracked AS t INDEXED BY tracked_original
         WHERE ${shownSql(shown)} ${after === null ? '' : 'AND t.orig_document_id > ?'}
         GROUP BY t.orig_document_id ORDER BY t.orig_document_id LIMIT ${documentsPerTurn})`,
      shown.connection,
      ...(after === null ? [] : [after]),
    );
    count += found?.n ?? 0;
    after = found?.last ?? null;
    if ((found?.n ?? 0) < documentsPerTurn || after === null) return count;
  }
}
