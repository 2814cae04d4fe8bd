import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../parts/checkbox.tsx';
import css from './compose.module.css';
import type { DraftInHand } from './use-draft.ts';

/** The owner signs too, and first. */
export function OwnerSigns(props: { readonly draft: DraftInHand }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { ownerSigns, ownerFirst, kind } = draft.composing.content;
  return (
    <div className={css.row}>
      <Checkbox isSelected={ownerSigns} onChange={(value) => draft.set({ ownerSigns: value })}>
        {t('compose.ownerSigns')}
      </Checkbox>
      {kind === 'plain' ? (
        <Checkbox
          isSelected={ownerSigns && ownerFirst}
          isDisabled={!ownerSigns}
          onChange={(value) => draft.set({ ownerFirst: value })}
        >
          {t('compose.ownerFirst')}
        </Checkbox>
      ) : null}
    </div>
  );
}
