import { call, event, type Removed } from './call.ts';
import type { BulkDownloadTask, DownloadTask, DuplicateCheckTask, StatusRefreshTask } from './documents.ts';
import { localId } from './text.ts';
import type { ReportTask, VerificationTask } from './verify.ts';
import type { ComparisonTask } from './verify-result.ts';

/** A task of any kind; told apart by `kind`. */
export type AnyTask =
  | DownloadTask
  | BulkDownloadTask
  | StatusRefreshTask
  | DuplicateCheckTask
  | ReportTask
  | ComparisonTask
  | VerificationTask;

export type TaskKind = AnyTask['kind'];
export type Task<K extends TaskKind = TaskKind> = Extract<AnyTask, { readonly kind: K }>;

export const tasks = {
  /** Tasks that can be resumed, then the running ones, each oldest first: for a window that was reloaded. */
  'tasks.list': call(() => ({})).answers<readonly Task[]>(),
  /** Answers when the task has ended. An ended task is left as it is; rejects with not-found if the task is not known (any more). */
  'tasks.stop': call(() => ({ taskId: localId })).answers<null>(),
  /**
   * Goes on with a download into a folder or a status refresh that has ended before its end. If another one does the same, that one goes on with what is left, and is
   * answered. Rejects with not-found, and with bad-input if another program works on it.
   */
  'tasks.resume': call(() => ({ taskId: localId })).answers<Task>(),
  /** An ended download into a folder or status refresh is not wanted any more: it is not listed, and cannot be resumed. Rejects with not-found for others. */
  'tasks.forget': call(() => ({ taskId: localId })).answers<Removed>(),
};

export const taskEvents = {
  'tasks.started': event<Task>(),
  /** At most ten times a second per task. */
  'tasks.progressed': event<Task>(),
  /** Once per task, with its last progress. */
  'tasks.ended': event<Task>(),
};
