import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type CallBudget, isShareUsed } from '../../contract/budget.ts';
import { isOfStorage } from '../../contract/failure.ts';
import { failureText } from '../bridge/failure-text.ts';
import { useCurrentConnection } from '../bridge/live.tsx';
import { useTasks } from '../bridge/tasks.tsx';
import { useConnectionState } from '../features/connection-state.tsx';
import { useJobs } from '../features/jobs/jobs.tsx';
import { useCallBudget, useTracking } from '../features/signature-queries.ts';
import { pausedBulksText, useHeldTexts, useRunning, waitingTexts } from '../features/tasks/running.ts';
import { RunningTasks } from '../features/tasks/running-tasks.tsx';
import { useTeamLink } from '../features/team/team.ts';
import { TeamCallsLine, teamStateText } from '../features/team/team-state.tsx';
import { Button } from '../parts/button.tsx';
import { useFormat } from '../parts/format.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import looks from '../parts/looks.module.css';
import strip from '../parts/strip.module.css';
import css from './frame.module.css';

/** The line at the bottom: running tasks, transfers with their speed, the automatic calls of this hour, and what is wrong with list or connection. */
export function StatusBar() {
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useCurrentConnection();
  const known = useConnectionState(connection);
  const budget = useCallBudget();
  const transfer = useRunning();
  const downloads = useTasks('download').filter(({ state }) => state === 'running').length;
  const { isPaused } = useJobs().view.queue;
  const parts = [
    isPaused ? t('jobs.pausedHeading') : null,
    ...useHeldTexts(),
    transfer.uploads > 0 ? t('status.uploads', { count: transfer.uploads }) : null,
    downloads > 0 ? t('status.downloads', { count: downloads }) : null,
    transfer.bytesPerSecond > 0 ? format.rate(transfer.bytesPerSecond) : null,
    transfer.secondsLeft === null ? null : format.secondsLeft(transfer.secondsLeft),
    // If nothing else runs, the button says it.
    ...(transfer.count > 0 ? waitingTexts(t, transfer) : []),
    transfer.count + transfer.waiting > 0 ? pausedBulksText(t, format, transfer.pausedBulks) : null,
  ].filter((part) => part !== null);
  return (
    <footer className={css.status}>
      <RunningTasks />
      {parts.length > 0 ? <span>{parts.join(' · ')}</span> : null}
      <OldListLine connectionId={connection.id} />
      <span className={css.statusEnd}>
        {budget?.isAutomatic && budget.used > 0 ? <Budget {...budget} /> : null}
        <TeamCallsLine connectionId={connection.id} />
        <TeamLine connectionId={connection.id} />
        {/* That it works is said by its picture in the top band. */}
        <span>{known?.state === 'works' ? null : known?.text}</span>
      </span>
    </footer>
  );
}

/** The automatic calls of this hour; once they are used up, when the next one may be made. */
function Budget(props: CallBudget) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span className={looks.row1}>
      <RefreshCw aria-hidden="true" />
      <span title={t('documents.budgetTip')}>
        {t('tracking.budgetStatus', { used: format.number(props.used), count: props.perHour })}
        {props.freeAt
          ? ` · ${t('documents.budgetFree', { time: format.time(props.freeAt) })}`
          : isShareUsed(props)
            ? ` · ${t('documents.budgetSparing')}`
            : ''}
      </span>
    </span>
  );
}

/** Whether the team register can be reached, where one was joined. */
function TeamLine(props: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const link = useTeamLink(props.connectionId);
  return link ? <span>{teamStateText(t, link, format.momentInText)}</span> : null;
}

/** That the list of requests is an old copy, with its age: Signatures says the age of a fresh one. */
function OldListLine(props: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lists = useTracking(props.connectionId).data?.lists ?? [];
  const { asOf, failure } = lists.find((list) => list.failure !== null) ?? { asOf: null, failure: null };
  if (asOf === null || failure === null) return null;
  const why = isOfStorage(failure) ? failureText(t, failure).heading : t('tracking.notReached');
  return <span>{`${t('tracking.listAsOf', { time: format.momentInText(asOf) })} · ${why}`}</span>;
}

const Countdowns = lazyPart(() => import('./countdowns.tsx').then((file) => file.Countdowns), {
  waiting: null,
  failed: (_props, _error, again) => <NotLoaded again={again} />,
});

export const preloadCountdowns = Countdowns.preload;

/** What can be taken back before it is sent, on every screen above the status bar. `runningOnly`: those that were stopped stand elsewhere. */
export function CountdownStrip(props: { readonly runningOnly: boolean }) {
  const { countdowns, countdownCount } = useJobs().view.queue;
  const shown = props.runningOnly ? countdowns.filter(({ isStopped }) => !isStopped) : countdowns;
  const total = countdownCount - (countdowns.length - shown.length);
  return total > 0 ? <Countdowns countdowns={shown} total={total} /> : null;
}

function NotLoaded(props: { readonly again: () => void }) {
  const { t } = useTranslation();
  return (
    <p className={`${strip.countdowns} ${strip.strip}`} role="alert">
      {t('jobs.pausedBy.countdown')} <Button onPress={props.again}>{t('common.tryAgain')}</Button>
    </p>
  );
}
