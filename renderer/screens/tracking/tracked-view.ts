import { type TrackedEntry, type TrackedFilter, trackedFilter } from '../../../contract/tracking.ts';
import { fieldsOf, listOf } from '../../features/saved-views.ts';

/** Everything that determines the visible entries and their presentation. */
export interface TrackedView {
  readonly filter: TrackedFilter;
  readonly columns: readonly TableColumn[];
  /** Requests, by their states; otherwise the entries of the service's lists, one per signer. */
  readonly grouped: boolean;
}

/** Columns for a table on screen. Secret words are excluded: they are shown one at a time, on request. */
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
] as const;
export type TableColumn = (typeof tableColumns)[number];

export const usualColumns: readonly TableColumn[] = ['documentName', 'name', 'status', 'createdAt'];

export const usualFilter: TrackedFilter = {
  listType: null,
  search: '',
  person: '',
  document: '',
  from: null,
  to: null,
  origDocumentId: null,
  jobId: null,
  status: null,
  changedOnly: false,
  dueOnly: false,
  mine: false,
  request: null,
  sort: 'createdAt',
  descending: true,
};

/** What the screen starts with. */
export const usualView: TrackedView = { filter: usualFilter, columns: usualColumns, grouped: true };

/** Changes a part of the filter: what was typed right before may still be on its way. */
export const withFilter =
  (part: Partial<TrackedFilter>) =>
  (view: TrackedView): TrackedView => ({ ...view, filter: { ...view.filter, ...part } });

/** Reads a view from its saved text. What another version wrote and this one does not know is left out, never an error. */
export function viewOf(text: string): TrackedView {
  const kept = fieldsOf(text);
  const columns = listOf(kept.columns, tableColumns);
  return {
    filter: filterOf(kept.filter),
    columns: columns.includes('documentName') ? columns : usualColumns,
    grouped: kept.grouped === true,
  };
}

function filterOf(kept: unknown): TrackedFilter {
  const fields = typeof kept === 'object' && kept !== null ? (kept as Readonly<Record<string, unknown>>) : {};
  const known = Object.entries(trackedFilter.unwrap().shape).filter(
    ([name, field]) => field.safeParse(fields[name]).success,
  );
  return trackedFilter.parse(Object.fromEntries(known.map(([name]) => [name, fields[name]])));
}

/** True if there are conditions besides the list, which "clear the filters" removes. */
export function isNarrowed(filter: TrackedFilter): boolean {
  const { search, person, document, from, to, origDocumentId, jobId, status, changedOnly, dueOnly, mine } = filter;
  return [search, person, document, from, to, origDocumentId, jobId, status, changedOnly, dueOnly, mine].some(Boolean);
}

export function cleared(filter: TrackedFilter): TrackedFilter {
  const { listType, request, sort, descending } = filter;
  return { ...usualFilter, listType, request: request === 'open' ? null : request, sort, descending };
}

/** The document name of an entry, else its document ID; null if it has neither. */
export function nameOf(entry: TrackedEntry): string | null {
  return entry.documentName || entry.documentId;
}
