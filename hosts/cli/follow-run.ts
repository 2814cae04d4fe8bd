import type { VerdictGroup } from '../../contract/answer.ts';
import type { Envelope, Failure } from '../../contract/failure.ts';
import type { EventValue } from '../../contract/index.ts';
import type { VerifyRun } from '../../contract/verify.ts';
import type { FileChange, VerifyResult } from '../../contract/verify-result.ts';
import { AppError } from '../../electron/core/foundation/app-error.ts';
import type { Session } from './session.ts';

/**
 * Starts a run and resolves with it when it has ended. `onAnswers` gets each answer of an event once; answers without an event are only in the results.
 * Ctrl-C stops the run.
 */
export async function followRun(
  session: Session,
  begin: () => Promise<Envelope<VerifyRun>>,
  interrupted: AbortSignal,
  onAnswers: (results: readonly VerifyResult[]) => void = () => undefined,
): Promise<VerifyRun> {
  const waiting: EventValue<'verify.answered'>[] = [];
  const ends = new Map<string, VerifyRun>();
  let wake: () => void = () => undefined;
  const stops = [
    session.listen('verify.answered', (answered) => {
      waiting.push(answered);
      wake();
    }),
    session.listen('tasks.ended', (task) => {
      if (task.kind === 'verification') ends.set(task.taskId, task.progress.run);
      wake();
    }),
  ];
  try {
    const { runId } = unwrapped(await begin());
    const stop = () => void session.ask('tasks.stop', { taskId: runId });
    interrupted.addEventListener('abort', stop, { once: true });
    if (interrupted.aborted) stop();
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      for (const answered of waiting.splice(0)) {
        if (answered.runId === runId) onAnswers(answered.results.filter(({ state }) => state === 'answered'));
      }
      const ended = ends.get(runId);
      if (ended) return ended;
      await changed;
    }
  } finally {
    for (const stop of stops) stop();
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
