import { z } from 'zod';
import { call, lazyObject } from './call.ts';
import type { ConnectionSettings } from './connections.ts';
import { repeatRules } from './jobs.ts';
import type { OperationName } from './operation.ts';
import { int32, lineOf, localId, passedText, xmlText } from './text.ts';

/** The three kinds of signature request. */
export const requestKinds = ['plain', 'easy-sign', 'easy-sign-template'] as const;
export type RequestKind = (typeof requestKinds)[number];

const person = z.strictObject({ name: xmlText(200).default(''), email: xmlText(320).default('') });

/** The fields of the compose screen, finished or not: every field may be empty. Null for a boolean means not chosen: the element is not sent. */
const content = () => ({
  kind: z.enum(requestKinds).default('plain'),
  documentName: xmlText(1000).default(''),
  description: xmlText(10_000).default(''),
  clientId: xmlText(1000).default(''),
  recipients: z.array(person).max(1000).default([]),
  ccEmails: z.array(xmlText(320)).max(1000).default([]),
  ownerSigns: z.boolean().default(false),
  ownerFirst: z.boolean().default(false),
  creditType: int32.nullable().default(null),
  templateId: xmlText(200).default(''),
  elementsFromTemplateId: xmlText(200).default(''),
  uniqueId: passedText.default(''),
  xmlData: passedText.default(''),
  messageToSigners: xmlText(10_000).default(''),
  customSubject: xmlText(1000).default(''),
  allowSignerElementAdd: z.boolean().nullable().default(null),
  enforceSigClick: z.boolean().nullable().default(null),
  idVerify: z.boolean().nullable().default(null),
});

/** The content of a preset: no files and no secret word. */
export const presetContent = lazyObject(content);
export type PresetContent = z.output<typeof presetContent>;

export const draftContent = lazyObject(() => ({
  ...content(),
  fileToken: localId.nullable().default(null),
  imageToken: localId.nullable().default(null),
}));
export type DraftContent = z.output<typeof draftContent>;

const emails = z.array(lineOf(320)).max(1000);
const names = z.array(xmlText(200)).max(1000);

/** Elements that every signature request has (4.2, 4.3). An absent optional element is not sent. */
const common = () => ({
  connectionId: localId,
  documentName: xmlText(1000).optional(),
  description: xmlText(10_000).optional(),
  clientId: xmlText(1000).optional(),
  /** May be empty only if the owner signs. */
  emails,
  /** ReqOwnerESign */
  ownerSigns: z.boolean().default(false),
  /**
   * The draft of the request: it is removed when the service has taken the request. If it was sent before and not taken, this is the correction: the
   * new job replaces the old one. Rejects with bad-input while it is being sent.
   */
  draftId: localId.optional(),
  /** Without it nobody is told of an earlier request. */
  repeats: z.enum(repeatRules).optional(),
});

const easySign = () => ({
  ...common(),
  /** In the order of the addresses; joined by the connection's separator. */
  names: names.optional(),
  ccEmails: emails.optional(),
  xmlData: passedText.optional(),
  uniqueId: passedText.optional(),
  allowSignerElementAdd: z.boolean().optional(),
  /** Token of the file for AdditionalImage. */
  imageToken: localId.optional(),
  enforceSigClick: z.boolean().optional(),
  messageToSigners: xmlText(10_000).optional(),
  customSubject: xmlText(1000).optional(),
  idVerify: z.boolean().optional(),
});

export const signatureRequest = () =>
  z.discriminatedUnion('kind', [
    /** AddNewDocumentESign */
    z.strictObject({
      kind: z.literal('plain'),
      ...common(),
      fileToken: localId,
      creditType: int32,
      /** OwnerESignFirst; without effect if ownerSigns is false. */
      ownerFirst: z.boolean().default(false),
      /** A secret: kept in the keychain or for the run only, never answered. */
      secretWord: xmlText(200).optional(),
      /** Uses the secret word that is kept with this draft. */
      secretOfDraft: localId.optional(),
    }),
    /** AddNewEasySignDocument */
    z.strictObject({
      kind: z.literal('easy-sign'),
      ...easySign(),
      fileToken: localId,
      elementsFromTemplateId: xmlText(200).optional(),
    }),
    /** AddNewEasySignTemplate */
    z.strictObject({ kind: z.literal('easy-sign-template'), ...easySign(), templateId: lineOf(200) }),
  ]);

export type SignatureRequest = z.input<ReturnType<typeof signatureRequest>>;

/** Problems of recipients; the window has a text for each. */
export type RecipientProblemKind =
  /** No address at all, and the owner does not sign either. */
  | 'nobody'
  | 'email-missing'
  | 'email-invalid'
  | 'email-twice'
  /** The account's own address: the owner signs through ReqOwnerESign instead. */
  | 'owner-address'
  /** The interface allows three signers for Easy Sign; a service may allow more. */
  | 'too-many-signers'
  /** Contains the connection's separator and would become two entries. */
  | 'separator-inside'
  /** Only some recipients have a name: the order of Names would not match that of Emails. */
  | 'name-missing';

export interface RecipientProblem {
  readonly kind: RecipientProblemKind;
  /** A request with an error is not sent; one with a warning is sent after the person confirmed it. */
  readonly severity: 'error' | 'warning';
  /** The recipients or copies, by index; null if the problem is about all of them. */
  readonly list: 'recipients' | 'ccEmails';
  readonly index: number | null;
  readonly part: 'email' | 'name';
}

