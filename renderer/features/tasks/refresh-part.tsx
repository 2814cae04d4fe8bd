import type { TFunction } from 'i18next';
import { RefreshCw, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { statusGroups } from '../../../contract/answers.ts';
import type { StatusRefreshTask } from '../../../contract/documents.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTaskStore, useTasks } from '../../bridge/tasks.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { IconButton, ToolButton } from '../../parts/button.tsx';
import looks from '../../parts/looks.module.css';
import css from './task-progress.module.css';
import { ResumeTask, TaskProgress, useDismissTask } from './task-progress.tsx';

/** Refreshes the statuses of all documents that are not completed; shows the number of calls and the result. Where the list beside it has only some, or is of requests, they are selected and checked: all are not offered beside their number. */
export function RefreshPart(props: { readonly connectionId: string; readonly beside: 'all' | 'some' | 'requests' }) {
  const { connectionId, beside } = props;
  const { t } = useTranslation();
  const { add, dismiss } = useTaskStore();
  const start = useCall('documents.refreshStatuses');
  const resume = useCall('tasks.resume');
  const refreshes = useTasks('status-refresh').filter(({ progress }) => progress.connectionId === connectionId);
  const refresh = refreshes.at(-1);
  const said = refresh && refreshText(t, refresh);
  const isRunning = refresh?.state === 'running';
  const failure = start.failure ?? resume.failure;
  // The results of earlier refreshes are outdated and must not appear again.
  const dismissLast = useDismissTask(refresh, t('tasks.kind.status-refresh'));
  const dismissAll = () => {
    for (const { taskId } of refreshes.slice(0, -1)) dismiss(taskId);
    dismissLast();
  };
  return (
    <>
      <div className={`${css.refresh} ${beside === 'requests' ? css.below : ''}`}>
        {beside !== 'all' ? null : (
          <ToolButton
            data-refresh=""
            label={t('documents.refreshStatuses')}
            icon={<RefreshCw aria-hidden="true" />}
            isPending={start.busy}
            isDisabled={isRunning}
            onPress={() => void start.run({ connectionId }).then((begun) => (begun.ok ? add(begun.value) : null))}
          />
        )}
        {refresh ? (
          <>
            {/* One element while it runs and afterwards: screen readers announce a result only in a live region that was there before. */}
            <span role="status" data-checked="" tabIndex={-1} className={looks.twoLines} title={said}>
              {said}
            </span>
            {isRunning ? (
              <TaskProgress task={refresh} label={t('documents.refreshStatuses')} words="" stop={t('documents.stop')} />
            ) : (
              <>
                <ResumeTask task={refresh} call={resume} />
                <IconButton label={t('documents.dismiss')} icon={<X aria-hidden="true" />} onPress={dismissAll} />
              </>
            )}
          </>
        ) : null}
      </div>
      {failure ? <FailureView failure={failure} calm /> : null}
    </>
  );
}

function refreshText(t: TFunction, { state, failure, progress }: StatusRefreshTask): string {
  const { askedCount: asked, answers, total, failedCount } = progress;
  const came = statusGroups.flatMap((group) => {
    const count = answers[group];
    return count ? ` · ${t(`documents.group.${group}`)} ${count}` : [];
  });
  const failures = failedCount > 0 ? ` · ${t('documents.refreshFailures', { count: failedCount })}` : '';
  const silent = came.join('') + failures;
  if (state === 'running') return t('documents.refreshing', { asked, total }) + silent;
  const why = state === 'failed' && failure ? ` · ${failureText(t, failure).heading}` : '';
  if (state === 'stopped' || state === 'failed') return t('documents.refreshStopped', { asked, total }) + silent + why;
  return total === 0 ? t('documents.refreshNothing') : t('documents.refreshDone', { asked }) + silent;
}
