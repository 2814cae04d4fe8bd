import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useTeamLink } from '../../features/team/team.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/overlays/dialog.tsx';

/** Offers to send a batch without the team register while that is away. `count`: its jobs that wait. */
export function SendWithoutTeam(props: {
  readonly batchId: string;
  readonly connectionId: string;
  readonly count: number;
}) {
  const { batchId, count } = props;
  const { t } = useTranslation();
  const link = useTeamLink(props.connectionId);
  const send = useCall('team.sendWithout');
  /** How many jobs the question is about; it stays while they are tried once more behind it. */
  const [asked, setAsked] = useState(0);
  const isOffered = link?.state === 'away' && link.role !== 'reader';
  return (
    <>
      {count > 0 && isOffered ? (
        <Button kind="quiet" onPress={() => setAsked(count)}>
          {t('team.sendWithout')}
        </Button>
      ) : null}
      {asked > 0 ? (
        <Confirm
          title={t('team.sendWithoutTitle', { count: asked })}
          confirm={t('team.sendWithoutConfirm', { count: asked })}
          danger
          busy={send.busy}
          onConfirm={() => void send.run({ batchId }).then((ended) => (ended.ok ? setAsked(0) : undefined))}
          onClose={() => setAsked(0)}
        >
          <p>{t('team.sendWithoutText')}</p>
          {send.failure ? <FailureView failure={send.failure} /> : null}
        </Confirm>
      ) : null}
    </>
  );
}
