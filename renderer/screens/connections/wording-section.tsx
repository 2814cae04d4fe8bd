import { useTranslation } from 'react-i18next';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Segments } from '../../parts/field.tsx';
import { Fold } from '../../parts/fold.tsx';
import type { SectionProps } from './connection-draft.ts';
import { newDraft } from './connection-draft.ts';
import css from './connections.module.css';

/** Settings for services whose requests differ from the interface. Folded until one of them is set. */
export function WordingSection({ draft, set, lockedAt }: SectionProps) {
  const { t } = useTranslation();
  const isSet = (['easySignSoapVersion', 'soapAction12', 'sendFalse'] as const).some(
    (name) => draft[name] !== newDraft[name],
  );
  return (
    <Fold label={t('connections.wording')} open={isSet}>
      <div className={css.stack}>
        <Segments
          label={t('connections.easySignSoapVersion')}
          locked={lockedAt('easySignSoapVersion')}
          value={draft.easySignSoapVersion}
          onChange={(easySignSoapVersion) => set({ easySignSoapVersion })}
          choices={[
            { key: 'main', text: t('connections.easySignSoapMain') },
            { key: '1.1', text: 'SOAP 1.1' },
            { key: '1.2', text: 'SOAP 1.2' },
          ]}
        />
        <Checkbox
          locked={lockedAt('soapAction12')}
          isSelected={draft.soapAction12}
          onChange={(soapAction12) => set({ soapAction12 })}
        >
          {t('connections.soapAction12')}
        </Checkbox>
        <Checkbox
          locked={lockedAt('sendFalse')}
          isSelected={draft.sendFalse}
          onChange={(sendFalse) => set({ sendFalse })}
        >
          {t('connections.sendFalse')}
        </Checkbox>
      </div>
    </Fold>
  );
}
