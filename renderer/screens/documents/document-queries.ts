import { useQuery } from '@tanstack/react-query';
import type { DocumentRow } from '../../../contract/documents.ts';
import type { CallInput, CallOutput } from '../../../contract/index.ts';
import { askValue } from '../../bridge/client.ts';
import type { DocumentQuery } from '../../bridge/queries.ts';
import { useWindowed, type Windowed } from '../../features/list/pages.ts';
import type { DocumentsView } from './documents-view.ts';

/** The register as one long list of which only the visible rows are read. */
export function useDocumentRows(ask: DocumentQuery): Windowed<DocumentRow, DocumentQuery> {
  return useWindowed(['documents', 'rows'], ask, (page) => askValue('documents.list', page));
}

export type DocumentKey = CallInput<'documents.place'>['of'];
export type DocumentPlace = NonNullable<CallOutput<'documents.place'>>;

/** A document and its index in the list of this view, read once. */
export function useDocumentPlace(of: DocumentKey, view: DocumentsView, connectionId: string) {
  const { sort, descending, scope } = view;
  const scoped = scope === 'current' ? { connectionId } : {};
  return useQuery({
    queryKey: ['document-place', of, sort, descending, scoped],
    queryFn: () => askValue('documents.place', { of, sort, descending, ...scoped }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** All statuses of a document and the history of its job. */
export function useDocumentHistory({ connectionId, documentId }: DocumentKey) {
  return useQuery({
    queryKey: ['documents', 'history', connectionId, documentId],
    queryFn: () => askValue('documents.history', { connectionId, documentId }),
  });
}
