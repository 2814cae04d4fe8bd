import { type RefObject, useEffect } from 'react';
import { useThisPage } from '../navigation.tsx';
import { scrollWhenDrawn } from './focus-next.ts';

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
  box.addEventListener('scroll', note);
  return () => {
    stop?.();
    box.removeEventListener('scroll', note);
  };
}
