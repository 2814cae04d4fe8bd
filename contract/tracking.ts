import { z } from 'zod';
import { type Answer, type StatusGroup, statusGroups } from './answer.ts';
import type { CallBudget } from './budget.ts';
import { call, event } from './call.ts';
import type { Failure } from './failure.ts';
import type { ESignEntry } from './signatures.ts';
import { documentIdText, lineOf, localId, xmlText } from './text.ts';

export type { CallBudget } from './budget.ts';

/** What changed about an entry since somebody last looked at its list (`tracking.look`). */
export const trackedMarks = ['new', 'moved'] as const;
export type TrackedMark = (typeof trackedMarks)[number];

/** A status as it was answered for the entry's document. */
export interface TrackedStatus {
  readonly raw: string | null;
  readonly answer: Answer<StatusGroup>;
  /** First and last time that it was answered, ISO 8601, UTC. */
  readonly since: string;
  readonly askedAt: string;
}

/** A reminder to yourself: nothing of it goes to the service or to a signer. */
export interface DueDate {
  /** `2026-11-21`, in the time zone of this computer. */
  readonly date: string;
  readonly note: string;
  /** When the reminder was shown; null while it has not been. */
  readonly remindedAt: string | null;
}

export interface TrackedEntry extends ESignEntry {
  /** Of this program: the same as long as the entry is in the list. */
  readonly id: string;
  readonly connectionId: string;
  readonly listType: number;
  readonly mark: TrackedMark | null;
  /** The list it was in before, where it moved. */
  readonly movedFrom: number | null;
  /** When this program first saw it in this list. */
  readonly firstSeenAt: string;
  readonly status: TrackedStatus | null;
  readonly due: DueDate | null;
  /** True where the secret word cannot be shown any more: its key was for a run that is over. */
  readonly secretWordLost: boolean;
}

export const trackedSorts = ['createdAt', 'documentName', 'name', 'email', 'firstSeenAt'] as const;
export type TrackedSort = (typeof trackedSorts)[number];
export const trackedColumns = [
  'documentName',
  'name',
  'email',
  'createdAt',
  'status',
  'due',
  'documentId',
  'origDocumentId',
  'secretWord',
  'list',
] as const;

const day = z
  .string()
  .max(10)
  .regex(/^\d{4}-\d\d-\d\d$/, 'must be a day, as 2026-11-21');

/** Of the last answer for an entry's document: the very word (null: an answer without text), or every word of a meaning. */
export const statusFilter = z.union([
  z.strictObject({ word: z.string().max(2_000).nullable() }),
  z.strictObject({ group: z.enum(statusGroups) }),
]);

/** Which entries. Everything is of one connection; all conditions must hold. */
export const trackedFilter = z.strictObject({
  /** Null: of all lists. */
  listType: z.int().nullable().default(null),
  /** Beginnings of words in name, address, document and IDs. */
  search: z.string().max(200).default(''),
  /** Beginnings of words in name and address. */
  person: z.string().max(200).default(''),
  /** Beginnings of words in document name and IDs. */
  document: z.string().max(200).default(''),
  /** Days of CreatedDate, both included, in the time zone of this computer. Entries without a readable date are left out then. */
  from: day.nullable().default(null),
  to: day.nullable().default(null),
  /** Exactly this original document. */
  origDocumentId: documentIdText.nullable().default(null),
  status: statusFilter.nullable().default(null),
  changedOnly: z.boolean().default(false),
  dueOnly: z.boolean().default(false),
  sort: z.enum(trackedSorts).default('createdAt'),
  descending: z.boolean().default(true),
});
export type TrackedFilter = z.output<typeof trackedFilter>;

const page = {
  offset: z.int().min(0).default(0),
  limit: z.int().min(1).max(500).default(100),
};

/** Entries of one original document, over the lists of the filter. */
export interface TrackedGroup {
  /** Null: entries that name no document. */
  readonly origDocumentId: string | null;
  readonly documentName: string | null;
  readonly entryCount: number;
  readonly newestAt: string | null;
  readonly changedCount: number;
  /** How many of them are in which list. */
  readonly lists: readonly { readonly listType: number; readonly count: number }[];
}

export interface TrackedList {
  readonly listType: number;
  readonly name: string;
  /** Of the last copy; 0 where there is none. */
  readonly total: number;
  readonly nilEntries: number;
  readonly newCount: number;
  readonly movedCount: number;
  /** ISO 8601, UTC: the time of the last copy; null where it was never asked for. */
  readonly asOf: string | null;
  readonly isRefreshing: boolean;
  /** Why the last refresh did not work, null where it did: the last copy is shown then. */
  readonly failure: Failure | null;
  /** When the program will ask by itself; null where it will not. */
  readonly nextAt: string | null;
}

export interface TrackingState {
  readonly connectionId: string;
  readonly lists: readonly TrackedList[];
  readonly budget: CallBudget;
  readonly dueCount: number;
}

export interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly filter: TrackedFilter;
  readonly columns: readonly (typeof trackedColumns)[number][];
  readonly grouped: boolean;
}

/** Where the words of the service stand, one row a word: last known status of each tracked document. */
export interface StatusBoard {
  readonly words: readonly {
    readonly raw: string | null;
    readonly group: StatusGroup;
    readonly meaning: string;
    readonly documents: number;
  }[];
  /** Documents whose status nobody has asked for yet. */
  readonly notAsked: number;
}

/** Names an entry to be opened: a notification was clicked. */
export interface WantedEntry {
  readonly connectionId: string;
  /** Null: several changed; show the list's changed entries. */
  readonly entryId: string | null;
  readonly listType: number | null;
}

const onConnection = z.strictObject({ connectionId: localId });
const ofEntry = { connectionId: localId, entryId: localId };

export const tracking = {
  'tracking.state': call(onConnection).answers<TrackingState>(),
  /** GetESignList for one list, or for all of the connection's. Answers at once; how it goes is told in `tracking.changed`. */
  'tracking.refresh': call(z.strictObject({ connectionId: localId, listType: z.int().optional() })).answers<null>(),
  'tracking.entries': call(z.strictObject({ connectionId: localId, ...trackedFilter.shape, ...page })).answers<{
    readonly entries: readonly TrackedEntry[];
    readonly total: number;
    readonly asOf: string | null;
  }>(),
  /** By OrigServiceDocumentID, the group with the newest entry first (or last: `descending`); `sort` does not matter. */
  'tracking.groups': call(z.strictObject({ connectionId: localId, ...trackedFilter.shape, ...page })).answers<{
    readonly groups: readonly TrackedGroup[];
    readonly total: number;
  }>(),
  /** One entry with the statuses of its document, oldest first. Rejects with not-found where it is in no list any more. */
  'tracking.entry': call(z.strictObject(ofEntry)).answers<{
    readonly entry: TrackedEntry;
    readonly history: readonly TrackedStatus[];
  }>(),
  /** Asks GetDocumentStatus for the entry's document and keeps the answer. */
  'tracking.askStatus': call(z.strictObject(ofEntry)).answers<TrackedStatus>(),
  'tracking.board': call(onConnection).answers<StatusBoard>(),
  /** Somebody has seen the changes of a list (all lists: no listType): the marks go. */
  'tracking.look': call(z.strictObject({ connectionId: localId, listType: z.int().optional() })).answers<null>(),
  'tracking.setBudget': call(
    z.strictObject({ perHour: z.int().min(1).max(3600), isAutomatic: z.boolean() }),
  ).answers<CallBudget>(),
  /**
   * The one place where a secret crosses: a person wants to read the secret word of this entry, on purpose. Null where it has none or it
   * is lost. Not for lists, not kept by the window.
   */
  'tracking.revealSecretWord': call(z.strictObject(ofEntry)).answers<{ readonly secretWord: string | null }>(),
  /** A reminder to yourself for the entry's document; null takes it back. */
  'tracking.setDue': call(
    z.strictObject({ ...ofEntry, date: day.nullable(), note: xmlText(500).default('') }),
  ).answers<TrackedEntry>(),
  /** Opens a mail to the entry's signer in the mail program, nothing is sent. Rejects with bad-input where it has no usable address. */
  'tracking.draftMail': call(
    z.strictObject({ ...ofEntry, subject: xmlText(200), body: xmlText(1500) }),
  ).answers<null>(),
  /** Everything that fits the filter, into a file that the person chooses; null when the person cancelled. */
  'tracking.export': call(
    z.strictObject({
      connectionId: localId,
      ...trackedFilter.shape,
      format: z.enum(['csv', 'xlsx']),
      withSecretWords: z.boolean().default(false),
      /** Headings, in the order of the columns of the file; English ones where absent. */
      language: z.enum(['en', 'de']).default('en'),
    }),
  ).answers<{ readonly fileName: string; readonly rowCount: number } | null>(),
  'tracking.views': call(z.strictObject({})).answers<readonly SavedView[]>(),
  'tracking.saveView': call(
    z.strictObject({
      id: localId.optional(),
      name: lineOf(80),
      filter: trackedFilter,
      columns: z.array(z.enum(trackedColumns)).max(trackedColumns.length),
      grouped: z.boolean().default(false),
    }),
  ).answers<SavedView>(),
  'tracking.removeView': call(z.strictObject({ id: localId })).answers<null>(),
  /** The entry of a notification that was clicked before this window listened; taken by asking. */
  'tracking.takeWanted': call(z.strictObject({})).answers<WantedEntry | null>(),
};

export const trackingEvents = {
  /** Lists, counts or budget of a connection changed: read entries on screen again where `asOf` or a count differs. */
  'tracking.changed': event<TrackingState>(),
  /** A notification was clicked. */
  'tracking.entryWanted': event<WantedEntry>(),
};
