import { z } from 'zod';
import { type Answer, type StatusGroup, statusGroups } from './answers.ts';
import type { CallBudget } from './budget.ts';
import { call, event, lazyObject } from './call.ts';
import type { ESignEntry } from './compose.ts';
import type { ListMeaning } from './connections.ts';
import type { Failure } from './failure.ts';
import { budgetTable } from './settings.ts';
import type { TeamPerson } from './team.ts';
import { among, calendarDay, documentIdText, language, localId, page, xmlText } from './text.ts';

/** How an entry changed since a person last viewed its list (`tracking.look`). */
export type TrackedMark = 'new' | 'moved';

/**
 * What is known about an entry's signer. The entry's list decides (`waiting`, `signed`), unless the document's status was asked later and says more
 * (`status`). `listed`: neither tells anything, the entry is only in its list.
 */
export type SignerState = 'waiting' | 'signed' | 'status' | 'listed';

/**
 * States of a request, of which each has one. `not-sent`: it waits for its turn or is being sent. `waiting`: nobody signed. `not-known`: a signer was in none of the
 * service's lists yet, or may be in one that was never read, or disappeared from them while nobody looked, whether that signer has signed decides the state, and the service did not answer since that the document is in progress.
 */
export const requestStates = ['needs-you', 'not-sent', 'waiting', 'partly-signed', 'complete', 'not-known'] as const;
export type RequestState = (typeof requestStates)[number];

/** A status that was answered for the entry's document. */
export interface TrackedStatus {
  readonly raw: string | null;
  readonly answer: Answer<StatusGroup>;
  /** First and last time it was answered, ISO 8601, UTC. */
  readonly since: string;
  readonly askedAt: string;
}

/** A person's own reminder: it is sent neither to the service nor to a signer. */
export interface DueDate {
  /** `2026-11-21`, in the time zone of this computer. */
  readonly date: string;
  readonly note: string;
  /** When the reminder was shown; null if it was not. */
  readonly remindedAt: string | null;
}

export interface TrackedEntry extends ESignEntry {
  /** Local ID: stays the same as long as the entry is in the list. */
  readonly id: string;
  readonly connectionId: string;
  readonly listType: number;
  readonly mark: TrackedMark | null;
  /** The previous list of an entry that moved. */
  readonly movedFrom: number | null;
  /** When this program first saw it in this list. */
  readonly firstSeenAt: string;
  readonly status: TrackedStatus | null;
  readonly state: SignerState;
  /** When the signature was first seen, ISO 8601, UTC; null if nobody signed, or it was there when the list was first read. */
  readonly signedAt: string | null;
  /** True if the signer has nothing to do any more: no reminder is offered. */
  readonly hasSigned: boolean;
  readonly due: DueDate | null;
  /** True if the secret word cannot be shown any more: its key was only kept until the program ended. */
  readonly secretWordLost: boolean;
}

export const trackedSorts = ['createdAt', 'documentName', 'name', 'email', 'firstSeenAt'] as const;
export type TrackedSort = (typeof trackedSorts)[number];

/** Filter of entries on one connection; all conditions must hold. */
export const trackedFilter = lazyObject(() => ({
  /** Null: all lists. */
  listType: z.int().nullable().default(null),
  /** Beginning of words in name, address, document and IDs. */
  search: z.string().max(200).default(''),
  /** Beginning of words in name and address. */
  person: z.string().max(200).default(''),
  /** Beginning of words in document name and IDs. */
  document: z.string().max(200).default(''),
  /** Days of CreatedDate, both included, in the time zone of this computer. Entries without a readable date are then left out. */
  from: calendarDay.nullable().default(null),
  to: calendarDay.nullable().default(null),
  /** Only entries of this original document. */
  origDocumentId: documentIdText.nullable().default(null),
  /** Only the request that this job sent, also while no document ID is known; no entry has one. */
  jobId: localId.nullable().default(null),
  /** The last status of an entry's document: one word (null: an answer without text), or all words of a meaning. */
  status: z
    .union([
      z.strictObject({ word: z.string().max(2_000).nullable() }),
      z.strictObject({ group: z.enum(statusGroups) }),
    ])
    .nullable()
    .default(null),
  changedOnly: z.boolean().default(false),
  dueOnly: z.boolean().default(false),
  /** Only requests that the team register assigns to this person; none where no team was joined. */
  mine: z.boolean().default(false),
  /** Only requests in this state, only those that wait for somebody's signature (waiting or partly signed), or only those that nobody sent from here; for entries without effect. */
  request: z
    .enum([...requestStates, 'open', 'elsewhere'])
    .nullable()
    .default(null),
  sort: z.enum(trackedSorts).default('createdAt'),
  descending: z.boolean().default(true),
}));
export type TrackedFilter = z.output<typeof trackedFilter>;

/** Requests that one action is for, at most. */
export const mostSelected = 500;

