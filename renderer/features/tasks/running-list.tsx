import { type RefObject, useRef } from 'react';
import { Dialog, Heading, Popover } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { Bulk } from '../../../contract/bulk.ts';
import type { Task } from '../../../contract/tasks.ts';
import { useConnection } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import { useFocusInRows } from '../../parts/hooks/focus-and-scroll.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo } from '../../parts/navigation.tsx';
import popup from '../../parts/overlays/popup.module.css';
import { Progress } from '../../parts/progress.tsx';
import { CallButton } from '../call-button.tsx';
import { useBulkState, useRowTexts } from '../jobs/bulks.ts';
import { useJobs } from '../jobs/jobs.tsx';
import { transferOf, waitingOf } from '../jobs/jobs-view.ts';
import { CancelWaiting, RetryFailed } from '../jobs/queue-actions.tsx';
import { runName, type useRunning, waitingTexts } from './running.ts';
import css from './running-tasks.module.css';
import { TaskProgress } from './task-progress.tsx';

/** The list above the button of what runs: all of it, and what can pause, stop or repeat it. */
export function RunningList(props: {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly running: ReturnType<typeof useRunning>;
  readonly isIdle: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const { tasks, bulks, pausedBulks } = props.running;
  const list = useRef<HTMLElement>(null);
  // The button that stopped a task goes with its row.
  useFocusInRows(list);
  return (
    <Popover
      className={popup.popup ?? ''}
      placement="top start"
      offset={6}
      triggerRef={props.button}
      isOpen
      onOpenChange={props.onClose}
    >
      <Dialog ref={list} className={css.list ?? ''}>
        <Heading slot="title" tabIndex={-1}>
          {t('tasks.heading')}
        </Heading>
        {props.isIdle ? <p className={looks.said}>{t('tasks.nothing')}</p> : null}
        <ul className={looks.ruled}>
          {[...bulks, ...pausedBulks].map((bulk) => (
            <BulkLine key={bulk.id} bulk={bulk} onGo={props.onClose} />
          ))}
          <QueueLine held={props.running.held} onGo={props.onClose} />
          {tasks.map((task) => (
            <Row key={task.taskId} task={task} />
          ))}
        </ul>
      </Dialog>
    </Popover>
  );
}

function Row(props: { readonly task: Task }) {
  const { task } = props;
  const { t } = useTranslation();
  const kind =
    task.kind === 'verification' && task.progress.run.kind === 'audit'
      ? t('tasks.kind.audit')
      : t(`tasks.kind.${task.kind}`);
  const what = useSubject(task);
  const name = t('tasks.named', { kind, what });
  return (
    <li className={css.row}>
      <p className={looks.row1}>
        <strong>{kind}</strong>{' '}
        <span className={looks.grow}>
          <MiddleCut text={what} />
        </span>
      </p>
      <TaskProgress task={task} label={name} stop={t('tasks.stop')} stopName={t('tasks.stopWhat', { name })} />
    </li>
  );
}

/** The file, folder or connection that a task is about. */
function useSubject(task: Task): string {
  const { t } = useTranslation();
  const connection = useConnection(task.kind === 'status-refresh' ? task.progress.connectionId : '');
  switch (task.kind) {
    case 'download':
    case 'report':
      return visibleName(task.progress.fileName);
    case 'bulk-download':
      return visibleName(task.progress.folderName);
    case 'status-refresh':
      return connection?.name ?? t('documents.gone');
    case 'duplicate-check':
      return t('tasks.selectedFiles');
    case 'comparison':
      return visibleName(task.progress.name);
    case 'verification':
      return runName(t, task.progress.run);
  }
}

/** A bulk has a screen of its own. */
function BulkLine({ bulk, onGo }: { readonly bulk: Bulk; readonly onGo: () => void }) {
  const { t } = useTranslation();
  const name = visibleName(bulk.fileName);
  const go = useGo();
  return (
    <li className={css.row}>
      <div className={`${looks.row} ${looks.between}`}>
        <strong className={looks.row}>
          <MiddleCut isSentence text={t('tasks.named', { kind: t('bulk.title'), what: name })} name={name} />
        </strong>
        {`${useBulkState()(bulk)} · ${useRowTexts()(bulk)[0]}`}
        <Button
          kind="quiet"
          onPress={() => {
            onGo();
            go({ screen: 'bulk', bulkId: bulk.id });
          }}
        >
          {t('bulk.open')}
        </Button>
      </div>
    </li>
  );
}

/** The queue among what runs: what is being sent and waits, with what holds for all of it. */
function QueueLine(props: { readonly held: readonly string[]; readonly onGo: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const { view } = useJobs();
  const { isPaused, counts } = view.queue;
  const transfer = transferOf(view);
  const { uploads, waiting, deciding, bytesPerSecond } = transfer;
  const { held } = props;
  if (uploads + waiting + held.length + counts.failed === 0 && !isPaused) return null;
  const sending = [...view.sending.values()];
  const parts = [
    isPaused ? t('jobs.pausedHeading') : null,
    ...held,
    uploads > 0 ? t('status.uploads', { count: uploads }) : null,
    ...waitingTexts(t, transfer),
    deciding > 0 ? t('jobs.askingHeading', { count: deciding }) : null,
    counts.failed > 0 ? `${format.number(counts.failed)} ${t('jobs.state.failed')}` : null,
    bytesPerSecond > 0 ? format.rate(bytesPerSecond) : null,
  ];
  return (
    <li className={css.row}>
      <div className={`${looks.row} ${looks.between}`}>
        <strong>{parts.filter((part) => part !== null).join(' · ')}</strong>
        <Button
          kind="quiet"
          onPress={() => {
            props.onGo();
            go({ screen: 'jobs' });
          }}
        >
          {t('tasks.openActivity')}
        </Button>
      </div>
      {sending.length > 0 ? (
        <Progress
          label={t('status.uploads', { count: uploads })}
          done={sending.reduce((sum, job) => sum + job.sentBytes, 0)}
          total={sending.reduce((sum, job) => sum + (job.totalBytes || job.sizeBytes), 0)}
        />
      ) : null}
      <div className={css.acts}>
        {isPaused || uploads + waiting > 0 ? (
          <CallButton
            kind="quiet"
            call={isPaused ? 'jobs.resume' : 'jobs.pause'}
            input={{ what: 'all' }}
            failed={{ calm: true }}
          >
            {t(isPaused ? 'jobs.resumeAll' : 'jobs.pauseAll')}
          </CallButton>
        ) : null}
        <CancelWaiting where={{}} count={waitingOf(view.queue) + counts.prepared} />
        <RetryFailed batch={null} count={counts.failed} isQuiet />
      </div>
    </li>
  );
}
