import { useEffect, useRef } from 'react';

/** Short, because unsaved input is lost if the program is killed; and how old the first unsaved change may become while somebody types on. In milliseconds. */
const [saveDelayMs, savedWithinMs] = [150, 1_000];

/** Saves shortly after the last change, about once a second while changes follow one another, and whenever the window may be closing or the screen is left. `save`: does nothing where nothing changed. */
export function useSaveAfterChanges(input: unknown, save: () => unknown): void {
  const firstUnsaved = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change starts the wait anew
  useEffect(() => {
    const now = performance.now();
    firstUnsaved.current ??= now;
    const timer = setTimeout(
      () => {
        firstUnsaved.current = null;
        save();
      },
      Math.max(0, Math.min(saveDelayMs, firstUnsaved.current + savedWithinMs - now)),
    );
    return () => clearTimeout(timer);
  }, [input, save]);
  useEffect(() => {
    // The window may be about to close.
    const events = ['beforeunload', 'blur'] as const;
    const saveNow = () => void save();
    for (const event of events) window.addEventListener(event, saveNow);
    return () => {
      for (const event of events) window.removeEventListener(event, saveNow);
      void save();
    };
  }, [save]);
}
