import type { VerdictGroup } from '../../contract/answer.ts';
import type { Envelope, Failure } from '../../contract/failure.ts';
import type { VerifyRun } from '../../contract/verify.ts';
import type { FileChange, VerifyResult } from '../../contract/verify-result.ts';
import { AppError } from '../../electron/core/foundation/app-error.ts';
import type { Session } from './session.ts';

/**
 * Begins a run and resolves with it when it has ended. Each answer is told once, as it comes; those that no event told are not (read them from the
 * results). Ctrl-C stops it.
 */
export async function followRun(
  session: Session,
  begin: () => Promise<Envelope<VerifyRun>>,
  interrupted: AbortSignal,
  onAnswers: (results: readonly VerifyResult[]) => void = () => undefined,
): Promise<VerifyRun> {
  const waiting: { readonly run: VerifyRun; readonly results: readonly VerifyResult[] }[] = [];
  let wake: () => void = () => undefined;
  const stopListening = session.listen('verify.progressed', (progress) => {
    waiting.push(progress);
    wake();
  });
  try {
    const { runId } = unwrapped(await begin());
    const stop = () => void session.ask('verify.stop', { runId });
    interrupted.addEventListener('abort', stop, { once: true });
    if (interrupted.aborted) stop();
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      let ended: VerifyRun | null = null;
      for (const { run, results } of waiting.splice(0)) {
        if (run.runId !== runId) continue;
        onAnswers(results.filter(({ state }) => state === 'answered'));
        if (run.state !== 'running') ended = run;
      }
      if (ended) return ended;
      await changed;
    }
  } finally {
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

/** Throws what a call failed with. */
export function unwrapped<T>(envelope: Envelope<T>): T {
  if (!envelope.ok) throw new AppError(envelope.failure);
  return envelope.value;
}

/** Why a run ended by itself, if it did. */
export function troubleOf({ state, trouble }: VerifyRun): Failure | null {
  return state === 'stopped' ? trouble : null;
}
