import { useTranslation } from 'react-i18next';
import type { BulkDownloadTask, DocumentRow, Download } from '../../../contract/documents.ts';
import type { Failure } from '../../../contract/failure.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTaskStore, useTasks } from '../../bridge/tasks.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { type Picked, SelectionBar } from '../../features/list/picked.tsx';
import { waitText } from '../../features/tasks/running.ts';
import { CheckSelected, ResumeTask, TaskProgress, useDismissTask } from '../../features/tasks/task-progress.tsx';
import { Button, useFirstPress } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { Fold } from '../../parts/problem.tsx';
import css from './documents.module.css';

/** Another folder may have room for the rest, or can be written. */
const isOfFolder = ({ code, detail }: Failure) => code === 'storage-full' || detail === 'target-not-writable';
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
  const elsewhere = useCall('documents.downloadAll');
  const { add, dismiss } = useTaskStore();
  const goElsewhere = async () => {
    const begun = await elsewhere.run({ restOf: taskId });
    if (!begun.ok || !begun.value) return;
    add(begun.value);
    dismiss(taskId);
  };
  const [done, total] = [format.number(bulk.doneCount), format.number(bulk.total)];
  const folder = bulk.folderName;
  const about = [t('documents.bulkRunning', { done, total, folder }), waitText(t, format, task)];
  const running = about.filter(Boolean).join(' · ');
  const changedCount = bulk.saved.filter(({ changed }) => changed !== undefined).length;
  const savedLabel =
    bulk.saved.length < bulk.doneCount
      ? t('documents.bulkSavedLast', { count: bulk.saved.length })
      : t('documents.bulkSaved');
  const failure = show.failure ?? resume.failure ?? elsewhere.failure ?? (state === 'failed' ? task.failure : null);
  return (
    <section className={css.bulk} aria-label={t('documents.bulk')}>
      {state === 'running' ? (
        <TaskProgress task={task} label={running} words={<strong>{running}</strong>} stop={t('documents.stop')} />
      ) : (
        <div className={css.bulkLine}>
          <Ended task={task} />
          <ResumeTask task={task} call={resume} />
          {task.failure && isOfFolder(task.failure) ? (
            <Button isPending={elsewhere.busy} onPress={() => void goElsewhere()}>
              {t('documents.otherFolder')}
            </Button>
          ) : null}
          <Button kind="quiet" onPress={() => void show.run({ taskId })}>
            {t('documents.showInFolder')}
          </Button>
          <Dismiss task={task} />
        </div>
      )}
      {changedCount > 0 ? <p role="status">{t('documents.bulkChanged', { count: changedCount })}</p> : null}
      {state === 'running' ? null : (
        <Files
          label={savedLabel}
          files={bulk.saved}
          about={({ changed }) => (changed ? t('documents.bulkChangedFile', { name: visibleName(changed) }) : null)}
        />
      )}
      <Files
        label={t('documents.bulkFailed', { count: bulk.failedCount })}
        files={bulk.failed}
        about={(one) => failureText(t, one.failure).heading}
      />
      {failure ? <FailureView failure={failure} /> : null}
    </section>
  );
}

/** Names of files, folded, with what is said of each. */
function Files<T extends Download>(props: {
  readonly label: string;
  readonly files: readonly T[];
  readonly about: (file: T) => string | null;
}) {
  if (props.files.length === 0) return null;
  return (
    <Fold label={props.label}>
      <ul className={css.listed}>
        {props.files.map((file) => (
          <li key={file.fileName} className={`${looks.row3} ${looks.said}`}>
            <MiddleCut text={file.fileName} />
            <span>{props.about(file)}</span>
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** It appears where "Stop" was. */
function Dismiss({ task }: { readonly task: BulkDownloadTask }) {
  const { t } = useTranslation();
  const what = t('tasks.named', { kind: t('tasks.kind.bulk-download'), what: visibleName(task.progress.folderName) });
  const onPress = useFirstPress(useDismissTask(task, what));
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

/** Actions for all ticked documents. */
export function BulkBar(props: { readonly picked: Picked<DocumentRow> }) {
  const { t } = useTranslation();
  const { add } = useTaskStore();
  const download = useCall('documents.downloadAll');
  const unavailable = useForbidden('documents.downloadAll');
  const { rows } = props.picked;
  if (rows.length === 0) return null;
  // The service can be asked only for what has an ID.
  const documents = rows.flatMap(({ connectionId, documentId }) =>
    documentId === null ? [] : { connectionId, documentId },
  );

  async function downloadAll() {
    const begun = await download.run({ documents });
    if (begun.ok && begun.value) add(begun.value);
  }
  return (
    <>
      <SelectionBar picked={props.picked}>
        {documents.length > 0 ? (
          <Button unavailable={unavailable} isPending={download.busy} onPress={() => void downloadAll()}>
            {t('documents.downloadSelected', { count: documents.length })}
          </Button>
        ) : null}
        <CheckSelected documents={documents} onBegun={props.picked.clear} />
      </SelectionBar>
      {download.failure ? <FailureView failure={download.failure} /> : null}
    </>
  );
}
