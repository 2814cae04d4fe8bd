import type { TrackedFilter, TrackedMark } from '../../../../contract/tracking.ts';
import type { EntryRow } from './list-entries.ts';

/** A row of the tracked entries. */
export interface TrackedRow extends EntryRow {
  readonly seq: number;
  readonly connection_id: string;
  readonly list_type: number;
  readonly secret: string | null;
  readonly first_seen_at: string;
  readonly mark: TrackedMark | null;
  readonly moved_from: number | null;
}

/** A filter with its days as moments. */
export interface TrackedQuery
  extends Pick<
    TrackedFilter,
    'listType' | 'search' | 'person' | 'document' | 'origDocumentId' | 'status' | 'changedOnly' | 'dueOnly'
  > {
  readonly connectionId: string;
  /** Only entries of these original documents. */
  readonly requests?: readonly string[];
  /** Only entries that name no original document. */
  readonly withoutDocument?: true;
  readonly jobId?: string | null;
  /** ISO 8601, UTC; `to` is not included. */
  readonly from: string | null;
  readonly to: string | null;
  readonly sort: TrackedFilter['sort'];
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}
