import { z } from 'zod';
import { call, lazyObject } from './call.ts';
import type { ConnectionSettings } from './connections.ts';
import type { OperationName } from './operation.ts';
import { signatureRequest } from './signatures.ts';
import { localId, passedText, xmlText } from './text.ts';

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

/** Problems of recipients; the window has a text for each. */
export const recipientProblems = [
  /** No address at all, and the owner does not sign either. */
  'nobody',
  'email-missing',
  'email-invalid',
  'email-twice',
  /** The account's own address: the owner signs through ReqOwnerESign instead. */
  'owner-address',
  /** The interface allows three signers for Easy Sign; a service may allow more. */
  'too-many-signers',
  /** Contains the connection's separator and would become two entries. */
  'separator-inside',
  /** Only some recipients have a name: the order of Names would not match that of Emails. */
  'name-missing',
] as const;
export type RecipientProblemKind = (typeof recipientProblems)[number];

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
  /** When the same was sent to the same people before (ISO 8601, UTC); null if it was not. */
  readonly sentBefore: string | null;
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
