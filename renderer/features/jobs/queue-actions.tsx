import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallInput } from '../../../contract/index.ts';
import type { Batch, SentAgain } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { AgainConsequences, isPartial, SentAgainResult, useAgainPreview } from './repeats.tsx';

/** Cancels the waiting jobs of all, of a batch or of a connection, after a question. `count`: how many wait now, for sending goes on while it asks. */
export function CancelWaiting(props: { readonly where: CallInput<'jobs.cancelWaiting'>; readonly count: number }) {
  const { count } = props;
  const { t } = useTranslation();
  const cancel = useCall('jobs.cancelWaiting');
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      {count > 0 ? (
        <Button kind="quiet" onPress={() => setAsking(true)}>
          {t('jobs.cancelWaiting', { count })}
        </Button>
      ) : null}
      {isAsking ? (
        <Confirm
          title={count === 0 ? t('jobs.noneWaits') : t('jobs.cancelWaitingTitle', { count })}
          confirm={count === 0 ? null : t('jobs.cancelWaitingConfirm', { count })}
          cancel={t(count === 0 ? 'common.close' : 'jobs.keepThem')}
          danger
          busy={cancel.busy}
          onConfirm={() =>
            void cancel.run(props.where).then((ended) => setAsking(!(ended.ok && ended.value.count > 0)))
          }
          onClose={() => setAsking(false)}
        >
          <p>{t(count === 0 ? 'jobs.noneWaitsText' : 'jobs.cancelWaitingText')}</p>
          {cancel.failure ? <FailureView failure={cancel.failure} /> : null}
        </Confirm>
      ) : null}
    </>
  );
}

/** Sends the failed jobs of a batch (null: all) again, after a question; says it if some of them are not sent. */
export function RetryFailed(props: {
  readonly batch: Pick<Batch, 'batchId' | 'connectionId'> | null;
  readonly count: number;
  readonly isQuiet?: boolean;
}) {
  const { count } = props;
  const { t } = useTranslation();
  const [isAsking, setAsking] = useState(false);
  const [sentAgain, setSentAgain] = useState<SentAgain | null>(null);
  return (
    <>
      {count > 0 ? (
        <Button kind={props.isQuiet ? 'quiet' : 'plain'} onPress={() => setAsking(true)}>
          {t('jobs.retryFailed', { count })}
        </Button>
      ) : null}
      {isAsking ? <AskRetry {...props} onSent={setSentAgain} onClose={() => setAsking(false)} /> : null}
      {sentAgain ? <SentAgainResult result={sentAgain} onClose={() => setSentAgain(null)} /> : null}
    </>
  );
}

function AskRetry(
  props: Parameters<typeof RetryFailed>[0] & {
    readonly onSent: (result: SentAgain) => void;
    readonly onClose: () => void;
  },
) {
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
