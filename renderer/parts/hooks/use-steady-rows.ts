import { useEffect } from 'react';

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
