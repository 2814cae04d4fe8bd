/** The five groups of a verification. Unknown is a state of its own: never a failure, never a success. */
export const verdictGroups = ['confirmed', 'confirmed-with-remark', 'not-confirmed', 'unclear', 'no-answer'] as const;
export type VerdictGroup = (typeof verdictGroups)[number];

/** What a status word means for a person. Words that nobody has sorted yet are `not-sorted`, shown as they are. */
export const statusGroups = ['in-progress', 'completed', 'attention', 'not-found', 'not-sorted'] as const;
export type StatusGroup = (typeof statusGroups)[number];

/** What the text that an operation answered turned out to be. */
export const answerKinds = ['document-id', 'url', 'code', 'text', 'none'] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** The meaning read into a raw answer by the answers table. The raw text always travels beside it. */
export interface Answer<Group extends string = string> {
  readonly kind: AnswerKind;
  /** A verdict group for verification, a status group for a status, else the kind itself. */
  readonly group: Group;
  /** One English line from the answers table, empty where the table says nothing. */
  readonly meaning: string;
  /** The negative code, as sent. */
  readonly code?: string;
}
