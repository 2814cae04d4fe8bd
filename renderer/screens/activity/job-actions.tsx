import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '../../../contract/activity.ts';
import { endedStates } from '../../bridge/activity-view.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { useGo } from '../../parts/navigation.tsx';
import css from './activity.module.css';

/** What can be done with a job in its state. Nothing that may cost something happens without a question. */
export function JobActions(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const go = useGo();
  const { forgetJobs } = useLive();
  const dismiss = useTask('activity.dismiss');
  const cancel = useTask('activity.cancel');
  const [asking, setAsking] = useState<'cancel' | 'again' | null>(null);
  const open = job.state === 'prepared' || job.state === 'waiting' || job.state === 'sending';
  const maySend =
    job.state === 'in-doubt' || job.state === 'refused' || job.state === 'failed' || job.state === 'cancelled';

  return (
    <div className={css.actions}>
      {job.state === 'done' && job.documentId ? (
        <Button kind="quiet" onPress={() => go({ screen: 'documents', search: job.documentId ?? '' })}>
          {t('activity.openDocument')}
        </Button>
      ) : null}
      {maySend ? (
        <Button kind="quiet" onPress={() => setAsking('again')}>
          {t('activity.sendAgain')}
        </Button>
      ) : null}
      {open ? (
        <Button
          kind="quiet"
          isPending={cancel.busy}
          onPress={() => (job.state === 'sending' ? setAsking('cancel') : void cancel.run({ jobId: job.id }))}
        >
          {t('activity.cancel')}
        </Button>
      ) : null}
      {endedStates.has(job.state) ? (
        <Button
          kind="quiet"
          onPress={async () => {
            const done = await dismiss.run({ jobIds: [job.id] });
            if (done.ok) forgetJobs([job.id]);
          }}
        >
          {t('activity.dismiss')}
        </Button>
      ) : null}
      {dismiss.failure ? <FailureView failure={dismiss.failure} /> : null}
      {cancel.failure && asking === null ? <FailureView failure={cancel.failure} /> : null}
      {asking === 'cancel' ? (
        <Confirm
          title={t('activity.cancelTitle', { title: job.title })}
          confirm={t('activity.cancelConfirm')}
          cancel={t('activity.keepSending')}
          danger
          busy={cancel.busy}
          onConfirm={() => void cancel.run({ jobId: job.id }).then(() => setAsking(null))}
          onClose={() => setAsking(null)}
        >
          <p>{t('activity.cancelText')}</p>
        </Confirm>
      ) : null}
      {asking === 'again' ? <SendAgain job={job} onClose={() => setAsking(null)} /> : null}
    </div>
  );
}

function SendAgain(props: { readonly job: Job; readonly onClose: () => void }) {
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
