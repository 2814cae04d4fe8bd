import { type RefObject, useEffect } from 'react';
import { useThisPage } from '../navigation.tsx';
import { scrollWhenDrawn } from './focus-next.ts';

/** A box on a page that is gone back to is scrolled to where it was left. `name`: unique on the page. */
export function useKeptScroll(box: RefObject<HTMLElement | null>, name: string): void {
  const { kept } = useThisPage();
  useEffect(
    () => (box.current && kept ? keepScroll(box.current, kept, `scroll ${name}`) : undefined),
    [box, kept, name],
  );
}

/** Scrolls to what is kept, and keeps where a person scrolls to from then on: once another page is drawn, that is lost. */
export function keepScroll(box: HTMLElement, kept: Map<string, unknown>, name: string): () => void {
  const top = kept.get(name);
  const stop = typeof top === 'number' && top > 0 ? scrollWhenDrawn(box, top) : undefined;
  const note = () => kept.set(name, box.scrollTop);
  // Before a list draws other rows: afterwards the question would lay the page out.
  box.addEventListener('scroll', note, { capture: true });
  return () => {
    stop?.();
    box.removeEventListener('scroll', note, { capture: true });
  };
}

/**
 * Keeps the rows of a scrolled list where they are on the screen when something above it appears, disappears or wraps: a row that a person has just
 * pressed must not move away under the pointer. A list at its top in which nobody is working moves with the page: its first row would be hidden.
 */
export function useSteadyRows(box: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const list = box.current;
    if (!list) return;
    let before = topOf(list);
    // Runs after the layout and before the page is painted.
    const observer = new ResizeObserver(() => {
      const top = topOf(list);
      const isInUse = list.scrollTop > 0 || list.matches(':focus-within');
      if (top !== before && isInUse) list.scrollTop += top - before;
      before = top;
    });
    observer.observe(list);
    return () => observer.disconnect();
  }, [box]);
}

/** The distance from the top of the page; scrolling does not change it. */
function topOf(element: HTMLElement): number {
  let top = 0;
  for (let at: HTMLElement | null = element; at; at = at.offsetParent as HTMLElement | null) top += at.offsetTop;
  return top;
}
