import { useTranslation } from 'react-i18next';
import { languageFor } from '../../../locales/choose-language.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';

/** Saves the receipt of a document as a PDF. */
export function ReceiptAction(props: { readonly connectionId: string; readonly documentId: string }) {
  const { t, i18n } = useTranslation();
  const announce = useAnnounce();
  const save = useCall('receipts.save');
  const unavailable = useForbidden('receipts.save');

  async function saveNow() {
    const saved = await save.run({ ...props, format: 'pdf', language: languageFor(i18n.language, []) });
    if (saved.ok && saved.value) announce(t('receipts.saved', { name: saved.value.fileName }));
  }

  return (
    <>
      <Button kind="quiet" unavailable={unavailable} isPending={save.busy} onPress={() => void saveNow()}>
        {t('jobs.receipt')}
      </Button>
      {save.failure ? <FailureView failure={save.failure} /> : null}
    </>
  );
}
