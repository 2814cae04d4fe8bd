import type { SignerTrust } from '../../../../../contract/pdf-signatures.ts';
import { type Element, oid, readAs, readElement, readOid, readSequence, tags } from '../cms/asn1.ts';
import { findTimestamps } from '../cms/prove-signature.ts';
import { readContents, type SignedData, signingCertificate } from '../cms/signed-data.ts';
import { orNull, Refusal, Unproven } from '../doubt.ts';
import type { ProvenSignature } from '../signature-fields/find-signatures.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { isKind, type PdfDictionary } from '../structure/pdf-values.ts';
import { checkPath, validityOf } from './check-path.ts';
import { CertificateBag, findPaths, type Path, type PathSource, SignatureChecks } from './find-paths.ts';
import type { KnownIndex, Trusted } from './known-signers.ts';
import { mayBeUsedFor, type PathCertificate, purposes, purposesOf, usages } from './path-certificate.ts';
import { askAnswer, isResponder, type RevocationAnswer, readRevocationAnswer } from './revocation-answers.ts';
import { askList, type Finding, type RevocationList, readRevocationList } from './revocation-lists.ts';

type Purpose = 'signatures' | 'timestamps';

/** None of them is for documents. */
const otherPurposes: readonly string[] = Object.values(purposes);

/** Who stands behind each signature of a file, in their order; null where it has no certificate that can be read. */
export function judgeSigners(
  document: PdfDocument,
  signatures: readonly ProvenSignature[],
  known: KnownIndex,
  now: string,
): (SignerTrust | null)[] {
  const read = signatures.map(({ contents }) => contents && orNull(() => readContents(contents.bytes)));
  const stamps = read.map((signed) => (signed ? findTimestamps(signed) : []));
  const all = [...read.flatMap((signed) => signed ?? []), ...stamps.flat().map(({ token }) => token)];
  const material = known.lists.length > 0 ? readMaterial(document, all) : noMaterial();
  const judge = createJudge(known, material);
  const isProof = (token: SignedData, time: string) => {
    const signer = signerOf(token, material);
    const { by, validity, revocation } = signer ? judge(signer, 'timestamps', time) : {};
    return by != null && validity === 'valid' && revocation !== 'revoked';
  };
  // What a timestamp says counts if somebody here knows its authority: anybody can make one.
  const proven = signatures.map(({ isTimestamp, proof }, at) => {
    const [signed, time] = [read[at], proof.timestamp];
    return isTimestamp && proof.integrity === 'intact' && signed && time && isProof(signed, time) ? time : null;
  });
  return signatures.map((one, at) => {
    const signer = signerOf(read[at], material);
    if (!signer) return null;
    const time = (one.isTimestamp ? one.proof.timestamp : one.claimedTime) ?? now;
    // Anybody can put the certificate of somebody else beside a signature.
    if (one.proof.integrity !== 'intact') return unknown(signer, time, notProven);
    if (one.isTimestamp) return { ...judge(signer, 'timestamps', time), provenTime: proven[at] ?? null };
    const own = stamps[at] ?? [];
    const times = own.flatMap(({ token, time, isProven }) => (isProven && isProof(token, time) ? [time] : []));
    const later = signatures.flatMap(({ revision }, other) => {
      const isLater = revision !== null && one.revision !== null && revision > one.revision;
      return (isLater && proven[other]) || [];
    });
    const [provenTime = null] = [...times, ...later].sort();
    if (provenTime === null) return judgeUnproven(judge, signer, one.claimedTime, now);
    return { ...judge(signer, 'signatures', provenTime, provenTime, true), provenTime };
  });
}

