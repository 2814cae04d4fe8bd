import { useTranslation } from 'react-i18next';
import { Segments, TextField } from '../../parts/field.tsx';
import looks from '../../parts/looks.module.css';
import { Card } from '../../parts/page.tsx';
import { type AccessProps, CertificateField, ProxyLoginFields } from './access-fields.tsx';
import type { SectionProps } from './connection-draft.ts';
import { changesProxy } from './connection-draft.ts';

/** Proxy, certificate authorities and client certificate. */
export function NetworkSection(props: SectionProps & { readonly access: Omit<AccessProps, 'errorAt'> }) {
  const { draft, set, errorAt, lockedAt } = props;
  const { connection } = props.access;
  const access = { ...props.access, errorAt };
  const { t } = useTranslation();
  return (
    <Card title={t('connections.sectionNetwork')}>
      <div className={looks.columns}>
        <Segments
          label={t('connections.proxy')}
          locked={lockedAt('proxy')}
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
            locked={lockedAt('proxy')}
            value={draft.proxyAddress}
            onChange={(proxyAddress) => set({ proxyAddress })}
            error={errorAt('proxy.address')}
          />
        ) : null}
      </div>
      {draft.proxyMode === 'none' ? null : (
        <ProxyLoginFields {...access} isMoved={connection !== null && changesProxy(connection, draft)} />
      )}
      <TextField
        label={t('connections.extraCa')}
        lines
        mono
        locked={lockedAt('extraCa')}
        value={draft.extraCa}
        onChange={(extraCa) => set({ extraCa })}
        help={t('connections.extraCaHelp')}
        error={errorAt('extraCa')}
      />
      <CertificateField {...access} />
    </Card>
  );
}
