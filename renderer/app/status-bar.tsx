import { useTranslation } from 'react-i18next';
import { useCurrentConnection } from '../bridge/live.tsx';
import { useTasks } from '../bridge/tasks.tsx';
import { useJobs } from '../features/jobs.tsx';
import { transferOf } from '../features/jobs-view.ts';
import { useCallBudget, useTracking } from '../features/signature-queries.ts';
import { useFormat } from '../parts/format.ts';
import css from './frame.module.css';
import { RunningTasks } from './running-tasks.tsx';

/** The line at the bottom: running tasks, transfers with their speed, and the connection. */
export function StatusBar() {
  const { t } = useTranslation();
  const format = useFormat();
  const { view } = useJobs();
  const connection = useCurrentConnection();
  const budget = useCallBudget();
  const transfer = transferOf(view);
  const running = useTasks('download').filter(({ state }) => state === 'running').length;
  const parts = [
    transfer.uploads > 0 ? t('status.uploads', { count: transfer.uploads }) : null,
    running > 0 ? t('status.downloads', { count: running }) : null,
    transfer.bytesPerSecond > 0 ? format.rate(transfer.bytesPerSecond) : null,
    transfer.secondsLeft === null ? null : format.secondsLeft(transfer.secondsLeft),
    transfer.waiting > 0 ? t('status.waiting', { count: transfer.waiting }) : null,
  ].filter((part) => part !== null);
  return (
    <footer className={css.status}>
      <RunningTasks />
      {parts.length > 0 ? <span>{parts.join(' · ')}</span> : null}
      <ListLine connectionId={connection.id} />
      <span className={css.statusEnd}>
        {budget?.isAutomatic ? `${t('tracking.budgetStatus', { used: budget.used, count: budget.perHour })} · ` : ''}
        {connection.name} · {t('band.soap', { version: connection.soapVersion })}
      </span>
    </footer>
  );
}

/** The age of the connection's list of requests. */
function ListLine(props: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const list = useTracking(props.connectionId).data?.lists[0];
  if (!list?.asOf) return null;
  const text = t('tracking.listAsOf', { time: format.momentInText(list.asOf) });
  return <span>{list.failure ? `${text} · ${t('tracking.notReached')}` : text}</span>;
}