/** Today, as no time is proven; what only held by the signer’s clock is said so. */
function judgeUnproven(judge: Judge, signer: PathCertificate, claimed: string | null, now: string): SignerTrust {
  const today = judge(signer, 'signatures', now, claimed ?? now);
  if (claimed === null && today.validity === 'expired') return { ...today, validity: 'unproven' };
  if (claimed === null || claimed > now || (today.by !== null && today.validity === 'valid')) return today;
  const then = judge(signer, 'signatures', claimed);
  if (then.by === null && today.by !== null) return today;
  const wasBetter = then.validity === 'valid' && (today.validity !== 'valid' || today.by === null);
  return wasBetter && (then.by !== null || today.validity !== 'valid') ? { ...then, validity: 'unproven' } : then;
}

type Judge = ReturnType<typeof createJudge>;

/** `at`: when dates and entries of lists must hold; what the file says about revocation must be recent for `signedAt`. */
function createJudge(known: KnownIndex, material: FileMaterial) {
  const checks = new SignatureChecks();
  const source: PathSource<Trusted> = { bag: material.bag, checks, trusted: known.named };
  return (signer: PathCertificate, purpose: Purpose, at: string, signedAt = at, isProven = false): SignerTrust => {
    let best: SignerTrust | null = null;
    let reason: string | null = null;
    if (known.lists.length > 0)
      for (const path of findPaths(source, [signer]))
        try {
          const { list } = path.trusted;
          checkPurpose(signer, purpose);
          checkPath(path.certificates);
          checkEntry(path.trusted, purpose, at);
          const found = revocationOf(source, material, path, signedAt);
          const isLater = isProven && found?.state === 'revoked' && found.at > at;
          const answer: SignerTrust = {
            by: list.by,
            list: { name: list.name, date: list.date },
            validity: validityOf(path.certificates, at),
            revocation: isLater ? 'revoked-later' : (found?.state ?? 'not-checked'),
            revocationAt: found?.at ?? null,
            provenTime: null,
            reason: null,
          };
          if (answer.validity === 'valid' && answer.revocation !== 'revoked') return answer;
          best ??= answer;
        } catch (error) {
          if (!(error instanceof Refusal || error instanceof Unproven)) throw error;
          reason ??= error instanceof Refusal ? error.message : 'A certificate of the path cannot be read.';
        }
    return best ?? unknown(signer, at, reason ?? checks.doubt ?? known.problem ?? noPath(known));
  };
}

const notProven = 'The signature does not say who made it, as it is not known to fit.';

const noPath = ({ lists }: KnownIndex) =>
  lists.length === 0
    ? 'There is no list of known signers on this computer.'
    : 'No list on this computer leads to the certificate of the signer.';

function unknown(signer: PathCertificate, at: string, reason: string): SignerTrust {
  const validity = validityOf([signer], at);
  return { by: null, list: null, validity, revocation: 'not-checked', revocationAt: null, provenTime: null, reason };
}

function signerOf(signed: SignedData | null | undefined, { bag }: FileMaterial): PathCertificate | null {
  const certificate = signed ? orNull(() => signingCertificate(signed)) : null;
  return certificate && bag.add(certificate.bytes);
}

function checkPurpose(signer: PathCertificate, purpose: Purpose): void {
  const named = purposesOf(signer);
  const fits =
    purpose === 'timestamps'
      ? named?.includes(purposes.timestamps)
      : !named || named.some((one) => !otherPurposes.includes(one));
  if (!fits || !mayBeUsedFor(signer, usages.signature, usages.commitment))
    throw new Refusal('The certificate is for other things than this.');
}

/** In a list an entry is for one purpose, and for the times when it was granted. */
function checkEntry({ entry: { purpose, granted } }: Trusted, wanted: Purpose, at: string): void {
  if (purpose !== 'any' && purpose !== wanted)
    throw new Refusal('The list names the authority for other things than this.');
  if (granted && !granted.some(({ from, until }) => from <= at && (until === null || at < until)))
    throw new Refusal('The list does not name the authority for this time.');
}

type FileMaterial = RevocationData & { readonly bag: CertificateBag };

