import type { SignerTrust } from '../../../../../contract/pdf-signatures.ts';
import { findTimestamps } from '../cms/prove-signature.ts';
import { readContents, type SignedData, signingCertificate } from '../cms/signed-data.ts';
import { orNull, Refusal, Unproven } from '../doubt.ts';
import type { ProvenSignature } from '../signature-fields/find-signatures.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';
import { checkPath, validityOf } from './check-path.ts';
import { type FileMaterial, noMaterial, readMaterial } from './file-material.ts';
import { findPaths, type PathSource, SignatureChecks } from './find-paths.ts';
import type { KnownIndex, Trusted } from './known-signers.ts';
import { mayBeUsedFor, type PathCertificate, purposes, purposesOf, usages } from './path-certificate.ts';
import { revocationOf } from './revocation.ts';

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
