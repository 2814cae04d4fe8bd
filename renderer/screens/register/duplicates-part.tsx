import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Duplicate, DuplicateCheckTask } from '../../../contract/documents.ts';
import type { Failure } from '../../../contract/failure.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTaskStore, useTasks } from '../../bridge/tasks.tsx';
import { TaskProgress } from '../../features/tasks/task-progress.tsx';
import { Button } from '../../parts/button.tsx';
import { Segments } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Progress } from '../../parts/progress.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import css from './register.module.css';

/** Files whose bytes are already registered: the progress of the check, and a choice for each file. Nothing is decided silently. */
export function DuplicatesPart(props: {
  readonly duplicates: ReturnType<typeof useDuplicates>;
  /** What is corrected may itself be registered: that nothing else has these bytes says little. */
  readonly isDoubt: boolean;
}) {
  const { t } = useTranslation();
  const { connectionId, check, found, decisionOf, decideAll, decide, failure, isOver } = props.duplicates;
  const choices = [
    { key: 'skip', text: t('duplicates.skip') },
    { key: 'send', text: t('duplicates.send') },
  ] as const;
  if (failure) return <FailureView failure={failure} calm />;
  if (!check || !isOver) return <Checking check={check} />;
  const decisions = new Set(found.map((one) => decisionOf(one.index)));
  return (
    <div className={looks.stack3}>
      {check.state === 'done' ? null : <p>{t('duplicates.stopped')}</p>}
      {found.length === 0 && check.state === 'done' && !props.isDoubt ? <p>{t('duplicates.none')}</p> : null}
      {found.length > 0 ? (
        <>
          <Heading found={found} />
          {found.length > 1 ? (
            <Segments
              label={t('duplicates.all')}
              value={decisions.size > 1 ? 'mixed' : ([...decisions][0] ?? 'skip')}
              choices={choices}
              onChange={(decision) => (decision === 'mixed' ? undefined : decideAll(decision))}
            />
          ) : null}
          <div
            className={css.duplicateRows}
            style={{ blockSize: `calc(${Math.min(4, found.length) * 4.25}rem + 2px)` }}
          >
            <VirtualList
              label={t('duplicates.list')}
              items={found}
              total={found.length}
              rowHeight={68}
              keyOf={(one) => String(one.index)}
            >
              {(one) => (
                <DuplicateRow duplicate={one} connectionId={connectionId}>
                  <Segments
                    label={t('duplicates.each', { name: one.name })}
                    hideLabel
                    value={decisionOf(one.index)}
                    choices={choices}
                    onChange={(decision) => decide(one.index, decision)}
                  />
                </DuplicateRow>
              )}
            </VirtualList>
          </div>
        </>
      ) : null}
    </div>
  );
}

/** What is registered, what may be, as it is in doubt, and what is still to be sent, each by itself. */
function Heading({ found }: { readonly found: readonly Duplicate[] }) {
  const { t } = useTranslation();
  const keyOf = ({ of }: Duplicate) =>
    of === null || of.state === 'done' ? 'heading' : of.state === 'in-doubt' ? 'inDoubt' : 'underWay';
  const said = (['heading', 'inDoubt', 'underWay'] as const)
    .map((key) => [key, found.filter((one) => keyOf(one) === key).length] as const)
    .flatMap(([key, count]) => (count > 0 ? t(`duplicates.${key}`, { count }) : []));
  return (
    <p role="status" className={css.duplicatesHeading}>
      {said.join(' · ')}
    </p>
  );
}

function Checking(props: { readonly check: DuplicateCheckTask | null }) {
  const { check } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const label = t('duplicates.checking');
  return (
    <div className={looks.stack3}>
      <p role="status">{label}</p>
      {check?.state === 'running' ? (
        <TaskProgress
          task={check}
          label={label}
          words={t('duplicates.checked', {
            read: format.number(check.progress.readFiles),
            total: format.number(check.progress.totalFiles),
            readBytes: format.bytes(check.progress.readBytes),
            totalBytes: format.bytes(check.progress.totalBytes),
          })}
          stop={t('duplicates.stopChecking')}
        />
      ) : (
        <Progress label={label} done={0} total={null} />
      )}
    </div>
  );
}

