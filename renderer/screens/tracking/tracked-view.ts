import type { SavedView, TrackedEntry, TrackedFilter, trackedColumns } from '../../../contract/tracking.ts';

export type TrackedColumn = (typeof trackedColumns)[number];

/** What the middle of the screen shows. */
export type Shown = 'entries' | 'sent' | 'board';

/** Everything that decides which entries are on show, and how. */
export interface TrackedView {
  readonly filter: TrackedFilter;
  readonly columns: readonly TrackedColumn[];
  readonly grouped: boolean;
}

/** Columns that a table on screen may have; secret words are shown one at a time, on purpose. */
export const tableColumns = [
  'documentName',
  'name',
  'email',
  'status',
  'due',
  'list',
  'documentId',
  'origDocumentId',
  'createdAt',
] as const satisfies readonly TrackedColumn[];
export type TableColumn = (typeof tableColumns)[number];

export const usualColumns: readonly TrackedColumn[] = ['documentName', 'name', 'status', 'createdAt'];

export const usualFilter: TrackedFilter = {
  listType: null,
  search: '',
  person: '',
  document: '',
  from: null,
  to: null,
  origDocumentId: null,
  status: null,
  changedOnly: false,
  dueOnly: false,
  sort: 'createdAt',
  descending: true,
};

export function viewOf({ filter, columns, grouped }: SavedView): TrackedView {
  return { filter, columns, grouped };
}

/** Conditions beyond the list: what "clear the filters" takes away. */
export function isNarrowed(filter: TrackedFilter): boolean {
  const { search, person, document, from, to, origDocumentId, status, changedOnly, dueOnly } = filter;
  return [search, person, document, from, to, origDocumentId, status, changedOnly, dueOnly].some(Boolean);
}

export function cleared(filter: TrackedFilter): TrackedFilter {
  return { ...usualFilter, listType: filter.listType, sort: filter.sort, descending: filter.descending };
}

/** A name for an entry, whatever of it is there. */
export function nameOf(entry: TrackedEntry): string | null {
  return entry.documentName || entry.documentId;
}
