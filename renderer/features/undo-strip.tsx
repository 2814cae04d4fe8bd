import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../bridge/failure-view.tsx';
import { Button } from '../parts/button.tsx';
import looks from '../parts/looks.module.css';
import { MiddleCut } from '../parts/middle-cut.tsx';
import css from '../parts/strip.module.css';
import { useOffers } from './undo.tsx';

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
