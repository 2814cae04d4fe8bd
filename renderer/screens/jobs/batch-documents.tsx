import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BatchListFormat } from '../../../contract/documents.ts';
import type { CallInput } from '../../../contract/index.ts';
import type { Batch } from '../../../contract/jobs.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { CopyButton } from '../../parts/copy.tsx';
import looks from '../../parts/looks.module.css';
import { MenuButton } from '../../parts/overlays/menu-button.tsx';

const perRead = 500;

/** For the documents that one batch registered or sent: copy their IDs, save them as a list. */
export function BatchDocuments(props: { readonly batch: Batch }) {
  const { batchId, counts, operation } = props.batch;
  const { t } = useTranslation();
  const read = useCall('jobs.read');

  /** One ID a line, in the order of the batch; null if they cannot be read. */
  async function documentIds(): Promise<string | null> {
    const ids: string[] = [];
    for (let offset = 0; ; offset += perRead) {
      const page = await read.run({ batchId, offset, limit: perRead });
      if (!page.ok) return null;
      for (const { documentId, isDismissed } of page.value) if (documentId && !isDismissed) ids.push(documentId);
      if (page.value.length < perRead) return ids.join('\n');
    }
  }

  // A note becomes no document.
  if (operation === 'AddQuickNote' || counts.done === 0) return null;
  return (
    <section className={`${looks.line} ${looks.small}`} aria-label={t('jobs.batchDocuments')}>
      <CopyButton text={documentIds} label={t('jobs.copyIds')} />
      <SaveLog batchId={batchId} />
      {read.failure ? <FailureView failure={read.failure} /> : null}
    </section>
  );
}

const formats: readonly BatchListFormat[] = ['xlsx', 'csv', 'pdf'];

/** Saves what was sent as a list: one batch, or what is shown. */
export function SaveLog(which: Omit<CallInput<'documents.saveBatch'>, 'format' | 'language'>) {
  const { t, i18n } = useTranslation();
  const save = useCall('documents.saveBatch');
  const unavailable = useForbidden('documents.saveBatch');
  const [savedAs, setSavedAs] = useState<string | null>(null);

  async function saveAs(format: BatchListFormat) {
    setSavedAs(null);
    const saved = await save.run({ ...which, format, language: languageFor(i18n.language, []) });
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