/** Somebody who was asked, or whom a list has. */
export interface TrackedSigner {
  readonly name: string | null;
  readonly email: string | null;
  readonly state: 'signed' | 'waiting' | 'not-known';
  /** `signed`: when that was first seen, null if it was so from the beginning. `not-known`: since when no list has the entry, null if none ever had it. `waiting`: when the service answered so, null if a list shows it. ISO 8601, UTC. */
  readonly at: string | null;
  /** `signed` follows from the answer alone, at `at`, that the document is completed: no list showed a signature. */
  readonly isByStatus?: true;
  /** The entry in a list now. */
  readonly entry: TrackedEntry | null;
}

/** How far a request is, as far as it is known. */
export interface RequestProgress {
  readonly signerCount: number;
  readonly signedCount: number;
  /** True if of somebody it is not known whether they signed, or who all was asked, as of what only the lists know: more than `signedCount` may have. */
  readonly hasUnknown: boolean;
  /** Only the lists know it, and one that was never read may have more of its signers: of how many these are is not known. */
  readonly mayHaveMore?: true;
}

/** A request that was sent from here or by a colleague, with what the lists add to it; or one that only the lists of the connection know. */
export interface TrackedGroup extends RequestProgress {
  readonly id: string;
  /** Null: not known yet, or entries without a document. */
  readonly origDocumentId: string | null;
  readonly documentName: string | null;
  readonly isFromElsewhere: boolean;
  readonly state: RequestState;
  /** When it left last; null if it never did. Of one from elsewhere the newest date that its list says. */
  readonly sentAt: string | null;
  readonly changedCount: number;
  /** The person's own reminder, also of a request that no list has. */
  readonly due: DueDate | null;
  /** The first signers; none for entries without a document. */
  readonly signers: readonly TrackedSigner[];
  /** The job, until the service has taken it. */
  readonly job: UntakenJob | null;
  /** What the service answered; null unless it was sent from this computer and taken. */
  readonly answer: TakenAnswer | null;
  /** What was last answered about its document; null if nobody asked. */
  readonly status: TrackedStatus | null;
}

export interface TakenAnswer {
  readonly jobId: string;
  /** As it came: an ID, an address, or any text. */
  readonly raw: string | null;
  /** Where it is signed; null if the answer is no https address. `compose.openAnswer` opens it. */
  readonly link: string | null;
}

export interface UntakenJob {
  readonly jobId: string;
  readonly state: 'queued' | 'sending' | 'refused' | 'failed' | 'in-doubt';
  /** Why it was not taken, or null. */
  readonly failure: Failure | null;
}

/** Signatures that a reading found. */
export interface NewSignatures {
  readonly connectionId: string;
  /** May exceed the number of `entries`. */
  readonly count: number;
  readonly entries: readonly { readonly who: string; readonly documentName: string | null }[];
}

export interface TrackedList {
  readonly listType: number;
  readonly name: string;
  readonly meaning: ListMeaning;
  /** Number of entries in the last copy; 0 if there is none. */
  readonly total: number;
  readonly nilEntries: number;
  readonly newCount: number;
  readonly movedCount: number;
  /** ISO 8601, UTC: the time of the last copy; null if it was never fetched. */
  readonly asOf: string | null;
  /** The colleague whose program read the shown copy from the service (`asOf` is its time by the team register's clock); null if this program did. */
  readonly readBy: TeamPerson | null;
  readonly isRefreshing: boolean;
  /** Why the last refresh failed, null if it succeeded: the last copy is shown then. */
  readonly failure: Failure | null;
  /** Time of the next automatic refresh; null if none is planned. */
  readonly nextAt: string | null;
}

export interface TrackingState {
  readonly connectionId: string;
  readonly lists: readonly TrackedList[];
  /** Requests that were sent from here or by a colleague, by state; `elsewhere`: those that only the lists know, null as long as one of these was never read. */
  readonly requests: Readonly<Record<RequestState, number> & { elsewhere: number | null }>;
  /** Signatures that were seen since the last `tracking.look` of all lists, of signers whom no list has any more. */
  readonly unlistedChanges: number;
  readonly budget: CallBudget;
  readonly dueCount: number;
}

/** Number of tracked documents by last known status word, one row per word. */
export interface StatusBoard {
  readonly words: readonly {
    readonly raw: string | null;
    readonly group: StatusGroup;
    readonly meaning: string;
    readonly documents: number;
  }[];
  /** Number of documents without a status. */
  readonly notAsked: number;
}

/** An entry to open because its notification was clicked. */
export interface WantedEntry {
  readonly connectionId: string;
  /** Null without `request`: several entries changed; the list's changed entries are to be shown. */
  readonly entryId: string | null;
  /** Of a reminder the original document: its request is to be shown, as an entry says nothing of other signers. */
  readonly request: string | null;
  readonly listType: number | null;
}

