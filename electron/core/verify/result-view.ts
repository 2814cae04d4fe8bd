import type { Answer, VerdictGroup } from '../../../contract/answers.ts';
import { emailKey } from '../../../contract/email.ts';
import type { Failure, FailureCode } from '../../../contract/failure.ts';
import type { PdfSignature } from '../../../contract/pdf-signatures.ts';
import type {
  AskedAndFound,
  AskedSigner,
  Comparison,
  EarlierResult,
  EarlierRevision,
  Qualification,
  VerdictReason,
  VerifyResult,
} from '../../../contract/verify-result.ts';
import { findingOf } from '../../soap/reply/answers.ts';
import { isFault } from '../../soap/reply/refusal.ts';
import type { Store } from '../../store/store.ts';
import { answerOf, changeIn, pendingRank, type StoredFile, type StoredRun } from '../../store/verify/verify-rows.ts';
import { storedSignaturesOf } from './stored-signatures.ts';

/** Documents with the same bytes that are looked at for people who were asked. */
const mostSources = 10;

export type ResultStore = Pick<Store, 'documents' | 'downloads' | 'requests' | 'connections'>;

/** Makes a function that converts stored rows of a run to the results that windows and reports show. */
export function resultView(store: ResultStore, run: StoredRun): (row: StoredFile, isAsked?: boolean) => VerifyResult {
  const asked = askedAndFound(store);
  return (row, isAsked = false) => viewOf(store, asked, run, row, isAsked);
}

function viewOf(
  store: ResultStore,
  asked: ReturnType<typeof askedAndFound>,
  run: StoredRun,
  row: StoredFile,
  isAsked: boolean,
): VerifyResult {
  const answer = answerOf(row);
  const failure = parsed<Failure>(row.failure);
  const { sha256 } = row;
  const known = sha256 === null ? null : store.documents.knownBySha256(sha256, run.connection_id);
  const downloads = sha256 === null ? [] : store.downloads.bySha256(sha256, run.connection_id, 1);
  const finding = answer && findingOf(row.raw, answer);
  const signatures = storedSignaturesOf(row)?.answer ?? null;
  const origin = originOf(store, run, row);
  // Names are looked at only where the bytes tell nothing.
  const isKnown = known !== null || downloads.length > 0 || origin !== null;
  const isStrange = (finding === 'unknown' || finding === 'changed') && !isKnown;
  // The file that was registered is what people were asked to sign: nobody had signed it.
  const sources = () => [
    ...[...downloads, origin?.downloaded].filter((one) => one != null),
    ...(origin ? store.documents.allKnownBySha256(origin.sha256, run.connection_id, mostSources) : []),
  ];
  return {
    index: row.idx,
    name: row.name,
    folder: row.folder,
    sizeBytes: row.size_bytes,
    sha256,
    state: row.rank === pendingRank ? (isAsked ? 'asking' : 'pending') : 'answered',
    answer,
    finding,
    qualification: answer && qualificationOf(answer, row.raw, failure),
    raw: row.raw,
    failure,
    askedAt: row.asked_at,
    knownHere: known,
    downloadedHere: downloads[0] ?? null,
    namesake: isStrange && sha256 !== null ? store.documents.namesake(row.name, sha256, run.connection_id) : null,
    change: changeIn(run, row),
    earlier: run.audit_id === null ? null : parsed<EarlierResult>(row.earlier),
    comparison: parsed<Comparison>(row.comparison),
    signatures,
    origin,
    askedAndFound: signatures && asked(sources(), signatures.signatures),
  };
}

function parsed<T>(text: string | null): T | null {
  return text === null ? null : (JSON.parse(text) as T);
}

/**
 * The longest beginning of a file that is, byte for byte, a file of the register (the team's documents are in it too) or of an own download. It proves where the file comes from,
 * not that what was added is harmless.
 */
export function originOf(
  store: Pick<Store, 'documents' | 'downloads'>,
  { connection_id }: StoredRun,
  row: StoredFile,
): EarlierRevision | null {
  const stored = storedSignaturesOf(row);
  for (const { length, sha256 } of stored?.prefixes.toReversed() ?? []) {
    const registered = store.documents.knownBySha256(sha256, connection_id);
    const downloaded = store.downloads.bySha256(sha256, connection_id, 1)[0] ?? null;
    if (!registered && !downloaded) continue;
    const after = stored?.answer?.signatures.filter(({ coversTo }) => coversTo === null || coversTo > length) ?? [];
    return { sizeBytes: length, sha256, registered, downloaded, signaturesAfter: after.length };
  }
  return null;
}

const ofFailures: Partial<Record<FailureCode, VerdictReason>> = {
  'service-unreachable': 'unreachable',
  'service-timeout': 'too-late',
  'not-connected': 'not-connected',
  'credentials-rejected': 'not-connected',
  'not-found': 'not-connected',
  'reply-unreadable': 'not-a-reply',
  'file-unreadable': 'file',
  'file-changed': 'file',
};

