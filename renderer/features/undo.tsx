import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Failure } from '../../contract/failure.ts';

/** How long what was removed from view, or accepted, can be undone. */
const undoMs = 10_000;

/** Something that a person just did and can undo. */
export interface Undoable {
  /** What was done, as a sentence. */
  readonly text: string;
  /** What was changed. Once something of this name is `gone`, its change cannot be undone any more. */
  readonly changed?: string;
  readonly gone?: string;
  readonly undo: () => Promise<Failure | null>;
}

interface Offer extends Undoable {
  readonly id: number;
  readonly failure: Failure | null;
}

const OfferContext = createContext<((what: Undoable) => void) | null>(null);
const OffersContext = createContext<{
  readonly offers: readonly Offer[];
  readonly undo: (offer: Offer) => Promise<void>;
} | null>(null);

/** Offers to undo something for ten seconds, on whatever screen the person goes to meanwhile. Only below UndoProvider. */
export function useOfferUndo(): (what: Undoable) => void {
  const offer = use(OfferContext);
  if (!offer) throw new Error('useOfferUndo outside UndoProvider');
  return offer;
}

/** What can be undone now, the oldest first. Only below UndoProvider. */
export function useOffers() {
  const value = use(OffersContext);
  if (!value) throw new Error('useOffers outside UndoProvider');
  return value;
}

/** Keeps what can be undone, outside of the screens. */
export function UndoProvider(props: { readonly children: ReactNode }) {
  const [offers, setOffers] = useState<readonly Offer[]>([]);
  const lastId = useRef(0);
  const timers = useRef(new Map<number, ReturnType<typeof setTimeout>>());
  const withdraw = useCallback((id: number) => {
    clearTimeout(timers.current.get(id));
    timers.current.delete(id);
    setOffers((before) => before.filter((offer) => offer.id !== id));
  }, []);
  useEffect(() => {
    const all = timers.current;
    return () => {
      for (const timer of all.values()) clearTimeout(timer);
    };
  }, []);

  const offer = useCallback(
    (what: Undoable) => {
      lastId.current += 1;
      const id = lastId.current;
      timers.current.set(
        id,
        setTimeout(() => withdraw(id), undoMs),
      );
      const isGone = ({ changed }: Offer) => changed !== undefined && changed === what.gone;
      setOffers((before) => [...before.filter((one) => !isGone(one)), { ...what, id, failure: null }]);
    },
    [withdraw],
  );
  const undo = useCallback(
    async ({ id, undo: work }: Offer) => {
      const failure = await work();
      if (!failure) withdraw(id);
      else setOffers((before) => before.map((one) => (one.id === id ? { ...one, failure } : one)));
    },
    [withdraw],
  );
  const value = useMemo(() => ({ offers, undo }), [offers, undo]);
  return (
    <OfferContext value={offer}>
      <OffersContext value={value}>{props.children}</OffersContext>
    </OfferContext>
  );
}
