import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { TeamLink } from '../../../contract/team.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Confirm } from '../../parts/overlays/dialog.tsx';

/** Asks before a team is left, and once more if colleagues would not learn of what was sent. */
export function LeaveTeam(props: {
  readonly link: TeamLink;
  readonly onLeft: () => void;
  readonly onClose: () => void;
}) {
  const { connectionId, unreportedCount: count } = props.link;
  const { t } = useTranslation();
  const client = useQueryClient();
  const leave = useCall('team.leave');
  const isUnreported = count > 0;

  async function leaveNow() {
    const ended = await leave.run({ connectionId, evenUnreported: isUnreported });
    if (ended.ok) props.onLeft();
    else await client.invalidateQueries({ queryKey: ['team', 'state'] });
  }

  return (
    <Confirm
      title={t(isUnreported ? 'team.leaveUnreportedTitle' : 'team.leaveTitle')}
      confirm={t(isUnreported ? 'team.leaveUnreportedConfirm' : 'team.leaveConfirm')}
      danger
      busy={leave.busy}
      onConfirm={() => void leaveNow()}
      onClose={props.onClose}
    >
      {isUnreported ? <p role="alert">{t('team.leaveUnreported', { count })}</p> : null}
      <p>{t('team.leaveText')}</p>
      {leave.failure && !(isUnreported && leave.failure.code === 'bad-input') ? (
        <FailureView failure={leave.failure} />
      ) : null}
    </Confirm>
  );
}
