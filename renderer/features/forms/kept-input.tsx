import { createContext, type ReactNode, use, useCallback, useState } from 'react';

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
