import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BatchListFormat } from '../../../contract/documents.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { MenuButton } from '../../parts/menu-button.tsx';

const formats: readonly BatchListFormat[] = ['xlsx', 'csv', 'pdf'];

/** Saves what was sent as a list: one batch, or everything. */
export function SaveLog({ batchId }: { readonly batchId?: string }) {
  const { t, i18n } = useTranslation();
  const save = useCall('documents.saveBatch');
  const unavailable = useForbidden('documents.saveBatch');
  const [savedAs, setSavedAs] = useState<string | null>(null);

  async function saveAs(format: BatchListFormat) {
    setSavedAs(null);
    const saved = await save.run({ ...(batchId ? { batchId } : {}), format, language: languageFor(i18n.language, []) });
    if (saved.ok && saved.value) setSavedAs(saved.value.fileName);
  }

  return (
    <>
      <MenuButton
        label={t('jobs.saveList')}
        isPending={save.busy}
        unavailable={unavailable}
        choices={formats.map((key) => ({ key, text: t(`jobs.listFormats.${key}`) }))}
        onChoose={(format) => void saveAs(format)}
      />
      <span role="status">{savedAs ? t('jobs.listSaved', { name: savedAs }) : null}</span>
      {save.failure ? <FailureView failure={save.failure} /> : null}
    </>
  );
}
