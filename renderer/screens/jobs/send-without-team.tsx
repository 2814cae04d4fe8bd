import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useTeamLink } from '../../features/team.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';

/** Offers to send a batch without the team register while that cannot be asked. `count`: its jobs that wait. */
export function SendWithoutTeam(props: {
  readonly batchId: string;
  readonly connectionId: string;
  readonly count: number;
}) {
  const { batchId, count } = props;
  const { t } = useTranslation();
  const link = useTeamLink(props.connectionId);
  const send = useCall('team.sendWithout');
  const [isAsking, setAsking] = useState(false);
  const isOffered =
    link !== null && ['away', 'closed', 'newer', 'refused'].includes(link.state) && link.role !== 'reader';
  if (count === 0 || !isOffered) return null;
  return (
    <>
      <Button kind="quiet" onPress={() => setAsking(true)}>
        {t('team.sendWithout')}
      </Button>
      {isAsking ? (
        <Confirm
          title={t('team.sendWithoutTitle', { count })}
          confirm={t('team.sendWithoutConfirm', { count })}
          danger
          busy={send.busy}
          onConfirm={() => void send.run({ batchId }).then((ended) => (ended.ok ? setAsking(false) : undefined))}
          onClose={() => setAsking(false)}
        >
          <p>{t('team.sendWithoutText')}</p>
          {send.failure ? <FailureView failure={send.failure} /> : null}
        </Confirm>
      ) : null}
    </>
  );
}
