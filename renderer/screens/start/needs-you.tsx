import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '../../../contract/jobs.ts';
import { askValue } from '../../bridge/client.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { AcceptDocument } from '../../features/accept-document.tsx';
import { CorrectAction } from '../../features/correct.tsx';
import { useJobs } from '../../features/jobs.tsx';
import { Button } from '../../parts/button.tsx';
import { Badge } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { jobTones } from '../../parts/job-tones.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo } from '../../parts/navigation.tsx';
import css from './needs-you.module.css';

/** As many lines as leave room for the drop target in a small window. */
const shown = 4;

/** What waits for a person, each with its next right step: adds whose outcome is unknown first, then what was not taken, questions and connections on hold. */
export function NeedsYou(props: { readonly count: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const { queue } = useJobs().view;
  const { askingCount, held } = queue;
  const jobs = useNotTaken(props.count > askingCount + held.length);
  const lines = [
    ...held.map(({ connectionId }) => <HeldLine key={connectionId} connectionId={connectionId} />),
    ...(askingCount > 0 ? [<AskingLine key="asking" count={askingCount} />] : []),
    ...jobs.map((job) => <JobLine key={job.id} job={job} />),
  ].slice(0, shown);
  return (
    <section className={css.needs} aria-labelledby="needs-you">
      <header className={css.head}>
        <h2 id="needs-you">{t('start.needsYou', { shown: format.number(props.count) })}</h2>
        <Button kind="quiet" onPress={() => go({ screen: 'jobs' })}>
          {t('jobs.showAll')}
        </Button>
      </header>
      <ul>{lines}</ul>
    </section>
  );
}

/** The newest adds in doubt, then the newest of those that were refused or failed. */
function useNotTaken(isAny: boolean): readonly Job[] {
  const { data } = useQuery({
    queryKey: ['jobs', 'needs-you'],
    queryFn: async () => {
      const [doubts, others] = await Promise.all([
        askValue('jobs.list', { states: ['in-doubt'], limit: shown }),
        askValue('jobs.list', { states: ['refused', 'failed'], limit: shown }),
      ]);
      return [...doubts.jobs, ...others.jobs];
    },
    enabled: isAny,
  });
  return isAny ? (data ?? []) : [];
}

function JobLine(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const isDoubt = job.state === 'in-doubt';
  const said = isDoubt ? doubtKey(job) : null;
  const refusal = job.failure ? failureText(t, job.failure) : null;
  const why = said ? t(said) : (refusal?.words ?? refusal?.heading ?? t(`jobs.state.${job.state}`));
  return (
    <li className={css.line} aria-label={job.title}>
      <Badge {...jobTones[job.state]} />
      <span className={css.title}>
        <MiddleCut text={job.title} />
      </span>
      <span className={css.why} title={`${why}\n${format.fullMoment(job.at)}`}>
        {`${why} · ${format.moment(job.at)}`}
      </span>
      {isDoubt ? <DoubtAction job={job} /> : <CorrectAction jobId={job.id} />}
    </li>
  );
}

function doubtKey({ look }: Job) {
  if (!look) return 'jobs.doubtHeading' as const;
  const found = { found: 'jobs.lookFound', 'not-found': 'jobs.lookNotFound', 'cannot-tell': 'jobs.lookCannotTell' };
  return found[look.verdict] as 'jobs.lookFound' | 'jobs.lookNotFound' | 'jobs.lookCannotTell';
}

/** Looking first, then the one document that was found; everything else is decided where all of the evidence is. */
function DoubtAction(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const go = useGo();
  const reconcile = useCall('jobs.reconcile');
  const [isAccepting, setAccepting] = useState(false);
  const [candidate, ...others] = (job.look?.candidates ?? []).filter(({ isTaken }) => !isTaken);
  if (job.look?.verdict === 'found' && candidate && others.length === 0)
    return (
      <>
        <Button onPress={() => setAccepting(true)}>{t('jobs.accept')}</Button>
        {isAccepting ? <AcceptDocument job={job} candidate={candidate} onClose={() => setAccepting(false)} /> : null}
      </>
    );
  if (job.look)
    return <Button onPress={() => go({ screen: 'jobs', batchId: job.batchId })}>{t('start.decide')}</Button>;
  return (
    <>
      <Button isPending={reconcile.busy} onPress={() => void reconcile.run({ jobId: job.id })}>
        {reconcile.busy ? t('jobs.looking') : t('jobs.lookFor')}
      </Button>
      {reconcile.failure ? <FailureView failure={reconcile.failure} calm /> : null}
    </>
  );
}

function HeldLine(props: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const connection = useConnection(props.connectionId)?.name ?? t('documents.gone');
  return <QueueLine title={t('jobs.heldHeading', { connection })} />;
}

function AskingLine(props: { readonly count: number }) {
  const { t } = useTranslation();
  return <QueueLine title={t('jobs.askingHeading', { count: props.count })} />;
}

/** About the queue as a whole: it is decided in its list. */
function QueueLine(props: { readonly title: string }) {
  const { title } = props;
  const { t } = useTranslation();
  const go = useGo();
  return (
    <li className={css.line} aria-label={title}>
      <Badge tone="unclear" />
      <span className={css.title}>{title}</span>
      <span className={css.why} />
      <Button onPress={() => go({ screen: 'jobs' })}>{t('start.decide')}</Button>
    </li>
  );
}
