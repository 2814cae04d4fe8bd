import type { Failure } from './failure.ts';
import type { BackingOff } from './jobs.ts';

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

/** Why lasting work does not go on for now, as it will by itself. */
export interface Waiting {
  /** Null if it goes on. */
  readonly waitsFor: Failure | null;
  /** Whose service is away, and the time of the next automatic try, as in BackingOff; null if none is. */
  readonly away: Pick<BackingOff, 'connectionId' | 'nextTryAt'> | null;
}