/** Honest files hold a few of each; the rest is not looked at. */
const most = { objects: 1_000, lists: 100, answers: 200, bytes: 16 * 1024 * 1024 };
const archivalOid = oid('1.2.840.113583.1.1.8');
const ocspOid = oid('1.3.6.1.5.5.7.16.2');

const noMaterial = (): FileMaterial => ({ bag: new CertificateBag(), lists: [], answers: [] });

/** What a file holds to check its own signers with: in the signatures and their timestamps, and in the newest document security store. What cannot be read is left out. */
function readMaterial(document: PdfDocument, signed: readonly SignedData[]): FileMaterial {
  const bag = new CertificateBag();
  const [lists, addList] = collect(readRevocationList, most.lists);
  const [answers, addAnswer] = collect(readRevocationAnswer, most.answers);
  for (const { certificates, revocation, signer } of signed) {
    for (const { bytes } of certificates) bag.add(bytes);
    for (const one of revocation) {
      if (one.tag === tags.sequence) addList(one.bytes);
      const [type, answer] = one.tag === 0xa1 ? (orNull(() => readAs(0xa1, one)) ?? []) : [];
      if (type && answer && orNull(() => readOid(type)) === ocspOid) addAnswer(answer.bytes);
    }
    for (const value of signer.signed.get(archivalOid) ?? [])
      for (const part of orNull(() => readSequence(value)) ?? [])
        for (const { bytes } of orNull(() => readSequence(readAs(part.tag, part)[0])) ?? [])
          if (part.tag === 0xa0) addList(bytes);
          else if (part.tag === 0xa1) addAnswer(bytes);
  }
  readStore(document, [
    [['Certs', 'Cert'], (bytes) => void bag.add(bytes)],
    [['CRLs', 'CRL'], addList],
    [['OCSPs', 'OCSP'], addAnswer],
  ]);
  return { bag, lists, answers };
}

function collect<Value>(read: (element: Element) => Value | null, atMost: number) {
  const found: Value[] = [];
  const add = (bytes: Uint8Array) => {
    const one = found.length < atMost ? orNull(() => read(readElement(bytes))) : null;
    if (one) found.push(one);
  };
  return [found, add] as const;
}

type StoreKind = readonly [names: readonly string[], add: (bytes: Uint8Array) => void];

/** In the store as a whole and in its parts for single signatures, where these have another name. */
function readStore(document: PdfDocument, kinds: readonly StoreKind[]): void {
  const seen = new Set<number>();
  let left = most.bytes;
  orNull(() => {
    const view = document.view(document.revisions.length - 1);
    const whole = view.dictionary(view.root.entries.get('DSS'));
    const single = [...(view.dictionary(whole?.entries.get('VRI'))?.entries.values() ?? [])].slice(0, most.objects);
    for (const store of [whole, ...single.map(view.dictionary)])
      for (const [names, add] of kinds)
        for (const item of names.flatMap((name) => view.items((store as PdfDictionary | null)?.entries.get(name)))) {
          if (!isKind(item, 'reference') || seen.has(item.number) || seen.size >= most.objects) continue;
          seen.add(item.number);
          const object = view.locate(item);
          const bytes = object && document.contentOf(object);
          left -= bytes?.length ?? 0;
          if (bytes && left > 0) add(bytes);
        }
  });
}

interface RevocationData {
  readonly lists: readonly RevocationList[];
  readonly answers: readonly RevocationAnswer[];
}

const neverRevoked = oid('1.3.6.1.5.5.7.48.1.5');
/** A list may be signed by somebody whose own state is in another one. */
const maxDepth = 3;

