import type { DoctorProposal, DoctorStep } from '../../../../contract/connections.ts';
import type { Failure } from '../../../../contract/failure.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { startDeadline } from '../../foundation/deadline.ts';
import type { Log } from '../../foundation/ports.ts';
import { redactedFailure } from '../../foundation/redactor.ts';

/** The finding of a step. */
export interface Seen {
  readonly note: string;
  /** `passed` unless given; `not-tried` if the step does not apply (no proxy, no TLS, no credentials). */
  readonly result?: DoctorStep['result'];
  readonly proposal?: DoctorProposal;
  readonly elements?: readonly string[];
}

type StepName = DoctorStep['step'];

/** Runs steps and records them in the order in which they end. A step that throws is recorded as failed; the others continue as far as they can. */
export type StepRunner = ReturnType<typeof createStepRunner>;

interface Options {
  readonly log: Log;
  readonly redact: (text: string) => string;
  readonly onStep: (steps: readonly DoctorStep[]) => void;
  /** Limit of one step in milliseconds, whatever the connection's own limits are: a peer that sends single bytes reaches none of those. */
  readonly limitMs: number;
  readonly proposalFor: (step: StepName, failure: Failure) => DoctorProposal | undefined;
}

async function within(ms: number, work: (signal: AbortSignal) => Promise<Seen>): Promise<Seen> {
  const control = new AbortController();
  let passed: (error: unknown) => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    passed = reject;
  });
  const limit = startDeadline(ms, () => {
    passed(appError('service-timeout', `not ended after ${ms} ms`, { detail: 'no-answer-in-time' }));
    control.abort();
  });
  const working = work(control.signal);
  working.catch(() => undefined);
  try {
    return await Promise.race([working, late]);
  } finally {
    limit.end();
  }
}

/** Creates a step runner. `onStep` gets all steps so far after each step; notes are cleaned by `redact`. */
export function createStepRunner({ log, redact, onStep, limitMs, proposalFor }: Options) {
  const steps: DoctorStep[] = [];
  const add = (step: DoctorStep) => {
    steps.push({ ...step, note: redact(step.note) });
    onStep([...steps]);
  };
  const failed = (step: StepName, error: unknown, tookMs: number) => {
    const failure = failureOf(error);
    if (!failure) log.error('doctor step broke', { step, error: error instanceof Error ? error.name : typeof error });
    const clean = failure && redactedFailure(failure, redact);
    const proposal = failure ? proposalFor(step, failure) : undefined;
    add({
      step,
      result: 'failed',
      note: failure?.note ?? 'an unexpected error',
      ...(clean ? { failure: clean } : {}),
      ...(proposal ? { proposal } : {}),
      tookMs,
    });
  };
  return {
    steps,
    /** Returns true unless the step failed. The signal aborts work that takes longer than the limit of a step. */
    run: async (step: StepName, work: (signal: AbortSignal) => Promise<Seen>): Promise<boolean> => {
      const begun = performance.now();
      const took = () => Math.round(performance.now() - begun);
      try {
        const { result = 'passed', ...seen } = await within(limitMs, work);
        add({ step, result, ...seen, tookMs: took() });
        return result !== 'failed';
      } catch (error) {
        failed(step, error, took());
        return false;
      }
    },
    /** Records steps that cannot be run and the reason: their result is "not-tried". */
    notTried: (names: readonly StepName[], note: string): void => {
      for (const step of names) add({ step, result: 'not-tried', note, tookMs: 0 });
    },
  };
}
