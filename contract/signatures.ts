import { z } from 'zod';
import { call } from './call.ts';
import { repeatRules } from './jobs.ts';
import { int32, lineOf, localId, passedText, xmlText } from './text.ts';

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
      creditType: z.int().min(-2147483648).max(2147483647),
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
