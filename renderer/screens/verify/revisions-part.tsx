import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PdfSignature, PdfSignatures } from '../../../contract/pdf-signatures.ts';
import type { FileHistory } from '../../../contract/verify-result.ts';
import { useLive } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import { RevisionsDialog } from './revisions-dialog.tsx';

/** What a signature covers: the file up to `end`. */
export interface SignedRevision {
  readonly end: number;
  /** Number of the signature in the list of all, from 1. */
  readonly number: number;
  readonly signature: PdfSignature;
}

/** Leads to what was signed beside the file as it is now; nothing where that is the same or not known, or the program has no viewer. */
export function RevisionsPart(props: { readonly history: FileHistory; readonly own: PdfSignatures }) {
  const { t } = useTranslation();
  const isDesktop = useLive().info.host === 'desktop';
  const [isOpen, setOpen] = useState(false);
  const revisions = signedRevisions(props.own, props.history.sizeBytes);
  if (!isDesktop || revisions.length === 0) return null;
  return (
    <div>
      <Button onPress={() => setOpen(true)}>{t('own.revisions.show')}</Button>
      {isOpen ? <RevisionsDialog history={props.history} revisions={revisions} onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

/** First what a signature covers that does not allow what followed, then by the end, latest first. */
function signedRevisions({ signatures }: PdfSignatures, sizeBytes: number): readonly SignedRevision[] {
  return signatures
    .flatMap((signature, at) => {
      const { covers, integrity, coversTo: end } = signature;
      const isKnown = covers === 'revision' && integrity === 'intact' && end !== null && end < sizeBytes;
      return isKnown ? [{ end, number: at + 1, signature }] : [];
    })
    .toSorted(
      (one, other) =>
        Number(one.signature.reason === null) - Number(other.signature.reason === null) || other.end - one.end,
    );
}
