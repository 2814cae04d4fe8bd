import { type QueryKey, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Failed } from './door.ts';

/** A long list that is read where it is looked at: `count` rows of it are known to exist. */
export interface PagedList<T> {
  readonly key: QueryKey;
  readonly count: number;
  readonly read: (offset: number, limit: number) => Promise<readonly T[]>;
}

/** Rows of one list that are on show. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

export const rowsPerPage = 100;
/** Pages that are out of sight are kept for a while, so that scrolling back shows them at once. */
const keptMs = 60_000;

/**
 * Reads the pages under the rows on show, of several lists at once. `at(list, index)` answers the row, or undefined while it is
 * being read.
 */
export function usePages<T>(wanted: readonly { readonly list: PagedList<T>; readonly span: Span }[]) {
  const pages = wanted.flatMap(({ list, span }) =>
    pagesUnder(span, list.count).map((page) => ({ list, page, id: idOf(list.key, page) })),
  );
  const queries = useQueries({
    queries: pages.map(({ list, page }) => ({
      queryKey: [...list.key, page],
      queryFn: () => list.read(page * rowsPerPage, rowsPerPage),
      // What is told to have changed is read again; nothing else makes it stale.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: keptMs,
    })),
  });
  const read = useMemo(() => {
    const known = new Map<string, readonly T[]>();
    pages.forEach(({ id }, index) => {
      const data = queries[index]?.data;
      if (data) known.set(id, data as readonly T[]);
    });
    return known;
  }, [pages, queries]);
  const failed = queries.find((query) => query.error)?.error as Failed | undefined;
  return {
    at: (list: PagedList<T>, index: number): T | undefined =>
      read.get(idOf(list.key, Math.floor(index / rowsPerPage)))?.[index % rowsPerPage],
    failure: failed?.failure ?? null,
    readAgain: () => void Promise.all(queries.map((query) => query.refetch())),
  };
}

function idOf(key: QueryKey, page: number): string {
  return `${JSON.stringify(key)}/${page}`;
}

function pagesUnder(span: Span, count: number): readonly number[] {
  if (count === 0 || span.last < 0 || span.first >= count) return [];
  const first = Math.floor(Math.max(0, span.first) / rowsPerPage);
  const last = Math.floor(Math.min(count - 1, span.last) / rowsPerPage);
  return Array.from({ length: last - first + 1 }, (_one, at) => first + at);
}

/** Rows that are read ahead on both sides of what is on show. */
const readAhead = 40;
/** Whoever scrolls fast past pages does not have each of them read. */
const spanEveryMs = 60;

/** What is on show, in whole pages: a screen is drawn anew when it needs another page, not at every row that scrolls by. */
export function useSpan(): readonly [Span, (first: number, last: number) => void] {
  const [span, setSpan] = useState<Span>({ first: 0, last: rowsPerPage - 1 });
  const latest = useRef(span);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onShow = useCallback((first: number, last: number) => {
    const from = Math.max(0, Math.floor((first - readAhead) / rowsPerPage)) * rowsPerPage;
    const to = (Math.floor((last + readAhead) / rowsPerPage) + 1) * rowsPerPage - 1;
    latest.current = { first: from, last: to };
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      const next = latest.current;
      setSpan((before) => (before.first === next.first && before.last === next.last ? before : next));
    }, spanEveryMs);
  }, []);
  return [span, onShow];
}
