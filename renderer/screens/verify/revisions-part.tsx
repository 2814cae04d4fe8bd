import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PdfSignatures } from '../../../contract/pdf-signatures.ts';
import type { FileHistory } from '../../../contract/verify-result.ts';
import { useLive } from '../../bridge/live.tsx';
import { Button } from '../../parts/button.tsx';
import { RevisionsDialog } from './revisions-dialog.tsx';
import { signedRevisions } from './signed-revisions.ts';

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
