import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { BackingOff, Countdown, HeldConnection, Job } from '../../../contract/jobs.ts';
import { askValue } from '../../bridge/client.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { useOtherConnection } from '../../features/connection-state.tsx';
import { usePausedBulks, useRowTexts } from '../../features/jobs/bulks.ts';
import { CorrectAction } from '../../features/jobs/correct.tsx';
import { DoubtAction, onlyCandidate, useDoubtText } from '../../features/jobs/doubt-action.tsx';
import { useJobs } from '../../features/jobs/jobs.tsx';
import { waitsForCredentials } from '../../features/jobs/jobs-view.ts';
import { sentToText } from '../../features/jobs/meaning-text.ts';
import { ResumeRestored, useBackingOff, useHeldConnection } from '../../features/jobs/sending-stops.tsx';
import { CountdownActions, useCountdownName, useCountdownTexts } from '../../features/jobs/take-back.tsx';
import { movedMs } from '../../features/undo.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Badge, type ChipTone } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { type Route, useGo } from '../../parts/navigation.tsx';
import { jobTones } from '../../parts/status-chip.tsx';
import css from './needs-you.module.css';

const needing = ['in-doubt', 'refused', 'failed'] as const;
/** As many lines as leave room for the drop target in a small window. */
const shown = 4;
/** Of them for jobs at least, whatever else there is. */
const shownJobs = 2;
/** As many as are shown when a person wants to see all; beyond that they are on their own screen. */
export const most = 100;

/** What waits for a person, each with its next right step: adds whose outcome is unknown first, then what was not taken, questions and connections on hold. */
export function NeedsYou(props: { readonly count: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const [room, setRoom] = useState(shown);
  const { queue } = useJobs().view;
  const { askingCount, restoredCount, held, storage } = queue;
  const stopped = queue.countdowns.filter(({ isStopped }) => isStopped);
  const jobCount = needing.reduce((sum, state) => sum + queue.counts[state], 0);
  const jobs = useNotTaken(jobCount > 0, room);
  // What has stopped others is last, but always there; of countdowns, of which there may be many, so many as there is room for.
  const allStops = [
    ...(restoredCount > 0 ? [<RestoredLine key="restored" count={restoredCount} />] : []),
    ...(askingCount > 0 ? [<AskingLine key="asking" count={askingCount} />] : []),
    ...queue.backingOff
      .filter(waitsForCredentials)
      .map((one) => <CredentialsLine key={`without ${one.connectionId}`} backoff={one} />),
    ...held.map((one) => <HeldLine key={one.connectionId} held={one} />),
    ...usePausedBulks().map((bulk) => <PausedBulkLine key={bulk.id} bulk={bulk} />),
    ...(storage ? [<StorageLine key="storage" failure={storage} />] : []),
    ...stopped.map((one) => <StoppedLine key={one.batchId} countdown={one} />),
  ];
  const stops = allStops.slice(0, room - Math.min(jobs.length, shownJobs));
  const named = jobs.slice(0, Math.max(0, room - stops.length));
  const lines = [...named.map((job) => <JobLine key={job.id} job={job} />), ...stops];
  // A kind of which no line has room is counted all the same.
  const counted = needing.filter((kind) => queue.counts[kind] > 0 && !named.some(({ state }) => state === kind));
  const isCut = lines.length < jobCount + allStops.length;
  const hasMoved = useJustChanged(lines.map(({ key }) => key).join(' '));
  return (
    <section aria-labelledby="needs-you">
      <header className={css.head}>
        <h2 id="needs-you" className={looks.title}>
          {t('start.needsYou', { shown: format.number(props.count) })}
        </h2>
        <span className={looks.line}>
          {counted.map((state) => (
            <Button key={state} kind="quiet" onPress={() => go({ screen: 'jobs', filter: state })}>
              {`${format.number(queue.counts[state])} ${t(`jobs.state.${state}`)}`}
            </Button>
          ))}
          {isCut ? (
            <Button kind="quiet" onPress={() => (room < most ? setRoom(most) : go({ screen: 'jobs' }))}>
              {t('jobs.showAll')}
            </Button>
          ) : null}
        </span>
      </header>
      {props.count > 0 ? (
        <ul className={css.list} style={hasMoved ? { pointerEvents: 'none' } : {}}>
          {lines}
        </ul>
      ) : (
        <p className={looks.said}>{t('start.needsNobody')}</p>
      )}
    </section>
  );
}

/** True for a moment after the value changed: a second click then would be for what was there before. */
function useJustChanged(value: string): boolean {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), movedMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled !== value;
}

/** The newest adds in doubt, then the newest of those that were refused or failed. */
function useNotTaken(isAny: boolean, limit: number): readonly Job[] {
  const { data } = useQuery({
    queryKey: ['jobs', 'needs-you', limit],
    queryFn: async () => {
      const [doubts, others] = await Promise.all([
        askValue('jobs.list', { states: ['in-doubt'], limit }),
        askValue('jobs.list', { states: ['refused', 'failed'], limit }),
      ]);
      return [...doubts.jobs, ...others.jobs];
    },
    enabled: isAny,
    placeholderData: keepPreviousData,
  });
  return isAny ? (data ?? []) : [];
}

