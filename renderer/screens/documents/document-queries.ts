import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { DocumentRow } from '../../../contract/documents.ts';
import type { CallInput, CallOutput } from '../../../contract/index.ts';
import { ask as askCore, askValue } from '../../bridge/client.ts';
import type { DocumentQuery } from '../../bridge/queries.ts';
import { type PagedList, rowsPerPage, type Span, usePages } from '../../features/use-pages.ts';
import { useKeptState } from '../../parts/navigation.tsx';
import type { DocumentsView } from './documents-view.ts';

/** Maximum of documents in one bulk download (documents.downloadAll). */
export const mostPicked = 10_000;
const rowsPerRead = 500;

/**
 * The register as one long list of which only the visible rows are read. While a new query is being answered the rows of the last one stay, to avoid
 * flicker while a person types. `ask` must be the same object as long as the query is the same.
 */
export function useDocumentRows(ask: DocumentQuery, span: Span) {
  const client = useQueryClient();
  const head = useQuery({
    queryKey: ['documents', 'head', ask],
    queryFn: async () => {
      const page = await askValue('documents.list', { ...ask, offset: 0, limit: rowsPerPage });
      client.setQueryData(['documents', 'rows', ask, 0], page.rows);
      return { total: page.total, ask };
    },
    placeholderData: keepPreviousData,
  });
  const shown = head.data?.ask ?? ask;
  const total = head.data?.total ?? 0;
  const list: PagedList<DocumentRow> = {
    key: ['documents', 'rows', shown],
    count: total,
    read: async (offset, limit) => (await askValue('documents.list', { ...shown, offset, limit })).rows,
  };
  const pages = usePages([{ list, span }]);
  return {
    total,
    shown,
    at: (index: number) => pages.at(list, index),
    isPending: head.isPending,
    failure: head.error?.failure ?? pages.failure,
    readAgain: () => {
      void head.refetch();
      pages.readAgain();
    },
  };
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

/** Rows from one index to another, visible or not; at most as many as one bulk download accepts. */
export async function readRows(ask: DocumentQuery, from: number, to: number): Promise<readonly DocumentRow[]> {
  const rows: DocumentRow[] = [];
  const end = Math.min(to, from + mostPicked - 1);
  for (let offset = from; offset <= end; offset += rowsPerRead) {
    const page = await askCore('documents.list', { ...ask, offset, limit: Math.min(rowsPerRead, end - offset + 1) });
    if (!page.ok || page.value.rows.length === 0) break;
    rows.push(...page.value.rows);
  }
  return rows;
}

/** Ticked rows, anywhere in the list; they stay ticked while the search changes. */
export function usePicked() {
  const [picked, setPicked] = useKeptState<ReadonlyMap<string, DocumentRow>>('picked', new Map());
  const [last, setLast] = useState(0);
  const pick = useCallback(
    async (ask: DocumentQuery, at: (index: number) => DocumentRow | undefined, index: number, isRange: boolean) => {
      const row = at(index);
      if (!row) return;
      setLast(index);
      if (isRange) {
        const rows = await readRows(ask, Math.min(last, index), Math.max(last, index));
        setPicked((before) => withRows(before, rows));
        return;
      }
      setPicked((before) => {
        const next = new Map(before);
        if (!next.delete(row.id)) next.set(row.id, row);
        return next;
      });
    },
    [last, setPicked],
  );
  const pickAll = useCallback(
    async (ask: DocumentQuery, total: number) => {
      const rows = await readRows(ask, 0, total - 1);
      setPicked((before) => withRows(before, rows));
    },
    [setPicked],
  );
  const clear = useCallback(() => setPicked(new Map()), [setPicked]);
  return { picked, pick, pickAll, clear } as const;
}

function withRows(before: ReadonlyMap<string, DocumentRow>, rows: readonly DocumentRow[]) {
  const next = new Map(before);
  for (const row of rows) if (next.size < mostPicked) next.set(row.id, row);
  return next;
}

/** All statuses of a document and the history of its job. */
export function useDocumentHistory(row: DocumentRow) {
  const { connectionId, documentId } = row;
  return useQuery({
    queryKey: ['documents', 'history', connectionId, documentId],
    queryFn: () => askValue('documents.history', { connectionId, documentId }),
  });
}
