import { type RefObject, useCallback, useEffect, useState } from 'react';

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
export function scrollWhenDrawn(box: HTMLElement, top: number): () => void {
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