/** One child element of the request, in the order in which it is sent. */
export interface PreviewChild {
  /** Name in the interface. */
  readonly name: string;
  /** Name on this connection, as it is sent. */
  readonly wireName: string;
  readonly type: 'string' | 'int' | 'boolean' | 'base64Binary';
  /** Optional elements without a value are not sent. */
  readonly sent: boolean;
  /** The whole text as it will be sent; null for elements that are not sent, for documents, and for secrets. */
  readonly value: string | null;
  /** apiKey, apiSig, SecretWord: sent but never shown. */
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
  /** Charged when the service receives the request. */
  readonly cost: {
    /** Null if the operation has no creditType (Easy Sign). */
    readonly creditType: { readonly value: number; readonly name: string } | null;
    readonly requests: 1;
    /** Known behaviour of such services: a request with prepaid credits (creditType 2) needs two. */
    readonly prepaidCredits: 2 | null;
    /** Number of identity checks, one per signer; 0 for none. */
    readonly idChecks: number;
  };
  /** Everybody who will be mailed, according to the interface. The owner has no address if the connection has none. */
  readonly mails: readonly {
    readonly email: string;
    readonly name: string;
    readonly role: 'signer' | 'owner' | 'copy';
  }[];
  readonly problems: readonly RecipientProblem[];
  /** What is known of the same to the same people from before; null if there is none. */
  readonly sentBefore: SentBefore | null;
}

/** What is known of the same document to the same people from before: a clear answer goes before a doubt, and that before what is still to be sent. */
export interface SentBefore {
  readonly kind: 'already-sent' | 'maybe-sent' | 'being-sent';
  /** ISO 8601, UTC. */
  readonly sentAt: string;
  readonly job: { readonly batchId: string; readonly jobId: string };
}

export interface ParsedPeople {
  readonly people: readonly { readonly name: string; readonly email: string; readonly line: number }[];
  /** Parts of the text that are not empty but contain no address. */
  readonly leftOver: readonly { readonly line: number; readonly text: string }[];
  /** The detected form: rows with columns, or a list of addresses as in a mail header. */
  readonly form: 'table' | 'addresses' | 'empty';
  /** True if there were more than 1,000 people. */
  readonly cut: boolean;
}

export type XmlCheck =
  | { readonly ok: true; readonly rootElement: string; readonly elementCount: number }
  | {
      readonly ok: false;
      readonly reason: 'empty' | 'doctype' | 'entity' | 'not-well-formed' | 'too-deep';
      /** Counted from 1. */
      readonly line: number;
      readonly column: number;
      /** The parser's message, in English. */
      readonly note: string;
    };

/** Limit of the checked text, in UTF-16 units: checking more would block the window for too long. */
export const longestCheckedXml = 1_000_000;

const recipientLists = () => ({
  connectionId: localId,
  kind: z.enum(requestKinds),
  recipients: z.array(person).max(1000),
  ccEmails: z.array(xmlText(320)).max(1000).default([]),
  ownerSigns: z.boolean().default(false),
});

export const compose = {
  /** Shows exactly what `signatures.request` with the same input would send. Nothing is sent or kept. */
  'compose.preview': call(signatureRequest).answers<RequestPreview>(),
  /** Only the checks of addresses, for use while people type. */
  'compose.checkRecipients': call(recipientLists).answers<readonly RecipientProblem[]>(),
  /** Extracts people from a pasted text: rows of a spreadsheet, a mail header (`Ayla <a@b.example>; "Last, First" <c@d.example>`), addresses. */
  'compose.parsePeople': call(() => ({ text: z.string().max(1_000_000) })).answers<ParsedPeople>(),
  /** The result is advice: a text that is not well-formed is sent too. Longer texts are not checked. */
  'compose.checkXml': call(() => ({ text: z.string().max(longestCheckedXml) })).answers<XmlCheck>(),
  /** Reads an XML file that the person chose, in its declared encoding. At most `longestPassedText`. */
  'compose.readXml': call(() => ({ token: localId })).answers<{ readonly text: string }>(),
  /** Opens the address that the service answered to this job. Rejects with bad-input if the answer was no https address. */
  'compose.openAnswer': call(() => ({ jobId: localId })).answers<null>(),
};

/** One entry of 2.3a, as sent; absent fields are null. The secret word stays in the core. */
export interface ESignEntry {
  readonly documentName: string | null;
  /** As sent, and the same time in ISO 8601 UTC if it can be read; a time without a zone counts as UTC. */
  readonly createdDate: string | null;
  readonly createdAt: string | null;
  readonly documentId: string | null;
  readonly origDocumentId: string | null;
  readonly email: string | null;
  readonly name: string | null;
  readonly hasSecretWord: boolean;
}

export const signatures = {
  /** Sends one signature request: creates one job, costs one or more credits, mails people. */
  'signatures.request': call(signatureRequest).answers<{ readonly batchId: string; readonly jobId: string }>(),
  /** GetESignList; the result replaces the stored copy of that list. nil entries are counted, not listed. */
  'signatures.refresh': call(() => ({ connectionId: localId, listType: int32, maxItems: int32.optional() })).answers<{
    readonly total: number;
    readonly nilEntries: number;
    readonly asOf: string;
  }>(),
};
