import { changeKinds, type FileVerdict, type PdfSignature } from '../../../../../contract/pdf-signatures.ts';
import { fileReasons } from '../../../../../locales/en/shared/file-reasons.ts';
import { compareRevisions } from '../changes/compare-revisions.ts';
import { type Finding, maxTogether, other, type Step } from '../changes/finding.ts';
import { type DigestName, type RunningDigest, startDigest } from '../cms/digests.ts';
import { digestOfCovered, proveSignature } from '../cms/prove-signature.ts';
import { NeedsPassword, orNull, Unreadable, undecidable } from '../doubt.ts';
import {
  type Coverage,
  type FoundSignature,
  findSignatures,
  type ProvenSignature,
} from '../signature-fields/find-signatures.ts';
import { findMarks, hasStrayMark, type Marks } from '../signature-fields/raw-scan.ts';
import { type OpenFile, openWindow } from '../structure/file-window.ts';
import { openDocument, type PdfDocument } from '../structure/pdf-document.ts';
import { isKind } from '../structure/pdf-values.ts';
import { hasRest } from '../structure/revisions.ts';
import { judgeSigners } from '../trust/judge-signers.ts';
import { indexSigners, type KnownIndex, nobody } from '../trust/known-signers.ts';
import { type FileAnswer, type FilePrefix, unreadFile } from './file-answer.ts';

/** What a file itself proves about its signatures. Rejects only where the file cannot be read; whatever is wrong with it as a PDF is in the answer. Of one that is encrypted only what this password opens is read. */
export async function describeFile(file: OpenFile, known = indexSigners(nobody), password = ''): Promise<FileAnswer> {
  const marks = findMarks(file);
  try {
    return describeDocument(file, openDocument(openWindow(file), password), marks, known);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { prefixes } = digestFile(file, marks.ends, []);
    const needsPassword = error instanceof NeedsPassword;
    const isUnmarked = !needsPassword && marks.signatures.length === 0;
    return { ...unreadFile(error.message), prefixes, needsPassword, isUnmarked };
  }
}

function describeDocument(file: OpenFile, document: PdfDocument, marks: Marks, known: KnownIndex): FileAnswer {
  const found = findSignatures(document);
  const holders = new Set([...found.flatMap(({ at }) => at ?? []), ...usageRights(document)]);
  const isStray = orNull(() => hasStrayMark(document, marks.signatures, holders)) ?? true;
  const { isLocked } = document;
  const doubt = (isStray && 'stray-signature') || (found.length > 0 && isLocked && 'encrypted-later') || null;
  const { proven, prefixes } = prove(file, found, marks.ends);
  const steps = [...compareAll(document, proven), ...restOf(document)];
  const validatedFrom = orNull(() => findValidationData(document));
  const answers = proven.map((one) => answerFor(one, readLevel(one, proven, validatedFrom), steps));
  const trust = judgeSigners(document, proven, known, new Date().toISOString().replace(/\.\d+/, ''));
  const signatures = answers.map((one, at) => ({ ...one, trust: trust[at] ?? null }));
  return {
    ...judgeFile(signatures, doubt && fileReasons[doubt]),
    signatures,
    revisionEnds: document.revisions.map(({ end }) => end),
    prefixes,
    changedPages: pagesOf(signatures.flatMap(({ changedPages }) => changedPages)),
    needsPassword: isLocked,
  };
}

/** Where the objects stand that hold a signature of rights to use a program (UR3), which is none of the document. */
function usageRights(document: PdfDocument): number[] {
  return document.revisions.flatMap((_, index) => {
    const view = document.view(index);
    const permissions = view.root.entries.get('Perms');
    const rights = view.dictionary(permissions)?.entries.get('UR3');
    const places = rights === undefined ? [] : [view.trailer.entries.get('Root'), permissions, rights];
    return places.flatMap((one) => (isKind(one, 'reference') ? (view.locate(one)?.start ?? []) : []));
  });
}

function prove(file: OpenFile, found: readonly FoundSignature[], ends: readonly number[]) {
  const wanted = found.map(({ contents, subFilter, range }) => {
    const name = contents && range && digestOfCovered({ contents: contents.bytes, subFilter });
    return name ? { ...range, name } : null;
  });
  const { prefixes, covered } = digestFile(file, ends, wanted);
  const proven = found.map((one, index): ProvenSignature => {
    const proof = proofOf(one, wanted[index]?.name ?? null, covered[index] ?? null);
    return { ...one, proof, claimedTime: one.isTimestamp ? null : (proof.signingTime ?? one.claimedTime) };
  });
  return { proven, prefixes };
}

function proofOf({ contents, subFilter }: FoundSignature, known: DigestName | null, digest: Uint8Array | null) {
  const covered = {
    digest: (name: DigestName) => {
      if (name !== known || !digest) throw undecidable('not-comparable');
      return digest;
    },
  };
  return proveSignature({ subFilter, contents: contents?.bytes ?? new Uint8Array(), covered });
}

