import { useTranslation } from 'react-i18next';
import type { Batch, SentAgain } from '../../contract/jobs.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { Confirm } from '../parts/dialog.tsx';
import { AgainConsequences, useAgainPreview } from './again-consequences.tsx';
import { isPartial } from './sent-again-result.tsx';

/** Asks before the failed jobs of a batch (null: all) are sent again. `onSent` is called if some of them are not sent. */
export function RetryFailed(props: {
  readonly batch: Pick<Batch, 'batchId' | 'connectionId'> | null;
  readonly count: number;
  readonly onSent: (result: SentAgain) => void;
  readonly onClose: () => void;
}) {
  const { batch, count } = props;
  const { t } = useTranslation();
  const which = batch ? { batchId: batch.batchId } : {};
  const preview = useAgainPreview(which);
  const retry = useCall('jobs.retryAll');

  async function sendAgain() {
    const ended = await retry.run(which);
    if (!ended.ok) return;
    props.onClose();
    if (isPartial(ended.value)) props.onSent(ended.value);
  }

  return (
    <Confirm
      title={t('jobs.retryTitle', { count })}
      confirm={t('jobs.retryConfirm', { count })}
      busy={retry.busy}
      isDisabled={!preview.data}
      onConfirm={() => void sendAgain()}
      onClose={props.onClose}
    >
      <AgainConsequences preview={preview} connectionId={batch?.connectionId ?? null} />
      {retry.failure ? <FailureView failure={retry.failure} /> : null}
    </Confirm>
  );
}
