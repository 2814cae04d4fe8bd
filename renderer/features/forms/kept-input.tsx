import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from 'react';

const KeptInputContext = createContext<Map<string, unknown>>(new Map());

/** Keeps the input of forms while other screens are open. */
export function KeptInputProvider(props: { readonly children: ReactNode }) {
  const [inputs] = useState(() => new Map<string, unknown>());
  return <KeptInputContext value={inputs}>{props.children}</KeptInputContext>;
}

/** As useState, kept under the key until `forget`. A key belongs to one form; a form with another key is mounted again. */
export function useKeptInput<T>(key: string, start: T): readonly [T, (next: T) => void, () => void] {
  const inputs = use(KeptInputContext);
  const [value, setValue] = useState<T>(() => (inputs.has(key) ? (inputs.get(key) as T) : start));
  const set = useCallback(
    (next: T) => {
      inputs.set(key, next);
      setValue(next);
    },
    [inputs, key],
  );
  const forget = useCallback(() => {
    inputs.delete(key);
    setValue(start);
  }, [inputs, key, start]);
  return [value, set, forget];
}

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
