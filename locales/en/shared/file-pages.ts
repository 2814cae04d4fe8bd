/** The pages that later revisions touched: in the window, on the command line, in reports and receipts. */
export const filePages = {
  changed_one: 'Changed on page {{pages}}.',
  changed_other: 'Changed on pages {{pages}}.',
  added_one: 'Something was added or filled in on page {{pages}}. What it covers is not compared.',
  added_other: 'Something was added or filled in on pages {{pages}}. What it covers is not compared.',
} as const;
