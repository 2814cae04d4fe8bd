import { useTranslation } from 'react-i18next';
import { useCurrentConnection, useLive } from '../bridge/live.tsx';
import { useActivity } from '../features/jobs.tsx';
import { transferOf } from '../features/jobs-view.ts';
import { useCallBudget, useTracking } from '../features/signature-queries.ts';
import { useFormat } from '../parts/format.ts';
import css from './frame.module.css';

/** The line at the bottom: what is being transferred, how fast, and by which connection. */
export function StatusBar() {
  const { t } = useTranslation();
  const format = useFormat();
  const { view } = useActivity();
  const { downloads } = useLive();
  const connection = useCurrentConnection();
  const budget = useCallBudget();
  const transfer = transferOf(view);
  const running = [...downloads.values()].filter((download) => download.state === 'running').length;
  const parts = [
    transfer.uploads > 0 ? t('status.uploads', { count: transfer.uploads }) : null,
    running > 0 ? t('status.downloads', { count: running }) : null,
    transfer.bytesPerSecond > 0 ? format.rate(transfer.bytesPerSecond) : null,
    transfer.secondsLeft === null ? null : format.secondsLeft(transfer.secondsLeft),
    transfer.waiting > 0 ? t('status.waiting', { count: transfer.waiting }) : null,
  ].filter((part) => part !== null);
  return (
    <footer className={css.status}>
      <span>{parts.length > 0 ? parts.join(' · ') : t('status.idle')}</span>
      <ListLine connectionId={connection.id} />
      <span className={css.statusEnd}>
        {budget?.isAutomatic ? `${t('tracking.budgetStatus', { used: budget.used, count: budget.perHour })} · ` : ''}
        {connection.name} · {t('band.soap', { version: connection.soapVersion })}
      </span>
    </footer>
  );
}

/** How old the list of what is out for signature is. */
function ListLine(props: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const list = useTracking(props.connectionId).data?.lists[0];
  if (!list?.asOf) return null;
  const text = t('tracking.listAsOf', { time: format.momentInText(list.asOf) });
  return <span>{list.failure ? `${text} · ${t('tracking.notReached')}` : text}</span>;
}
