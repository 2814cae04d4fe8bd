import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../parts/checkbox.tsx';
import css from './compose.module.css';
import type { DraftForm } from './use-draft.ts';

/** The options that the owner signs too, and signs first. */
export function OwnerSigns(props: { readonly draft: DraftForm }) {
  const { draft } = props;
  const { t } = useTranslation();
  const { ownerSigns, ownerFirst, kind } = draft.state.content;
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