function JobLine(props: { readonly job: Job }) {
  const { job } = props;
  const isDoubt = job.state === 'in-doubt';
  const why = useWhy(job);
  const { t } = useTranslation();
  const format = useFormat();
  const what = `${t(`jobs.operation.${job.operation}`)} · ${format.fullMoment(job.at)}`;
  // First that it is of another service than all else on this screen, where no row is too short for it; last the addresses, which may be many.
  const whose = [useOtherConnection(job.connectionId), why, sentToText(job.sentTo)].filter(Boolean);
  return (
    <Line
      title={job.title}
      badge={jobTones[job.state]}
      why={whose.join(' · ')}
      about={[...whose, what, isDoubt ? foundText(job, format.momentInText) : null].filter(Boolean).join('\n')}
      open={{ screen: 'jobs', batchId: job.batchId, jobId: job.id }}
    >
      {isDoubt ? <DoubtAction job={job} /> : <CorrectAction isInRow jobId={job.id} />}
    </Line>
  );
}

/** What one click would accept: name, people, time and ID of the document. */
function foundText(job: Job, moment: (iso: string) => string): string | null {
  const found = onlyCandidate(job);
  if (!found) return null;
  const { documentName, email, createdAt, documentId } = found;
  return [documentName, email, createdAt && moment(createdAt), documentId].filter(Boolean).join(' · ');
}

/** What happened and when; of a lost answer also what a look for it has found. */
function useWhy(job: Job): string {
  const { t } = useTranslation();
  const format = useFormat();
  const doubt = useDoubtText(job);
  if (job.state === 'in-doubt') return doubt;
  const refusal = job.failure ? failureText(t, job.failure) : null;
  const why = refusal?.words ?? refusal?.heading ?? t(`jobs.state.${job.state}`);
  return `${why} · ${format.moment(job.at)}`;
}

/** Adds without an answer stopped a connection: the next right step is to look at these, then to go on. */
function HeldLine(props: { readonly held: HeldConnection }) {
  const { t } = useTranslation();
  const { connection, doubts, waiting, action } = useHeldConnection(props.held);
  return (
    <Line title={t('start.held', { connection })} why={`${waiting} ${doubts}`.trim()} isSentence>
      {action(t('start.resume'))}
    </Line>
  );
}

function CredentialsLine(props: { readonly backoff: BackingOff }) {
  const { heading, text, actions } = useBackingOff(props.backoff);
  return (
    <Line title={heading} why={text} open={{ screen: 'connections', edit: props.backoff.connectionId }} isSentence>
      {actions}
    </Line>
  );
}

/** Its rows are not sent until the person goes on with it. */
function PausedBulkLine({ bulk }: { readonly bulk: Bulk }) {
  const { t } = useTranslation();
  const why = [useOtherConnection(bulk.connectionId), t('bulk.bulkState.paused'), ...useRowTexts()(bulk)];
  return (
    <Line
      title={bulk.fileName}
      why={why.filter(Boolean).join(' · ')}
      open={{ screen: 'bulk', bulkId: bulk.id }}
      isDecision
    />
  );
}

/** Copies or answers cannot be stored: what waits goes on by itself when they can. */
function StorageLine(props: { readonly failure: Failure }) {
  const { t } = useTranslation();
  const { heading, advice } = failureText(t, props.failure);
  return <Line title={heading} why={advice} isSentence />;
}

/** Its countdown was not seen to its end: nothing of it was sent. */
function StoppedLine(props: { readonly countdown: Countdown }) {
  const { countdown } = props;
  const title = useCountdownName(countdown);
  const why = [useOtherConnection(countdown.connectionId), ...useCountdownTexts(countdown)];
  return (
    <Line
      title={title}
      why={why.filter(Boolean).join(' · ')}
      open={{ screen: 'jobs', batchId: countdown.batchId }}
      isSentence={countdown.count > 1}
      name={countdown.title}
    >
      <CountdownActions countdown={countdown} />
    </Line>
  );
}

/** The register is older than it was: only a person can know what has been sent since. */
function RestoredLine({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const title = t('jobs.restoredHeading', { count });
  return (
    <Line title={title} badge={{ tone: 'unclear' }} why={t('jobs.restoredText')} isSentence>
      <ResumeRestored count={count} />
    </Line>
  );
}

function AskingLine(props: { readonly count: number }) {
  const { t } = useTranslation();
  const title = t('jobs.askingHeading', { count: props.count });
  return <Line title={title} badge={{ tone: 'unclear' }} why={t('jobs.askingText')} isSentence isDecision />;
}

/** One line: state, what it is, why it waits, the next right step, and the way to all that is known. */
function Line(props: {
  readonly title: string;
  /** By default that of what stands still. */
  readonly badge?: ChipTone;
  readonly why: string;
  readonly about?: string;
  /** The title is words of ours, not a name. */
  readonly isSentence?: boolean;
  readonly name?: string;
  /** Where all that is known of it is; by default Activity. */
  readonly open?: Route;
  /** The next step is a decision, which is made there. */
  readonly isDecision?: boolean;
  readonly children?: ReactNode;
}) {
  const { title, why, badge = { tone: 'unclear', icon: 'pause' }, open = { screen: 'jobs' } } = props;
  const { t } = useTranslation();
  const go = useGo();
  return (
    <li className={css.line} aria-label={title}>
      <Badge {...badge} />
      <strong>
        <MiddleCut text={title} isSentence={props.isSentence} name={props.name} />
      </strong>
      <span className={css.why} title={props.about ?? why}>
        {why}
      </span>
      <span className={css.step}>
        {props.isDecision ? <Button onPress={() => go(open)}>{t('start.decide')}</Button> : props.children}
      </span>
      <IconButton
        label={t('start.open', { title })}
        icon={<ChevronRight aria-hidden="true" />}
        onPress={() => go(open)}
      />
    </li>
  );
}
