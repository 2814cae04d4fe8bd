import { useTranslation } from 'react-i18next';
import type { Job } from '../../../contract/activity.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection, useLive } from '../../bridge/live.tsx';
import { Badge, Chip } from '../../parts/chip.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { Technical } from '../../parts/problem.tsx';
import { Progress } from '../../parts/progress.tsx';
import css from './activity.module.css';
import { JobActions } from './job-actions.tsx';
import { jobTones } from './job-tones.ts';

/** One job: what it is, how far it is, what became of it, and what can be done. */
export function JobCard(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useConnection(job.connectionId);
  const look = jobTones[job.state];
  const about = [
    t(`activity.operation.${job.operation}`),
    connection?.name ?? t('documents.gone'),
    job.sizeBytes > 0 ? format.bytes(job.sizeBytes) : null,
    format.momentInText(job.updatedAt),
  ];
  return (
    <article className={`${css.card} ${job.state === 'in-doubt' ? css.doubt : ''}`} aria-label={job.title}>
      <Badge {...look} />
      <div className={css.middle}>
        <h2 className={css.title}>
          <MiddleCut text={job.title} />
        </h2>
        <p className={css.about} title={format.fullMoment(job.updatedAt)}>
          {about.filter((part) => part !== null).join(' · ')}
        </p>
        <JobStory job={job} />
      </div>
      <div className={css.side}>
        <JobActions job={job} />
        <Chip {...look}>{t(`activity.state.${job.state}`)}</Chip>
      </div>
    </article>
  );
}

function JobStory(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  if (job.state === 'sending') return <Sending job={job} />;
  if (job.state === 'in-doubt') {
    return (
      <div className={css.explain}>
        <strong>{t('activity.doubtHeading')}</strong>
        <p>{t('activity.doubtText')}</p>
        {job.failure ? (
          <Fold label={t('common.technical')}>
            <Technical text={failureText(t, job.failure).technical} />
          </Fold>
        ) : null}
      </div>
    );
  }
  if (job.state === 'done') return <Proof job={job} />;
  if (job.failure && job.state !== 'cancelled') return <FailureView failure={job.failure} subject={job.title} />;
  return null;
}

/** The new document's ID, or the service's own words where they are no ID. */
function Proof(props: { readonly job: Job }) {
  const { documentId, raw } = props.job;
  const { t } = useTranslation();
  if (documentId) {
    return (
      <p className={css.proof}>
        <span>{t('activity.documentId')}</span>
        <CopyId id={documentId} what={t('activity.documentId')} />
      </p>
    );
  }
  return (
    <p className={css.proof}>
      {raw ? t('activity.said', { raw: t('common.quote', { text: raw }) }) : t('common.noAnswerText')}
    </p>
  );
}

function Sending(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const bytesPerSecond = useLive().activity.rates.get(job.id)?.bytesPerSecond ?? 0;
  const total = job.totalBytes > 0 ? job.totalBytes : null;
  const sent = format.bytes(job.sentBytes);
  const parts = [
    total ? t('activity.sentOf', { sent, total: format.bytes(total) }) : sent,
    bytesPerSecond > 0 ? format.rate(bytesPerSecond) : null,
    bytesPerSecond > 0 && total ? format.secondsLeft((total - job.sentBytes) / bytesPerSecond) : null,
  ];
  return (
    <div className={css.sending}>
      <Progress label={t('activity.progressOf', { title: job.title })} done={job.sentBytes} total={total} />
      <span>{parts.filter((part) => part !== null).join(' · ')}</span>
    </div>
  );
}
