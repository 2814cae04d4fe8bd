/** The five groups of a verification. Unknown is a state of its own: never a failure, never a success. */
export const verdictGroups = ['confirmed', 'confirmed-with-remark', 'not-confirmed', 'unclear', 'no-answer'] as const;
export type VerdictGroup = (typeof verdictGroups)[number];

/** Meaning of a status word. `not-sorted`: nobody has assigned a meaning yet; the word is shown as it is. */
export const statusGroups = ['in-progress', 'completed', 'attention', 'not-found', 'not-sorted'] as const;
export type StatusGroup = (typeof statusGroups)[number];

/** Kinds of text that an operation answers. */
export const answerKinds = ['document-id', 'url', 'code', 'text', 'none'] as const;
export type AnswerKind = (typeof answerKinds)[number];

/** The meaning that the answers table gives to a raw answer. The raw text is always sent with it. */
export interface Answer<Group extends string = string> {
  readonly kind: AnswerKind;
  /** A verdict group for verifications, a status group for statuses, otherwise the kind. */
  readonly group: Group;
  /** One English line from the answers table, empty if the table has none. */
  readonly meaning: string;
  /** The negative code, as the service sent it. */
  readonly code?: string;
}
