import { type RefObject, useEffect, useRef } from 'react';

/** A value as of the last render, for what runs later: it needs no new effect or listener with each. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}
