import { useEffect, useRef } from 'react';
import type { Dragged, Dropped } from './dropped.ts';

/** What letting go of the files does on this screen. */
export interface DropOffer {
  readonly text: string;
  /** In place of the assurance that nothing is sent yet. */
  readonly note?: string;
  /** Without it the chooser takes the files. */
  readonly take?: (dropped: Dropped) => void;
}

/** Null: nothing of its own, the chooser takes the files. */
export type DropOffers = (dragged: Dragged) => DropOffer | null;

/** The offers of the screen that is shown, innermost last. */
const shown: { readonly current: DropOffers }[] = [];

/** Takes dropped and pasted files on this screen, as long as the component is shown. */
export function useDropTarget(offers: DropOffers): void {
  const latest = useRef(offers);
  useEffect(() => {
    latest.current = offers;
  });
  useEffect(() => {
    shown.push(latest);
    return () => void shown.splice(shown.indexOf(latest), 1);
  }, []);
}

/** The offer of the screen for these files; null if the chooser takes them. */
export function offerFor(dragged: Dragged): DropOffer | null {
  return shown.at(-1)?.current(dragged) ?? null;
}
