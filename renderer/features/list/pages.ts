import { keepPreviousData, type QueryKey, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Failure } from '../../../contract/failure.ts';
import type { Failed } from '../../bridge/client.ts';

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

const rowsPerPage = 100;
/** Rows of one read for a selection, as many as the calls answer. */
const rowsPerRead = 500;
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
export interface Windowed<T, A = unknown> {
  /** Under which its rows are kept, and read again after an event that concerns them. */
  readonly name: QueryKey;
  /** Null until known. */
  readonly total: number | null;
  /** What the rows answer: the question before while a new one is being answered, so that nothing flickers while a person types. */
  readonly asked: A;
  readonly rowAt: (index: number) => T | undefined;
  /** The first of the rows that are read now. */
  readonly find: (isIt: (row: T) => boolean) => T | undefined;
  readonly onRange: (first: number, last: number) => void;
  /** Rows from one index to another, both included, visible or not; fewer if reading fails. */
  readonly readRows: (first: number, last: number) => Promise<readonly T[]>;
  /** How many of the rows with these keys it has. Only of a list whose call knows keys. */
  readonly countAmong: (keys: string[]) => Promise<number>;
  readonly failure: Failure | null;
  readonly again: () => void;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
  readonly among?: string[];
}

/**
 * `read` reads one page; `ask` is everything that the rows depend on, within `name`; `head` is what came with the first page. Pages are read again when they become visible, because not every
 * change has an event. Nothing is read of a list that is not shown.
 */
export function useWindowed<P extends { readonly rows: readonly unknown[]; readonly total: number }, A extends object>(
  name: QueryKey,
  ask: A,
  read: (page: A & Page) => Promise<P>,
  isShown = true,
): Windowed<P['rows'][number], A> & { readonly head: P | null } {
  const [span, onRange] = useSpan();
  // The first page says how long the list is, and is also read of one that was empty.
  const head = useQuery({
    queryKey: [...name, ask, 0],
    queryFn: async () => ({ ...(await read({ ...ask, offset: 0, limit: rowsPerPage })), ask }),
    placeholderData: keepPreviousData,
    enabled: isShown,
    staleTime: 0,
    gcTime: keptMs,
  });
  const asked = head.data?.ask ?? ask;
  const total = head.data?.total ?? null;
  const numbers = pagesUnder(span, isShown ? (total ?? 0) : 0).filter((page) => page > 0);
  const rest = usePageQueries(
    numbers.map((page) => ({
      key: [...name, asked],
      page,
      read: (offset, limit) => read({ ...asked, offset, limit }),
    })),
    0,
  );
  return {
    name,
    head: head.data ?? null,
    total,
    asked,
    rowAt: (index) => {
      const page = Math.floor(index / rowsPerPage);
      return (page === 0 ? head.data : rest.pages[numbers.indexOf(page)])?.rows[index % rowsPerPage];
    },
    find: (isIt) => [head.data, ...rest.pages].flatMap((page) => page?.rows ?? []).find(isIt),
    onRange,
    readRows: async (first, last) => {
      const rows: P['rows'][number][] = [];
      for (let offset = first; offset <= last; offset += rowsPerRead) {
        const page = await read({ ...asked, offset, limit: Math.min(rowsPerRead, last - offset + 1) }).catch(
          () => null,
        );
        if (!page || page.rows.length === 0) break;
        rows.push(...page.rows);
      }
      return rows;
    },
    countAmong: async (keys) => (await read({ ...asked, offset: 0, limit: 1, among: keys })).total,
    failure: head.error?.failure ?? rest.failure,
    again: () => {
      void head.refetch();
      rest.readAgain();
    },
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
function useSpan(): readonly [Span, (first: number, last: number) => void] {
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
