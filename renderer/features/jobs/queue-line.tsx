import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Progress } from '../../parts/progress.tsx';
import css from '../tasks/running-tasks.module.css';
import { useHeldTexts, waitingTexts } from '../tasks/use-running.ts';
import { useJobs } from './jobs.tsx';
import { transferOf } from './jobs-view.ts';
import { CancelWaiting, RetryFailed } from './queue-actions.tsx';

/** The queue among what runs: what is being sent and waits, with what holds for all of it. */
export function QueueLine(props: { readonly onGo: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const { view } = useJobs();
  const { isPaused, counts } = view.queue;
  const transfer = transferOf(view);
  const { uploads, waiting, bytesPerSecond } = transfer;
  const pause = useCall('jobs.pause');
  const resume = useCall('jobs.resume');
  const toggle = isPaused ? resume : pause;
  const held = useHeldTexts();
  if (uploads + waiting + held.length + counts.failed === 0 && !isPaused) return null;
  const sending = [...view.sending.values()];
  const parts = [
    isPaused ? t('jobs.pausedHeading') : null,
    ...held,
    uploads > 0 ? t('status.uploads', { count: uploads }) : null,
    ...waitingTexts(t, transfer),
    counts.failed > 0 ? `${format.number(counts.failed)} ${t('jobs.state.failed')}` : null,
    bytesPerSecond > 0 ? format.rate(bytesPerSecond) : null,
  ];
  return (
    <li className={css.row}>
      <div className={`${looks.row} ${looks.between}`}>
        <strong>{parts.filter((part) => part !== null).join(' · ')}</strong>
        <Button
          kind="quiet"
          onPress={() => {
            props.onGo();
            go({ screen: 'jobs' });
          }}
        >
          {t('tasks.openActivity')}
        </Button>
      </div>
      {sending.length > 0 ? (
        <Progress
          label={t('status.uploads', { count: uploads })}
          done={sending.reduce((sum, job) => sum + job.sentBytes, 0)}
          total={sending.reduce((sum, job) => sum + (job.totalBytes || job.sizeBytes), 0)}
        />
      ) : null}
      <div className={css.acts}>
        {isPaused || uploads + waiting > 0 ? (
          <Button kind="quiet" isPending={toggle.busy} onPress={() => void toggle.run({ what: 'all' })}>
            {t(isPaused ? 'jobs.resumeAll' : 'jobs.pauseAll')}
          </Button>
        ) : null}
        <CancelWaiting where={{}} count={counts.waiting + counts.prepared} />
        <RetryFailed batch={null} count={counts.failed} isQuiet />
      </div>
      {toggle.failure ? <FailureView failure={toggle.failure} calm /> : null}
    </li>
  );
}
