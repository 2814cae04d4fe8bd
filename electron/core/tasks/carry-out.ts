import type { TaskOf } from '../../../contract/jobs.ts';
import type { TaskKind } from '../../../contract/tasks.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import type { Log } from '../foundation/ports.ts';
import { throttled } from '../foundation/throttled.ts';
import { unexpectedFailure } from '../foundation/unexpected.ts';

/** At most ten events a second per task, because a window draws no more. */
const progressEveryMs = 100;

/**
 * The function that does the work of a task. Resolves with the last changes of its progress; rejects with an AppError, or with an AbortError if it
 * was stopped. Any other error counts as a bug.
 */
export type Work<P> = (running: RunningTask<P>) => Promise<Partial<P>>;

export interface RunningTask<P> {
  /** Aborted when the task is to stop. */
  readonly signal: AbortSignal;
  /**
   * Changes the progress, which is published with the next event. If the change takes time to compute, pass a function: it is called only when an
   * event is due, and at the end.
   */
  report(change: Partial<P> | (() => Partial<P>)): void;
  /** Stops the task from inside, if continuing is of no use. */
  stop(): void;
}

/** A task of a kind that is not known at compile time. */
export type SomeTask<P = unknown> = TaskOf<TaskKind, P>;

/** A running or ended task. */
export interface Entry<T extends SomeTask = SomeTask> {
  task: T;
  readonly controller: AbortController;
  /** Never rejects. */
  ended: Promise<T>;
}

interface Needs {
  readonly announce: (event: 'tasks.progressed' | 'tasks.ended', task: SomeTask) => void;
  readonly log: Log;
  /** Called before the end is published. */
  readonly onEnd: () => void;
}

/** Runs a task and publishes its start, progress and end. Never rejects: resolves with the ended task. */
export async function carryOut<T extends SomeTask>(
  entry: Entry<T>,
  work: Work<T['progress']>,
  { announce, log, onEnd }: Needs,
): Promise<T> {
  const { signal } = entry.controller;
  let later: () => Partial<T['progress']> = () => ({});
  const change = (part: Partial<T['progress']>) => {
    entry.task = { ...entry.task, progress: Object.assign({}, entry.task.progress, part) };
  };
  let trouble: unknown = null;
  const publish = throttled(progressEveryMs, () => {
    try {
      change(later());
    } catch (error) {
      // In a timer nobody would catch it: the task ends with it.
      trouble ??= error;
      entry.controller.abort();
      return;
    }
    announce('tasks.progressed', entry.task);
  });
  const report: RunningTask<T['progress']>['report'] = (part) => {
    // Reports after the end are ignored.
    if (entry.task.state !== 'running') return;
    if (typeof part === 'function') later = part;
    else change(part);
    publish.request();
  };
  let end: Pick<SomeTask, 'state' | 'failure'> = { state: 'done', failure: null };
  try {
    change(await work({ signal, report, stop: () => entry.controller.abort() }));
  } catch (error) {
    end = endFor(error, signal, entry.task.kind, log);
  }
  publish.stop();
  try {
    if (trouble !== null) throw trouble;
    change(later());
  } catch (error) {
    end = endFor(error, signal, entry.task.kind, log);
  }
  onEnd();
  entry.task = { ...entry.task, ...end };
  announce('tasks.ended', entry.task);
  return entry.task;
}

function endFor(error: unknown, signal: AbortSignal, kind: TaskKind, log: Log): Pick<SomeTask, 'state' | 'failure'> {
  const failure = failureOf(error);
  if (failure?.code === 'cancelled') return { state: 'stopped', failure };
  if (signal.aborted && error instanceof Error && error.name === 'AbortError')
    return { state: 'stopped', failure: appError('cancelled', 'the task was stopped').failure };
  return { state: 'failed', failure: failure ?? unexpectedFailure(error, { task: kind }, log) };
}
