import { type QueryKey, useQueries } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure } from '../../contract/failure.ts';
import type { Failed } from '../bridge/client.ts';

/** A long list of which only the visible pages are read; `count`: number of rows. */
export interface PagedList<T> {
  readonly key: QueryKey;
  readonly count: number;
  readonly read: (offset: number, limit: number) => Promise<readonly T[]>;
}

/** Visible rows of one list. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

export const rowsPerPage = 100;
/** Time for which pages out of sight are kept, so that scrolling back shows them at once. */
const keptMs = 60_000;

/** Reads the pages of the visible rows, of several lists at once. `at(list, index)` returns the row, or undefined while it is being read. */
export function usePages<T>(visible: readonly { readonly list: PagedList<T>; readonly span: Span }[]) {
  const asked = visible.flatMap(({ list, span }) =>
    pagesUnder(span, list.count).map((page) => ({ key: list.key, page, read: list.read })),
  );
  // Pages are read again after an event that concerns them; nothing else makes them stale.
  const { pages, failure, readAgain } = usePageQueries(asked, Number.POSITIVE_INFINITY);
  const known = new Map(asked.map(({ key, page }, index) => [idOf(key, page), pages[index]]));
  return {
    at: (list: PagedList<T>, index: number): T | undefined =>
      known.get(idOf(list.key, Math.floor(index / rowsPerPage)))?.[index % rowsPerPage],
    failure,
    readAgain,
  };
}

/** Rows of a long list whose length is read with its rows; only visible pages are read. */
export interface Windowed<T> {
  /** Null until known. */
  readonly total: number | null;
  readonly rowAt: (index: number) => T | undefined;
  readonly onRange: (first: number, last: number) => void;
  readonly failure: Failure | null;
  readonly again: () => void;
}

/**
 * `read` reads one page; `key` contains everything that the rows depend on. Pages are read again when they become visible, because not every change
 * has an event. Nothing is read of a list that is not shown.
 */
export function useWindowed<T>(
  key: QueryKey,
  read: (offset: number, limit: number) => Promise<{ readonly rows: readonly T[]; readonly total: number }>,
  isShown = true,
): Windowed<T> {
  const [span, onRange] = useSpan();
  const [lastTotal, setLastTotal] = useState<number | null>(null);
  // The first page is also read of a list that was empty or became shorter: it may have rows again.
  const count = Math.max(1, lastTotal ?? 1);
  const numbers = pagesUnder({ first: Math.min(span.first, count - 1), last: span.last }, count);
  const asked = isShown ? numbers.map((page) => ({ key, page, read })) : [];
  const { pages, failure, readAgain } = usePageQueries(asked, 0);
  const answered = pages.find((page) => page !== undefined)?.total ?? null;
  useEffect(() => {
    if (answered !== null) setLastTotal(answered);
  }, [answered]);
  return {
    total: answered ?? lastTotal,
    rowAt: (index) => pages[numbers.indexOf(Math.floor(index / rowsPerPage))]?.rows[index % rowsPerPage],
    onRange,
    failure,
    again: readAgain,
  };
}

function usePageQueries<P>(
  asked: readonly {
    readonly key: QueryKey;
    readonly page: number;
    readonly read: (offset: number, limit: number) => Promise<P>;
  }[],
  staleTime: number,
) {
  const queries = useQueries({
    queries: asked.map(({ key, page, read }) => ({
      queryKey: [...key, page],
      queryFn: () => read(page * rowsPerPage, rowsPerPage),
      staleTime,
      gcTime: keptMs,
    })),
  });
  const failed = queries.find((query) => query.error)?.error as Failed | undefined;
  return {
    /** In the order of the request; undefined while they are being read. */
    pages: queries.map(({ data }) => data),
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

/** Number of rows read in advance on both sides: as many as a fast wheel scrolls until they are read. */
const readAhead = 120;
/** Minimum time between two changes of the span, so that not every page of a fast scroll is read. */
const spanEveryMs = 40;

/** The visible rows, rounded to whole pages: a screen is rendered when it needs another page, not for every row that scrolls by. */
export function useSpan(): readonly [Span, (first: number, last: number) => void] {
  const [span, setSpan] = useState<Span>({ first: 0, last: rowsPerPage - 1 });
  const latest = useRef(span);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onShow = useCallback((first: number, last: number) => {
    const from = Math.max(0, Math.floor((first - readAhead) / rowsPerPage)) * rowsPerPage;
    const to = (Math.floor((last + readAhead) / rowsPerPage) + 1) * rowsPerPage - 1;
    latest.current = { first: from, last: to };
    const show = () => {
      const next = latest.current;
      setSpan((before) => (before.first === next.first && before.last === next.last ? before : next));
    };
    if (timer.current !== undefined) return;
    show();
    timer.current = setTimeout(() => {
      timer.current = undefined;
      show();
    }, spanEveryMs);
  }, []);
  return [span, onShow];
}
