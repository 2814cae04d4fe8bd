import type { VerdictGroup } from '../../contract/answers.ts';
import type { Envelope, Failure } from '../../contract/failure.ts';
import type { EventValue } from '../../contract/index.ts';
import type { Task, TaskKind } from '../../contract/tasks.ts';
import type { VerifyRun } from '../../contract/verify.ts';
import type { FileChange, VerifyResult } from '../../contract/verify-result.ts';
import { AppError } from '../../electron/core/foundation/app-error.ts';
import type { Run } from './command.ts';
import { t } from './output/texts.ts';
import type { Session } from './session.ts';

/** Starts a task and resolves with it when it has ended. Ctrl-C stops it. Rejects if it does not start. */
export async function followTask<K extends TaskKind>(
  session: Session,
  start: () => Promise<Pick<Task<K>, 'taskId'>>,
  interrupted?: AbortSignal,
): Promise<Task<K>> {
  // The event may come before the answer that names the task.
  const ends = new Map<string, PromiseWithResolvers<Task>>();
  const endOf = (taskId: string) => {
    const end = ends.get(taskId) ?? Promise.withResolvers<Task>();
    ends.set(taskId, end);
    return end;
  };
  const stopListening = session.listen('tasks.ended', (task) => endOf(task.taskId).resolve(task));
  try {
    const { taskId } = await start();
    const stop = () => void session.ask('tasks.stop', { taskId });
    interrupted?.addEventListener('abort', stop, { once: true });
    if (interrupted?.aborted) stop();
    return (await endOf(taskId).promise) as Task<K>;
  } finally {
    stopListening();
  }
}

/**
 * Starts a verification and resolves with its run when it has ended. `onAnswers` gets each answer of an event once; answers without an event are only in the
 * results. Ctrl-C stops the run. `remark`: says once that another program holds the database.
 */
export async function followRun(
  session: Session,
  begin: () => Promise<Envelope<VerifyRun>>,
  { interrupted, printer: { remark } }: Pick<Run, 'interrupted' | 'printer'>,
  onAnswers: (results: readonly VerifyResult[]) => void = () => undefined,
): Promise<VerifyRun> {
  const early: EventValue<'verify.answered'>[] = [];
  let ours: string | undefined;
  const take = ({ runId, results }: EventValue<'verify.answered'>) => {
    if (runId === ours) onAnswers(results.filter(({ state }) => state === 'answered'));
  };
  const stopListening = session.listen('verify.answered', (answered) => {
    if (ours === undefined) early.push(answered);
    else take(answered);
  });
  const stopWatching = session.listen('tasks.progressed', ({ kind, progress }) => {
    if (kind !== 'verification' || progress.run.runId !== ours || !progress.waitsFor) return;
    stopWatching();
    remark(t('results.waitsForDatabase'));
  });
  const start = async () => {
    ({ runId: ours } = unwrapped(await begin()));
    early.forEach(take);
    return { taskId: ours };
  };
  try {
    return (await followTask<'verification'>(session, start, interrupted)).progress.run;
  } finally {
    stopWatching();
    stopListening();
  }
}

/** All results of a run, failures first. */
export async function* resultsOf(
  session: Session,
  runId: string,
  filter: { readonly group?: VerdictGroup; readonly change?: FileChange } = {},
): AsyncGenerator<VerifyResult> {
  for (let offset = 0; ; offset += 500) {
    const { results } = unwrapped(await session.ask('verify.results', { runId, offset, limit: 500, ...filter }));
    yield* results;
    if (results.length < 500) return;
  }
}

/** The value of an answer; throws its failure. */
export function unwrapped<T>(envelope: Envelope<T>): T {
  if (!envelope.ok) throw new AppError(envelope.failure);
  return envelope.value;
}

/** The failure that stopped a run, or null. */
export function troubleOf({ state, trouble }: VerifyRun): Failure | null {
  return state === 'stopped' ? trouble : null;
}
