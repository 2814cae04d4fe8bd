import { z } from 'zod';
import { call, event } from './call.ts';
import type { ConnectionSettings } from './connections.ts';
import type { Failure } from './failure.ts';
import type { FileToken } from './files.ts';
import type { JobState } from './jobs.ts';
import type { OperationName } from './operation.ts';
import { signatureRequest } from './signatures.ts';
import { lineOf, localId, passedText, xmlText } from './text.ts';

/** The three kinds of signature request. */
export const requestKinds = ['plain', 'easy-sign', 'easy-sign-template'] as const;
export type RequestKind = (typeof requestKinds)[number];

const person = z.strictObject({ name: xmlText(200).default(''), email: xmlText(320).default('') });

/**
 * What stands in the compose screen, finished or not: every field may be empty. Null in place of a boolean: not said, the child stays away
 * from the wire.
 */
const content = {
  kind: z.enum(requestKinds).default('plain'),
  documentName: xmlText(1000).default(''),
  description: xmlText(10_000).default(''),
  clientId: xmlText(1000).default(''),
  recipients: z.array(person).max(1000).default([]),
  ccEmails: z.array(xmlText(320)).max(1000).default([]),
  ownerSigns: z.boolean().default(false),
  ownerFirst: z.boolean().default(false),
  creditType: z.int().min(-2147483648).max(2147483647).nullable().default(null),
  templateId: xmlText(200).default(''),
  elementsFromTemplateId: xmlText(200).default(''),
  uniqueId: passedText.default(''),
  xmlData: passedText.default(''),
  messageToSigners: xmlText(10_000).default(''),
  customSubject: xmlText(1000).default(''),
  allowSignerElementAdd: z.boolean().nullable().default(null),
  enforceSigClick: z.boolean().nullable().default(null),
  idVerify: z.boolean().nullable().default(null),
};

/** Without files and secret word: what a preset keeps. */
export const presetContent = z.strictObject(content);
export type PresetContent = z.output<typeof presetContent>;

export const draftContent = z.strictObject({
  ...content,
  fileToken: localId.nullable().default(null),
  imageToken: localId.nullable().default(null),
});
export type DraftContent = z.output<typeof draftContent>;

export interface DraftSummary {
  readonly id: string;
  readonly connectionId: string;
  /** Name of the document, file or template; empty where there is none yet. */
  readonly title: string;
  readonly kind: RequestKind;
  readonly recipientCount: number;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
  /**
   * The job that it was sent as. While that is under way (`prepared`, `waiting`, `sending`) the draft is neither changed nor sent; once the service took it the
   * draft is gone. Null where it was not sent, or its job was taken off the list.
   */
  readonly job: { readonly id: string; readonly state: JobState; readonly failure: Failure | null } | null;
}

export interface Draft extends DraftSummary {
  /** `fileToken` and `imageToken` are good for this run; null where there is no file, or it is gone. */
  readonly content: DraftContent;
  readonly file: FileToken | null;
  readonly image: FileToken | null;
  /** Names of files that the draft had and that are gone now. */
  readonly missingFiles: readonly string[];
  /** The word itself stays in the core; see `secretWord` in `drafts.save` and `secretOfDraft` in a request. */
  readonly hasSecretWord: boolean;
}

export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly content: PresetContent;
  readonly updatedAt: string;
}

/** What may be wrong with recipients. The window words each of them. */
export const recipientProblems = [
  /** No address at all, and the owner does not sign either. */
  'nobody',
  'email-missing',
  'email-invalid',
  'email-twice',
  /** The account's own address: the owner signs through ReqOwnerESign. */
  'owner-address',
  /** Easy Sign takes three signers; a service may take more. */
  'too-many-signers',
  /** Holds the connection's separator and would become two. */
  'separator-inside',
  /** Some have a name and some have none: the order of Names would not be that of Emails. */
  'name-missing',
] as const;
export type RecipientProblemKind = (typeof recipientProblems)[number];

export interface RecipientProblem {
  readonly kind: RecipientProblemKind;
  /** An error is not sent; a warning is, once a person has said so. */
  readonly severity: 'error' | 'warning';
  /** Where: recipients or copies, by index; null where it is about all of them. */
  readonly list: 'recipients' | 'ccEmails';
  readonly index: number | null;
  readonly part: 'email' | 'name';
}

/** One child of the request, in the order of the wire. */
export interface PreviewChild {
  /** As the interface spells it. */
  readonly name: string;
  /** As the connection spells it: what is sent. */
  readonly wireName: string;
  readonly type: 'string' | 'int' | 'boolean' | 'base64Binary';
  /** Optional children that nobody filled in are left out. */
  readonly sent: boolean;
  /** Whole text as it will be sent; null for what is left out, for documents, and for secrets. */
  readonly value: string | null;
  /** apiKey, apiSig, SecretWord: sent, never shown. */
  readonly isSecret: boolean;
  readonly file: { readonly name: string; readonly sizeBytes: number } | null;
}

