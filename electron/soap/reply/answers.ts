import type { Answer, AnswerKind, StatusGroup, VerdictGroup, WordVerdict } from '../../../contract/answers.ts';
import type { OperationName } from '../../../contract/operation.ts';
import { guidPattern } from '../../../contract/text.ts';
import type { VerdictFinding } from '../../../contract/verify-result.ts';
import { type ServiceCode, serviceCodes } from './refusal.ts';

/** The code of a business error: an answer that is only a negative number, as sent. Null for any other answer. */
export function negativeCode(raw: string | null): string | null {
  return /^\s*(-\d{1,10})\s*$/.exec(raw ?? '')?.[1] ?? null;
}

/** One answer word of the service and its meaning. Whole words are compared, ignoring case and outer space. */
export interface Wording<Group extends string> {
  readonly word: string;
  readonly group: Group;
  readonly meaning: string;
}

/** A built-in answer to ValidateDocument. */
interface VerdictWording extends Wording<WordVerdict> {
  readonly finding?: VerdictFinding;
}

/** The meanings of raw answers. All of it is data that a person may change: defaults, never rules. */
export interface AnswersTable {
  readonly statuses: readonly Wording<StatusGroup>[];
  readonly verdicts: readonly Wording<WordVerdict>[];
  readonly codes: ReadonlyMap<string, ServiceCode>;
}

const verdictWords: readonly VerdictWording[] = [
  { word: 'Valid', group: 'confirmed', meaning: 'The service confirms the document' },
  {
    word: 'Valid - superseded version',
    group: 'confirmed-with-remark',
    meaning: 'The service confirms the document, which has a newer version',
    finding: 'superseded',
  },
  { word: 'Invalid', group: 'not-confirmed', meaning: 'The service does not confirm the document' },
  {
    word: 'Invalid - changed after registration',
    group: 'not-confirmed',
    meaning: 'The document is not as it was registered',
    finding: 'changed',
  },
  {
    word: 'Invalid - not registered here',
    group: 'not-confirmed',
    meaning: 'The service does not know this document',
    finding: 'unknown',
  },
];

/** The built-in table. */
export const defaultAnswers: AnswersTable = {
  statuses: [
    { word: 'Processing', group: 'in-progress', meaning: 'The service is working on the document' },
    { word: 'Completed', group: 'completed', meaning: 'The document is ready' },
    { word: 'Not Found', group: 'not-found', meaning: 'The service does not know this document' },
    { word: 'Invalid Document', group: 'attention', meaning: 'The service could not use the document' },
  ],
  verdicts: verdictWords,
  codes: serviceCodes,
};

/** True for a text that shows nothing: absent, empty, or only spaces and characters that are never drawn. */
export function isBlank(raw: string | null): boolean {
  return /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(raw ?? '');
}

/** The GUID of nothing: what software of this kind returns where it made none. */
const zeroGuid = '00000000-0000-0000-0000-000000000000';

