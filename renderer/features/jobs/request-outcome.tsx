import { ExternalLink } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { AnswerKind } from '../../../contract/answers.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { Job } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Button } from '../../parts/button.tsx';
import { Badge } from '../../parts/chip.tsx';
import { CopyButton, CopyId } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import css from '../../parts/outcome.module.css';
import { heldTone, jobTones } from '../../parts/status-chip.tsx';
import { CallButton } from '../call-button.tsx';
import { CorrectAction } from './correct.tsx';
import { useJobs } from './jobs.tsx';
import { Asking } from './repeats.tsx';
import { useCountdownTexts } from './take-back.tsx';

interface OutcomeProps extends Pick<Job, 'title' | 'state' | 'raw' | 'documentId' | 'failure' | 'at'> {
  /** Which texts to use; those of a request by default. */
  readonly what?: 'note';
  readonly jobId: string;
  readonly kind: AnswerKind | null;
  readonly about?: string;
  readonly isByWord?: boolean;
  readonly canCorrect: boolean;
  /** The job, where it waits for a decision. */
  readonly asking?: Job | null;
}

/** The outcome of a signature request: an ID as an ID, an address to open or copy, anything else as the service answered it. */
export function RequestOutcome(props: OutcomeProps) {
  const { state, asking } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const { countdowns } = useJobs().view.queue;
  const counted = useCountdownTexts(countdowns.find(({ jobId }) => jobId === props.jobId));
  const word = props.what === 'note' ? t(`notes.outcome.${state}`) : t(`compose.outcome.${state}`);
  return (
    <article className={css.outcome} aria-label={props.title}>
      <Badge {...(asking ? heldTone : jobTones[state])} />
      <div className={css.middle}>
        <h2>
          {asking?.pausedBy ? t(`jobs.pausedBy.${asking.pausedBy}`) : counted.length > 0 ? counted.join(' · ') : word}
        </h2>
        <p className={looks.said}>
          {[props.title, props.about, format.momentInText(props.at)].filter(Boolean).join(' · ')}
        </p>
        {state === 'done' ? <OutcomeAnswer {...props} /> : null}
        {state === 'in-doubt' ? (
          <div className={looks.line}>
            <p className={looks.said}>{t('compose.doubtText')}</p>
            <Button onPress={() => go({ screen: 'jobs' })}>{t('compose.showInActivity')}</Button>
          </div>
        ) : null}
        {asking ? <Asking job={asking} /> : null}
        {!asking && (state === 'waiting' || state === 'prepared') ? <Waiting failure={props.failure} /> : null}
        {props.canCorrect ? (
          <div className={looks.line}>
            <CorrectAction quiet={state === 'in-doubt'} jobId={props.jobId} />
          </div>
        ) : null}
        {props.failure && (state === 'refused' || state === 'failed') ? <FailureView failure={props.failure} /> : null}
      </div>
    </article>
  );
}

/** Why it was not sent yet, for example because the team register is away, or a person paused everything. */
function Waiting({ failure }: { readonly failure: Failure | null }) {
  const { t } = useTranslation();
  const go = useGo();
  if (useJobs().view.queue.isPaused) {
    return (
      <div className={looks.line}>
        <p className={looks.said}>{t('jobs.pausedHeading')}</p>
        <CallButton call="jobs.resume" input={{ what: 'all' }}>
          {t('jobs.resumeAll')}
        </CallButton>
      </div>
    );
  }
  if (!failure) return null;
  return (
    <div className={looks.line}>
      <p className={looks.said}>{t('jobs.waitsFor', { reason: failureText(t, failure).heading })}</p>
      <Button onPress={() => go({ screen: 'jobs' })}>{t('compose.showInActivity')}</Button>
    </div>
  );
}

/** The service's answer; an address can be opened or copied. */
function OutcomeAnswer(props: Pick<OutcomeProps, 'jobId' | 'documentId' | 'kind' | 'raw' | 'isByWord'>) {
  const { raw } = props;
  const { t } = useTranslation();
  return (
    <>
      {props.documentId ? (
        <p className={looks.line}>
          <CopyId id={props.documentId} what={t('jobs.documentId')} />
        </p>
      ) : (
        <p className={looks.wrapped}>
          {raw ? t('common.quote', { text: raw }) : t(props.isByWord ? 'jobs.step.unchecked' : 'common.noAnswerText')}
        </p>
      )}
      {props.kind === 'url' && raw !== null ? (
        <div className={looks.line}>
          <OpenAnswer jobId={props.jobId} />
          <CopyButton text={raw} label={t('compose.copyLink')} />
        </div>
      ) : null}
    </>
  );
}

/** Opens the address that the service answered. */
export function OpenAnswer({ jobId, kind = 'plain' }: { readonly jobId: string; readonly kind?: 'plain' | 'quiet' }) {
  const { t } = useTranslation();
  const icon = <ExternalLink aria-hidden="true" />;
  return (
    <CallButton kind={kind} icon={icon} call="compose.openAnswer" input={{ jobId }}>
      {t('compose.openInBrowser')}
    </CallButton>
  );
}
