import { createContext, type ReactNode, use, useCallback, useState } from 'react';

const TypedContext = createContext<Map<string, unknown>>(new Map());

/** Keeps what is typed into forms while somebody looks at other screens. */
export function TypedProvider(props: { readonly children: ReactNode }) {
  const [typed] = useState(() => new Map<string, unknown>());
  return <TypedContext value={typed}>{props.children}</TypedContext>;
}

/** As useState, kept under the key until `forget`. A key belongs to one form, which is drawn anew for another key. */
export function useTyped<T>(key: string, start: T): readonly [T, (next: T) => void, () => void] {
  const typed = use(TypedContext);
  const [value, setValue] = useState<T>(() => (typed.has(key) ? (typed.get(key) as T) : start));
  const set = useCallback(
    (next: T) => {
      typed.set(key, next);
      setValue(next);
    },
    [typed, key],
  );
  const forget = useCallback(() => {
    typed.delete(key);
    setValue(start);
  }, [typed, key, start]);
  return [value, set, forget];
}
