import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTaskStore } from '../../bridge/tasks.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { type Picked, SelectionBar } from '../../features/list/picked.tsx';
import { CheckSelected } from '../../features/tasks/task-progress.tsx';
import { Button } from '../../parts/button.tsx';

/** Actions for all ticked documents. */
export function BulkBar(props: { readonly picked: Picked<DocumentRow> }) {
  const { t } = useTranslation();
  const { add } = useTaskStore();
  const download = useCall('documents.downloadAll');
  const unavailable = useForbidden('documents.downloadAll');
  const { rows } = props.picked;
  if (rows.length === 0) return null;
  // The service can be asked only for what has an ID.
  const documents = rows.flatMap(({ connectionId, documentId }) =>
    documentId === null ? [] : { connectionId, documentId },
  );

  async function downloadAll() {
    const begun = await download.run({ documents });
    if (begun.ok && begun.value) add(begun.value);
  }
  return (
    <>
      <SelectionBar picked={props.picked}>
        {documents.length > 0 ? (
          <Button unavailable={unavailable} isPending={download.busy} onPress={() => void downloadAll()}>
            {t('documents.downloadSelected', { count: documents.length })}
          </Button>
        ) : null}
        <CheckSelected documents={documents} />
      </SelectionBar>
      {download.failure ? <FailureView failure={download.failure} /> : null}
    </>
  );
}
