import type { TFunction } from 'i18next';
import type { FileVerdict, PdfSignature, PdfSignatures } from '../../../contract/pdf-signatures.ts';
import type { EarlierRevision, VerifyResult } from '../../../contract/verify-result.ts';
import type { ChipTone } from '../../parts/chip.tsx';
import type { useFormat } from '../../parts/format.ts';
import { visibleName } from '../../parts/visible-name.ts';

/** What the file itself proves is never green as long as nobody says who the signer is: anybody can make a signature that fits. */
export const ownTones: Record<FileVerdict, ChipTone> = {
  broken: { tone: 'refused' },
  changed: { tone: 'refused', icon: 'unequal' },
  undecidable: { tone: 'silent', icon: 'help' },
  'only-additions-allowed': { tone: 'info', icon: 'plus' },
  unchanged: { tone: 'info', icon: 'equal' },
  unsigned: { tone: 'silent', icon: 'minus' },
};

/** Counted and filtered; files without a signature are not. */
export const ownByNeed: readonly Exclude<FileVerdict, 'unsigned'>[] = [
  'broken',
  'changed',
  'undecidable',
  'only-additions-allowed',
  'unchanged',
];

/** True where the service confirms what the file itself contradicts. The file's own word never makes a result better: anybody can sign a changed file anew. */
export function isContradicted({ answer, signatures }: Pick<VerifyResult, 'answer' | 'signatures'>): boolean {
  const isConfirmed = answer?.group === 'confirmed' || answer?.group === 'confirmed-with-remark';
  return isConfirmed && (signatures?.verdict === 'broken' || signatures?.verdict === 'changed');
}

export function contradictionText(t: TFunction, { verdict }: PdfSignatures): string {
  return t('own.disagreeText', { verdict: t(`own.verdict.${verdict}`) });
}

/** `number`: in the list of all, from 1. */
export function signatureTitle(t: TFunction, { level }: PdfSignature, number: number): string {
  return level === 'timestamp' ? t('own.stamp') : t('own.signature', { number });
}

/** As what the beginning of the file is known here, and what came after it. */
export function originText(
  t: TFunction,
  format: ReturnType<typeof useFormat>,
  { registered, downloaded, signaturesAfter: count }: EarlierRevision,
): string {
  if (registered) {
    const known = { name: visibleName(registered.name), when: format.momentInText(registered.registeredAt) };
    return count > 0 ? t('own.registered', { ...known, count }) : t('own.registeredMore', known);
  }
  const known = {
    name: visibleName(downloaded?.name ?? ''),
    when: downloaded ? format.momentInText(downloaded.downloadedAt) : '',
  };
  return count > 0 ? t('own.downloaded', { ...known, count }) : t('own.downloadedMore', known);
}
