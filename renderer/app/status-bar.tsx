import { useTranslation } from 'react-i18next';
import { isShareUsed } from '../../contract/budget.ts';
import { isOfStorage } from '../../contract/failure.ts';
import { failureText } from '../bridge/failure-text.ts';
import { useCurrentConnection } from '../bridge/live.tsx';
import { useTasks } from '../bridge/tasks.tsx';
import { useConnectionState } from '../features/connection-state.tsx';
import { useJobs } from '../features/jobs/jobs.tsx';
import { useCallBudget, useCopyTime, useTracking } from '../features/signature-queries.ts';
import { pausedBulksText, useRunning, waitingTexts } from '../features/tasks/running.ts';
import { RunningTasks } from '../features/tasks/running-tasks.tsx';
import { useTeamLink } from '../features/team/team.ts';
import { teamStateText, useTeamCallsText } from '../features/team/team-state.tsx';
import { Button } from '../parts/button.tsx';
import { useFormat } from '../parts/format.ts';
import { lazyPart } from '../parts/lazy-part.tsx';
import looks from '../parts/looks.module.css';
import strip from '../parts/strip.module.css';
import css from './frame.module.css';

/** The line at the bottom: running tasks, transfers with their speed, the automatic calls of this hour, and what is wrong with list or connection. What has no room on it is cut, first what matters least. */
export function StatusBar() {
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useCurrentConnection();
  const known = useConnectionState(connection);
  const link = useTeamLink(connection.id);
  const transfer = useRunning();
  const downloads = useTasks('download').filter(({ state }) => state === 'running').length;
  const { isPaused } = useJobs().view.queue;
  const parts = [
    isPaused ? t('jobs.pausedHeading') : null,
    ...transfer.held,
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
      <div className={css.statusSide}>
        <RunningTasks />
        <Part text={parts.join(' · ')} />
        <Part text={useOldListText(connection.id)} />
      </div>
      <div className={css.statusSide}>
        <Part text={useBudgetText()} tip={t('documents.budgetTip')} isLess />
        <Part text={useTeamCallsText(connection.id)} tip={t('team.callsTip')} />
        <Part text={link && teamStateText(t, link, format.momentInText)} />
        {/* That it works is said by its picture in the top band. */}
        <Part text={known?.state === 'works' ? null : known?.text} />
      </div>
    </footer>
  );
}

/** `isLess`: cut before the others. */
function Part(props: { readonly text: string | null | undefined; readonly tip?: string; readonly isLess?: boolean }) {
  const { text, tip = '', isLess = false } = props;
  if (!text) return null;
  return (
    <span className={looks.cut} style={{ flexShrink: isLess ? 999 : 1 }} title={`${text}\n${tip}`.trim()}>
      {text}
    </span>
  );
}

/** The automatic calls of this hour; once they are used up, when the next one may be made. Nothing while there are none. */
function useBudgetText(): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  const budget = useCallBudget();
  if (!budget?.isAutomatic || budget.used === 0) return null;
  const calls = t('tracking.budgetStatus', { used: format.number(budget.used), count: budget.perHour });
  if (budget.freeAt) return `${calls} · ${t('documents.budgetFree', { time: format.time(budget.freeAt) })}`;
  return isShareUsed(budget) ? `${calls} · ${t('documents.budgetSparing')}` : calls;
}

/** That lists of requests are old copies, with their age: Signatures says the age of fresh ones. */
function useOldListText(connectionId: string): string | null {
  const { t } = useTranslation();
  const lists = useTracking(connectionId).data?.lists ?? [];
  const failed = lists.filter(({ asOf, failure }) => asOf !== null && failure !== null);
  const time = useCopyTime(failed);
  const failure = failed[0]?.failure;
  if (time === null || !failure) return null;
  const why = isOfStorage(failure) ? failureText(t, failure).heading : t('tracking.notReached');
  return `${t('tracking.listAsOf', { time })} · ${why}`;
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
  // Those that run are before all that were stopped.
  const total = shown.length < countdowns.length ? shown.length : countdownCount;
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
