import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Removed } from '../../contract/call.ts';
import type { Failure } from '../../contract/failure.ts';
import type { CallInput, CallName, CallOutput } from '../../contract/index.ts';
import { ask } from '../bridge/client.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { type CallEnd, useCall } from '../bridge/use-call.ts';
import { Button } from '../parts/button.tsx';
import looks from '../parts/looks.module.css';
import { MiddleCut } from '../parts/middle-cut.tsx';
import css from '../parts/strip.module.css';

/** How long what was removed from view, or accepted, can be undone. */
const undoMs = 10_000;

/** Something that a person just did and can undo. */
export interface Undoable {
  /** What was done, as a sentence. */
  readonly text: string;
  /** What was changed. Once something of this name is `gone`, its change cannot be undone any more. */
  readonly changed?: string;
  readonly gone?: string;
  readonly undo: () => Promise<{ readonly ok?: boolean; readonly failure?: Failure | null }>;
}

interface Offer extends Undoable {
  readonly id: number;
  readonly failure: Failure | null;
}

const OfferContext = createContext<((what: Undoable) => () => boolean) | null>(null);
const OffersContext = createContext<{
  readonly offers: readonly Offer[];
  readonly undo: (offer: Offer) => Promise<void>;
} | null>(null);

/** Offers to undo something for ten seconds, on whatever screen the person goes to meanwhile; what that returns takes the offer away and tells whether it still was there. Only below UndoProvider. */
export function useOfferUndo(): (what: Undoable) => () => boolean {
  const offer = use(OfferContext);
  if (!offer) throw new Error('useOfferUndo outside UndoProvider');
  return offer;
}

/** What can be undone now, the oldest first. Only below UndoProvider. */
function useOffers() {
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
    setOffers((before) => before.filter((offer) => offer.id !== id));
    return timers.current.delete(id);
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
      return () => withdraw(id);
    },
    [withdraw],
  );
  const undo = useCallback(
    async ({ id, undo: work }: Offer) => {
      const { failure } = await work();
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

/** Lines that leave room for the screen in a small window. */
const shown = 3;

/** What was just done and can be undone: on every screen above the status bar, and in a dialog that hides it, there only what was done in it. */
export function UndoStrip({ ofDialog = false }: { readonly ofDialog?: boolean }) {
  const { t } = useTranslation();
  const { offers: all, undo } = useOffers();
  const [before] = useState(() => (ofDialog ? (all.at(-1)?.id ?? 0) : 0));
  const offers = all.filter(({ id }) => id > before);
  return (
    <div role="status">
      {offers.length > 0 ? (
        <ul className={looks.grow}>
          {offers.slice(-shown).map((offer) => (
            <li key={offer.id} className={css.line}>
              <span className={css.name}>
                <MiddleCut text={offer.text} isSentence />
              </span>
              <Button kind="quiet" of={offer.text} onPress={() => void undo(offer)}>
                {t('common.undo')}
              </Button>
              {offer.failure ? <FailureView failure={offer.failure} calm /> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** Calls that remove something which can be put back. */
type RemoveCall = { [N in CallName]: CallOutput<N> extends Removed ? N : never }[CallName];

/** Longer than the time between two clicks of a double click. */
export const movedMs = 700;

/** Removes what is kept here, and offers to put it back as it was. `onChange`: it went, or has come back. */
export function useRemoval<N extends RemoveCall>(name: N, onChange?: (isBack: boolean) => void) {
  const { t } = useTranslation();
  const call = useCall(name);
  const offerUndo = useOfferUndo();
  const goneAt = useRef(Number.NEGATIVE_INFINITY);
  return {
    ...call,
    /** Not for a second click, under which is what stood below. `what`: how a person calls it; `text`: what they see of it. Resolves with false if it could not be removed. */
    run: async (
      input: CallInput<N>,
      what: string,
      text: string = t('common.removed', { name: what }),
    ): Promise<boolean> => {
      if (performance.now() - goneAt.current < movedMs) return false;
      const ended = await call.run(input);
      if (!ended.ok) return false;
      goneAt.current = performance.now();
      onChange?.(false);
      const { removal } = ended.value;
      offerUndo({
        text,
        gone: what,
        undo: async () => {
          const back = await ask('removals.putBack', { removal });
          onChange?.(back.ok);
          // What is back stands where it stood: a click is meant for it.
          goneAt.current = Number.NEGATIVE_INFINITY;
          return back;
        },
      });
      return true;
    },
  } as const;
}

/** Offers to put back something that was saved over or renamed. `put`: saves it as it was before. */
export function useOfferBefore() {
  const { t } = useTranslation();
  const offerUndo = useOfferUndo();
  return (name: string, put: () => Promise<CallEnd<unknown>>) =>
    offerUndo({
      text: t('common.changed', { name }),
      changed: name,
      undo: put,
    });
}