/** What stands behind the last revision is in none. */
function restOf({ bytes, revisions }: PdfDocument): Step[] {
  return hasRest(bytes, revisions) ? [{ findings: [other('behind-end')], unknown: null }] : [];
}

/** By the revision before it; only those after the first signature matter. */
function compareAll(document: PdfDocument, signatures: readonly ProvenSignature[]): Step[] {
  const first = Math.min(...signatures.map(({ revision }) => revision ?? document.revisions.length));
  return document.revisions
    .slice(1)
    .map((_, index) => (index < first ? { findings: [], unknown: null } : compareRevisions(document, index + 1)));
}

function answerFor(one: ProvenSignature, level: PdfSignature['level'], steps: readonly Step[]) {
  const { proof, certification, range, field, covers, statedName, claimedTime } = one;
  const { integrity, algorithm, signer, emails, timestamp, weak } = proof;
  const later = judgeLater(one, steps);
  const isBroken = integrity === 'broken';
  const isChanged = later.kind === 'other' || later.violated === true;
  return {
    field,
    integrity,
    covers,
    laterChanges: later.kind,
    docMdp: certification.level && { level: certification.level, violated: later.violated },
    algorithm,
    level,
    signer,
    emails,
    statedName,
    claimedTime,
    timestamp,
    weak,
    reason: isBroken
      ? proof.reason
      : ((one.reason && fileReasons[one.reason]) ?? (isChanged ? later.reason : null) ?? proof.reason ?? later.reason),
    coversTo: range?.end ?? null,
    changedPages: later.pages,
  };
}

/** What the structure holds, without a word on whether that suffices to validate it. */
function readLevel(
  one: ProvenSignature,
  all: readonly ProvenSignature[],
  validatedFrom: number | null,
): NonNullable<PdfSignature['level']> {
  if (one.isTimestamp) return 'timestamp';
  if (one.subFilter === 'adbe.pkcs7.detached' || one.subFilter === 'adbe.pkcs7.sha1') return 'PKCS7';
  if (one.subFilter !== 'ETSI.CAdES.detached' || !one.proof.hasSigningCertificate) return 'other';
  const from = one.revision ?? Number.POSITIVE_INFINITY;
  const later = all.filter(
    ({ isTimestamp, proof, revision }) => isTimestamp && proof.integrity !== 'broken' && (revision ?? -1) > from,
  );
  if (later.length === 0 && one.proof.timestamp === null) return 'B-B';
  if (validatedFrom === null) return 'B-T';
  // One that ends where that revision begins counts too: whoever extends a signature may write its timestamp first.
  return later.some((timestamp) => (timestamp.revision ?? 0) >= validatedFrom - 1) ? 'B-LTA' : 'B-LT';
}

/** The first revision with a document security store that holds a certificate, a list of revoked ones or an answer about one. */
function findValidationData(document: PdfDocument): number | null {
  const found = document.revisions.findIndex((_, index) => {
    const view = document.view(index);
    const store = view.dictionary(view.root.entries.get('DSS'));
    return ['Certs', 'CRLs', 'OCSPs'].some((key) => view.items(store?.entries.get(key)).length > 0);
  });
  return found < 0 ? null : found;
}

type DigestWanted = NonNullable<Coverage['range']> & { readonly name: DigestName };

const pieceBytes = 1024 * 1024;
/** How often the bytes behind a gap may be hashed over all signatures. */
const maxRepeats = 8;

/** All digests that are wanted of a file, while it is read once; null where so many signatures cover so much that this would take too long. */
function digestFile(file: OpenFile, prefixes: readonly number[], wanted: readonly (DigestWanted | null)[]) {
  const covered: (Uint8Array | null)[] = wanted.map(() => null);
  const branches = affordable(file, wanted);
  const running = new Map<number, RunningDigest>();
  const bases = new Map(
    [...new Set(branches.map(({ name }) => name)), 'sha256' as const].map((name) => [name, startDigest(name)]),
  );
  const lengths = new Set(prefixes);
  const found: FilePrefix[] = [];
  const stops = new Set([...lengths, ...branches.flatMap(({ gap, rest, end }) => [gap, rest, end]), file.size]);
  const buffer = new Uint8Array(Math.min(pieceBytes, file.size));
  let position = 0;
  for (const stop of [...stops].sort((one, other) => one - other)) {
    while (position < stop) {
      const piece = buffer.subarray(0, Math.min(buffer.length, stop - position));
      file.readInto(piece, position);
      for (const base of bases.values()) base.update(piece);
      for (const { index, rest, end } of branches)
        if (rest <= position && position < end) running.get(index)?.update(piece);
      position += piece.length;
    }
    const sha256 = lengths.has(stop) && bases.get('sha256')?.copy().digest();
    if (sha256) found.push({ length: stop, sha256: Buffer.from(sha256).toString('hex') });
    for (const { index, name, gap, end } of branches) {
      const base = bases.get(name);
      if (gap === stop && base) running.set(index, base.copy());
      if (end !== stop) continue;
      covered[index] = running.get(index)?.digest() ?? null;
      running.delete(index);
    }
  }
  return { prefixes: found, covered };
}

