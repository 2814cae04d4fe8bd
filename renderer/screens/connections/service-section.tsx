import { useTranslation } from 'react-i18next';
import { Segments, TextField } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import type { SectionProps } from './connection-draft.ts';
import css from './connections.module.css';
import { NamespaceField } from './namespace-field.tsx';
import { WordingSection } from './wording-section.tsx';

/** Name, address, paths, namespace, SOAP version. */
export function ServiceSection(props: SectionProps & { readonly practice: boolean }) {
  const { draft, set, errorAt } = props;
  const { t } = useTranslation();
  return (
    <Card title={t('connections.sectionService')}>
      <div className={css.fields}>
        <TextField
          label={t('connections.name')}
          value={draft.name}
          onChange={(name) => set({ name })}
          help={t('connections.nameHelp')}
          error={errorAt('name')}
          isRequired
        />
        <Segments
          label={t('connections.soapVersion')}
          value={draft.soapVersion}
          onChange={(soapVersion) => set({ soapVersion })}
          choices={[
            { key: '1.1', text: '1.1' },
            { key: '1.2', text: '1.2' },
          ]}
        />
        {props.practice ? null : (
          <>
            <TextField
              label={t('connections.baseUrl')}
              type="url"
              value={draft.baseUrl}
              onChange={(baseUrl) => set({ baseUrl })}
              help={t('connections.baseUrlHelp')}
              error={errorAt('baseUrl')}
              isRequired
            />
            <NamespaceField draft={draft} set={set} errorAt={errorAt} />
            <TextField
              label={t('connections.mainPath')}
              value={draft.mainPath}
              onChange={(mainPath) => set({ mainPath })}
              help={t('connections.mainPathHelp')}
              error={errorAt('mainPath')}
              isRequired
            />
            <TextField
              label={t('connections.easySignPath')}
              value={draft.easySignPath}
              onChange={(easySignPath) => set({ easySignPath })}
              error={errorAt('easySignPath')}
              isRequired
            />
          </>
        )}
      </div>
      <WordingSection draft={draft} set={set} errorAt={errorAt} />
    </Card>
  );
}
