import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import panel from '../../parts/panel.module.css';

/** The program's own record of sending the document, to be kept outside of the program. */
export function ReceiptPart(props: { readonly row: DocumentRow; readonly onCheck: () => void }) {
  const { connectionId, documentId, jobId } = props.row;
  const { t, i18n } = useTranslation();
  const save = useCall('receipts.save');
  const unavailable = useForbidden('receipts.save');
  const [savedAs, setSavedAs] = useState<string | null>(null);

  async function saveAs(format: 'pdf' | 'json') {
    const saved = await save.run({ connectionId, documentId, format, language: languageFor(i18n.language, []) });
    if (saved.ok && saved.value) setSavedAs(saved.value.fileName);
  }

  return (
    <>
      <h3>{t('receipts.title')}</h3>
      <p className={panel.hint}>{jobId === null ? t('receipts.notSent') : t('receipts.text')}</p>
      <div className={panel.row}>
        {jobId === null ? null : (
          <>
            <Button unavailable={unavailable} isPending={save.busy} onPress={() => void saveAs('pdf')}>
              {t('receipts.savePdf')}
            </Button>
            <Button unavailable={unavailable} isPending={save.busy} onPress={() => void saveAs('json')}>
              {t('receipts.saveJson')}
            </Button>
          </>
        )}
        <Button kind="quiet" onPress={props.onCheck}>
          {t('receipts.check')}
        </Button>
      </div>
      {savedAs ? (
        <p role="status" className={panel.chipLine}>
          <Chip tone="confirmed">{t('receipts.saved', { name: savedAs })}</Chip>
        </p>
      ) : null}
      {save.failure ? <FailureView failure={save.failure} /> : null}
    </>
  );
}
