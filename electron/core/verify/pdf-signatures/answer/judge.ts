import { changeKinds, type FileVerdict, type PdfSignature } from '../../../../../contract/pdf-signatures.ts';
import { fileReasons } from '../../../../../locales/en/shared/file-reasons.ts';
import { type Finding, maxTogether, other, type Step } from '../changes/finding.ts';
import type { ProvenSignature } from '../signature-fields/find-signatures.ts';
import type { FileAnswer } from './file-answer.ts';

/** What the revisions after a signature do, under what it forbids. */
export function judgeLater({ revision, certification }: ProvenSignature, steps: readonly Step[]) {
  const unknown = { kind: 'undecidable', violated: null, pages: [] } as const;
  if (revision === null) return { ...unknown, reason: fileReasons['later-unknown'] };
  const later = steps.slice(revision);
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

export function pagesOf(pages: readonly (number | null)[]): number[] {
  return [...new Set(pages.flatMap((page) => page ?? []))].sort((one, other) => one - other);
}

/** The first that fits, from the worst on. */
export function judgeFile(
  signatures: readonly PdfSignature[],
  doubt: string | null,
): Pick<FileAnswer, 'verdict' | 'reason'> {
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
