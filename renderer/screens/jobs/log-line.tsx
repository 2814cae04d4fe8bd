import { ChevronRight } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Batch, Job } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { useOtherConnection } from '../../features/connection-state.tsx';
import { sentToText } from '../../features/jobs/meaning-text.ts';
import { jobWord, sameText } from '../../features/jobs/repeats.tsx';
import { useCountdownOf } from '../../features/jobs/take-back.tsx';
import { IconButton } from '../../parts/button.tsx';
import { Badge, type ChipTone } from '../../parts/chip.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { type Route, useGo } from '../../parts/navigation.tsx';
import { jobTones, toneOf } from '../../parts/status-chip.tsx';
import { BatchToggle, batchParts } from './batch-head.tsx';
import { totalOf } from './jobs-rows.ts';
import css from './log.module.css';

/**
 * One job of the log: what became of it, with when it began: lines are in that order, those below a head in the order of the drop. Of what was sent (`isSent`) it began when it left. What can be done with
 * it is where it is opened.
 */
export const LogLine = memo(function LogLine(props: {
  readonly job: Job;
  readonly isUnderHead: boolean;
  readonly isSent?: boolean | undefined;
}) {
  const { job, isUnderHead, isSent = false } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const became = jobWord(t, job);
  const state = job.correction ? `${became} · ${t('jobs.corrected')}` : became;
  // What is called sent was so when it left; registered it is when the answer came.
  const at = job.state === 'done' && job.operation !== 'AddNewDocument' ? (job.departedAt ?? job.at) : job.at;
  const start = isSent ? (job.departedAt ?? job.createdAt) : job.createdAt;
  const [began, ended] = [format.moment(start), format.moment(at)];
  const refusal =
    job.failure && (job.state === 'refused' || job.state === 'failed') ? failureText(t, job.failure) : null;
  const about = [
    isUnderHead ? null : t(`jobs.operation.${job.operation}`),
    useOtherConnection(job.connectionId),
    sentToText(job.sentTo),
    refusal?.words ?? refusal?.heading,
    job.isByWord ? t('jobs.step.unchecked') : null,
    job.state === 'passed-over' && job.duplicateOf ? sameText(t, format, job, job.duplicateOf) : null,
  ];
  return (
    <Line
      title={job.title}
      warning={job.isBesideDoubt ? t('jobs.corrects') : null}
      tone={toneOf(job)}
      about={about.filter(Boolean).join(' · ')}
      state={(isSent || job.state === 'done') && !isUnderHead && began !== ended ? `${state} · ${ended}` : state}
      counted={isUnderHead || job.pausedBy !== 'countdown' ? undefined : job.batchId}
      at={isUnderHead ? at : start}
      open={placeOf(job)}
      isUnderHead={isUnderHead}
    />
  );
});

/** One drop or bulk of the log, with how many of its jobs are in which state; its jobs are below it when it is open. */
export function LogHead(props: { readonly batch: Batch; readonly isOpen: boolean; readonly onToggle: () => void }) {
  const { batch, isOpen } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const name = visibleName(batch.title);
  const title = t('jobs.batchMore', { title: name, count: totalOf(batch.counts) + batch.correctedCount - 1 });
  const parts = batchParts(t, batch);
  const about = [t(`jobs.operation.${batch.operation}`), useOtherConnection(batch.connectionId)];
  return (
    <Line
      title={title}
      sentenceOf={name}
      tone={parts[0]?.tone ?? jobTones.done}
      about={about.filter(Boolean).join(' · ')}
      state={parts.map(({ count, word }) => `${format.number(count)} ${word}`).join(' · ')}
      counted={batch.counts.waiting + batch.counts.prepared > 0 ? batch.batchId : undefined}
      at={batch.createdAt}
      open={{ screen: 'jobs', batchId: batch.batchId }}
      toggle={<BatchToggle title={title} isOpen={isOpen} onToggle={props.onToggle} />}
    />
  );
}

/** How long a batch can still be taken back. By itself, so that no other line is drawn with each event. */
function SecondsLeft(props: { readonly batchId: string }) {
  const [, left] = useCountdownOf(props.batchId);
  return left ? `${left} · ` : null;
}

/**
 * Where a job is, or what was sent in its place. Of one that was taken off the list it is its document, as nothing more can be done with the job: null if none came of it; without an ID it stands under its
 * job.
 */
function placeOf({ id, state, operation, connectionId, documentId, ...job }: Job): Route | null {
  const { batchId, isDismissed, correction } = job;
  if (correction) return { screen: 'jobs', ...correction };
  if (!isDismissed) return { screen: 'jobs', batchId, jobId: id };
  if (state !== 'done' || operation === 'AddQuickNote') return null;
  return { screen: 'documents', open: { connectionId, documentId: documentId ?? id } };
}

function Line(props: {
  readonly title: string;
  /** The name in the title, where that is a sentence. */
  readonly sentenceOf?: string;
  /** Below the title, where each window has room for it. */
  readonly warning?: string | null;
  readonly tone: ChipTone;
  readonly about: string;
  readonly state: string;
  /** The batch whose countdown keeps it back. */
  readonly counted?: string | undefined;
  readonly at: string;
  readonly open: Route | null;
  readonly isUnderHead?: boolean;
  readonly toggle?: ReactNode;
}) {
  const { title, about, state, at, open } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are on the button at its end
    <article
      className={`${css.line} ${props.isUnderHead ? css.under : ''} ${open ? looks.opens : ''}`}
      aria-label={title}
      onClick={({ target }) => open && target instanceof Element && !target.closest('button') && go(open)}
    >
      {props.toggle ?? <Badge {...props.tone} />}
      <div>
        <h2 className={looks.row}>
          <MiddleCut text={title} isSentence={props.sentenceOf !== undefined} name={props.sentenceOf} />
        </h2>
        {props.warning ? <p className={looks.inRow}>{props.warning}</p> : null}
      </div>
      <span className={`${css.about} ${looks.said}`}>
        <MiddleCut text={about} isSentence />
      </span>
      <span className={looks.said}>
        {props.counted ? <SecondsLeft batchId={props.counted} /> : null}
        {state}
      </span>
      <time className={css.at} dateTime={at} title={format.fullMoment(at)}>
        {format.moment(at)}
      </time>
      {open ? (
        <IconButton
          label={t('start.open', { title })}
          icon={<ChevronRight aria-hidden="true" />}
          onPress={() => go(open)}
        />
      ) : null}
    </article>
  );
}
