import { useTranslation } from 'react-i18next';
import {
  type Connection,
  type ConnectionSettings,
  settingsOfConnection,
  type WsdlOnto,
  type WsdlProposal,
} from '../../../contract/connections.ts';
import { certificateReasons, type Failure, fieldReasons } from '../../../contract/failure.ts';
import { builtInNames } from '../../../locales/built-in-names.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import type { LockedAt } from '../../bridge/use-policy.ts';

/** A row of the element names table while it is being edited. */
export interface NameRow {
  readonly key: string;
  readonly value: string;
}

/** Values of the form: the settings, with the table as rows so that an incomplete row can exist. */
export interface ConnectionDraft extends Omit<ConnectionSettings, 'elementNames' | 'proxy'> {
  readonly elementNames: readonly NameRow[];
  readonly proxyMode: ConnectionSettings['proxy']['mode'];
  readonly proxyAddress: string;
}

/** The contract's default values, repeated here because the schema is not loaded into the window. */
export const newDraft: ConnectionDraft = {
  name: '',
  baseUrl: 'https://',
  mainPath: '/',
  easySignPath: '/easysign/v2/easysign.asmx',
  namespaceUri: '',
  soapVersion: '1.1',
  easySignSoapVersion: 'main',
  soapAction12: false,
  sendFalse: false,
  elementNames: [],
  creditTypes: [
    { value: 1, name: 'Document credits' },
    { value: 2, name: 'Prepaid credits' },
    { value: 3, name: 'Subscription' },
  ],
  lists: [
    { value: 1, name: 'Out for signature', meaning: 'waiting' },
    { value: 2, name: 'Signed', meaning: 'signed' },
  ],
  separator: ';',
  maxItems: 1000,
  ownerEmail: '',
  proxyMode: 'system',
  proxyAddress: 'http://',
  extraCa: '',
  parallel: 2,
  doubtLimit: 3,
  timeouts: { connectMs: 15_000, idleMs: 60_000, answerMs: 180_000 },
};

/** The draft of a new connection, with the names of lists and credits in a language. */
export function newDraftIn(language: string): ConnectionDraft {
  // A language that is being tried has only texts.
  const names = builtInNames[languageFor(language, [])] ?? builtInNames.en;
  const named = <R extends { readonly value: number; readonly name: string }>(
    rows: readonly R[],
    by: Readonly<Record<number, string>>,
  ) => rows.map((row) => ({ ...row, name: by[row.value] ?? row.name }));
  return {
    ...newDraft,
    lists: named(newDraft.lists, names.lists),
    creditTypes: named(newDraft.creditTypes, names.creditTypes),
  };
}

/** True if saving would lead to another computer: then the stored credentials are removed. */
export function changesDestination(connection: Connection, draft: ConnectionDraft): boolean {
  const before = draftOf(connection);
  const originOf = (address: string) => (URL.canParse(address) ? new URL(address).origin : address);
  return (
    originOf(before.baseUrl) !== originOf(draft.baseUrl) ||
    changesProxy(connection, draft) ||
    before.extraCa.trim() !== draft.extraCa.trim()
  );
}

/** True if another proxy would be used: then the stored login there is removed. */
export function changesProxy(connection: Connection, draft: ConnectionDraft): boolean {
  const proxyOf = ({ proxyMode, proxyAddress }: ConnectionDraft) =>
    proxyMode === 'manual' ? `${proxyMode} ${proxyAddress}` : proxyMode;
  return proxyOf(draftOf(connection)) !== proxyOf(draft);
}

export function draftOf(connection: Connection): ConnectionDraft {
  const { elementNames, proxy, ...settings } = settingsOfConnection(connection);
  return {
    ...settings,
    elementNames: rowsOf(elementNames),
    proxyMode: proxy.mode,
    proxyAddress: proxy.mode === 'manual' ? proxy.address : newDraft.proxyAddress,
  };
}

/** Empty rows are dropped; incomplete ones go to the core, which reports their errors. */
export function settingsOf(draft: ConnectionDraft): ConnectionSettings {
  const { elementNames, proxyMode, proxyAddress, ...settings } = draft;
  const rows = elementNames.filter((row) => row.key.trim() !== '' || row.value.trim() !== '');
  return {
    ...settings,
    elementNames: Object.fromEntries(rows.map((row) => [row.key.trim(), row.value.trim()])),
    proxy: proxyMode === 'manual' ? { mode: proxyMode, address: proxyAddress } : { mode: proxyMode },
  };
}

/** True for rows that name an element; the others are incomplete. */
function isWhole({ key, value }: NameRow): boolean {
  return [key.trim(), value.trim()].every((text) => text !== '' && text.length <= 100);
}

