import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Confirm } from '../../parts/dialog.tsx';

/** Asks before a team is left, and once more if colleagues would not learn of what was sent. */
export function LeaveTeam(props: {
  readonly connectionId: string;
  readonly onLeft: () => void;
  readonly onClose: () => void;
}) {
  const { connectionId } = props;
  const { t } = useTranslation();
  const client = useQueryClient();
  const leave = useCall('team.leave');
  const [unreported, setUnreported] = useState(0);

  async function leaveNow() {
    const ended = await leave.run({ connectionId, evenUnreported: unreported > 0 });
    if (ended.ok) return props.onLeft();
    if (ended.failure.code !== 'bad-input') return;
    const { links } = await client.fetchQuery({
      queryKey: ['team', 'state'],
      queryFn: () => askValue('team.state', {}),
    });
    const count = links.find((link) => link.connectionId === connectionId)?.unreportedCount ?? 0;
    setUnreported(count);
    if (count > 0) leave.clear();
  }

  return (
    <Confirm
      title={t(unreported > 0 ? 'team.leaveUnreportedTitle' : 'team.leaveTitle')}
      confirm={t(unreported > 0 ? 'team.leaveUnreportedConfirm' : 'team.leaveConfirm')}
      danger
      busy={leave.busy}
      onConfirm={() => void leaveNow()}
      onClose={props.onClose}
    >
      {unreported > 0 ? <p role="alert">{t('team.leaveUnreported', { count: unreported })}</p> : null}
      <p>{t('team.leaveText')}</p>
      {leave.failure ? <FailureView failure={leave.failure} /> : null}
    </Confirm>
  );
}
