import { useCallback, useState } from 'react';
import type { How, Route, ScreenName } from '../parts/navigation.tsx';

/** One page that was opened, with the parameters it was opened with. */
export interface Visit {
  readonly id: number;
  readonly route: Route;
  /** True if it was opened from the page before it; false for a section that was chosen in the rail. */
  readonly isOpened: boolean;
  /** What it is opened with when it is gone back to, if that is something else: the draft of what was typed. */
  readonly again?: Route;
  /** How it was left: filled by its parts, read when it is gone back to. */
  readonly kept: Map<string, unknown>;
}

/** The pages a person was on, as in a browser: those after `at` were left by going back. */
export interface History {
  readonly visits: readonly Visit[];
  readonly at: number;
}

/** Pages that can be gone back to. */
const mostVisits = 20;
export const firstHistory: History = {
  visits: [{ id: 0, route: { screen: 'start' }, isOpened: false, kept: new Map() }],
  at: 0,
};

export function visitAt({ visits, at }: History): Visit {
  const visit = visits[at];
  if (!visit) throw new Error('no page is shown');
  return visit;
}

/** What makes two routes one page: a route to the page that is shown only changes its parameters. */
function pageOf(route: Route): string {
  switch (route.screen) {
    case 'connections':
      return `connections ${route.edit ?? ''}`;
    case 'compose':
      return `compose ${route.draftId ?? ''} ${route.fresh ?? ''}`;
    case 'settings':
      return route.screen;
    default:
      return JSON.stringify(route, (_key, value: unknown) => value ?? undefined);
  }
}

/** The history after a page is opened. */
export function opened(history: History, route: Route, how: How): History {
  const { visits, at } = history;
  const now = visitAt(history);
  const isSame = pageOf(now.route) === pageOf(route);
  if (isSame && how !== 'section') return { visits: visits.with(at, { ...now, route }), at };
  const before = visits[at - 1];
  // Back at the page from which this one was opened.
  if (how === 'instead' && before && pageOf(before.route) === pageOf(route))
    return { visits: [...visits.slice(0, at - 1), { ...before, route }], at: at - 1 };
  const earlier = visits.slice(0, how === 'instead' ? at : at + 1).slice(-mostVisits);
  const isOpened = how === 'instead' ? now.isOpened : how === 'from-here';
  return { visits: [...earlier, { id: nextId(visits), route, isOpened, kept: new Map() }], at: earlier.length };
}

const nextId = (visits: readonly Visit[]) => Math.max(...visits.map(({ id }) => id)) + 1;

/** The history a page further back (-1) or forward (1); the same if there is none. */
export function stepped(history: History, by: -1 | 1): History {
  const { visits } = history;
  const at = history.at + by;
  const visit = visits[at];
  if (!visit) return history;
  return { visits: visits.with(at, { ...visit, route: visit.again ?? visit.route }), at };
}

/** The screen from which the shown page was opened. */
export function openedFrom({ visits, at }: History): ScreenName | null {
  return (visits[at]?.isOpened && (visits[at - 1]?.again ?? visits[at - 1]?.route)?.screen) || null;
}

export function useHistory() {
  const [history, setHistory] = useState(firstHistory);
  const go = useCallback((route: Route, how: How = 'from-here') => setHistory((now) => opened(now, route, how)), []);
  const step = useCallback((by: -1 | 1) => setHistory((now) => stepped(now, by)), []);
  /** A page may have been left meanwhile. */
  const keep = useCallback(
    (id: number, again: Route) =>
      setHistory(({ visits, at }) => ({
        visits: visits.map((visit) => (visit.id === id ? { ...visit, again } : visit)),
        at,
      })),
    [],
  );
  return { history, go, step, keep };
}
