import type { TrackedEntry } from '../../../contract/tracking.ts';
import { entryOf } from '../../store/lists.ts';
import { documentKeyOf, type TrackedRow } from '../../store/tracked.ts';
import type { Context } from '../context.ts';
import { failing } from '../failing.ts';

/** A row as a window sees it: without the secret word. */
export function trackedEntry({ store, vault }: Pick<Context, 'store' | 'vault'>, row: TrackedRow): TrackedEntry {
  const documentKey = documentKeyOf(row);
  return {
    ...entryOf(row),
    id: String(row.seq),
    connectionId: row.connection_id,
    listType: row.list_type,
    secretWordLost: row.secret !== null && vault.isLost(row.secret),
    mark: row.mark,
    movedFrom: row.mark === 'moved' ? row.moved_from : null,
    firstSeenAt: row.first_seen_at,
    status: row.document_id ? store.trackedStatuses.last(row.connection_id, row.document_id) : null,
    due: documentKey === '' ? null : store.tracked.due(row.connection_id, documentKey),
  };
}

/** Rejects with not-found where the entry is in no list (any more). */
export function rowOf({ store }: Pick<Context, 'store'>, connectionId: string, entryId: string): TrackedRow {
  const seq = /^\d{1,15}$/.test(entryId) ? Number(entryId) : -1;
  const row = store.tracked.get(connectionId, seq);
  if (!row) throw failing('not-found', 'no such entry');
  return row;
}