function affordable(file: OpenFile, wanted: readonly (DigestWanted | null)[]) {
  let left = maxRepeats * file.size;
  return wanted.flatMap((one, index) => {
    if (one) left -= one.end - one.rest;
    return one && left >= 0 ? [{ ...one, index }] : [];
  });
}

/** What the revisions after a signature do, under what it forbids. */
function judgeLater({ revision, certification, covers }: ProvenSignature, steps: readonly Step[]) {
  const unknown = { kind: 'undecidable', violated: null, pages: [] } as const;
  if (revision === null) return { ...unknown, reason: fileReasons['later-unknown'] };
  const later = covers === 'whole' ? [] : steps.slice(revision);
  const found = later.flatMap((step) => step.findings).map((one) => underLocks(one, certification.locks));
  const findings = [...found, ...coveredPages(found)];
  const worst = findings.reduce<Finding | null>(
    (most, one) => (!most || rank(one.kind) > rank(most.kind) ? one : most),
    null,
  );
  const { level } = certification;
  const pages = pagesOf(findings.map(({ page }) => page));
  const violating = level === null ? undefined : findings.find(({ allowedFrom }) => allowedFrom > level);
  const gap = later.find((step) => step.unknown !== null);
  if (gap && worst?.kind !== 'other')
    return { ...unknown, pages, violated: violating ? true : null, reason: gap.unknown };
  const { what = null } = violating ?? (worst && rank(worst.kind) >= rank('annotations') ? worst : {});
  const kind = worst?.kind ?? ('none' as const);
  return { kind, violated: violating !== undefined, reason: what && fileReasons[what], pages };
}

function underLocks(finding: Finding, locks: (field: string) => boolean): Finding {
  if (finding.field === null || !locks(finding.field)) return finding;
  return other('field-locked', finding.page, finding.field);
}

/** Pages of which too much is drawn anew, each object as large as it ever was. */
function coveredPages(findings: readonly Finding[]): Finding[] {
  const places = new Map<string, number>();
  const parts = new Map<Finding['page'], number>();
  for (const { page, drawn } of findings) {
    if (!drawn) continue;
    const place = `${page} ${drawn.number}`;
    const more = Math.max(0, drawn.part - (places.get(place) ?? 0));
    places.set(place, (places.get(place) ?? 0) + more);
    parts.set(page, (parts.get(page) ?? 0) + more);
  }
  return [...parts].flatMap(([page, part]) => (part > maxTogether ? other('page-covered', page) : []));
}

const rank = (kind: Finding['kind']) => changeKinds.indexOf(kind);

function pagesOf(pages: readonly (number | null)[]): number[] {
  return [...new Set(pages.flatMap((page) => page ?? []))].sort((one, other) => one - other);
}

/** The first that fits, from the worst on. */
function judgeFile(signatures: readonly PdfSignature[], doubt: string | null): Pick<FileAnswer, 'verdict' | 'reason'> {
  // A certification that came later allows nothing of what was there by then.
  const allowsNotes = signatures.find(({ docMdp }) => docMdp?.level === 3)?.coversTo ?? Number.POSITIVE_INFINITY;
  const isChanged = ({ laterChanges, docMdp, covers, coversTo }: PdfSignature) =>
    laterChanges === 'other' ||
    (laterChanges === 'annotations' && allowsNotes > (coversTo ?? 0)) ||
    docMdp?.violated === true ||
    covers === 'unclear';
  const isUndecided = ({ integrity, laterChanges, covers }: PdfSignature) =>
    integrity === 'undecidable' || laterChanges === 'undecidable' || laterChanges === null || covers === null;
  const first = (verdict: FileVerdict, isSo: (one: PdfSignature) => boolean) => {
    const found = signatures.find(isSo);
    return found && { verdict, reason: found.reason };
  };
  const isAdded = signatures.some(({ laterChanges }) => laterChanges !== 'none');
  const best = signatures.length === 0 ? 'unsigned' : isAdded ? 'only-additions-allowed' : 'unchanged';
  return (
    first('broken', ({ integrity }) => integrity === 'broken') ??
    first('changed', isChanged) ??
    (doubt ? { verdict: 'undecidable', reason: doubt } : undefined) ??
    first('undecidable', isUndecided) ?? { verdict: best, reason: null }
  );
}