/** The values of the form into which a WSDL is read. */
export function ontoOf(draft: ConnectionDraft): WsdlOnto {
  const { baseUrl, mainPath, easySignPath, namespaceUri, soapVersion, elementNames, extraCa } = draft;
  return {
    extraCa: extraCa.slice(0, 200_000),
    baseUrl: baseUrl.slice(0, 2000),
    mainPath: mainPath.slice(0, 500),
    easySignPath: easySignPath.slice(0, 500),
    namespaceUri: namespaceUri.slice(0, 500),
    soapVersion,
    elementNames: Object.fromEntries(elementNames.filter(isWhole).map((row) => [row.key.trim(), row.value.trim()])),
  };
}

/** Applies a proposal from a WSDL and names the changed fields. `asked`: the form when the reading began; input since then stays. */
export function withWsdl(draft: ConnectionDraft, proposal: WsdlProposal, asked: ConnectionDraft = draft) {
  const { elementNames: table, ...plain } = proposal.settings;
  const [first] = proposal.soapVersions;
  const keepsVersion = first === undefined || proposal.soapVersions.includes(draft.soapVersion);
  const own = draft.elementNames.filter((row) => !isWhole(row) || !asked.elementNames.includes(row));
  const keys = new Set(own.map((row) => row.key.trim()));
  const untouched = Object.entries(plain).filter(([name]) => {
    const field = name as keyof typeof plain;
    return draft[field] === asked[field];
  });
  const next: ConnectionDraft = {
    ...draft,
    ...Object.fromEntries(untouched),
    ...(table ? { elementNames: [...rowsOf(table).filter(({ key }) => !keys.has(key)), ...own] } : {}),
    ...(keepsVersion ? {} : { soapVersion: first }),
  };
  return { draft: next, filled: Object.keys(proposal.settings) as readonly (keyof WsdlProposal['settings'])[] };
}

function rowsOf(names: Readonly<Record<string, string>>): readonly NameRow[] {
  return Object.entries(names).map(([key, value]) => ({ key, value }));
}

export interface SectionProps {
  readonly draft: ConnectionDraft;
  readonly set: (change: Partial<ConnectionDraft>) => void;
  readonly errorAt: ReturnType<typeof useFieldErrors>;
  readonly lockedAt: LockedAt;
}

/** What the field of a setting shows: its value, its error, and why it cannot be changed. */
export function fieldOf<N extends keyof ConnectionDraft & keyof ConnectionSettings>(
  { draft, set, errorAt, lockedAt }: SectionProps,
  name: N,
) {
  const onChange = (value: ConnectionDraft[N]) => set({ [name]: value });
  return { value: draft[name], onChange, error: errorAt(name), locked: lockedAt(name) };
}

/** The error of a field by its path in the settings (`baseUrl`, `creditTypes.0.name`); undefined if there is none. */
export type ErrorAt = (path: string) => string | undefined;

/** True if what has to be changed is not among the fields that are always shown. */
export function isInMore({ fields = {}, detail }: Failure): boolean {
  if (/^(proxy-|client-certificate-|tls-untrusted)/.test(detail ?? '')) return true;
  return Object.keys(fields).some((path) => /^(settings\.(?!name$|baseUrl$)|proxyLogin|clientCertificate)/.test(path));
}

/** Texts for the core's field errors; for unknown fields, the core's own text. */
export function useFieldErrors(failure: Failure | null): ErrorAt {
  const { t } = useTranslation();
  const fields = failure?.fields ?? {};
  return (path) => {
    const why = fields[`settings.${path}`] ?? fields[path];
    if (why === undefined) return undefined;
    if (why === fieldReasons.isTaken) return t('connections.fieldTaken');
    if (why === fieldReasons.notEncrypted) return t('connections.fieldNotEncrypted');
    if (path === 'baseUrl' || path === 'proxy.address') return t('connections.fieldAddress');
    if (path === 'host') return t('team.fieldHost');
    if (path === 'ca') return t('team.fieldCa');
    if (path === 'mainPath' || path === 'easySignPath') return t('connections.fieldPath');
    if (path === 'namespaceUri') return t('connections.fieldNamespace');
    if (path.startsWith('elementNames.')) return t('connections.fieldElement');
    if (path === 'clientCertificate.password') return t('connections.fieldPassword');
    if (path === 'clientCertificate') return t(`connections.fieldCertificate.${certificateProblem(why)}`);
    if (path === 'proxyLogin.user' && why.includes('colon')) return t('connections.fieldProxyUser');
    if (/^(name|database|team|user|person|password)$|\.name$|^credentials\.|^proxyLogin\./.test(path))
      return t('connections.fieldRequired');
    if (/\.value$|^port$|^maxItems$|^parallel$|^doubtLimit$|^timeouts\./.test(path))
      return t('connections.fieldNumber');
    return t('connections.fieldInvalid', { why });
  };
}

function certificateProblem(why: string) {
  const problems = Object.keys(certificateReasons) as (keyof typeof certificateReasons)[];
  return problems.find((problem) => certificateReasons[problem] === why) ?? 'unusable';
}
