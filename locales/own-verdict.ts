import type { FileVerdict, PdfSignatures, SignerTrust } from '../contract/pdf-signatures.ts';
import { type FileReason, fileReasons } from './en/shared/file-reasons.ts';
import type { TextsOf } from './load-texts.ts';

/** What a file itself proves; null where no signature was found: for what is not signed, and what cannot be read as a PDF, on which the reader of a page can build nothing. */
export function signedVerdictOf(signatures: PdfSignatures | null): FileVerdict | null {
  return signatures === null || signatures.signatures.length === 0 ? null : signatures.verdict;
}

/** False for what has no signature; also where it cannot be read as a PDF, if nothing in it looks like one. */
export const mayBeSigned = ({ verdict, isUnmarked }: PdfSignatures) => verdict !== 'unsigned' && isUnmarked !== true;

/** Which reason an English sentence says; null for one of an earlier version of the program. */
export function reasonOf(sentence: string | null): FileReason | null {
  const all = Object.keys(fileReasons) as FileReason[];
  return all.find((reason) => fileReasons[reason] === sentence) ?? null;
}

/** More are not named. */
const maxPages = 20;

/** Which text names the pages that later revisions touched, and with what; null where it names none. */
export function pagesOf({ verdict, changedPages: all }: Pick<PdfSignatures, 'verdict' | 'changedPages'>) {
  if (all.length === 0 || !(verdict === 'changed' || verdict === 'only-additions-allowed')) return null;
  const pages = `${all.slice(0, maxPages).join(', ')}${all.length > maxPages ? ', …' : ''}`;
  return { what: verdict === 'changed' ? 'changed' : 'added', count: all.length, pages } as const;
}

/** Of those with this trust, or all. */
export function signersOf(
  signatures: PdfSignatures | null,
  isWanted: (trust: SignerTrust | null) => boolean = () => true,
) {
  return [...new Set(signatures?.signatures.flatMap(({ signer, trust }) => (isWanted(trust) && signer) || []))];
}

/** Known, and nothing that the file holds speaks against it; what only the signer’s clock claims is not it. */
export const isKnown = (trust: SignerTrust | null) =>
  trust !== null && trust.by !== null && trust.validity === 'valid' && trust.revocation !== 'revoked';
export const isRevoked = (trust: SignerTrust | null) => trust?.revocation === 'revoked';

/** What the file itself proves and why, with the names in the certificates, as reports and receipts print it. Empty where no signature was found. */
export function ownText(t: TextsOf<'reports'>, signatures: PdfSignatures | null): string {
  const own = signedVerdictOf(signatures);
  if (own === null) return '';
  const signers = signersOf(signatures).join(', ');
  const verdict = t(`ownVerdicts.${own}`);
  const reason = reasonOf(signatures?.reason ?? null);
  const pages = signatures && pagesOf(signatures);
  const [known, revoked] = [isKnown, isRevoked].map((is) => signersOf(signatures, is).join(', '));
  return [
    signers === '' ? t('own', { verdict }) : t('ownSigners', { verdict, signers }),
    ...(reason ? [t(`ownReasons.${reason}`)] : []),
    ...(pages ? [t(`ownPages.${pages.what}`, pages)] : []),
    ...(known ? [t('ownKnown', { signers: known })] : []),
    ...(revoked ? [t('ownRevoked', { signers: revoked })] : []),
  ].join('\n');
}
