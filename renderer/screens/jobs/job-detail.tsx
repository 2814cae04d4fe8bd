import type { TFunction } from 'i18next';
import { memo } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { DuplicateOf, Job, JobStep } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { EnterId, isFileKnown } from '../../features/jobs/doubt-action.tsx';
import { useJobs } from '../../features/jobs/jobs.tsx';
import { sentToText } from '../../features/jobs/meaning-text.ts';
import { jobWord, sameText } from '../../features/jobs/repeats.tsx';
import { useOpenClaims } from '../../features/team/team-shared.ts';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Chip } from '../../parts/chip.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { Fold } from '../../parts/problem.tsx';
import { Progress } from '../../parts/progress.tsx';
import { toneOf } from '../../parts/status-chip.tsx';
import { JobActions } from './job-actions.tsx';
import css from './jobs.module.css';
import { useJobHistory } from './jobs-queries.ts';
import { InDoubt } from './reconcile-result.tsx';

/** Details of a job by its state, and its history below. */
function JobDetail(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const failed = job.state === 'refused' || job.state === 'failed';
  return (
    <>
      {job.state === 'sending' ? <Sending job={job} /> : null}
      {job.state === 'in-doubt' ? <InDoubt job={job} /> : null}
      {job.state === 'done' ? <Proof job={job} /> : null}
      {job.duplicateOf ? <SameBytes job={job} /> : null}
      {failed && job.failure ? <FailureView failure={job.failure} subject={job.title} /> : null}
      <Fold label={t('jobs.story')}>
        <JobSteps job={job} />
      </Fold>
    </>
  );
}

/** The new document's ID, or the service's answer if it is no ID. */
function Proof(props: { readonly job: Job }) {
  const { documentId, raw } = props.job;
  const { t } = useTranslation();
  if (documentId) {
    return (
      <p className={`${looks.line} ${looks.said}`}>
        <CopyId id={documentId} what={t('jobs.documentId')} />
      </p>
    );
  }
  if (props.job.look && isFileKnown(props.job.look)) return <EnterId jobId={props.job.id} />;
  return (
    <p className={`${looks.line} ${looks.said}`}>
      {raw ? t('jobs.said', { raw: t('common.quote', { text: raw }) }) : t('common.noAnswerText')}
    </p>
  );
}

function SameBytes(props: { readonly job: Job }) {
  const { t } = useTranslation();
  const format = useFormat();
  const same = props.job.duplicateOf;
  if (!same) return null;
  if (same.by) return <HeldByColleague job={props.job} same={{ ...same, by: same.by }} />;
  return <p className={`${looks.line} ${looks.said}`}>{sameText(t, format, props.job, same)}</p>;
}

function Sending(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { view } = useJobs();
  if (job.answerAwaitedSince !== null)
    return (
      <p className={`${looks.line} ${looks.said}`} title={format.fullMoment(job.answerAwaitedSince)}>
        {t('jobs.answerAwaited', { when: format.time(job.answerAwaitedSince) })}
      </p>
    );
  const bytesPerSecond = view.rates.get(job.id)?.bytesPerSecond ?? 0;
  const total = job.totalBytes > 0 ? job.totalBytes : null;
  const sent = format.bytes(job.sentBytes);
  const parts = [
    total ? t('jobs.sentOf', { sent, total: format.bytes(total) }) : sent,
    bytesPerSecond > 0 ? format.rate(bytesPerSecond) : null,
    bytesPerSecond > 0 && total ? format.secondsLeft((total - job.sentBytes) / bytesPerSecond) : null,
  ];
  return (
    <div className={css.sending}>
      <Progress label={t('jobs.progressOf', { title: job.title })} done={job.sentBytes} total={total} />
      <span>{parts.filter((part) => part !== null).join(' · ')}</span>
    </div>
  );
}

/** Who of the team has the same, and how far it is there. */
function HeldByColleague(props: { readonly job: Job; readonly same: DuplicateOf & Required<Pick<DuplicateOf, 'by'>> }) {
  const { job, same } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const isOpen = same.state === 'sending' && job.pausedBy === 'duplicate';
  const claims = useOpenClaims(job.connectionId, isOpen);
  const claim = claims.data?.find(({ claimId }) => claimId === same.claim?.claimId);
  return (
    <p className={`${looks.line} ${looks.said}`}>
      {sameText(t, format, job, same)}
      {same.skipsWhenDone && same.state !== 'done' ? (
        <span className={css.silentSince}>{t('team.skipsWhenDone')}</span>
      ) : null}
      {isOpen && claim?.isSilent ? (
        <span className={css.silentSince}>{t('team.silentSince', { when: format.momentInText(claim.seenAt) })}</span>
      ) : null}
    </p>
  );
}

/** The history of a job, which is rendered and read only when it is unfolded. */
function JobSteps(props: { readonly job: Job }) {
  const { t } = useTranslation();
  const history = useJobHistory(props.job);
  if (history.error) return <FailureView failure={history.error.failure} />;
  if (!history.data) return <p role="status">{t('jobs.loading')}</p>;
  return (
    <ol className={`${looks.lines} ${looks.said}`}>
      {history.data.map((step) => (
        <Step key={`${step.at} ${step.kind}`} step={step} />
      ))}
    </ol>
  );
}

function Step(props: { readonly step: JobStep }) {
  const { step } = props;
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li className={css.step}>
      <time className={looks.hint} dateTime={step.at} title={format.fullMoment(step.at)}>
        {format.seconds(step.at)}
      </time>
      <span>
        {t(`jobs.step.${step.kind}`)}
        {step.failure ? ` · ${failureText(t, step.failure).heading}` : ''}
      </span>
    </li>
  );
}

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
  const about = [
    ...(props.isInBatch
      ? []
      : [t(`jobs.operation.${job.operation}`), connection?.name ?? t('documents.gone'), format.momentInText(job.at)]),
    sentToText(job.sentTo) || null,
    job.isByWord ? t('jobs.step.unchecked') : null,
    job.isBesideDoubt ? t('jobs.corrects') : null,
    job.sizeBytes > 0 && !props.isUniform ? format.bytes(job.sizeBytes) : null,
    // Not an error: the job waits, and the text says for what.
    job.failure && job.pausedBy !== 'connection' && (job.state === 'waiting' || job.state === 'prepared')
      ? waitsFor(t, job.failure)
      : null,
  ];
  const word = job.state === 'sending' && job.answerAwaitedSince ? t('jobs.awaiting') : jobWord(t, job);
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
        <Chip {...toneOf(job)} isIconOnly={props.isUniform && word === t(`jobs.state.${job.state}`)}>
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