const onConnection = z.strictObject({ connectionId: localId });
const ofEntry = { connectionId: localId, entryId: localId };

export const tracking = {
  'tracking.state': call(() => onConnection).answers<TrackingState>(),
  /** GetESignList for one list, or for all of the connection. Answers at once; progress is published in `tracking.changed`. */
  'tracking.refresh': call(() => ({ connectionId: localId, listType: z.int().optional() })).answers<null>(),
  'tracking.entries': call(() => ({ connectionId: localId, ...trackedFilter.unwrap().shape, ...page })).answers<{
    readonly entries: readonly TrackedEntry[];
    readonly total: number;
  }>(),
  /** Requests: every one that matches, or has a matching entry, as a whole. The newest comes first (or last: `descending`); `sort` has no effect. */
  'tracking.groups': call(() => ({ connectionId: localId, ...trackedFilter.unwrap().shape, ...page, among })).answers<{
    readonly groups: readonly TrackedGroup[];
    readonly total: number;
  }>(),
  /**
   * One entry with the statuses of its document, oldest first. An entry that moved to another list is answered as it is there, with another `id`.
   * Rejects with not-found if it is not in any list any more.
   */
  'tracking.entry': call(() => ofEntry).answers<{
    readonly entry: TrackedEntry;
    readonly history: readonly TrackedStatus[];
  }>(),
  /** Calls GetDocumentStatus for the entry's document and stores the answer. */
  'tracking.askStatus': call(() => ofEntry).answers<TrackedStatus>(),
  /** The same for the document of a request, of which no list need have an entry. */
  'tracking.askRequestStatus': call(() => ({
    connectionId: localId,
    documentId: documentIdText,
  })).answers<TrackedStatus>(),
  'tracking.board': call(() => onConnection).answers<StatusBoard>(),
  /** Removes the change marks of a list (all lists: no listType), because a person has seen them. */
  'tracking.look': call(() => ({ connectionId: localId, listType: z.int().optional() })).answers<null>(),
  'budget.state': call(() => ({})).answers<CallBudget>(),
  'tracking.setBudget': call(() => ({
    perHour: budgetTable.callsPerHour.schema,
    isAutomatic: budgetTable.automaticCalls.schema,
  })).answers<CallBudget>(),
  /**
   * The only call that answers a secret: a person wants to read the secret word of this entry. Null if it has none or it is lost. Not for lists, not
   * kept by the window.
   */
  'tracking.revealSecretWord': call(() => ofEntry).answers<{ readonly secretWord: string | null }>(),
  /** Sets a person's own reminder for the request of this original document; null removes it. */
  'tracking.setDue': call(() =>
    onConnection.extend({ documentId: documentIdText, date: calendarDay.nullable(), note: xmlText(500).default('') }),
  ).answers<null>(),
  /**
   * Opens a mail in the mail program to the signer of an entry, or to one of a request, whom no list need show; nothing is sent. Rejects with bad-input if there is no
   * usable address, or if the signer has signed.
   */
  'tracking.draftMail': call(() => {
    const mail = { subject: xmlText(200), body: xmlText(1500) };
    const ofRequest = { connectionId: localId, requestId: localId, email: z.string().max(320) };
    return z.union([z.strictObject({ ...ofEntry, ...mail }), z.strictObject({ ...ofRequest, ...mail })]);
  }).answers<null>(),
  /**
   * Exports what a view shows into a file that the person chooses: with `grouped` a row for each signer of its requests (`tracking.groups`), else its entries (`tracking.entries`). Null if the person
   * cancelled. `documentIds`: only of the requests of these original documents.
   */
  'tracking.export': call(() => ({
    connectionId: localId,
    ...trackedFilter.unwrap().shape,
    documentIds: z.array(documentIdText).min(1).max(mostSelected).optional(),
    grouped: z.boolean().default(true),
    format: z.enum(['csv', 'xlsx']),
    withSecretWords: z.boolean().default(false),
    /** Headings, in the order of the columns of the file; English ones where absent. */
    language,
  })).answers<{
    readonly fileName: string;
    readonly rowCount: number;
    /** Null unless `grouped`. */
    readonly requestCount: number | null;
  } | null>(),
  /** The entry of a notification that was clicked before this window subscribed; answered once. */
  'tracking.takeWanted': call(() => ({})).answers<WantedEntry | null>(),
};

export const trackingEvents = {
  /** Lists, counts or budget of a connection changed: entries on screen are to be read again if `asOf` or a count differs. */
  'tracking.changed': event<TrackingState>(),
  /** A reading found signatures that were not known before. */
  'tracking.signed': event<NewSignatures>(),
  /** A notification was clicked. */
  'tracking.entryWanted': event<WantedEntry>(),
  /** At most once a second. */
  'budget.changed': event<CallBudget>(),
};
