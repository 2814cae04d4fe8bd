import { z } from 'zod';
import { call, event, type Removed } from './call.ts';
import type { ExportedFile, ImportedFile } from './files.ts';
import { lineOf, localId, xmlText } from './text.ts';

/**
 * The groups of a verification. Unknown is a state of its own: never a failure, never a success. `not-pdf`: the service refused a file that is no PDF because of the file, so that
 * asking again is of no use.
 */
export const verdictGroups = [
  ...(['confirmed', 'confirmed-with-remark', 'not-confirmed', 'unclear', 'no-answer', 'not-pdf'] as const),
] as const;
export type VerdictGroup = (typeof verdictGroups)[number];
/** The groups that a word of the service can mean. What a file is, no word decides. */
export const wordVerdicts = z.enum(verdictGroups).exclude(['not-pdf']);
export type WordVerdict = z.infer<typeof wordVerdicts>;

/** Meaning of a status word. `not-sorted`: nobody has assigned a meaning yet; the word is shown as it is. */
export const statusGroups = ['in-progress', 'completed', 'attention', 'not-found', 'not-sorted'] as const;
export type StatusGroup = (typeof statusGroups)[number];

/** Kinds of text that an operation answers. */
export type AnswerKind = 'document-id' | 'url' | 'code' | 'text' | 'none';

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

/** A word that the service answers, with its meaning. Compared as a whole, ignoring case and surrounding spaces. */
export interface SortedWord<Group extends string> {
  readonly word: string;
  readonly group: Group;
  /** One line shown beside the service's word; empty for none. */
  readonly meaning: string;
  /** `built-in`: part of the program. `own`: assigned here or imported; it may replace a built-in one. */
  readonly source: 'built-in' | 'own';
}

/** A word that the service answered and that has no meaning yet. */
export interface UnsortedWord {
  readonly word: string;
  readonly connectionId: string;
  readonly count: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

export interface AnswersView {
  readonly statuses: readonly SortedWord<StatusGroup>[];
  readonly verdicts: readonly SortedWord<WordVerdict>[];
  /** Negative codes. They are always shown with their number; their meaning is data too. */
  readonly codes: readonly { readonly code: string; readonly meaning: string; readonly source: 'built-in' | 'own' }[];
  readonly unsorted: {
    readonly statuses: readonly UnsortedWord[];
    readonly verdicts: readonly UnsortedWord[];
  };
}

const word = lineOf(500);
const meaning = xmlText(500).default('');

export const negativeCode = z
  .string()
  .max(11)
  .regex(/^-\d{1,10}$/, 'must be a negative number');

export const answers = {
  'answers.table': call(() => ({})).answers<AnswersView>(),
  /** Assigns a meaning to a word; stored answers are interpreted again. */
  'answers.sort': call(() =>
    z.discriminatedUnion('kind', [
      // `not-sorted` is the state of a word without meaning, not a group to choose.
      z.strictObject({ kind: z.literal('status'), word, group: z.enum(statusGroups).exclude(['not-sorted']), meaning }),
      z.strictObject({ kind: z.literal('verdict'), word, group: wordVerdicts, meaning }),
    ]),
  ).answers<AnswersView>(),
  /** Removes an assigned meaning: a built-in word gets its built-in meaning back, any other is unsorted again. */
  'answers.unsort': call(() => ({ kind: z.enum(['status', 'verdict']), word })).answers<Removed>(),
  /** Removes an unsorted word from the list until it is answered again. */
  'answers.dismiss': call(() => ({ kind: z.enum(['status', 'verdict']), word })).answers<Removed>(),
  /** Sets the meaning of a negative code; an empty text restores the built-in one. */
  'answers.nameCode': call(() => ({
    code: negativeCode,
    meaning,
  })).answers<AnswersView>(),
  /** Exports own meanings into a JSON file that the person chooses; null if the person cancelled. */
  'answers.export': call(() => ({})).answers<ExportedFile | null>(),
  /** Imports meanings from an exported file, all or nothing. Rejects with bad-input, naming the first entry that does not fit. */
  'answers.import': call(() => ({ token: localId })).answers<ImportedFile>(),
};

export const answerEvents = {
  /** Meanings or unsorted words changed: statuses on screen are to be read again. */
  'answers.changed': event<AnswersView>(),
};
