import { useTranslation } from 'react-i18next';
import { type Carried, lacks } from '../../../contract/carried.ts';
import type { DraftContent, PresetContent, RequestKind, SignatureRequest } from '../../../contract/compose.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { Draft } from '../../../contract/forms.ts';
import { useFormat } from '../../parts/format.ts';

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
  /** A person named the kind of request; otherwise it follows from what is filled in. */
  readonly isKindNamed: boolean;
}

/** What not every kind of request carries, but a template: what says that it is filled in. */
const filledIn: Readonly<Record<Exclude<Carried, 'templateId'>, (state: DraftState) => unknown>> = {
  file: ({ content }) => content.fileToken !== null,
  name: ({ content }) => content.recipients.some(({ name }) => name.trim()),
  subject: ({ content }) => content.customSubject,
  cc: ({ content }) => content.ccEmails.some((email) => email.trim()),
  message: ({ content }) => content.messageToSigners,
  secretWord: ({ secretWord, hasSecretWord }) => secretWord ?? hasSecretWord,
  ownerFirst: ({ content }) => content.ownerSigns && content.ownerFirst,
  'rule.enforceSigClick': ({ content }) => content.enforceSigClick !== null,
  'rule.allowSignerElementAdd': ({ content }) => content.allowSignerElementAdd !== null,
  'rule.idVerify': ({ content }) => content.idVerify !== null,
  uniqueId: ({ content }) => content.uniqueId,
  elementsFrom: ({ content }) => content.elementsFromTemplateId.trim(),
  image: ({ content }) => content.imageToken !== null,
  xml: ({ content }) => content.xmlData,
};

/** What a kind of request leaves out, by its text in the catalogue. */
export type Uncarried = keyof typeof filledIn;

/** What is filled in and would not be sent with the state's kind of request. */
export function uncarried(state: DraftState, kind = state.content.kind): readonly Uncarried[] {
  return (Object.keys(filledIn) as Uncarried[]).filter((name) => lacks(kind, name) && filledIn[name](state));
}

/** What would not be sent; null if everything is. */
export function useUncarriedText(state: DraftState): string | null {
  const { t } = useTranslation();
  const format = useFormat();
  const lost = uncarried(state);
  return lost.length === 0 ? null : format.list(lost.map((name) => t(`compose.${name}`)));
}

/** The kinds for a file, or for a template; the first is usual. */
export const kindsBeside = (kind: RequestKind): readonly [RequestKind, ...RequestKind[]] =>
  kind === 'easy-sign-template' ? ['easy-sign-template'] : ['easy-sign', 'plain'];

/** What may be lost without asking: a file that was chosen before a template, and names where the service takes addresses only. */
const mayBeLost: readonly Uncarried[] = ['file', 'name'];

/** The kind of request that carries all that is filled in; null if none does. */
function kindFor(state: DraftState): RequestKind | null {
  const fits = (kind: RequestKind) => uncarried(state, kind).every((name) => mayBeLost.includes(name));
  return kindsBeside(state.content.kind).find(fits) ?? null;
}

/** The state with the kind that follows from what is filled in, unless a person named one. */
export function withKind(state: DraftState): DraftState {
  if (state.isKindNamed) return state;
  const kind = kindFor(state) ?? kindsBeside(state.content.kind)[0];
  return { ...state, content: { ...state.content, kind } };
}

/** The state as it is opened: if the stored kind is not the one that follows from the rest, the person chose it. */
function opened(state: Omit<DraftState, 'isKindNamed'>): DraftState {
  const isKindNamed = withKind({ ...state, isKindNamed: false }).content.kind !== state.content.kind;
  return { ...state, isKindNamed };
}

/** The state with the content of a preset. */
export function withPreset(state: DraftState, preset: PresetContent): DraftState {
  return opened({ ...state, content: { ...state.content, ...preset } });
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
  return opened({ content, file, image: null, secretWord: null, hasSecretWord: false, missingFiles: [] });
}

export function draftStateOf(draft: Draft): DraftState {
  const { content, file, image, hasSecretWord, missingFiles } = draft;
  return opened({ content, file, image, secretWord: null, hasSecretWord, missingFiles });
}

export type Missing = 'file' | 'template' | 'credit' | 'kind';

/** The fields that are still missing for the review. */
export function missingOf(state: DraftState, creditType: number | null): readonly Missing[] {
  const { content } = state;
  const missing: Missing[] = [];
  if (content.kind === 'easy-sign-template') {
    if (content.templateId.trim() === '') missing.push('template');
  } else if (content.fileToken === null) missing.push('file');
  if (content.kind === 'plain' && creditType === null) missing.push('credit');
  if (!state.isKindNamed && kindFor(state) === null) missing.push('kind');
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
