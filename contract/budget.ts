import { call, event } from './call.ts';

/**
 * Budget of automatic calls: refreshes of lists, and statuses of many documents. Single calls that a person starts are neither limited nor counted.
 * Kept over restarts. Set by `tracking.setBudget`.
 */
export interface CallBudget {
  readonly perHour: number;
  /** Calls in the last sixty minutes, over all connections. */
  readonly used: number;
  /** When the next call is possible again, ISO 8601, UTC; null if calls are left. */
  readonly freeAt: string | null;
  /** False: the program makes no automatic calls; those that a person starts continue within the budget. */
  readonly isAutomatic: boolean;
}

export const budget = {
  'budget.state': call(() => ({})).answers<CallBudget>(),
};

export const budgetEvents = {
  /** At most once a second. */
  'budget.changed': event<CallBudget>(),
};
