import type { requestOperations } from './operation.ts';

const ofEasySign = ['name', 'cc', 'subject', 'message', 'uniqueId', 'image', 'xml'] as const;
const rules = ['rule.enforceSigClick', 'rule.allowSignerElementAdd', 'rule.idVerify'] as const;

/** What a kind of request carries that not every kind does, as spreadsheets and forms call it. Not in operation.ts, which the first screen loads. */
const carried = {
  plain: ['file', 'secretWord', 'ownerFirst'],
  'easy-sign': ['file', ...ofEasySign, ...rules, 'elementsFrom'],
  'easy-sign-template': ['templateId', ...ofEasySign, ...rules],
} as const satisfies Readonly<Record<keyof typeof requestOperations, readonly string[]>>;
export type Carried = (typeof carried)[keyof typeof carried][number];

/** Whether requests of a kind lack what others carry. */
export function lacks(kind: keyof typeof carried, what: string): boolean {
  const has = (all: readonly string[]) => all.includes(what);
  return !has(carried[kind]) && Object.values(carried).some(has);
}
