/**
 * Budget of automatic calls. Those that a person starts are neither limited nor counted.
 * Kept over restarts. Set by `tracking.setBudget`.
 */
export interface CallBudget {
  readonly perHour: number;
  /** Calls in the last sixty minutes, over all connections. */
  readonly used: number;
  /** When the next call is possible again, ISO 8601, UTC; null if calls are left. */
  readonly freeAt: string | null;
  /** False: the program makes no automatic calls. */
  readonly isAutomatic: boolean;
}

/** Once this part of it is used, lists are read more seldom, and what fills the status board leaves the rest to the lists of what a person waits for. */
const sharePart = 0.5;
export const isShareUsed = ({ used, perHour }: Pick<CallBudget, 'used' | 'perHour'>, part = sharePart): boolean =>
  used >= perHour * part;
