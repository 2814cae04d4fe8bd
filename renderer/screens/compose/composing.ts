import type { Draft, DraftContent, RequestKind } from '../../../contract/compose.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { SignatureRequest } from '../../../contract/signatures.ts';

/** What stands in the compose screen. */
export interface Composing {
  readonly content: DraftContent;
  readonly file: FileToken | null;
  readonly image: FileToken | null;
  /** As typed in this window; null where nobody touched it. */
  readonly secretWord: string | null;
  /** A secret word is kept with the draft. */
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

export function startingWith(file: FileToken | null, kind?: RequestKind): Composing {
  const content = { ...emptyContent, ...(kind ? { kind } : {}), fileToken: file?.token ?? null };
  return { content, file, image: null, secretWord: null, hasSecretWord: false, missingFiles: [] };
}

export function resumed(draft: Draft): Composing {
  const { content, file, image, hasSecretWord, missingFiles } = draft;
  return { content, file, image, secretWord: null, hasSecretWord, missingFiles };
}

export type Missing = 'file' | 'template' | 'credit';

/** What must be there before anything can be looked at again. */
export function missingOf({ content }: Composing, creditType: number | null): readonly Missing[] {
  const missing: Missing[] = [];
  if (content.kind === 'easy-sign-template') {
    if (content.templateId.trim() === '') missing.push('template');
  } else if (content.fileToken === null) missing.push('file');
  if (content.kind === 'plain' && creditType === null) missing.push('credit');
  return missing;
}

/** People with anything typed in, each with its place in the table. */
export function filledRows(content: DraftContent) {
  return content.recipients
    .map((person, index) => ({ name: person.name.trim(), email: person.email.trim(), index }))
    .filter(({ name, email }) => name !== '' || email !== '');
}

/** The request as it would be sent. Empty texts are children that stay away. Null while something is missing. */
export function requestOf(
  composing: Composing,
  given: { readonly connectionId: string; readonly draftId: string | null; readonly creditType: number | null },
): SignatureRequest | null {
  if (missingOf(composing, given.creditType).length > 0) return null;
  const { content } = composing;
  const people = filledRows(content);
  const common = {
    connectionId: given.connectionId,
    documentName: textOf(content.documentName),
    description: textOf(content.description),
    clientId: textOf(content.clientId),
    emails: people.map((person) => person.email),
    ownerSigns: content.ownerSigns,
    draftId: given.draftId ?? undefined,
  };
  if (content.kind === 'plain') {
    return {
      kind: 'plain',
      ...common,
      fileToken: content.fileToken ?? '',
      creditType: given.creditType ?? 0,
      ownerFirst: content.ownerSigns && content.ownerFirst,
      ...secretOf(composing, given.draftId),
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

function secretOf({ secretWord, hasSecretWord }: Composing, draftId: string | null) {
  if (secretWord !== null) return { secretWord: textOf(secretWord) };
  return hasSecretWord && draftId !== null ? { secretOfDraft: draftId } : {};
}

function textOf(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** Several addresses as people type them into one field, and back. */
export const addressesOf = (text: string): readonly string[] => text.split(/[;,]\s*/);
export const addressText = (addresses: readonly string[]): string => addresses.join('; ');