function kindOf(text: string): AnswerKind {
  if (isBlank(text)) return 'none';
  if (guidPattern.test(text) && text !== zeroGuid) return 'document-id';
  if (negativeCode(text)) return 'code';
  return /^https?:\/\/[^\s<>"]+$/i.test(text) ? 'url' : 'text';
}

function trimmed(raw: string | null): string {
  return (raw ?? '').trim();
}

const kindMeanings: Readonly<Record<AnswerKind, string>> = {
  'document-id': 'The ID of the document',
  url: 'A web address',
  code: '',
  text: '',
  none: 'The service answered nothing',
};

function codeAnswer<Group extends string>(group: Group, code: string, table: AnswersTable): Answer<Group> {
  return { kind: 'code', group, meaning: table.codes.get(code)?.meaning ?? '', code };
}

function find<Word extends Wording<string>>(words: readonly Word[], text: string): Word | undefined {
  const lower = text.toLowerCase();
  return words.find(({ word }) => word.trim().toLowerCase() === lower);
}

/** Reads the answer to an add, or any other text whose form gives its meaning. Never throws: an unknown text is a result. */
export function readAddAnswer(raw: string | null, table: AnswersTable = defaultAnswers): Answer {
  const text = trimmed(raw);
  const code = negativeCode(text);
  if (code) return codeAnswer('code', code, table);
  const kind = kindOf(text);
  return { kind, group: kind, meaning: kindMeanings[kind] };
}

/**
 * True if the answer to an add shows that the service has it. An added document is answered with its ID, which is a GUID. What the Easy Sign operations answer is
 * not shown: an ID or the address of a page. No other word counts, as it may be an error in any language. What is answered to a note is known to nobody.
 */
export function showsSuccess(operation: OperationName, { kind }: Answer): boolean {
  if (operation === 'AddQuickNote') return kind !== 'code';
  return kind === 'document-id' || (kind === 'url' && operation.startsWith('AddNewEasySign'));
}

/** Reads the answer of GetDocumentStatus. Words without an entry in the table, and an empty answer, are `not-sorted`. */
export function readStatus(raw: string | null, table: AnswersTable = defaultAnswers): Answer<StatusGroup> {
  const text = trimmed(raw);
  const code = negativeCode(text);
  if (code) return codeAnswer('attention', code, table);
  const word = find(table.statuses, text);
  return { kind: kindOf(text), group: word?.group ?? 'not-sorted', meaning: word?.meaning ?? '' };
}

/**
 * Reads the answer of ValidateDocument. A code for "the file was not examined" is no answer, never "not confirmed"; a
 * code that leaves this open, an unknown code, an unknown word and an empty answer are unclear.
 */
export function readVerdict(raw: string | null, table: AnswersTable = defaultAnswers): Answer<VerdictGroup> {
  const text = trimmed(raw);
  const code = negativeCode(text);
  if (code) return codeAnswer(table.codes.get(code)?.kind === 'unexamined' ? 'no-answer' : 'unclear', code, table);
  const word = find(table.verdicts, text);
  return { kind: kindOf(text), group: word?.group ?? 'unclear', meaning: word?.meaning ?? '' };
}

/**
 * What the words of an answer say beyond their group. A person who sorts other words to the same effect chooses a built-in meaning, which therefore
 * counts first. Null if the answer is in another group than the built-in words.
 */
export function findingOf(raw: string | null, { group, meaning }: Answer<VerdictGroup>): VerdictFinding | null {
  const sameMeaning = verdictWords.find((word) => word.meaning === meaning);
  const sameWord = find(verdictWords, trimmed(raw));
  return [sameMeaning, sameWord].find((word) => word?.group === group && word.finding)?.finding ?? null;
}

const dateTimeForm =
  /^\s*(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:[.,](\d{1,9}))?\s*(Z|[+-]\d{2}:\d{2})?\s*$/i;

/**
 * Reads a dateTime of a service (up to seven fraction digits, with or without zone). Returns ISO 8601 in UTC with
 * milliseconds, or null if it is none. Without a zone it counts as UTC: the service's zone is unknown, and the zone of this
 * computer says nothing about it. Digits beyond milliseconds are cut off, never rounded up.
 */
export function readDateTime(text: string | null | undefined): string | null {
  const match = dateTimeForm.exec(text ?? '');
  if (!match) return null;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  // .NET's "no date" is the first of January of year 1, in whatever zone: no document is that old.
  if (Number(year) <= 1) return null;
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const asUtc = `${local}.${milliseconds}Z`;
  const date = new Date(asUtc);
  // A day that the month does not have would be moved into the next month.
  if (Number.isNaN(date.getTime()) || date.toISOString() !== asUtc) return null;
  // As most of a long list are: reading them a second time takes as long as all before.
  if (/^(?:Z|[+-]00:00)$/i.test(zone)) return asUtc;
  const time = Date.parse(`${local}.${milliseconds}${zone.toUpperCase()}`);
  if (Number.isNaN(time)) return null;
  const iso = new Date(time).toISOString();
  // The last day of year 9999, .NET's other limit, can leave the four-digit years by its zone.
  return iso.length === 24 ? iso : null;
}
