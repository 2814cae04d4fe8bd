import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Job, SentAgain } from '../../../contract/jobs.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useReadAgain } from '../../features/jobs.tsx';
import { endedStates, heldStates } from '../../features/jobs-view.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import css from './jobs.module.css';
import { isPartial, SentAgainResult } from './sent-again-result.tsx';

const dismissedAtOnce = 500;

/** Actions for all selected jobs. Jobs in doubt are never among them. */
export function SelectionBar(props: { readonly jobs: ReadonlyMap<string, Job>; readonly onClear: () => void }) {
  const { t } = useTranslation();
  const readAgain = useReadAgain();
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [sentAgain, setSentAgain] = useState<SentAgain | null>(null);
  const jobs = [...props.jobs.values()];
  const again = jobs.filter(({ state }) => state === 'failed' || state === 'refused' || state === 'cancelled');
  const ended = jobs.filter(({ state }) => endedStates.includes(state));
  const held = jobs.filter(({ state }) => heldStates.includes(state));
  if (jobs.length === 0) return null;

  async function run(action: () => Promise<Failure | null>) {
    setBusy(true);
    setFailure(await action());
    setBusy(false);
    setAsking(false);
    await readAgain();
  }

  return (
    <section className={css.selection} aria-label={t('jobs.selection')}>
      <strong>{t('jobs.selected', { count: jobs.length })}</strong>
      {again.length > 0 ? (
        <Button onPress={() => setAsking(true)}>{t('jobs.sendSelected', { count: again.length })}</Button>
      ) : null}
      {held.length > 0 ? (
        <Button isPending={isBusy} onPress={() => void run(() => cancelEach(held))}>
          {t('jobs.cancelSelected', { count: held.length })}
        </Button>
      ) : null}
      {ended.length > 0 ? (
        <Button isPending={isBusy} onPress={() => void run(() => dismissAll(ended)).then(props.onClear)}>
          {t('jobs.dismissSelected', { count: ended.length })}
        </Button>
      ) : null}
      <Button kind="quiet" onPress={props.onClear}>
        {t('jobs.clearSelection')}
      </Button>
      {failure ? <FailureView failure={failure} /> : null}
      {isAsking ? (
        <Confirm
          title={t('jobs.retryTitle', { count: again.length })}
          confirm={t('jobs.retryConfirm', { count: again.length })}
          busy={isBusy}
          onConfirm={() => void run(() => sendEach(again, setSentAgain))}
          onClose={() => setAsking(false)}
        >
          <p>{t('jobs.sendSelectedText')}</p>
        </Confirm>
      ) : null}
      {sentAgain && isPartial(sentAgain) ? (
        <SentAgainResult result={sentAgain} onClose={() => setSentAgain(null)} />
      ) : null}
    </section>
  );
}

async function sendEach(jobs: readonly Job[], onSent: (sum: SentAgain) => void): Promise<Failure | null> {
  let sum: SentAgain = { count: 0, asking: 0, skipped: 0 };
  for (const { id: jobId } of jobs) {
    const sent = await ask('jobs.sendAgain', { jobId });
    if (!sent.ok) return sent.failure;
    const { count, asking, skipped } = sent.value;
    sum = { count: sum.count + count, asking: sum.asking + asking, skipped: sum.skipped + skipped };
  }
  onSent(sum);
  return null;
}

async function cancelEach(jobs: readonly Job[]): Promise<Failure | null> {
  for (const { id: jobId } of jobs) {
    const cancelled = await ask('jobs.cancel', { jobId });
    if (!cancelled.ok) return cancelled.failure;
  }
  return null;
}

async function dismissAll(jobs: readonly Job[]): Promise<Failure | null> {
  for (let from = 0; from < jobs.length; from += dismissedAtOnce) {
    const jobIds = jobs.slice(from, from + dismissedAtOnce).map((job) => job.id);
    const dismissed = await ask('jobs.dismiss', { jobIds });
    if (!dismissed.ok) return dismissed.failure;
  }
  return null;
}
