import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTaskStore } from '../../bridge/tasks.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { type Picked, SelectionBar } from '../../features/list/picked.tsx';
import { Button } from '../../parts/button.tsx';

/** Maximum of document IDs for one refresh (documents.refreshStatuses). */
const askedAtOnce = 500;

/** Actions for all ticked documents. */
export function BulkBar(props: { readonly picked: Picked<DocumentRow> }) {
  const { t } = useTranslation();
  const { add } = useTaskStore();
  const download = useCall('documents.downloadAll');
  const unavailable = useForbidden('documents.downloadAll');
  const refresh = useCall('documents.refreshStatuses');
  const { rows } = props.picked;
  const count = rows.length;
  if (count === 0) return null;
  const connections = [...new Set(rows.map((row) => row.connectionId))];

  async function downloadAll() {
    const documents = rows.map(({ connectionId, documentId }) => ({ connectionId, documentId }));
    const begun = await download.run({ documents });
    if (begun.ok && begun.value) add(begun.value);
  }
  async function askAll() {
    for (const connectionId of connections) {
      const documentIds = rows.filter((row) => row.connectionId === connectionId).map((row) => row.documentId);
      const begun = await refresh.run({ connectionId, documentIds });
      if (begun.ok) add(begun.value);
    }
  }
  const trouble = download.failure ?? refresh.failure;
  return (
    <>
      <SelectionBar picked={props.picked}>
        <Button unavailable={unavailable} isPending={download.busy} onPress={() => void downloadAll()}>
          {t('documents.downloadSelected', { count })}
        </Button>
        {count <= askedAtOnce ? (
          <Button isPending={refresh.busy} onPress={() => void askAll()}>
            {t('documents.askSelected', { count })}
          </Button>
        ) : null}
      </SelectionBar>
      {trouble ? <FailureView failure={trouble} /> : null}
    </>
  );
}
