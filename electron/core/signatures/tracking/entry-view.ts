import type { TrackedEntry } from '../../../../contract/tracking.ts';
import { entryOf } from '../../../store/signatures/tracking/list-entries.ts';
import { documentKeyOf } from '../../../store/signatures/tracking/tracked.ts';
import type { TrackedRow } from '../../../store/signatures/tracking/tracked-row.ts';
import type { Context } from '../../context.ts';
import { appError } from '../../foundation/app-error.ts';

/** Rows of one connection as the window gets them: without secret words. */
export function trackedEntries(
  { store, vault }: Pick<Context, 'store' | 'vault'>,
  rows: readonly TrackedRow[],
): TrackedEntry[] {
  const connectionId = rows[0]?.connection_id ?? '';
  const statuses = store.trackedStatuses.lastOf(
    connectionId,
    rows.flatMap(({ document_id }) => document_id || []),
  );
  const dues = store.tracked.dueOf(connectionId, rows.map(documentKeyOf));
  return rows.map((row) => ({
    ...entryOf(row),
    id: String(row.seq),
    connectionId,
    listType: row.list_type,
    secretWordLost: row.secret !== null && vault.isLost(row.secret),
    mark: row.mark,
    movedFrom: row.mark === 'moved' ? row.moved_from : null,
    firstSeenAt: row.first_seen_at,
    status: statuses.get((row.document_id ?? '').toLowerCase()) ?? null,
    due: dues.get(documentKeyOf(row).toLowerCase()) ?? null,
  }));
}

/** One row as the window gets it. */
export function trackedEntry(context: Pick<Context, 'store' | 'vault'>, row: TrackedRow): TrackedEntry {
  return trackedEntries(context, [row])[0] as TrackedEntry;
}

/** Throws not-found if the entry is no longer in a list. */
export function rowOf({ store }: Pick<Context, 'store'>, connectionId: string, entryId: string): TrackedRow {
  const seq = /^\d{1,15}$/.test(entryId) ? Number(entryId) : -1;
  const row = store.tracked.get(connectionId, seq);
  if (!row) throw appError('not-found', 'no such entry');
  return row;
}