const verdicts: Readonly<Record<VerdictGroup, Qualification['verdict']>> = {
  confirmed: 'confirmed',
  'confirmed-with-remark': 'confirmed',
  'not-confirmed': 'not-confirmed',
  unclear: 'none',
  'no-answer': 'none',
  'not-pdf': 'none',
};

/** Additional information beside a verdict: the reason, and a remark of the service. Never changes the group. */
export function qualificationOf(
  answer: Answer<VerdictGroup>,
  raw: string | null,
  failure: Failure | null,
): Qualification {
  const verdict = verdicts[answer.group];
  const reason = failure ? reasonOfFailure(failure) : reasonOfAnswer(answer);
  return { verdict, remark: verdict === 'none' ? null : remarkIn(raw), reason };
}

function reasonOfFailure(failure: Failure): VerdictReason {
  const { code } = failure;
  if (code === 'service-refused') return isFault(failure) ? 'fault' : 'unexamined-code';
  return ofFailures[code] ?? 'program';
}

function reasonOfAnswer({ kind, group, meaning }: Answer<VerdictGroup>): VerdictReason {
  if (kind === 'none') return 'empty-answer';
  if (kind === 'code') return group === 'unclear' ? 'open-code' : 'unexamined-code';
  return group === 'unclear' && meaning === '' ? 'unsorted-word' : 'sorted-word';
}

/** The part after the verdict: for `Valid - superseded version` this is `superseded version`. */
function remarkIn(raw: string | null): string | null {
  return /^[^-–—:;,(]*?(?:\s+[-–—]\s+|\s*[:;,(]\s*)(.+?)\)?$/s.exec((raw ?? '').trim())?.[1] ?? null;
}

/** People of a request who are shown; a request has few. */
const mostAsked = 50;

/**
 * Makes a function that says who was asked to sign the first of these documents that anybody was asked to sign, beside the signatures of a file; null if nobody
 * was. It reads the connections once.
 */
export function askedAndFound({ requests, connections }: Pick<Store, 'requests' | 'connections'>) {
  let rows: ReturnType<typeof connections.all> | null = null;
  const peopleOf = (connectionId: string, documentId: string): Person[] => {
    rows ??= connections.all();
    const settings = rows.find(({ id }) => id === connectionId)?.settings;
    return requests
      .asked(connectionId, documentId, settings?.separator ?? ';')
      .map(({ name, email }) => ({ name, email: email || (settings?.ownerEmail ?? '') }))
      .slice(0, mostAsked);
  };
  return (
    sources: readonly { readonly connectionId: string; readonly documentId: string | null }[],
    signatures: readonly PdfSignature[],
  ): AskedAndFound | null => {
    for (const { connectionId, documentId } of sources) {
      if (documentId === null) continue;
      const people = peopleOf(connectionId, documentId);
      if (people.length > 0) return { documentId, ...compare(people, signatures) };
    }
    return null;
  };
}

function compare(people: readonly Person[], signatures: readonly PdfSignature[]): Omit<AskedAndFound, 'documentId'> {
  const persons = signatures.filter(({ level }) => level !== 'timestamp');
  const fitting = persons.filter(({ integrity }) => integrity === 'intact');
  const { asked, matched } = match(people, fitting);
  const others = persons.filter((one) => !matched.has(one)).map(({ signer, statedName }) => signer ?? statedName ?? '');
  const isSealed = persons.length === 1 && fitting.length === 1 && matched.size === 0;
  return { asked, others, isSealed };
}

type Person = Pick<AskedSigner, 'name' | 'email'>;
const reasons = ['email', 'name', 'stated'] as const;

/** What a signature says about who it is of, as it is compared. */
const keysOf: Readonly<Record<(typeof reasons)[number], (signature: PdfSignature) => string[]>> = {
  email: ({ emails }) => emails.map(emailKey),
  name: ({ signer }) => [nameKey(signer)],
  stated: ({ statedName }) => [nameKey(statedName)],
};

/** Addresses decide first, then names. A name that several people or signatures have decides nothing. */
function match(people: readonly Person[], signatures: readonly PdfSignature[]) {
  const found = new Map<Person, AskedSigner['found']>();
  const matched = new Set<PdfSignature>();
  for (const reason of reasons)
    for (const signature of signatures) {
      if (matched.has(signature)) continue;
      const keys = keysOf[reason](signature).filter((key) => key !== '');
      const fits = people.filter((one) => keys.includes(reason === 'email' ? emailKey(one.email) : nameKey(one.name)));
      const isShared = signatures.filter((one) => keysOf[reason](one).some((key) => keys.includes(key))).length > 1;
      const person = fits.find((one) => !found.has(one));
      if (!person || (reason !== 'email' && (fits.length > 1 || isShared))) continue;
      found.set(person, reason);
      matched.add(signature);
    }
  return { asked: people.map((one) => ({ ...one, found: found.get(one) ?? null })), matched };
}

/** Names that differ only in case, spaces or how a letter is composed are one. */
function nameKey(name: string | null): string {
  return (name ?? '').normalize('NFC').replace(/\s+/g, ' ').trim().toLowerCase();
}
