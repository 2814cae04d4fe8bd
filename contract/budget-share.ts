import type { CallBudget } from './budget.ts';

/** Once this part of it is used, lists are read more seldom, and what fills the status board leaves the rest to the lists of what a person waits for. */
const sharePart = 0.5;
export const isShareUsed = ({ used, perHour }: Pick<CallBudget, 'used' | 'perHour'>, part = sharePart): boolean =>
  used >= perHour * part;
