import { FlaskConical, PlugZap } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Connection, nextInUse } from '../../../contract/connections.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { ConnectionStateChip } from '../../features/connection-state.tsx';
import { useTeamLink } from '../../features/team/team.ts';
import { TeamStateChip } from '../../features/team/team-state.tsx';
import { useRemoval } from '../../features/undo.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import looks from '../../parts/looks.module.css';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { MenuButton } from '../../parts/overlays/menu-button.tsx';
import css from './connections.module.css';

/** One connection: its address, whether it can be used, and its actions. */
export function ConnectionCard(props: {
  readonly connection: Connection;
  readonly isCurrent: boolean;
  readonly onEdit: () => void;
  readonly onCheck: () => void;
  readonly onService: () => void;
  readonly onTeam: () => void;
}) {
  const { connection } = props;
  const { t } = useTranslation();
  const use = useCall('connections.use');
  const [removing, setRemoving] = useState(false);
  const { managed } = connection;
  const practice = connection.kind === 'practice';
  const Icon = practice ? FlaskConical : PlugZap;
  return (
    <article className={`${css.card} ${props.isCurrent ? css.current : ''}`} aria-label={connection.name}>
      <span className={looks.round}>
        <Icon aria-hidden="true" />
      </span>
      <div className={looks.lines}>
        <h2 className={looks.line}>
          {connection.name} {props.isCurrent ? <Chip tone="info">{t('connections.inUse')}</Chip> : null}
        </h2>
        {practice ? (
          // While it is in use, the line below the top band says so.
          !props.isCurrent && <p className={looks.said}>{t('connections.practiceText')}</p>
        ) : (
          <ServiceFacts connection={connection} />
        )}
        {use.failure ? <FailureView failure={use.failure} /> : null}
      </div>
      <div className={css.actions}>
        {props.isCurrent ? null : (
          <Button isPending={use.busy} onPress={() => void use.run({ id: connection.id })}>
            {t('connections.use')}
          </Button>
        )}
        <Button onPress={props.onCheck}>{t('connections.check')}</Button>
        <Button onPress={props.onEdit}>{t('connections.edit')}</Button>
        {practice ? null : <Button onPress={props.onTeam}>{t('team.button')}</Button>}
        <MenuButton
          kind="quiet"
          label={t('connections.moreActions')}
          choices={[
            { key: 'service' as const, text: t('service.button') },
            ...(practice || managed?.isProvided ? [] : [{ key: 'remove' as const, text: t('connections.remove') }]),
          ]}
          onChoose={(key) => {
            if (key === 'service') props.onService();
            else setRemoving(true);
          }}
        />
      </div>
      {removing ? <ConfirmRemove connection={connection} onClose={() => setRemoving(false)} /> : null}
    </article>
  );
}

/** The address of a service, and what is known of it. */
function ServiceFacts({ connection }: { readonly connection: Connection }) {
  const { t } = useTranslation();
  // Until it is dismissed, the notice above every screen says it.
  const { managed } = connection;
  const team = useTeamLink(connection.id);
  const isSaid = useLive().info.notices.some(({ kind }) => kind === 'keychain-unavailable');
  return (
    <>
      <p className={looks.mono}>{`${connection.baseUrl}${connection.mainPath}`}</p>
      <p className={`${looks.line} ${looks.said}`}>
        <ConnectionStateChip connection={connection} />
        {team ? <TeamStateChip link={team} /> : null}
        {managed?.isProvided ? <Chip tone="info">{t('settings.managed')}</Chip> : null}
        {managed?.isBlocked ? <Chip tone="refused">{t('settings.notAllowed')}</Chip> : null}
        {connection.credentials === 'this-run' && !isSaid ? <span>{t('connections.untilYouQuit')}</span> : null}
      </p>
    </>
  );
}

function ConfirmRemove(props: { readonly connection: Connection; readonly onClose: () => void }) {
  const { id, name } = props.connection;
  const { t } = useTranslation();
  const remove = useRemoval('connections.remove');
  const unreported = useTeamLink(id)?.unreportedCount ?? 0;
  const { connections, currentId } = useLive().connections;
  const next = id === currentId ? nextInUse(connections, id) : undefined;
  const inUse = next && t(`connections.nextInUse.${next.kind}`, { name: next.name });
  const removed = [t('common.removed', { name }), inUse].filter(Boolean).join(' · ');
  return (
    <Confirm
      title={t('connections.removeTitle', { name })}
      confirm={t('common.remove')}
      danger
      busy={remove.busy}
      onConfirm={() =>
        void remove.run({ id }, name, removed).then((isRemoved) => (isRemoved ? props.onClose() : undefined))
      }
      onClose={props.onClose}
    >
      <p>{t('connections.removeText')}</p>
      {inUse ? <p>{inUse}</p> : null}
      {unreported > 0 ? <p>{t('team.leaveUnreported', { count: unreported })}</p> : null}
      {remove.failure ? <FailureView failure={remove.failure} /> : null}
    </Confirm>
  );
}
