import { z } from 'zod';
import { call, event } from './call.ts';

/**
 * Questions that the program asks services by itself, in any hour: refreshing lists, and the statuses of many documents at once. What a person
 * asks for singly is neither held back nor counted. Kept over restarts. Set by `tracking.setBudget`.
 */
export interface CallBudget {
  readonly perHour: number;
  /** In the last sixty minutes, over all connections. */
  readonly used: number;
  /** When the next call is free again, ISO 8601, UTC; null while there is room. */
  readonly freeAt: string | null;
  /** False: the program asks nothing on its own account; what a person starts goes on within the budget. */
  readonly isAutomatic: boolean;
}

export const budget = {
  'budget.state': call(z.strictObject({})).answers<CallBudget>(),
};

export const budgetEvents = {
  /** At most once a second. */
  'budget.changed': event<CallBudget>(),
};
