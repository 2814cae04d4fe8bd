import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useThisPage } from '../navigation.tsx';

type Find = () => HTMLElement | null | undefined;

/** What a person does: after it, the focus is theirs. */
const deeds = ['keydown', 'pointerdown', 'wheel'] as const;

/**
 * Moves the focus to what `find` finds, as soon as it is drawn: now, or after any later change of the page. Gives up when the person presses
 * a key or points at something, and when the returned function is called.
 */
export function focusWhenDrawn(find: Find): () => void {
  return whenDrawn(() => {
    const found = find();
    found?.focus();
    found?.scrollIntoView({ block: 'nearest' });
    return found !== null && found !== undefined;
  });
}

/** Scrolls a box to where it was, as soon as so much is drawn in it. Gives up as above. */
function scrollWhenDrawn(box: HTMLElement, top: number): () => void {
  return whenDrawn(() => {
    box.scrollTo(0, top);
    return Math.abs(box.scrollTop - top) < 1;
  });
}

/** Tries until it is done, after each change of the page; not once a person does something. */
function whenDrawn(isDone: () => boolean): () => void {
  const observer = new MutationObserver(tryNow);
  const stop = () => {
    observer.disconnect();
    for (const deed of deeds) window.removeEventListener(deed, stop, true);
  };
  function tryNow(): void {
    if (isDone()) stop();
  }
  for (const deed of deeds) window.addEventListener(deed, stop, true);
  observer.observe(document.body, { subtree: true, childList: true, attributes: true });
  tryNow();
  return stop;
}

/** Answers a function for the end of a step: it moves the focus when the outcome of the step is drawn. */
export function useFocusNext(): (find: Find) => void {
  const [wanted, setWanted] = useState<{ readonly find: Find } | null>(null);
  // After the next rendering: before it, the page still shows the errors of the last try.
  useEffect(() => (wanted ? focusWhenDrawn(wanted.find) : undefined), [wanted]);
  return useCallback((find) => setWanted({ find }), []);
}

/** After a change that removed or disabled the focused element: focuses the first button in `box`, if keys would go nowhere otherwise. Nothing is stolen. */
export function useKeptFocus(box: RefObject<HTMLElement | null>, changed: unknown, isReady = true): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the content changes
  useEffect(() => {
    const at = document.activeElement;
    if (!isReady || (at && at !== document.body && !at.matches('main, :disabled'))) return;
    box.current?.querySelector<HTMLElement>('button:not([disabled])')?.focus();
  }, [changed, isReady]);
}

/** Keeps the focus in a list whose rows and buttons go: it moves to a button of the same row, of the next one or the last, else to the heading. Nothing is stolen. */
export function useFocusInRows(list: RefObject<HTMLElement | null>): void {
  const at = useRef(-1);
  useEffect(() => {
    const rows = () => [...(list.current?.querySelectorAll('li') ?? [])];
    const note = () => {
      const row = rows().findIndex((one) => one.contains(document.activeElement));
      if (row >= 0) at.current = row;
    };
    const keep = () => {
      if (at.current < 0 || (document.activeElement ?? document.body) !== document.body) return;
      const row = rows().at(at.current) ?? rows().at(-1);
      const next = row?.querySelector<HTMLElement>('button:not([disabled])');
      (next ?? list.current?.querySelector('h2'))?.focus();
    };
    const observer = new MutationObserver(keep);
    observer.observe(document.body, { subtree: true, childList: true });
    document.addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', note);
    };
  }, [list]);
}

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
