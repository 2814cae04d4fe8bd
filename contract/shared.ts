import { z } from 'zod';
import { negativeCode, statusGroups, wordVerdicts } from './answers.ts';
import { call, event } from './call.ts';
import { presetContent } from './compose.ts';
import type { TeamPerson } from './team.ts';
import { lineOf, localId, xmlText } from './text.ts';

/** Kinds of things that a team shares besides its documents and requests. */
export const sharedKinds = ['template', 'preset', 'view', 'answer'] as const;
export type SharedKind = (typeof sharedKinds)[number];

const word = lineOf(500);
const meaning = xmlText(500);

/**
 * What is shared, without IDs that only one computer knows. Strict: a key that this version does not know could change what the others mean, so such an item is
 * left out until the program is updated.
 */
export const sharedValue = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('template'),
      templateId: lineOf(200),
      name: lineOf(200),
      note: xmlText(2000),
      use: z.enum(['template', 'elements', 'both']),
    }),
    z.strictObject({ kind: z.literal('preset'), name: lineOf(80), content: presetContent }),
    z.strictObject({
      kind: z.literal('view'),
      screen: z.enum(['documents', 'jobs', 'tracking']),
      name: lineOf(80),
      content: z.string().max(10_000),
    }),
    z.strictObject({
      kind: z.literal('answer'),
      answer: z.discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('status'),
          word,
          group: z.enum(statusGroups).exclude(['not-sorted']),
          meaning,
        }),
        z.strictObject({ kind: z.literal('verdict'), word, group: wordVerdicts, meaning }),
        z.strictObject({ kind: z.literal('code'), code: negativeCode, meaning }),
      ]),
    }),
  ]),
);
export type SharedValue = z.output<typeof sharedValue>;
/** What a word or a code means for everybody in the team. */
export type SharedAnswer = Extract<SharedValue, { readonly kind: 'answer' }>['answer'];

/** What people call it. */
export function sharedName(value: SharedValue): string {
  if (value.kind !== 'answer') return value.name;
  return value.answer.kind === 'code' ? value.answer.code : value.answer.word;
}

/** Names an item of a kind within its team: for example the ID of a template, or the name of a preset. */
export const sharedKey = z.string().min(1).max(1000);

/** A template, preset, view or meaning of an answer that somebody shared with the team. */
export interface SharedItem {
  readonly key: string;
  readonly value: SharedValue;
  /** Who changed it last. */
  readonly by: TeamPerson;
  /** ISO 8601, UTC, by the database's clock. */
  readonly at: string;
}

const onConnection = z.strictObject({ connectionId: localId });

export const shared = {
  /** What the team shares, from the copy on this computer: also while the register is away and after leaving. */
  'team.shared': call(() => onConnection).answers<readonly SharedItem[]>(),
  /**
   * Shares a value with the team, in place of the one with the same key; the last one committed counts. Rejects with not-connected, with detail `team-rights` if the
   * role does not allow it (answers: a lead; the others: a member), and with bad-input if it is too large or the team shares too much already.
   */
  'team.share': call(() => onConnection.extend({ value: sharedValue })).answers<null>(),
  /** Ends the sharing of a value; what a person saved on a computer stays there. Rejects as `team.share`. */
  'team.unshare': call(() => onConnection.extend({ kind: z.enum(sharedKinds), key: sharedKey })).answers<null>(),
};

export const sharedEvents = {
  /** What the team of this connection shares changed: `team.shared` is read again. */
  'team.sharedChanged': event<{ readonly connectionId: string }>(),
};
