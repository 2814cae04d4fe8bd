import type { SignerTrust } from '../../../../../contract/pdf-signatures.ts';
import { readContents, type SignedData, signingCertificate } from '../cms/signed-data.ts';
import { findTimestamps } from '../cms/timestamps.ts';
import { orNull, Refusal, Unproven } from '../doubt.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { checkPath, validityOf } from './check-path.ts';
import { type FileMaterial, noMaterial, readMaterial } from './file-material.ts';
import { findPaths, type PathSource, SignatureChecks } from './find-paths.ts';
import type { KnownIndex, Trusted } from './known-signers.ts';
import { mayBeUsedFor, type PathCertificate, purposes, purposesOf, usages } from './path-certificate.ts';
import { revocationOf } from './revocation.ts';

/** What of a signature matters to who made it. */
export interface JudgedSignature {
  readonly contents: Uint8Array | null;
  readonly isTimestamp: boolean;
  /** Of the bytes that it covers. */
  readonly isIntact: boolean;
  readonly revision: number | null;
  /** Of a document timestamp, its own. */
  readonly time: string | null;
}

type Purpose = 'signatures' | 'timestamps';

/** None of them is for documents. */
const otherPurposes: readonly string[] = Object.values(purposes);

/** Who stands behind each signature of a file, in their order; null where it has no certificate that can be read. */
export function judgeSigners(
  document: PdfDocument,
  signatures: readonly JudgedSignature[],
  known: KnownIndex,
  now: string,
): (SignerTrust | null)[] {
  const read = signatures.map(({ contents }) => contents && orNull(() => readContents(contents)));
  const stamps = read.map((signed) => (signed ? findTimestamps(signed) : []));
  const all = [...read.flatMap((signed) => signed ?? []), ...stamps.flat().map(({ token }) => token)];
  const material = known.lists.length > 0 ? readMaterial(document, all) : noMaterial();
  const judge = createJudge(known, material);
  const isProof = (token: SignedData, time: string) => {
    const signer = signerOf(token, material);
    const { by, validity, revocation } = signer ? judge(signer, 'timestamps', { at: time, signedAt: time }) : {};
    return by != null && validity === 'valid' && revocation !== 'revoked';
  };
  // What a timestamp says counts if somebody here knows its authority: anybody can make one.
  const proven = signatures.map(({ isTimestamp, isIntact, time }, at) => {
    const signed = read[at];
    return isTimestamp && isIntact && signed && time && isProof(signed, time) ? time : null;
  });
  return signatures.map((one, at) => {
    const signer = signerOf(read[at], material);
    if (!signer) return null;
    // Anybody can put the certificate of somebody else beside a signature.
    if (!one.isIntact) return unknown(signer, one.time ?? now, notProven);
    if (one.isTimestamp) {
      const time = one.time ?? now;
      return { ...judge(signer, 'timestamps', { at: time, signedAt: time }), provenTime: proven[at] ?? null };
    }
    const own = stamps[at] ?? [];
    const times = own.flatMap(({ token, time, isProven }) => (isProven && isProof(token, time) ? [time] : []));
    const later = signatures.flatMap(({ revision }, other) => {
      const isLater = revision !== null && one.revision !== null && revision > one.revision;
      return (isLater && proven[other]) || [];
    });
    const [provenTime = null] = [...times, ...later].sort();
    return judgeSigner(judge, signer, { provenTime, claimed: one.time, now });
  });
}

interface Times {
  readonly provenTime: string | null;
  readonly claimed: string | null;
  readonly now: string;
}

/** At the time that is proven, else today; what only held by the signer’s clock is said so. */
function judgeSigner(judge: Judge, signer: PathCertificate, { provenTime, claimed, now }: Times): SignerTrust {
  if (provenTime !== null)
    return { ...judge(signer, 'signatures', { at: provenTime, signedAt: provenTime, isProven: true }), provenTime };
  const signedAt = claimed ?? now;
  const today = judge(signer, 'signatures', { at: now, signedAt });
  if (claimed === null && today.validity === 'expired') return { ...today, validity: 'unproven' };
  if (claimed === null || claimed > now || (today.by !== null && today.validity === 'valid')) return today;
  const then = judge(signer, 'signatures', { at: claimed, signedAt });
  if (then.by === null && today.by !== null) return today;
  const wasBetter = then.validity === 'valid' && (today.validity !== 'valid' || today.by === null);
  return wasBetter && (then.by !== null || today.validity !== 'valid') ? { ...then, validity: 'unproven' } : then;
}

interface Moment {
  /** For which dates and entries of lists must hold. */
  readonly at: string;
  /** For which what the file says about revocation must be recent. */
  readonly signedAt: string;
  readonly isProven?: boolean;
}

type Judge = (signer: PathCertificate, purpose: Purpose, moment: Moment) => SignerTrust;

function createJudge(known: KnownIndex, material: FileMaterial): Judge {
  const checks = new SignatureChecks();
  const source: PathSource<Trusted> = { bag: material.bag, checks, trusted: known.named };
  return (signer, purpose, { at, signedAt, isProven = false }) => {
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

function noPath({ lists }: KnownIndex): string {
  return lists.length === 0
    ? 'There is no list of known signers on this computer.'
    : 'No list on this computer leads to the certificate of the signer.';
}

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
