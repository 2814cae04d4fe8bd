import { useTranslation } from 'react-i18next';
import { Segments, TextField } from '../../parts/field.tsx';
import { Card } from '../../parts/page.tsx';
import type { SectionProps } from './connection-draft.ts';
import css from './connections.module.css';

/** Proxy and extra certificate authorities. */
export function NetworkSection(props: SectionProps) {
  const { draft, set, errorAt } = props;
  const { t } = useTranslation();
  return (
    <Card title={t('connections.sectionNetwork')}>
      <div className={css.fields}>
        <Segments
          label={t('connections.proxy')}
          value={draft.proxyMode}
          onChange={(proxyMode) => set({ proxyMode })}
          choices={[
            { key: 'system', text: t('connections.proxySystem') },
            { key: 'none', text: t('connections.proxyNone') },
            { key: 'manual', text: t('connections.proxyManual') },
          ]}
        />
        {draft.proxyMode === 'manual' ? (
          <TextField
            label={t('connections.proxyAddress')}
            type="url"
            value={draft.proxyAddress}
            onChange={(proxyAddress) => set({ proxyAddress })}
            error={errorAt('proxy.address')}
          />
        ) : null}
      </div>
      <TextField
        label={t('connections.extraCa')}
        lines
        mono
        value={draft.extraCa}
        onChange={(extraCa) => set({ extraCa })}
        help={t('connections.extraCaHelp')}
        error={errorAt('extraCa')}
      />
    </Card>
  );
}
