import { type RefObject, useEffect } from 'react';

/** After a change that removed or disabled the focused element: focuses the first button in `box`, if keys would go nowhere otherwise. Nothing is stolen. */
export function useKeptFocus(box: RefObject<HTMLElement | null>, changed: unknown, isReady = true): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the content changes
  useEffect(() => {
    const at = document.activeElement;
    if (!isReady || (at && at !== document.body && !at.matches('main, :disabled'))) return;
    box.current?.querySelector<HTMLElement>('button:not([disabled])')?.focus();
  }, [changed, isReady]);
}
