import { useTranslation } from 'react-i18next';
import type { Batch } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { CopyButton } from '../../parts/copy.tsx';
import css from './jobs.module.css';
import { SaveLog } from './save-log.tsx';

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
      for (const { documentId } of page.value) if (documentId) ids.push(documentId);
      if (page.value.length < perRead) return ids.join('\n');
    }
  }

  // A note becomes no document.
  if (operation === 'AddQuickNote' || counts.done === 0) return null;
  return (
    <section className={css.batchDocuments} aria-label={t('jobs.batchDocuments')}>
      <CopyButton text={documentIds} label={t('jobs.copyIds', { count: counts.done })} />
      <SaveLog batchId={batchId} />
      {read.failure ? <FailureView failure={read.failure} /> : null}
    </section>
  );
}