function DuplicateRow(props: {
  readonly duplicate: Duplicate;
  readonly connectionId: string;
  readonly children: ReactNode;
}) {
  const { name, folder, of } = props.duplicate;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const documentId = of?.documentId;
  const when = of ? format.momentInText(of.at) : '';
  const words = !of
    ? t('duplicates.sameAs')
    : of.kind === 'document'
      ? of.by
        ? t('team.doneBy', { ...of.by, title: of.title, when })
        : t('duplicates.asDocument', { title: of.title, when })
      : t('duplicates.asJob', { title: of.title, when, state: t(`jobs.state.${of.state}`) });
  return (
    <div className={css.duplicate}>
      <div>
        <MiddleCut text={folder ? `${folder}/${name}` : name} />
        <small title={of ? format.fullMoment(of.at) : undefined}>{words}</small>
      </div>
      {documentId ? (
        <Button
          kind="quiet"
          aria-label={t('duplicates.openWhat', { title: of?.title ?? documentId })}
          onPress={() => go({ screen: 'documents', open: { connectionId: props.connectionId, documentId } })}
        >
          {t('duplicates.open')}
        </Button>
      ) : null}
      {props.children}
    </div>
  );
}

type DuplicateDecision = 'skip' | 'send';

const perRead = 500;

/**
 * Checks once whether files of an intake are already registered, and keeps the decision about each. Undecided files are asked about by the queue
 * (`otherwise: 'ask'`).
 */
export function useDuplicates(connectionId: string, intakeId: string, removed: ReadonlySet<number>, corrects?: string) {
  const { check, failure: notStarted } = useCheck(connectionId, intakeId, corrects);
  const read = useFound(check);
  const found = withoutRemoved(read?.found ?? [], removed);
  const failure = notStarted ?? read?.failure ?? null;
  const [decisions, setDecisions] = useState<ReadonlyMap<number, DuplicateDecision>>(new Map());
  const decisionOf = (index: number): DuplicateDecision => decisions.get(index) ?? 'skip';
  const skip = found.filter(({ index }) => decisionOf(index) === 'skip').map(({ index }) => index);
  return {
    connectionId,
    /** Null until it has started. */
    check,
    found,
    failure,
    /** True if nothing more will be found: the check has ended, was stopped or has failed. */
    isOver: failure !== null || read !== null,
    decisionOf,
    decide: (index: number, decision: DuplicateDecision) =>
      setDecisions((before) => new Map(before).set(index, decision)),
    decideAll: (decision: DuplicateDecision) => setDecisions(new Map(found.map(({ index }) => [index, decision]))),
    skip,
    send: found.filter(({ index }) => decisionOf(index) === 'send').map(({ index }) => index),
  } as const;
}

/** The duplicates that remain: the first of several equal files is none if the one before it was removed. */
function withoutRemoved(found: readonly Duplicate[], removed: ReadonlySet<number>): readonly Duplicate[] {
  const sent = new Set<number>();
  return found.filter(({ index, of, sameAsIndex }) => {
    if (removed.has(index)) return false;
    if (of !== null || sameAsIndex === null || !removed.has(sameAsIndex) || sent.has(sameAsIndex)) return true;
    sent.add(sameAsIndex);
    return false;
  });
}

/** The check of this intake: started once, stopped when the component is removed. */
function useCheck(connectionId: string, intakeId: string, corrects: string | undefined) {
  const { add } = useTaskStore();
  const checks = useTasks('duplicate-check');
  const [taskId, setTaskId] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  useEffect(() => {
    let isGone = false;
    let started: string | null = null;
    const given = { connectionId, intakeId, ...(corrects ? { corrects } : {}) };
    void ask('documents.checkDuplicates', given).then((begun) => {
      if (!begun.ok) return isGone ? undefined : setFailure(begun.failure);
      if (isGone) return void ask('tasks.stop', { taskId: begun.value.taskId });
      started = begun.value.taskId;
      add(begun.value);
      setTaskId(started);
    });
    return () => {
      isGone = true;
      setTaskId(null);
      if (started !== null) void ask('tasks.stop', { taskId: started });
    };
  }, [connectionId, intakeId, corrects, add]);
  return { check: checks.find((task) => task.taskId === taskId) ?? null, failure };
}

interface Found {
  readonly taskId: string;
  readonly found: readonly Duplicate[];
  readonly failure: Failure | null;
}

/** The results of an ended check; null before. */
function useFound(check: DuplicateCheckTask | null): Found | null {
  const [read, setRead] = useState<Found | null>(null);
  const endedId = check && check.state !== 'running' ? check.taskId : null;
  useEffect(() => {
    if (endedId === null) return;
    let isGone = false;
    void readAll(endedId).then((found) => (isGone ? undefined : setRead(found)));
    return () => {
      isGone = true;
    };
  }, [endedId]);
  return read !== null && read.taskId === endedId ? read : null;
}

async function readAll(taskId: string): Promise<Found> {
  const found: Duplicate[] = [];
  for (;;) {
    const page = await ask('documents.duplicates', { taskId, offset: found.length, limit: perRead });
    if (!page.ok) return { taskId, found, failure: page.failure };
    found.push(...page.value.duplicates);
    if (page.value.duplicates.length < perRead) return { taskId, found, failure: null };
  }
}
