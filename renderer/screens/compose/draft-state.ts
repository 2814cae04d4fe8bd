import type { Draft, DraftContent, RequestKind } from '../../../contract/compose.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { SignatureRequest } from '../../../contract/signatures.ts';

/** The state of the compose form. */
export interface DraftState {
  readonly content: DraftContent;
  readonly file: FileToken | null;
  readonly image: FileToken | null;
  /** As entered in this window; null if it was not changed. */
  readonly secretWord: string | null;
  /** True if a secret word is kept with the draft. */
  readonly hasSecretWord: boolean;
  readonly missingFiles: readonly string[];
}

export const emptyContent: DraftContent = {
  kind: 'easy-sign',
  documentName: '',
  description: '',
  clientId: '',
  recipients: [],
  ccEmails: [],
  ownerSigns: false,
  ownerFirst: false,
  creditType: null,
  templateId: '',
  elementsFromTemplateId: '',
  uniqueId: '',
  xmlData: '',
  messageToSigners: '',
  customSubject: '',
  allowSignerElementAdd: null,
  enforceSigClick: null,
  idVerify: null,
  fileToken: null,
  imageToken: null,
};

export function newDraftState(
  file: FileToken | null,
  { kind, to }: { readonly kind: RequestKind | null; readonly to: DraftContent['recipients'][number] | null },
): DraftState {
  // One row stands ready to be typed into; rows without any input are not sent.
  const content = {
    ...emptyContent,
    ...(kind ? { kind } : {}),
    recipients: [to ?? { name: '', email: '' }],
    fileToken: file?.token ?? null,
  };
  return { content, file, image: null, secretWord: null, hasSecretWord: false, missingFiles: [] };
}

export function draftStateOf(draft: Draft): DraftState {
  const { content, file, image, hasSecretWord, missingFiles } = draft;
  return { content, file, image, secretWord: null, hasSecretWord, missingFiles };
}

export type Missing = 'file' | 'template' | 'credit';

/** The fields that are still missing for the review. */
export function missingOf({ content }: DraftState, creditType: number | null): readonly Missing[] {
  const missing: Missing[] = [];
  if (content.kind === 'easy-sign-template') {
    if (content.templateId.trim() === '') missing.push('template');
  } else if (content.fileToken === null) missing.push('file');
  if (content.kind === 'plain' && creditType === null) missing.push('credit');
  return missing;
}

/** People with any input, each with its position in the table. */
export function filledRows(content: DraftContent) {
  return content.recipients
    .map((person, index) => ({ name: person.name.trim(), email: person.email.trim(), index }))
    .filter(({ name, email }) => name !== '' || email !== '');
}

/** The request as it would be sent. Empty texts are elements that are not sent. Null while something is missing. */
export function requestOf(
  state: DraftState,
  target: { readonly connectionId: string; readonly draftId: string | null; readonly creditType: number | null },
): SignatureRequest | null {
  if (missingOf(state, target.creditType).length > 0) return null;
  const { content } = state;
  const people = filledRows(content);
  const common = {
    connectionId: target.connectionId,
    documentName: textOf(content.documentName),
    description: textOf(content.description),
    clientId: textOf(content.clientId),
    emails: people.map((person) => person.email),
    ownerSigns: content.ownerSigns,
    draftId: target.draftId ?? undefined,
  };
  if (content.kind === 'plain') {
    return {
      kind: 'plain',
      ...common,
      fileToken: content.fileToken ?? '',
      creditType: target.creditType ?? 0,
      ownerFirst: content.ownerSigns && content.ownerFirst,
      ...secretOf(state, target.draftId),
    };
  }
  const easySign = { ...common, ...easySignOf(content, people) };
  if (content.kind === 'easy-sign-template')
    return { kind: 'easy-sign-template', ...easySign, templateId: content.templateId.trim() };
  return {
    kind: 'easy-sign',
    ...easySign,
    fileToken: content.fileToken ?? '',
    elementsFromTemplateId: textOf(content.elementsFromTemplateId.trim()),
  };
}

function easySignOf(content: DraftContent, people: readonly { readonly name: string }[]) {
  const ccEmails = content.ccEmails.map((email) => email.trim()).filter((email) => email !== '');
  return {
    names: people.some((person) => person.name !== '') ? people.map((person) => person.name) : undefined,
    ccEmails: ccEmails.length > 0 ? ccEmails : undefined,
    xmlData: textOf(content.xmlData),
    uniqueId: textOf(content.uniqueId),
    allowSignerElementAdd: content.allowSignerElementAdd ?? undefined,
    imageToken: content.imageToken ?? undefined,
    enforceSigClick: content.enforceSigClick ?? undefined,
    messageToSigners: textOf(content.messageToSigners),
    customSubject: textOf(content.customSubject),
    idVerify: content.idVerify ?? undefined,
  };
}

function secretOf({ secretWord, hasSecretWord }: DraftState, draftId: string | null) {
  if (secretWord !== null) return { secretWord: textOf(secretWord) };
  return hasSecretWord && draftId !== null ? { secretOfDraft: draftId } : {};
}

function textOf(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** Several addresses as entered in one field, and back. */
export const addressesOf = (text: string): readonly string[] => text.split(/[;,]\s*/);
export const addressText = (addresses: readonly string[]): string => addresses.join('; ');
