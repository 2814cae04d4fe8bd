import { createXmlFeed } from '../../soap/reply/bounded-xml.ts';
import { readWhole } from '../files/open-file.ts';
import { appError, failureOf } from '../foundation/app-error.ts';
import { asRead } from '../foundation/fs-errors.ts';
import type { ReducedList } from './known-signer-files.ts';
import { readPathCertificate } from './pdf-signatures/trust/path-certificate.ts';

/** The largest national list has about ten million characters. */
const mostBytes = 64 * 1024 * 1024;
const mostServices = 20_000;
const namespace = 'http://uri.etsi.org/02231/v2#';
const services: Readonly<Record<string, ReducedList['certificates'][number]['purpose']>> = {
  'http://uri.etsi.org/TrstSvc/Svctype/CA/QC': 'signatures',
  'http://uri.etsi.org/TrstSvc/Svctype/TSA/QTST': 'timestamps',
};
/** As it is called today, and as it was before 2016. */
const grantedStatus =
  /^http:\/\/uri\.etsi\.org\/TrstSvc\/.*Svcstatus\/(granted|accredited|undersupervision|supervisionincessation)$/;
const forDocuments = /\/SvcInfoExt\/For(eSignatures|eSeals)$/;
const forAnything = /\/SvcInfoExt\/For/;

/** What one service is, or was before. */
interface State {
  kind: string;
  status: string;
  from: string;
  readonly additional: string[];
  readonly certificates: string[];
}

/**
 * Reads a trust list of ETSI TS 119 612 and keeps the qualified services for signatures, seals and timestamps, with when they were granted. Whoever signed the list is not checked.
 * Rejects with file-unreadable, or bad-input where it is no such list.
 */
export async function readTrustList(path: string): Promise<ReducedList> {
  const bytes = await asRead(readWhole(path, mostBytes));
  if (!bytes) throw notAList('it is too large');
  try {
    return reduce(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    const failure = failureOf(error);
    throw failure?.code === 'reply-unreadable' ? notAList('it is no XML that is read here') : error;
  }
}

/** What was read of a list. */
interface Reading {
  readonly head: { territory: string; operator: string; date: string; nextUpdate: string };
  readonly certificates: ReducedList['certificates'];
  /** Of the service that is being read. */
  states: State[];
  services: number;
  /** Of the element that was opened last. */
  isEnglish: boolean;
}

const inHead =
  (name: keyof Reading['head']) =>
  ({ head }: Reading, value: string): void => {
    head[name] ||= value;
  };
const inState =
  (name: 'kind' | 'status' | 'from') =>
  ({ states }: Reading, value: string): void =>
    void Object.assign(states.at(-1) ?? {}, { [name]: value });

/** What the text of an element means, by its name, or that of the one around it and its own. */
const meanings: Readonly<Record<string, (list: Reading, value: string) => void>> = {
  SchemeTerritory: inHead('territory'),
  'SchemeOperatorName/Name': (list, value) => inHead('operator')(list, list.isEnglish ? value : ''),
  ListIssueDateTime: inHead('date'),
  'NextUpdate/dateTime': inHead('nextUpdate'),
  ServiceTypeIdentifier: inState('kind'),
  ServiceStatus: inState('status'),
  StatusStartingTime: inState('from'),
  'AdditionalServiceInformation/URI': ({ states }, value) => void states.at(-1)?.additional.push(value),
  'DigitalId/X509Certificate': ({ states }, value) => void states.at(-1)?.certificates.push(value.replace(/\s/g, '')),
  TSPService: (list) => {
    list.certificates.push(...serviceOf(list.states));
    list.states = [];
    list.services += 1;
    if (list.services > mostServices) throw notAList('it has too many services');
  },
};

function reduce(xml: string): ReducedList {
  const head = { territory: '', operator: '', date: '', nextUpdate: '' };
  const list: Reading = { head, certificates: [], states: [], services: 0, isEnglish: false };
  const path: string[] = [];
  let text = '';
  const feed = createXmlFeed(
    {
      open: ({ local, uri, attributes }, depth) => {
        if (depth === 1 && (local !== 'TrustServiceStatusList' || uri !== namespace))
          throw notAList('it is no TrustServiceStatusList');
        path.push(local);
        text = '';
        list.isEnglish = attributes['xml:lang']?.value === 'en';
        if (local !== 'ServiceInformation' && local !== 'ServiceHistoryInstance') return;
        list.states.push({ kind: '', status: '', from: '', additional: [], certificates: [] });
      },
      text: (piece) => {
        text += piece;
      },
      close: () => {
        const [above, own] = path.slice(-2);
        (meanings[`${above}/${own}`] ?? meanings[own ?? ''])?.(list, text.trim());
        path.pop();
        text = '';
      },
    },
    { totalUnits: mostBytes },
  );
  feed.write(xml);
  feed.end();
  return {
    name: [head.territory, head.operator].filter(Boolean).join(': ').slice(0, 200) || 'unnamed',
    date: momentOf(head.date) ?? failDate(),
    nextUpdate: momentOf(head.nextUpdate),
    certificates: list.certificates,
  };
}

/** The newest state comes first; each held until the one before it began. */
function serviceOf(states: readonly State[]): ReducedList['certificates'] {
  const [newest] = states;
  const purpose = newest && services[newest.kind];
  if (!purpose) return [];
  const dated = states
    .map((one) => ({ ...one, from: momentOf(one.from) ?? '' }))
    .filter(({ from }) => from !== '')
    .sort((one, other) => (one.from < other.from ? -1 : 1));
  const granted = dated.flatMap((one, at) =>
    isGranted(one, newest.kind) ? [{ from: one.from, until: dated[at + 1]?.from ?? null }] : [],
  );
  if (granted.length === 0) return [];
  return [...new Set(newest.certificates)]
    .filter(isCertificate)
    .map((certificate) => ({ purpose, granted: granted.slice(-100), certificate }));
}

/** A service for web sites alone says nothing about documents. */
function isGranted({ kind, status, additional }: State, wanted: string): boolean {
  const isNamed = additional.some((one) => forAnything.test(one));
  return (
    kind === wanted && grantedStatus.test(status) && (!isNamed || additional.some((one) => forDocuments.test(one)))
  );
}

function isCertificate(base64: string): boolean {
  try {
    readPathCertificate(Buffer.from(base64, 'base64'));
    return base64.length <= 20_000;
  } catch {
    return false;
  }
}

/** In UTC to the second. */
function momentOf(text: string): string | null {
  const date = new Date(text);
  return text === '' || Number.isNaN(date.getTime()) ? null : `${date.toISOString().slice(0, 19)}Z`;
}

function failDate(): never {
  throw notAList('it does not say when it was issued');
}

function notAList(why: string) {
  return appError('bad-input', `the file is no trust list of ETSI TS 119 612: ${why}`);
}
