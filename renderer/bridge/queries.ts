import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query';
import type { FileSelection, FileToken } from '../../contract/files.ts';
import type { CallInput } from '../../contract/index.ts';
import { askValue, type Failed } from './client.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Failed;
  }
}

const pageSize = 200;

export type Purpose = CallInput<'files.scan'>['purpose'];

/**
 * Scans tokens for one purpose, anew each time a screen starts to show them; `data` is never the result of an earlier screen, because files change.
 * Disabled without tokens.
 */
export function useIntake(tokens: readonly FileToken[], purpose: Purpose) {
  return useScan(tokens, purpose, (names) => askValue('files.scan', { tokens: names, purpose }));
}

/** As `useIntake`, for all purposes at once: each file is opened once. */
export function useIntakes(tokens: readonly FileToken[]) {
  return useScan(tokens, 'all', (names) => askValue('files.scanForAll', { tokens: names }));
}

function useScan<T>(tokens: readonly FileToken[], key: Purpose | 'all', scan: (names: string[]) => Promise<T>) {
  const names = tokens.map((token) => token.token);
  const query = useQuery({
    queryKey: ['intake', key, names],
    queryFn: () => scan(names),
    enabled: names.length > 0,
    // Not repeated while it is shown: the files that a person is about to confirm must not change in front of them.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  const { error, isFetching, isFetchedAfterMount, refetch } = query;
  const isLooking = isFetching && !isFetchedAfterMount;
  return { data: isFetchedAfterMount ? query.data : undefined, error, isLooking, refetch } as const;
}

/** All rows of one kind in an intake that were read so far, page by page; the first page came with the intake. */
export function useIntakeRows<W extends 'files' | 'skipped'>(intake: FileSelection, which: W) {
  const total = which === 'files' ? intake.fileCount : intake.skippedCount;
  const query = useInfiniteQuery(
    infiniteQueryOptions({
      queryKey: ['intake-rows', intake.id, which],
      queryFn: ({ pageParam }) =>
        askValue('files.page', { intakeId: intake.id, which, offset: pageParam, limit: pageSize }),
      initialPageParam: 0,
      getNextPageParam: (_last, pages) => {
        const have = pages.reduce((sum, page) => sum + page[which].length, 0);
        return have < total && have > 0 ? have : null;
      },
      initialData: { pages: [{ files: intake.files, skipped: intake.skipped }], pageParams: [0] },
      staleTime: Number.POSITIVE_INFINITY,
    }),
  );
  const rows = query.data.pages.flatMap((page) => page[which] as readonly FileSelection[W][number][]);
  return { rows, total, loadMore: () => void (query.hasNextPage && !query.isFetching && query.fetchNextPage()) };
}

export type DocumentQuery = Omit<CallInput<'documents.list'>, 'offset' | 'limit'>;

/** Number of documents in the register of one connection; null until known. */
export function useDocumentCount(connectionId: string): number | null {
  const query = useQuery({
    queryKey: ['documents', 'count', connectionId],
    queryFn: () => askValue('documents.list', { connectionId, limit: 1 }),
  });
  return query.data?.total ?? null;
}

/** The details record. The service is asked at most once a minute. */
export function detailsQuery(connectionId: string, documentId: string) {
  return queryOptions({
    queryKey: ['details', connectionId, documentId],
    queryFn: () => askValue('documents.details', { connectionId, documentId }),
    staleTime: 60_000,
  });
}

/** Reads again what begins with one of the keys, once for all that happened within `everyMs`. */
export function readAgainEvery(client: QueryClient, everyMs: number, ...keys: readonly string[]) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = () => {
    timer = undefined;
    for (const key of keys) void client.invalidateQueries({ queryKey: [key] });
  };
  return {
    request: () => {
      timer ??= setTimeout(read, everyMs);
    },
    stop: () => clearTimeout(timer),
  };
}
