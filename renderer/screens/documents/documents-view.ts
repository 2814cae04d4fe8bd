import { type StatusGroup, statusGroups } from '../../../contract/answers.ts';
import { type DocumentFilters, type DocumentSort, documentSorts } from '../../../contract/documents.ts';
import type { DocumentQuery } from '../../bridge/queries.ts';
import { fieldsOf, listOf } from '../../features/saved-views.ts';
import { boundsOf } from '../../parts/days/today.ts';

export const columnIds = [
  'name',
  'reference',
  'description',
  'status',
  'sizeBytes',
  'registeredAt',
  'by',
  'documentId',
  'fileName',
  'sha256',
  'connection',
] as const;
export type ColumnId = (typeof columnIds)[number];
export type StatusFilter = StatusGroup | 'none';

/** The layout of the screen, as saved in a view. Days are local days, `2026-11-21`. */
export interface DocumentsView {
  readonly search: string;
  readonly scope: 'current' | 'all';
  readonly statuses: readonly StatusFilter[];
  readonly from: string | null;
  readonly to: string | null;
  readonly origin: 'sent' | 'opened' | null;
  /** Whose documents, where a connection has joined a team. */
  readonly by: 'mine' | 'everyone';
  readonly sort: DocumentSort;
  readonly descending: boolean;
  readonly columns: readonly ColumnId[];
}

export const firstView: DocumentsView = {
  search: '',
  scope: 'current',
  statuses: [],
  from: null,
  to: null,
  origin: null,
  by: 'everyone',
  sort: 'registeredAt',
  descending: true,
  columns: ['name', 'reference', 'status', 'sizeBytes', 'registeredAt', 'by'],
};

export const statusFilters: readonly StatusFilter[] = [...statusGroups, 'none'];

/** Reads a view from its saved text. Values of an older or newer version that this version does not know are ignored, never an error. */
export function viewOf(text: string): DocumentsView {
  const kept = fieldsOf(text);
  const columns = listOf(kept.columns, columnIds);
  return {
    search: typeof kept.search === 'string' ? kept.search.slice(0, 200) : '',
    scope: kept.scope === 'all' ? 'all' : 'current',
    statuses: listOf(kept.statuses, statusFilters),
    from: dayOf(kept.from),
    to: dayOf(kept.to),
    origin: kept.origin === 'sent' || kept.origin === 'opened' ? kept.origin : null,
    by: kept.by === 'mine' ? 'mine' : 'everyone',
    sort: documentSorts.find((id) => id === kept.sort) ?? firstView.sort,
    descending: typeof kept.descending === 'boolean' ? kept.descending : firstView.descending,
    columns: columns.includes('name') ? columns : firstView.columns,
  };
}

function dayOf(value: unknown): string | null {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null;
}

/** The view without filters and search. */
export function cleared(view: DocumentsView): DocumentsView {
  const { scope, sort, descending, columns } = view;
  return { ...firstView, scope, sort, descending, columns };
}

/** The query for this view. */
export function queryOf(view: DocumentsView, connectionId: string): DocumentQuery {
  const { from, to } = boundsOf(view);
  const filters: DocumentFilters = {
    ...(view.statuses.length > 0 ? { statusGroups: [...view.statuses] } : {}),
    ...(from ? { registeredFrom: from } : {}),
    ...(to ? { registeredTo: to } : {}),
    ...(view.origin ? { origin: view.origin } : {}),
    ...(view.by === 'mine' ? { by: 'mine' } : {}),
  };
  return {
    search: view.search,
    sort: view.sort,
    descending: view.descending,
    filters,
    ...(view.scope === 'current' ? { connectionId } : {}),
  };
}
