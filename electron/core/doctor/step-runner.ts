import type { DoctorStep } from '../../../contract/connections.ts';
import { failureOf } from '../failing.ts';
import type { Log } from '../ports.ts';

/** What a step saw; `skipped` where there is nothing to try (no proxy, no TLS, no credentials). */
export type Seen = { readonly note: string; readonly skipped?: true };

type StepName = DoctorStep['step'];

/** Steps as they end, in order. A step that throws has failed, the others go on as far as they can. */
export interface StepRunner {
  readonly steps: readonly DoctorStep[];
  /** Answers true where it passed or had nothing to try. */
  run(step: StepName, work: () => Promise<Seen>): Promise<boolean>;
  /** Tells which steps make no sense any more, and why: their result is "not-tried". */
  notTried(steps: readonly StepName[], note: string): void;
}

export function createStepRunner(
  log: Log,
  redact: (text: string) => string,
  onStep: (steps: readonly DoctorStep[]) => void,
): StepRunner {
  const steps: DoctorStep[] = [];
  const add = (step: DoctorStep) => {
    steps.push({ ...step, note: redact(step.note) });
    onStep([...steps]);
  };
  return {
    steps,
    run: async (step, work) => {
      const begun = performance.now();
      const took = () => Math.round(performance.now() - begun);
      try {
        const { note, skipped } = await work();
        add({ step, result: skipped ? 'not-tried' : 'passed', note, tookMs: took() });
        return true;
      } catch (error) {
        const failure = failureOf(error);
        if (!failure)
          log.error('doctor step broke', { step, error: error instanceof Error ? error.name : typeof error });
        const note = failure?.note ?? 'an unexpected error';
        const clean = failure && {
          ...failure,
          note: redact(failure.note),
          ...(failure.raw === undefined ? {} : { raw: redact(failure.raw) }),
        };
        add({ step, result: 'failed', note, ...(clean ? { failure: clean } : {}), tookMs: took() });
        return false;
      }
    },
    notTried: (names, note) => {
      for (const step of names) add({ step, result: 'not-tried', note, tookMs: 0 });
    },
  };
}
