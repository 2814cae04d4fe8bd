import { oid } from '../cms/asn1.ts';
import { orNull } from '../doubt.ts';
import { checkPath, validityOf } from './check-path.ts';
import { findPaths, type Path, type PathSource } from './find-paths.ts';
import { mayBeUsedFor, type PathCertificate, purposes, purposesOf, usages } from './path-certificate.ts';
import { askAnswer, isResponder, type RevocationAnswer } from './revocation-answers.ts';
import { askList, type Finding, type RevocationList } from './revocation-lists.ts';

export interface RevocationData {
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
      return found && counts(found, list, asked) && signerOf(list, issuer, depth) ? [found] : [];
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

  function signerOf(list: RevocationList, issuer: PathCertificate, depth: number): boolean {
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
