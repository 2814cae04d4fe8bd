import { useTranslation } from 'react-i18next';
import { Segments, TextField } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import type { SectionProps } from './connection-draft.ts';
import css from './connections.module.css';
import { NamespaceField } from './namespace-field.tsx';
import { WordingSection } from './wording-section.tsx';

/** Paths, namespace, SOAP version. */
export function ServiceSection(props: SectionProps & { readonly practice: boolean }) {
  const { draft, set, errorAt, lockedAt } = props;
  const { t } = useTranslation();
  return (
    <Card title={t('connections.sectionService')}>
      <div className={css.fields}>
        <Segments
          label={t('connections.soapVersion')}
          locked={lockedAt('soapVersion')}
          value={draft.soapVersion}
          onChange={(soapVersion) => set({ soapVersion })}
          choices={[
            { key: '1.1', text: '1.1' },
            { key: '1.2', text: '1.2' },
          ]}
        />
        {props.practice ? null : (
          <>
            <NamespaceField draft={draft} set={set} errorAt={errorAt} lockedAt={lockedAt} />
            <TextField
              label={t('connections.mainPath')}
              locked={lockedAt('mainPath')}
              value={draft.mainPath}
              onChange={(mainPath) => set({ mainPath })}
              error={errorAt('mainPath')}
              isRequired
            />
            <TextField
              label={t('connections.easySignPath')}
              locked={lockedAt('easySignPath')}
              value={draft.easySignPath}
              onChange={(easySignPath) => set({ easySignPath })}
              error={errorAt('easySignPath')}
              isRequired
            />
          </>
        )}
      </div>
      <WordingSection draft={draft} set={set} errorAt={errorAt} lockedAt={lockedAt} />
    </Card>
  );
}
