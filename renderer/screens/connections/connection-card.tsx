import { FlaskConical, PlugZap } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import css from './connections.module.css';

/** One connection: its address, whether it can be used, and its actions. */
export function ConnectionCard(props: {
  readonly connection: Connection;
  readonly isCurrent: boolean;
  readonly onEdit: () => void;
  readonly onCredentials: () => void;
  readonly onCheck: () => void;
  readonly onService: () => void;
}) {
  const { connection } = props;
  const { t } = useTranslation();
  const use = useCall('connections.use');
  const [removing, setRemoving] = useState(false);
  const practice = connection.kind === 'practice';
  const Icon = practice ? FlaskConical : PlugZap;
  return (
    <article className={`${css.card} ${props.isCurrent ? css.current : ''}`} aria-label={connection.name}>
      <span className={css.icon}>
        <Icon aria-hidden="true" />
      </span>
      <div className={css.about}>
        <h2>
          {connection.name} {props.isCurrent ? <Chip tone="info">{t('connections.inUse')}</Chip> : null}
        </h2>
        <p className={practice ? css.text : css.address}>
          {practice ? t('connections.practiceText') : `${connection.baseUrl}${connection.mainPath}`}
        </p>
        <p className={css.text}>
          {t('band.soap', { version: connection.soapVersion })}
          {practice ? null : ` · ${t(`connections.credentials.${connection.credentials}`)}`}
        </p>
        {use.failure ? <FailureView failure={use.failure} /> : null}
      </div>
      <div className={css.actions}>
        {props.isCurrent ? null : (
          <Button isPending={use.busy} onPress={() => void use.run({ id: connection.id })}>
            {t('connections.use')}
          </Button>
        )}
        <Button onPress={props.onCheck}>{t('connections.check')}</Button>
        <Button onPress={props.onService}>{t('service.button')}</Button>
        {practice ? null : <Button onPress={props.onCredentials}>{t('connections.credentialsButton')}</Button>}
        <Button onPress={props.onEdit}>{t('connections.edit')}</Button>
        {practice ? null : (
          <Button kind="quiet" onPress={() => setRemoving(true)}>
            {t('connections.remove')}
          </Button>
        )}
      </div>
      {removing ? <ConfirmRemove connection={connection} onClose={() => setRemoving(false)} /> : null}
    </article>
  );
}

function ConfirmRemove(props: { readonly connection: Connection; readonly onClose: () => void }) {
  const { id, name } = props.connection;
  const { t } = useTranslation();
  const remove = useCall('connections.remove');
  return (
    <Confirm
      title={t('connections.removeTitle', { name })}
      confirm={t('common.remove')}
      danger
      busy={remove.busy}
      onConfirm={() => void remove.run({ id }).then((end) => (end.ok ? props.onClose() : undefined))}
      onClose={props.onClose}
    >
      <p>{t('connections.removeText')}</p>
      {remove.failure ? <FailureView failure={remove.failure} /> : null}
    </Confirm>
  );
}
