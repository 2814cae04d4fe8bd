import { useTranslation } from 'react-i18next';
import { useFormat } from '../../parts/format.ts';
import css from './compose.module.css';
import { type DraftState, missingOf, uncarried } from './draft-state.ts';

/** What is filled in and would not be sent, before it is sent; an error while a person has not said that it may be so. */
export function Uncarried(props: { readonly state: DraftState }) {
  const { state } = props;
  const { t } = useTranslation();
  const text = useUncarriedText(state);
  if (text === null) return null;
  const isRefused = missingOf(state, 0).includes('kind');
  return (
    <p
      className={isRefused ? css.error : css.warningText}
      role={isRefused ? 'alert' : 'status'}
      {...(isRefused ? { 'data-missing': '', tabIndex: -1 } : {})}
    >
      {isRefused ? t('compose.kindMissing', { what: text }) : t('compose.uncarried', { what: text })}
    </p>
  );
}

/** What would not be sent; null if everything is. */
export function useUncarriedText(state: DraftState): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  const lost = uncarried(state);
  return lost.length === 0 ? null : format.list(lost.map((name) => t(`compose.${name}`)));
}
