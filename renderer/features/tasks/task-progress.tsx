import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../../contract/tasks.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTaskStore } from '../../bridge/tasks.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { focusWhenDrawn } from '../../parts/hooks/focus-and-scroll.ts';
import looks from '../../parts/looks.module.css';
import { Progress } from '../../parts/progress.tsx';
import { CallButton } from '../call-button.tsx';
import { useRemoval } from '../undo.tsx';
import { amountOf, progressText } from './running.ts';
import css from './task-progress.module.css';

/** The progress of a running task, as a text and a bar, with the buttons that stop it and try a service that it waits for. */
export function TaskProgress(props: {
  readonly task: Task;
  /** Accessible name of the bar. */
  readonly label: string;
  /** Shown instead of the amounts. */
  readonly words?: ReactNode;
  /** Text of the button. */
  readonly stop: string;
  /** Accessible name of the button, for views with several of them. */
  readonly stopName?: string;
}) {
  const { task, label, stopName } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const stop = useCall('tasks.stop');
  const amount = amountOf(task);
  const away = 'away' in task.progress ? task.progress.away : null;
  return (
    <div className={css.task}>
      <div className={`${looks.row} ${looks.between}`}>
        <span className={looks.wrapped}>{props.words ?? progressText(t, format, task)}</span>
        {away ? (
          <CallButton
            kind="quiet"
            of={label}
            isPending={away.nextTryAt === null}
            call="jobs.tryNow"
            input={{ connectionId: away.connectionId }}
          >
            {t('jobs.tryNow')}
          </CallButton>
        ) : null}
        <Button
          kind="quiet"
          isPending={stop.busy}
          {...(stopName ? { 'aria-label': stopName } : {})}
          onPress={() => void stop.run({ taskId: task.taskId })}
        >
          {props.stop}
        </Button>
      </div>
      <Progress label={label} done={amount.done} total={amount.total} />
      {stop.failure ? <FailureView failure={stop.failure} /> : null}
    </div>
  );
}

/** The button that goes on with a task that ended before its end; nothing if none of it is left. `call` has the failure. */
export function ResumeTask(props: { readonly task: Task; readonly call: ReturnType<typeof useCall<'tasks.resume'>> }) {
  const { task, call } = props;
  const { taskId } = task;
  const { t } = useTranslation();
  const { add, dismiss } = useTaskStore();
  const { done, total } = amountOf(task);
  if (task.state === 'running' || total === null || done >= total) return null;
  const resume = async () => {
    const resumed = await call.run({ taskId });
    if (!resumed.ok) return;
    add(resumed.value);
    // Another one goes on with what is left of it.
    if (resumed.value.taskId !== taskId) dismiss(taskId);
  };
  return (
    <Button isPending={call.busy} onPress={() => void resume()}>
      {t('tasks.resume')}
    </Button>
  );
}

/** Removes an ended task from view, and offers to put it back. `what`: how a person calls it. */
export function useDismissTask(task: Task | undefined, what: string) {
  const { add, drop } = useTaskStore();
  const forget = useRemoval('tasks.forget', (isBack) => task && (isBack ? add(task) : drop(task.taskId)));
  return () => void (task && forget.run({ taskId: task.taskId }, what));
}

/** Maximum of document IDs for one check (documents.refreshStatuses). */
const mostChecked = 500;

/** Asks the service for the statuses of the selected documents, each with one call; nothing where there are none, or too many. */
export function CheckSelected(props: {
  readonly documents: readonly { readonly connectionId: string; readonly documentId: string }[];
  readonly onBegun: () => void;
}) {
  const { documents, onBegun } = props;
  const { t } = useTranslation();
  const { add } = useTaskStore();
  const check = useCall('documents.refreshStatuses');
  if (documents.length === 0 || documents.length > mostChecked) return null;
  async function checkAll() {
    for (const connectionId of new Set(documents.map((document) => document.connectionId))) {
      const ofThis = documents.filter((document) => document.connectionId === connectionId);
      const begun = await check.run({ connectionId, documentIds: ofThis.map(({ documentId }) => documentId) });
      if (!begun.ok) return;
      add(begun.value);
    }
    // The answers take documents out of lists that are of a state: what is selected is no longer what was meant. Keys go on where the result stands.
    onBegun();
    focusWhenDrawn(() => document.querySelector<HTMLElement>('[data-checked]'));
  }
  return (
    <>
      <Button isPending={check.busy} onPress={() => void checkAll()}>
        {t('documents.askSelected', { count: documents.length })}
      </Button>
      {check.failure ? <FailureView failure={check.failure} /> : null}
    </>
  );
}
