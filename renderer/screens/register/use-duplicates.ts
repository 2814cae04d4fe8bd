import { useEffect, useState } from 'react';
import type { Duplicate, DuplicateCheckTask } from '../../../contract/documents.ts';
import type { Failure } from '../../../contract/failure.ts';
import { ask } from '../../bridge/client.ts';
import { useTaskStore, useTasks } from '../../bridge/tasks.tsx';

export type DuplicateDecision = 'skip' | 'send';

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
