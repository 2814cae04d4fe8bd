import { z } from 'zod';
import { type StatusGroup, statusGroups, type VerdictGroup, verdictGroups } from './answer.ts';
import { call, event } from './call.ts';
import { lineOf, localId, xmlText } from './text.ts';

/** One word of the service, as it was answered, and what it means. Compared as a whole, without regard to case and outer space. */
export interface SortedWord<Group extends string> {
  readonly word: string;
  readonly group: Group;
  /** One line, shown beside the service's own word; empty for none. */
  readonly meaning: string;
  /** `built-in`: comes with the program. `own`: sorted here or imported; one may stand in the place of a built-in one. */
  readonly source: 'built-in' | 'own';
}

/** A word that was answered and that nobody has sorted yet. */
export interface UnsortedWord {
  readonly word: string;
  readonly connectionId: string;
  readonly count: number;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

export interface AnswersView {
  readonly statuses: readonly SortedWord<StatusGroup>[];
  readonly verdicts: readonly SortedWord<VerdictGroup>[];
  /** Negative codes: shown with their number always; the meaning is data too. */
  readonly codes: readonly { readonly code: string; readonly meaning: string; readonly source: 'built-in' | 'own' }[];
  readonly unsorted: {
    readonly statuses: readonly UnsortedWord[];
    readonly verdicts: readonly UnsortedWord[];
  };
}

/** `not-sorted` is where a word is before somebody sorts it, not a place to put it. */
export const sortableStatusGroups = statusGroups.filter((group) => group !== 'not-sorted');

const word = lineOf(500);
const meaning = xmlText(500).default('');

export const answers = {
  'answers.table': call(z.strictObject({})).answers<AnswersView>(),
  /** Gives a word its meaning; answers that were already kept are read anew. */
  'answers.sort': call(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('status'), word, group: z.enum(statusGroups).exclude(['not-sorted']), meaning }),
      z.strictObject({ kind: z.literal('verdict'), word, group: z.enum(verdictGroups), meaning }),
    ]),
  ).answers<AnswersView>(),
  /** Takes back what was sorted here: a built-in word is as it came, another is unsorted again. */
  'answers.unsort': call(z.strictObject({ kind: z.enum(['status', 'verdict']), word })).answers<AnswersView>(),
  /** An unsorted word off the list until it is seen again. */
  'answers.dismiss': call(z.strictObject({ kind: z.enum(['status', 'verdict']), word })).answers<AnswersView>(),
  /** Own meaning of a negative code; an empty one takes it back. */
  'answers.nameCode': call(
    z.strictObject({
      code: z
        .string()
        .max(11)
        .regex(/^-\d{1,10}$/, 'must be a negative number'),
      meaning,
    }),
  ).answers<AnswersView>(),
  /** Own words into a JSON file that the person chooses; null when the person cancelled. */
  'answers.export': call(z.strictObject({})).answers<{ readonly fileName: string; readonly count: number } | null>(),
  /** From such a file. All or nothing: rejects with bad-input, naming the first entry that does not fit. */
  'answers.import': call(z.strictObject({ token: localId })).answers<{
    readonly added: number;
    readonly changed: number;
  }>(),
};

export const answerEvents = {
  /** Meanings or unsorted words changed: read statuses on screen again. */
  'answers.changed': event<AnswersView>(),
};
