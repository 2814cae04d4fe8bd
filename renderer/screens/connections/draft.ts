import type { Connection, ConnectionSettings, WsdlOnto, WsdlProposal } from '../../../contract/connections.ts';
import type { useFieldErrors } from './field-errors.ts';

/** A row of the element names table while it is being typed. */
export interface NameRow {
  readonly key: string;
  readonly value: string;
}

/** What the form holds: the settings, with the table as rows so that a half-typed row has a place. */
export interface Draft extends Omit<ConnectionSettings, 'elementNames' | 'proxy'> {
  readonly elementNames: readonly NameRow[];
  readonly proxyMode: ConnectionSettings['proxy']['mode'];
  readonly proxyAddress: string;
}

/** The contract's defaults, written out: the schema itself stays out of the window. */
export const newDraft: Draft = {
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
    { value: 1, name: 'Out for signature' },
    { value: 2, name: 'Signed' },
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

export function draftOf(connection: Connection): Draft {
  const { id: _id, kind: _kind, credentials: _credentials, elementNames, proxy, ...settings } = connection;
  return {
    ...settings,
    elementNames: rowsOf(elementNames),
    proxyMode: proxy.mode,
    proxyAddress: proxy.mode === 'manual' ? proxy.address : newDraft.proxyAddress,
  };
}

/** Rows left empty on both sides are dropped; half-filled ones go to the core, which says what is wrong. */
export function settingsOf(draft: Draft): ConnectionSettings {
  const { elementNames, proxyMode, proxyAddress, ...settings } = draft;
  const rows = elementNames.filter((row) => row.key.trim() !== '' || row.value.trim() !== '');
  return {
    ...settings,
    elementNames: Object.fromEntries(rows.map((row) => [row.key.trim(), row.value.trim()])),
    proxy: proxyMode === 'manual' ? { mode: proxyMode, address: proxyAddress } : { mode: proxyMode },
  };
}

/** Rows that name an element; the others are half typed. */
function isWhole({ key, value }: NameRow): boolean {
  return [key.trim(), value.trim()].every((text) => text !== '' && text.length <= 100);
}

/** What a WSDL is read onto. */
export function ontoOf(draft: Draft): WsdlOnto {
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

/**
 * Fills in what a WSDL says, and names what was filled in. `asked` is the form as it was when the reading began: what a
 * person has typed since stays.
 */
export function withWsdl(draft: Draft, proposal: WsdlProposal, asked: Draft = draft) {
  const { elementNames: table, ...plain } = proposal.settings;
  const [first] = proposal.soapVersions;
  const keepsVersion = first === undefined || proposal.soapVersions.includes(draft.soapVersion);
  const own = draft.elementNames.filter((row) => !isWhole(row) || !asked.elementNames.includes(row));
  const keys = new Set(own.map((row) => row.key.trim()));
  const told = Object.entries(plain).filter(([name]) => {
    const field = name as keyof typeof plain;
    return draft[field] === asked[field];
  });
  const next: Draft = {
    ...draft,
    ...Object.fromEntries(told),
    ...(table ? { elementNames: [...rowsOf(table).filter(({ key }) => !keys.has(key)), ...own] } : {}),
    ...(keepsVersion ? {} : { soapVersion: first }),
  };
  return { draft: next, filled: Object.keys(proposal.settings) as readonly (keyof WsdlProposal['settings'])[] };
}

function rowsOf(names: Readonly<Record<string, string>>): readonly NameRow[] {
  return Object.entries(names).map(([key, value]) => ({ key, value }));
}

export interface SectionProps {
  readonly draft: Draft;
  readonly set: (change: Partial<Draft>) => void;
  readonly errorAt: ReturnType<typeof useFieldErrors>;
}
