import type { CallBudget } from './budget.ts';

/** Once this part of it is used, the rows of a bulk and what fills the status board leave the rest to the lists of what a person waits for. */
const sharePart = 0.5;
export const isShareUsed = ({ used, perHour }: Pick<CallBudget, 'used' | 'perHour'>): boolean =>
  used >= perHour * sharePart;