/** What the file itself says about the certificates of a path, for the time of the signature; null where it does not say it of all. */
export function revocationOf<Trusted>(
  source: PathSource<Trusted>,
  data: RevocationData,
  { certificates }: Path<Trusted>,
  at: string,
): Finding | null {
  const [anchor] = certificates;
  return anchor ? ofPath(certificates, 0) : null;

  /** The trusted one is not asked about. */
  function ofPath(path: readonly PathCertificate[], depth: number): Finding | null {
    const found = path.slice(1).map((asked, above) => {
      const issuer = path[above];
      return issuer && depth < maxDepth ? ofOne(asked, issuer, depth) : null;
    });
    const revoked = found.filter((one) => one?.state === 'revoked').sort(byTime)[0];
    return revoked ?? (found.length > 0 && found.every((one) => one !== null) ? (found.sort(byTime)[0] ?? null) : null);
  }

  function ofOne(asked: PathCertificate, issuer: PathCertificate, depth: number): Finding | null {
    const own = data.lists.filter((list) => list.issuer === asked.issuer);
    const listed = own.flatMap((list) => {
      const found = orNull(() => askList(list, asked));
      return found && counts(found, list, asked) && isListSigned(list, issuer, depth) ? [found] : [];
    });
    const answered = data.answers.flatMap((answer) => {
      const found = orNull(() => askAnswer(answer, asked, issuer));
      return found && counts(found, found, asked) && responderOf(answer, issuer, found.thisUpdate, depth)
        ? [found]
        : [];
    });
    const all = [...listed, ...answered].sort(byTime);
    // What changed since a whole list is not put together with it here.
    if (answered.length === 0 && own.some(({ isDelta }) => isDelta)) return null;
    return all.find(({ state }) => state === 'revoked') ?? all.at(-1) ?? null;
  }

  /** A good word counts if it was still current at the time, or came later; authorities leave out what has expired by then. */
  function counts(
    { state }: Finding,
    { thisUpdate, nextUpdate }: { readonly thisUpdate: string; readonly nextUpdate: string | null },
    { until }: PathCertificate,
  ): boolean {
    return (
      state === 'revoked' || (thisUpdate <= until && (thisUpdate >= at || (nextUpdate !== null && nextUpdate >= at)))
    );
  }

  function isListSigned(list: RevocationList, issuer: PathCertificate, depth: number): boolean {
    const isSigner = (one: PathCertificate) => mayBeUsedFor(one, usages.lists) && source.checks.isSignedBy(list, one);
    if (orNull(() => isSigner(issuer))) return true;
    const others = [
      ...source.bag.named(list.issuer),
      ...source.trusted(list.issuer).map(({ certificate }) => certificate),
    ];
    return others.some((one) => one.id !== issuer.id && orNull(() => isSigner(one) && isKnown(one, depth)));
  }

  /** Another key of the same authority counts if it is trusted by the same one, and not revoked itself. */
  function isKnown(one: PathCertificate, depth: number): boolean {
    for (const { certificates: path } of findPaths(source, [one])) {
      if (path[0]?.id !== anchor?.id || orNull(() => checkPath(path) ?? true) === null) continue;
      if (validityOf(path, at) === 'valid' && (path.length === 1 || ofPath(path, depth + 1)?.state === 'good'))
        return true;
    }
    return false;
  }

  function responderOf(answer: RevocationAnswer, issuer: PathCertificate, moment: string, depth: number): boolean {
    const isSigner = (one: PathCertificate) => isResponder(answer, one) && source.checks.isSignedBy(answer, one);
    if (orNull(() => isSigner(issuer))) return true;
    const others = answer.certificates.flatMap(({ bytes }) => source.bag.add(bytes) ?? []);
    return others.some((one) =>
      orNull(() => {
        if (one.issuer !== issuer.subjectKey || !purposesOf(one)?.includes(purposes.revocationAnswers)) return false;
        checkPath([issuer, one]);
        if (validityOf([issuer, one], moment) !== 'valid') return false;
        if (!isSigner(one) || !source.checks.isSignedBy(one, issuer)) return false;
        return (
          one.extensions.has(neverRevoked) || (depth < maxDepth && ofOne(one, issuer, depth + 1)?.state === 'good')
        );
      }),
    );
  }
}

const byTime = (one: Finding | null, other: Finding | null) => ((one?.at ?? '') < (other?.at ?? '') ? -1 : 1);
