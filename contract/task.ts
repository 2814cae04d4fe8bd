import type { Failure } from './failure.ts';

/** The fields of a background task of any kind. The kinds are in tasks.ts. */
export interface TaskOf<K extends string, P> {
  readonly taskId: string;
  readonly kind: K;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  /** `stopped`: by a person, or because the program ends. */
  readonly state: 'running' | 'done' | 'stopped' | 'failed';
  /** Why it failed; `cancelled` if it was stopped; otherwise null. */
  readonly failure: Failure | null;
  /** The progress; of an ended task, its result. */
  readonly progress: P;
}
