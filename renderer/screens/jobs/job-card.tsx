import type { TFunction } from 'i18next';
import { memo } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Job } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { useConnection } from '../../bridge/live.tsx';
import { sentToText } from '../../features/jobs/meaning-text.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { heldTone, jobTones } from '../../parts/job-tones.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { JobActions } from './job-actions.tsx';
import { JobDetail } from './job-detail.tsx';
import css from './jobs.module.css';

/** One job: title, progress, outcome and actions. Rendered only when it changed, because the queue sends up to ten events a second. */
export const JobCard = memo(function JobCard(props: {
  readonly job: Job;
  /** True under the heading of a batch, which says what its jobs have in common. */
  readonly isInBatch: boolean;
  /** True if that heading says the state of all of them. */
  readonly isUniform: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (job: Job, isSelected: boolean) => void;
}) {
  const { job, onSelect } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useConnection(job.connectionId);
  const tone = job.pausedBy ? heldTone : jobTones[job.state];
  const about = [
    ...(props.isInBatch
      ? []
      : [t(`jobs.operation.${job.operation}`), connection?.name ?? t('documents.gone'), format.momentInText(job.at)]),
    sentToText(job.sentTo) || null,
    job.sizeBytes > 0 && !props.isUniform ? format.bytes(job.sizeBytes) : null,
    // Not an error: the job waits, and the text says for what.
    job.failure && job.pausedBy !== 'connection' && (job.state === 'waiting' || job.state === 'prepared')
      ? waitsFor(t, job.failure)
      : null,
  ];
  const word = job.pausedBy
    ? t(`jobs.pausedBy.${job.pausedBy}`)
    : job.state === 'done' && job.operation !== 'AddNewDocument'
      ? t('bulk.states.done')
      : t(job.answerAwaitedSince ? 'jobs.awaiting' : `jobs.state.${job.state}`);
  const said = about.filter((part) => part !== null).join(' · ');
  return (
    <article className={`${css.card} ${job.state === 'in-doubt' ? css.doubt : ''}`} aria-label={job.title}>
      <Checkbox isSelected={props.isSelected} onChange={(isSelected) => onSelect(job, isSelected)}>
        <VisuallyHidden>{t('list.select', { title: job.title })}</VisuallyHidden>
      </Checkbox>
      <div className={css.middle}>
        <h2 className={looks.row}>
          <MiddleCut text={job.title} />
        </h2>
        {said ? (
          <p className={looks.hint} title={format.fullMoment(job.at)}>
            {said}
          </p>
        ) : null}
        <JobDetail job={job} />
      </div>
      <div className={css.side}>
        <JobActions job={job} isInBatch={props.isInBatch} />
        <Chip {...tone} isIconOnly={props.isUniform && word === t(`jobs.state.${job.state}`)}>
          {word}
        </Chip>
      </div>
    </article>
  );
});

function waitsFor(t: TFunction, failure: Failure): string {
  if (failure.code === 'storage-full') return t('jobs.waitsForSpace');
  return t('jobs.waitsFor', { reason: failureText(t, failure).heading });
}
