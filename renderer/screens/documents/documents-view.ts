import { type StatusGroup, statusGroups } from '../../../contract/answer.ts';
import type { DocumentFilters } from '../../../contract/documents.ts';
import type { DocumentQuery } from '../../bridge/queries.ts';

export const columnIds = [
  'name',
  'reference',
  'description',
  'status',
  'sizeBytes',
  'registeredAt',
  'documentId',
  'fileName',
  'sha256',
  'connection',
] as const;
export type ColumnId = (typeof columnIds)[number];
export type SortId = NonNullable<DocumentQuery['sort']>;
export type StatusFilter = StatusGroup | 'none';

/** How the screen looks: what a saved view keeps. Days are local days, `2026-11-21`. */
export interface DocumentsView {
  readonly search: string;
  readonly scope: 'current' | 'all';
  readonly statuses: readonly StatusFilter[];
  readonly from: string | null;
  readonly to: string | null;
  readonly origin: 'sent' | 'opened' | null;
  readonly sort: SortId;
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
  sort: 'registeredAt',
  descending: true,
  columns: ['name', 'reference', 'status', 'sizeBytes', 'registeredAt'],
};

export const statusFilters: readonly StatusFilter[] = [...statusGroups, 'none'];
const sortIds: readonly SortId[] = ['registeredAt', 'name', 'sizeBytes', 'status'];

/** A view from its kept text. What an older or newer version wrote and this one does not know is left out, never an error. */
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
    sort: sortIds.find((id) => id === kept.sort) ?? firstView.sort,
    descending: typeof kept.descending === 'boolean' ? kept.descending : firstView.descending,
    columns: columns.includes('name') ? columns : firstView.columns,
  };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function listOf<T extends string>(value: unknown, known: readonly T[]): readonly T[] {
  return Array.isArray(value) ? known.filter((one) => value.includes(one)) : [];
}

function dayOf(value: unknown): string | null {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? value : null;
}

/** How many filters are on, apart from the search. */
export function filterCount(view: DocumentsView): number {
  const days = view.from !== null || view.to !== null;
  return (view.statuses.length > 0 ? 1 : 0) + (days ? 1 : 0) + (view.origin ? 1 : 0);
}

/** What the register is asked for this view. */
export function queryOf(view: DocumentsView, connectionId: string): DocumentQuery {
  const filters: DocumentFilters = {
    ...(view.statuses.length > 0 ? { statusGroups: [...view.statuses] } : {}),
    ...(view.from ? { registeredFrom: new Date(`${view.from}T00:00:00`).toISOString() } : {}),
    ...(view.to ? { registeredTo: new Date(`${view.to}T23:59:59.999`).toISOString() } : {}),
    ...(view.origin ? { origin: view.origin } : {}),
  };
  return {
    search: view.search,
    sort: view.sort,
    descending: view.descending,
    filters,
    ...(view.scope === 'current' ? { connectionId } : {}),
  };
}
