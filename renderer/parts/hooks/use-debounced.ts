import { useEffect, useState } from 'react';

/** Returns the value after it has not changed for `ms` milliseconds. */
export function useDebounced<T>(value: T, ms = 300): T {
  const [still, setStill] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setStill(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return still;
}