export interface RequestPreview {
  readonly operation: OperationName;
  readonly address: string;
  readonly soapVersion: ConnectionSettings['soapVersion'];
  readonly namespaceUri: string;
  /** All children of the operation, credentials first. */
  readonly children: readonly PreviewChild[];
  /** Taken when the service receives the request. */
  readonly cost: {
    /** Null where the operation has no creditType (Easy Sign). */
    readonly creditType: { readonly value: number; readonly name: string } | null;
    readonly requests: 1;
    /** Known of services of this kind: a request with prepaid credits (creditType 2) needs two. */
    readonly prepaidCredits: 2 | null;
    /** Identity checks asked for, one a signer; 0 for none. */
    readonly idChecks: number;
  };
  /** Everybody who will be mailed, as far as the interface says. The owner has no address where the connection knows none. */
  readonly mails: readonly {
    readonly email: string;
    readonly name: string;
    readonly role: 'signer' | 'owner' | 'copy';
  }[];
  readonly problems: readonly RecipientProblem[];
  /** Of the body, about: documents grow by a third on the wire. */
  readonly bodyBytes: number;
}

export interface ParsedPeople {
  readonly people: readonly { readonly name: string; readonly email: string; readonly line: number }[];
  /** Parts that hold something, but no address. */
  readonly leftOver: readonly { readonly line: number; readonly text: string }[];
  /** What it looked like: rows with columns, or a list of addresses as in a mail's header. */
  readonly form: 'table' | 'addresses' | 'empty';
  /** True where there was more than 1,000 people. */
  readonly cut: boolean;
}

export type XmlCheck =
  | { readonly ok: true; readonly rootElement: string; readonly elementCount: number }
  | {
      readonly ok: false;
      readonly reason: 'empty' | 'doctype' | 'entity' | 'not-well-formed' | 'too-deep';
      /** From 1. */
      readonly line: number;
      readonly column: number;
      /** The parser's own words, English. */
      readonly note: string;
    };

/** A signature request that was given to the queue, as the ledger has it; dismissed ones too. */
export interface SentRequest {
  readonly jobId: string;
  readonly connectionId: string;
  readonly kind: RequestKind;
  readonly title: string;
  readonly emails: string;
  readonly state: JobState;
  /** What the service answered, as it came: an ID, an address, or any text. */
  readonly raw: string | null;
  readonly answer: import('./answer.ts').Answer | null;
  readonly documentId: string | null;
  /** True where `compose.openAnswer` may open the answer in the browser: an https address. */
  readonly canOpen: boolean;
  /** `corrections.open` takes it: it was not taken, and is still on the list. */
  readonly canCorrect: boolean;
  readonly failure: Failure | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Looking through more would take longer than a window may stand still, in UTF-16 units. */
export const longestCheckedXml = 1_000_000;

const recipientLists = {
  connectionId: localId,
  kind: z.enum(requestKinds),
  recipients: z.array(person).max(1000),
  ccEmails: z.array(xmlText(320)).max(1000).default([]),
  ownerSigns: z.boolean().default(false),
};

export const compose = {
  /** Exactly what `signatures.request` with the same input would send. Nothing is sent or kept. */
  'compose.preview': call(signatureRequest).answers<RequestPreview>(),
  /** The checks of addresses alone, for showing them while people type. */
  'compose.checkRecipients': call(z.strictObject(recipientLists)).answers<readonly RecipientProblem[]>(),
  /** People out of a pasted text: rows of a spreadsheet, a mail header (`Ayla <a@b.example>; "Last, First" <c@d.example>`), addresses. */
  'compose.parsePeople': call(z.strictObject({ text: z.string().max(1_000_000) })).answers<ParsedPeople>(),
  /** Advice: what is not well-formed is sent all the same. Of a longer text nothing is said. */
  'compose.checkXml': call(z.strictObject({ text: z.string().max(longestCheckedXml) })).answers<XmlCheck>(),
  /** Text of an XML file that the person chose, in the encoding that it says it has. At most `longestPassedText`. */
  'compose.readXml': call(z.strictObject({ token: localId })).answers<{ readonly text: string }>(),
  /** What was sent, newest first. */
  'compose.sent': call(
    z.strictObject({
      connectionId: localId.optional(),
      offset: z.int().min(0).default(0),
      limit: z.int().min(1).max(500).default(100),
    }),
  ).answers<{ readonly requests: readonly SentRequest[]; readonly total: number }>(),
  /** Opens the address that the service answered to this job. Rejects with bad-input where that was no https address. */
  'compose.openAnswer': call(z.strictObject({ jobId: localId })).answers<null>(),
};

const draftFields = {
  connectionId: localId,
  content: draftContent,
  /** A secret: absent leaves it as it is, empty removes it. Kept encrypted; the key is in the keychain or for this run. */
  secretWord: xmlText(200).optional(),
};

export const drafts = {
  'drafts.list': call(z.strictObject({ connectionId: localId.optional() })).answers<readonly DraftSummary[]>(),
  /** Rejects with not-found. */
  'drafts.get': call(z.strictObject({ id: localId })).answers<Draft>(),
  /** Adds (without id) or changes (with id). Files without a lasting place (from a mail client) are copied. Rejects with not-found, and with bad-input while it is being sent. */
  'drafts.save': call(z.strictObject({ id: localId.optional(), ...draftFields })).answers<DraftSummary>(),
  /** Rejects with bad-input while it is being sent. */
  'drafts.remove': call(z.strictObject({ id: localId })).answers<null>(),
  'presets.list': call(z.strictObject({})).answers<readonly Preset[]>(),
  'presets.save': call(
    z.strictObject({ id: localId.optional(), name: lineOf(80), content: presetContent }),
  ).answers<Preset>(),
  'presets.remove': call(z.strictObject({ id: localId })).answers<null>(),
};

export const draftEvents = {
  'drafts.changed': event<null>(),
};
