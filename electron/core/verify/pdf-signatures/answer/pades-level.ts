import type { PdfSignature } from '../../../../../contract/pdf-signatures.ts';
import type { ProvenSignature } from '../signature-fields/find-signatures.ts';
import type { PdfDocument } from '../structure/pdf-document.ts';

/** What the structure holds, without a word on whether that suffices to validate it. */
export function readLevel(
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
export function findValidationData(document: PdfDocument): number | null {
  const found = document.revisions.findIndex((_, index) => {
    const view = document.view(index);
    const store = view.dictionary(view.root.entries.get('DSS'));
    return ['Certs', 'CRLs', 'OCSPs'].some((key) => view.items(store?.entries.get(key)).length > 0);
  });
  return found < 0 ? null : found;
}
