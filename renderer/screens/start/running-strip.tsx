import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { askValue } from '../../bridge/client.ts';
import { useRowTexts } from '../../features/jobs/bulks.ts';
import { useJobs } from '../../features/jobs/jobs.tsx';
import { taskText, useRunning, waitingTexts } from '../../features/tasks/running.ts';
import { RunningTasks } from '../../features/tasks/running-tasks.tsx';
import { useFormat } from '../../parts/format.ts';
import css from './home.module.css';

/** As many of the newest batches as are looked at for those that are being sent. */
const newest = 20;

/** One line for what runs and how far it is, with the panel of the status bar. */
export function RunningStrip() {
  const { t } = useTranslation();
  const { tasks, bulks, uploads, count, waiting, waitingAway } = useRunning();
  // What waits for an answer or for its connection is not being sent.
  const sending = useSending(
    uploads + waiting > waitingAway,
    bulks.map(({ batchId }) => batchId),
  );
  const format = useFormat();
  const textsOf = useRowTexts();
  if (count + waiting === 0) return null;
  const parts = [
    sending.total > 0
      ? t('start.sentOf', { sent: format.number(sending.sent), total: format.number(sending.total) })
      : null,
    ...bulks.map((bulk) => t('tasks.named', { kind: bulk.fileName, what: textsOf(bulk)[0] })),
    ...tasks.map((task) => taskText(t, format, task)),
    ...waitingTexts(t, { waiting: waitingAway, waitingAway }),
  ];
  return (
    <section className={css.running} aria-label={t('tasks.heading')}>
      <RunningTasks />
      <span>{parts.filter(Boolean).join(' · ')}</span>
    </section>
  );
}

/**
 * How many jobs of the batches that are being sent have been sent, whatever became of them, of those and what is still to be sent. Those of bulks are counted
 * by their rows, and what waits for its connection by itself.
 */
function useSending(isAny: boolean, bulkBatches: readonly (string | null)[]) {
  const { data } = useQuery({
    queryKey: ['jobs', 'being-sent'],
    queryFn: () => askValue('jobs.batches', { limit: newest }),
    enabled: isAny,
  });
  const { backingOff, held, countdowns } = useJobs().view.queue;
  const away = [...backingOff, ...held].map(({ connectionId }) => connectionId);
  const stopped = countdowns.flatMap(({ batchId, isStopped }) => (isStopped ? batchId : []));
  const sums = { sent: 0, total: 0 };
  for (const { batchId, connectionId, counts, askingCount } of isAny ? (data?.batches ?? []) : []) {
    // What asks a person is not on its way.
    const open = counts.prepared + counts.waiting + counts.sending - askingCount;
    if (open === 0 || [...bulkBatches, ...stopped].includes(batchId) || away.includes(connectionId)) continue;
    const sent = counts.done + counts.refused + counts['in-doubt'];
    sums.sent += sent;
    sums.total += sent + open;
  }
  return sums;
}
