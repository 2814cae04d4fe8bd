import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { useLive } from '../../bridge/live.tsx';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';
import { ConnectionCard } from './connection-card.tsx';
import { ConnectionForm } from './connection-form.tsx';
import css from './connections.module.css';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { DoctorDialog } from './doctor-dialog.tsx';
import { ServiceDialog } from './service-dialog.tsx';

const dialogs = { credentials: CredentialsDialog, doctor: DoctorDialog, service: ServiceDialog };
type Open = { readonly what: keyof typeof dialogs; readonly id: string } | null;

/** All connections, or the form of one. `edit`: the ID to edit, or `new`. `check`: the ID whose doctor is opened. */
export function ConnectionsScreen(props: { readonly edit: string | null; readonly check: string | null }) {
  const { t } = useTranslation();
  const { connections, currentId } = useLive().connections;
  const announce = useAnnounce();
  const go = useGo();
  const [open, setOpen] = useState<Open>(props.check ? { what: 'doctor', id: props.check } : null);
  const [saved, setSaved] = useState<string | null>(null);
  const edited = connections.find((connection) => connection.id === props.edit) ?? null;
  const opened = connections.find((connection) => connection.id === open?.id) ?? null;
  useEffect(() => {
    if (saved) announce(t('connections.saved', { name: saved }));
  }, [saved, announce, t]);

  function onSaved(connection: Connection) {
    setSaved(connection.name);
    go({ screen: 'connections' });
    if (connection.kind === 'service' && connection.credentials === 'none') {
      setOpen({ what: 'credentials', id: connection.id });
    }
  }

  if (props.edit === 'new' || edited) {
    const onCancel = () => go({ screen: 'connections' });
    return <ConnectionForm key={props.edit} connection={edited} onSaved={onSaved} onCancel={onCancel} />;
  }
  return (
    <Page
      title={t('connections.title')}
      lead={t('connections.lead')}
      actions={
        <Button kind="primary" onPress={() => go({ screen: 'connections', edit: 'new' })}>
          {t('connections.add')}
        </Button>
      }
    >
      <ul className={css.list} aria-label={t('connections.list')}>
        {connections.map((connection) => (
          <li key={connection.id}>
            <ConnectionCard
              connection={connection}
              isCurrent={connection.id === currentId}
              onEdit={() => go({ screen: 'connections', edit: connection.id })}
              onCredentials={() => setOpen({ what: 'credentials', id: connection.id })}
              onCheck={() => setOpen({ what: 'doctor', id: connection.id })}
              onService={() => setOpen({ what: 'service', id: connection.id })}
            />
          </li>
        ))}
      </ul>
      {connections.length === 1 ? (
        <Empty kind="nothing-yet" heading={t('connections.noRealYet')} text={t('connections.noRealYetText')} />
      ) : null}
      {open && opened ? <OpenDialog what={open.what} connection={opened} onClose={() => setOpen(null)} /> : null}
    </Page>
  );
}

function OpenDialog(props: {
  readonly what: keyof typeof dialogs;
  readonly connection: Connection;
  readonly onClose: () => void;
}) {
  const Dialog = dialogs[props.what];
  return <Dialog connection={props.connection} onClose={props.onClose} />;
}
