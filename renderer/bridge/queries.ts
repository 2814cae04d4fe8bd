import { infiniteQueryOptions, queryOptions, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { FileSelection, FileToken } from '../../contract/files.ts';
import type { CallInput } from '../../contract/index.ts';
import { askValue, type Failed, listen } from './client.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Failed;
  }
}

const pageSize = 200;

export type Purpose = CallInput<'files.scan'>['purpose'];

/**
 * Looks at tokens for one purpose, anew whenever a screen begins to show them; `data` is never what an earlier screen saw, since files change. Answers
 * nothing without tokens.
 */
export function useIntake(tokens: readonly FileToken[], purpose: Purpose) {
  const names = tokens.map((token) => token.token);
  const query = useQuery({
    queryKey: ['intake', purpose, names],
    queryFn: () => askValue('files.scan', { tokens: names, purpose }),
    enabled: names.length > 0,
    // By itself it is not looked at again while it is shown: what a person is about to confirm must not change under the hand.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const { error, isFetching, isFetchedAfterMount, refetch } = query;
  const isLooking = isFetching && !isFetchedAfterMount;
  return { data: isFetchedAfterMount ? query.data : undefined, error, isLooking, refetch } as const;
}

/** All rows of an intake that have been read so far, of one kind, page by page; the first page came with the intake. */
export function useIntakeRows<W extends 'files' | 'skipped'>(intake: FileSelection, which: W) {
  const total = which === 'files' ? intake.fileCount : intake.skippedCount;
  const query = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['intake-rows', intake.id, which],
      queryFn: ({ pageParam }) =>
        askValue('files.page', { intakeId: intake.id, which, offset: pageParam, limit: pageSize }),
      initialPageParam: 0,
      getNextPageParam: (_last, pages) => nextOffset(sum(pages.map((page) => page[which].length)), total),
      initialData: { pages: [{ files: intake.files, skipped: intake.skipped }], pageParams: [0] },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  const rows = query.data.pages.flatMap((page) => page[which] as readonly FileSelection[W][number][]);
  return { rows, total, loadMore: () => void (query.hasNextPage && !query.isFetching && query.fetchNextPage()) };
}

export type DocumentQuery = Omit<CallInput<'documents.list'>, 'offset' | 'limit'>;

/** How many documents are in the register for one connection; null until known. */
export function useDocumentCount(connectionId: string): number | null {
  const query = useQuery({
    queryKey: ['documents', 'count', connectionId],
    queryFn: () => askValue('documents.list', { connectionId, limit: 1 }),
  });
  return query.data?.total ?? null;
}

/** Documents by name, reference or ID for the command palette. */
export function useDocumentSearch(search: string) {
  return useQuery({
    queryKey: ['documents', 'palette', search],
    queryFn: () => askValue('documents.list', { search, limit: 8 }),
    enabled: search.trim() !== '',
    placeholderData: (before) => before,
  });
}

/** The details record. Asked of the service once a minute at most. */
export function detailsQuery(connectionId: string, documentId: string) {
  return queryOptions({
    queryKey: ['details', connectionId, documentId],
    queryFn: () => askValue('documents.details', { connectionId, documentId }),
    staleTime: 60_000,
  });
}

/** However fast the register changes, it is read again at most so often. */
const registerReadEveryMs = 400;

/** Read again whatever shows the register, once the core says that it changed. */
export function useRegisterChanges(): void {
  const client = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listen('documents.changed', () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        void client.invalidateQueries({ queryKey: ['documents'] });
      }, registerReadEveryMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [client]);
}

function nextOffset(have: number, total: number): number | null {
  return have < total && have > 0 ? have : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}
