import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../contract/index.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { Confirm } from '../parts/dialog.tsx';

/** Asks before the waiting jobs of a batch or of a connection are cancelled. */
export function CancelWaiting(props: {
  readonly where: CallInput<'jobs.cancelWaiting'>;
  readonly count: number;
  readonly onClose: () => void;
}) {
  const { count } = props;
  const { t } = useTranslation();
  const cancel = useCall('jobs.cancelWaiting');
  return (
    <Confirm
      title={t('jobs.cancelWaitingTitle', { count })}
      confirm={t('jobs.cancelWaitingConfirm', { count })}
      cancel={t('jobs.keepThem')}
      danger
      busy={cancel.busy}
      onConfirm={() => void cancel.run(props.where).then((ended) => (ended.ok ? props.onClose() : undefined))}
      onClose={props.onClose}
    >
      <p>{t('jobs.cancelWaitingText')}</p>
      {cancel.failure ? <FailureView failure={cancel.failure} /> : null}
    </Confirm>
  );
}
