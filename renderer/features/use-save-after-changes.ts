import { useEffect } from 'react';

/** Short, because unsaved input is lost if the program is killed. In milliseconds. */
const saveDelayMs = 150;

/** Saves shortly after the last change, and whenever the window may be closing or the screen is left. `save`: does nothing where nothing changed. */
export function useSaveAfterChanges(input: unknown, save: () => unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change starts the wait anew
  useEffect(() => {
    const timer = setTimeout(save, saveDelayMs);
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
