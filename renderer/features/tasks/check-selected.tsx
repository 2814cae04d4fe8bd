import { useTranslation } from 'react-i18next';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useTaskStore } from '../../bridge/tasks.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';

/** Maximum of document IDs for one check (documents.refreshStatuses). */
const mostChecked = 500;

/** Asks the service for the statuses of the selected documents, each with one call; nothing where there are none, or too many. */
export function CheckSelected(props: {
  readonly documents: readonly { readonly connectionId: string; readonly documentId: string }[];
}) {
  const { documents } = props;
  const { t } = useTranslation();
  const { add } = useTaskStore();
  const check = useCall('documents.refreshStatuses');
  if (documents.length === 0 || documents.length > mostChecked) return null;
  async function checkAll() {
    for (const connectionId of new Set(documents.map((document) => document.connectionId))) {
      const ofThis = documents.filter((document) => document.connectionId === connectionId);
      const begun = await check.run({ connectionId, documentIds: ofThis.map(({ documentId }) => documentId) });
      if (begun.ok) add(begun.value);
    }
  }
  return (
    <>
      <Button isPending={check.busy} onPress={() => void checkAll()}>
        {t('documents.askSelected', { count: documents.length })}
      </Button>
      {check.failure ? <FailureView failure={check.failure} /> : null}
    </>
  );
}
