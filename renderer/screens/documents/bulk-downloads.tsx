import { useTranslation } from 'react-i18next';
import type { BulkDownloadTask } from '../../../contract/documents.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTaskStore, useTasks } from '../../bridge/tasks.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { waitText } from '../../features/task-amount.ts';
import { ResumeTask, TaskProgress } from '../../features/task-progress.tsx';
import { Button, useFirstPress } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import css from './documents.module.css';

const whole = { tone: 'confirmed' } as const;
const cutShort = { tone: 'silent', icon: 'dashed' } as const;

/** Bulk downloads of this session with progress and Stop; the result stays until it is dismissed. */
export function BulkDownloads() {
  return useTasks('bulk-download').map((task) => <Bulk key={task.taskId} task={task} />);
}

function Bulk(props: { readonly task: BulkDownloadTask }) {
  const { task } = props;
  const { taskId, state, progress: bulk } = task;
  const { t } = useTranslation();
  const format = useFormat();
  const show = useCall('documents.showDownloadFolder');
  const resume = useCall('tasks.resume');
  const [done, total] = [format.number(bulk.doneCount), format.number(bulk.total)];
  const folder = bulk.folderName;
  const running = [t('documents.bulkRunning', { done, total, folder }), waitText(t, task)].filter(Boolean).join(' · ');
  const savedLabel =
    bulk.saved.length < bulk.doneCount
      ? t('documents.bulkSavedLast', { count: bulk.saved.length })
      : t('documents.bulkSaved');
  const failure = show.failure ?? resume.failure ?? (state === 'failed' ? task.failure : null);
  return (
    <section className={css.bulk} aria-label={t('documents.bulk')}>
      {state === 'running' ? (
        <TaskProgress task={task} label={running} words={<strong>{running}</strong>} stop={t('documents.stop')} />
      ) : (
        <div className={css.bulkLine}>
          <Ended task={task} />
          <ResumeTask task={task} call={resume} />
          <Button kind="quiet" onPress={() => void show.run({ taskId })}>
            {t('documents.showInFolder')}
          </Button>
          <Dismiss taskId={taskId} />
        </div>
      )}
      {bulk.saved.length > 0 && state !== 'running' ? (
        <Fold label={savedLabel}>
          <ul className={css.listed}>
            {bulk.saved.map(({ fileName }) => (
              <li key={fileName} className={looks.said}>
                <MiddleCut text={fileName} />
              </li>
            ))}
          </ul>
        </Fold>
      ) : null}
      {bulk.failedCount > 0 ? (
        <Fold label={t('documents.bulkFailed', { count: bulk.failedCount })}>
          <ul className={css.listed}>
            {bulk.failed.map((one) => (
              <li key={one.fileName} className={`${looks.row3} ${looks.said}`}>
                <MiddleCut text={one.fileName} />
                <span>{failureText(t, one.failure).heading}</span>
              </li>
            ))}
          </ul>
        </Fold>
      ) : null}
      {failure ? <FailureView failure={failure} /> : null}
    </section>
  );
}

/** It appears where "Stop" was. */
function Dismiss(props: { readonly taskId: string }) {
  const { t } = useTranslation();
  const { dismiss } = useTaskStore();
  const onPress = useFirstPress(() => dismiss(props.taskId));
  return (
    <Button kind="quiet" onPress={onPress}>
      {t('documents.dismiss')}
    </Button>
  );
}

function Ended(props: { readonly task: BulkDownloadTask }) {
  const { state, progress: bulk } = props.task;
  const { t } = useTranslation();
  const format = useFormat();
  const [done, total] = [format.number(bulk.doneCount), format.number(bulk.total)];
  const folder = bulk.folderName;
  return (
    <Chip {...(state === 'done' && bulk.failedCount === 0 ? whole : cutShort)}>
      {state === 'done'
        ? t('documents.bulkDone', { count: bulk.doneCount, folder })
        : t('documents.bulkStopped', { done, total, folder })}
    </Chip>
  );
}
