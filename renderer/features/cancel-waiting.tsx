import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../contract/index.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { Confirm } from '../parts/dialog.tsx';

/** Asks before the waiting jobs of a batch or of a connection are cancelled. `count`: how many wait now, for sending goes on while it asks. */
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
      title={count === 0 ? t('jobs.noneWaits') : t('jobs.cancelWaitingTitle', { count })}
      confirm={count === 0 ? null : t('jobs.cancelWaitingConfirm', { count })}
      cancel={t(count === 0 ? 'common.close' : 'jobs.keepThem')}
      danger
      busy={cancel.busy}
      onConfirm={() =>
        void cancel.run(props.where).then((ended) => (ended.ok && ended.value.count > 0 ? props.onClose() : undefined))
      }
      onClose={props.onClose}
    >
      <p>{t(count === 0 ? 'jobs.noneWaitsText' : 'jobs.cancelWaitingText')}</p>
      {cancel.failure ? <FailureView failure={cancel.failure} /> : null}
    </Confirm>
  );
}
