import { useTranslation } from 'react-i18next';
import type { Job } from '../../../contract/activity.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { Confirm } from '../../parts/dialog.tsx';

/** A person's decision to send a job once more, with what that may cost. */
export function SendAgain(props: { readonly job: Job; readonly onClose: () => void }) {
  const { job } = props;
  const { t } = useTranslation();
  const again = useTask('activity.sendAgain');
  const consequence =
    job.state === 'in-doubt'
      ? t('activity.sendAgainDoubt')
      : job.state === 'cancelled'
        ? t('activity.sendAgainCancelled')
        : t('activity.sendAgainFailed');
  return (
    <Confirm
      title={t('activity.sendAgainTitle', { title: job.title })}
      confirm={t('activity.sendAgainConfirm')}
      danger={job.state === 'in-doubt'}
      busy={again.busy}
      onConfirm={() => void again.run({ jobId: job.id }).then((ended) => (ended.ok ? props.onClose() : undefined))}
      onClose={props.onClose}
    >
      <p>{consequence}</p>
      {again.failure ? <FailureView failure={again.failure} /> : null}
    </Confirm>
  );
}
