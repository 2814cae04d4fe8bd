import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import type { SectionProps } from './connection-draft.ts';
import { type ConnectionDraft, draftOf, newDraft, settingsOf } from './connection-draft.ts';
import css from './connections.module.css';
import { useFieldErrors } from './field-errors.ts';
import { LimitsSection } from './limits-section.tsx';
import { NetworkSection } from './network-section.tsx';
import { ServiceSection } from './service-section.tsx';
import { ElementNamesSection, NamedNumbersSection } from './table-sections.tsx';
import { WsdlSection } from './wsdl-section.tsx';

/** Adds a connection (null) or changes one. The practice connection has its own address, so that part is left out. */
export function ConnectionForm(props: {
  readonly connection: Connection | null;
  readonly onSaved: (connection: Connection) => void;
  readonly onCancel: () => void;
}) {
  const { connection } = props;
  const { t } = useTranslation();
  const [draft, setDraft] = useState<ConnectionDraft>(() => (connection ? draftOf(connection) : newDraft));
  const save = useCall('connections.save');
  const errorAt = useFieldErrors(save.failure);
  const practice = connection?.kind === 'practice';
  const section: SectionProps = {
    draft,
    set: (change) => setDraft((before) => ({ ...before, ...change })),
    errorAt,
  };

  async function saveNow() {
    const saved = await save.run({ ...(connection ? { id: connection.id } : {}), settings: settingsOf(draft) });
    if (saved.ok) props.onSaved(saved.value);
  }

  return (
    <Page
      title={connection ? t('connections.editTitle', { name: connection.name }) : t('connections.addTitle')}
      actions={
        <>
          <Button onPress={props.onCancel}>{t('common.cancel')}</Button>
          <Button kind="primary" isPending={save.busy} onPress={() => void saveNow()}>
            {t('connections.saveConnection')}
          </Button>
        </>
      }
    >
      <form
        className={css.sections}
        aria-label={connection ? t('connections.editTitle', { name: connection.name }) : t('connections.addTitle')}
        onSubmit={(event) => {
          event.preventDefault();
          void saveNow();
        }}
      >
        {save.failure ? <FailureView failure={save.failure} subject={draft.name} /> : null}
        {practice ? null : <WsdlSection draft={draft} setDraft={setDraft} />}
        <ServiceSection {...section} practice={practice} />
        {practice ? null : <ElementNamesSection {...section} />}
        <NamedNumbersSection {...section} which="creditTypes" />
        <NamedNumbersSection {...section} which="lists" />
        {practice ? null : <NetworkSection {...section} />}
        <LimitsSection {...section} />
      </form>
    </Page>
  );
}
