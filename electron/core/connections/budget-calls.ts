import type { Handlers } from '../../../contract/index.ts';
import type { CallBudgets } from './call-budget.ts';

/** Calls that read the call budget. The call that changes it is `tracking.setBudget`. */
export function budgetCalls(budgets: CallBudgets): Pick<Handlers, 'budget.state'> {
  return { 'budget.state': async () => budgets.state() };
}
