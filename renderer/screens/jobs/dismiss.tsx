import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useReadAgain } from '../../features/jobs/jobs.tsx';
import { settledStates } from '../../features/jobs/jobs-view.ts';
import { useOfferUndo } from '../../features/undo.tsx';
import { Button, IconButton, useFirstPress } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';

/** Jobs that one call takes or answers. */
const atOnce = 500;

/** Takes ended jobs off the list; they can be put back for some seconds. */
export function useDismiss(): (jobIds: readonly string[]) => Promise<Failure | null> {
  const { t } = useTranslation();
  const format = useFormat();
  const readAgain = useReadAgain();
  const offerUndo = useOfferUndo();

  async function inParts(call: 'jobs.dismiss' | 'jobs.restoreDismissed', jobIds: readonly string[]) {
    const done: string[] = [];
    for (let from = 0; from < jobIds.length; from += atOnce) {
      const some = jobIds.slice(from, from + atOnce);
      const ended = await ask(call, { jobIds: some });
      if (!ended.ok) return { done, failure: ended.failure };
      done.push(...some);
    }
    await readAgain();
    return { done, failure: null };
  }

  return async (jobIds) => {
    const { done, failure } = await inParts('jobs.dismiss', jobIds);
    if (done.length > 0)
      offerUndo({
        text: t('jobs.dismissed', { shown: format.number(done.length) }),
        undo: () => inParts('jobs.restoreDismissed', done),
      });
    return failure;
  };
}

/** Takes all jobs of one batch, or of all, that need nobody any more off the list. The register keeps the documents. */
export function DismissSettled(props: {
  readonly batchId: string | null;
  readonly count: number;
  /** True if nothing else is listed with them: their number needs no saying. */
  readonly isAll?: boolean;
}) {
  const { t } = useTranslation();
  const dismiss = useDismiss();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  if (props.count === 0) return null;
  const label = props.isAll ? t('jobs.dismissAll') : t('jobs.dismissDone', { count: props.count });

  async function dismissAll() {
    setBusy(true);
    const found = await settledJobs(props.batchId);
    setFailure('code' in found ? found : await dismiss(found));
    setBusy(false);
  }

  return (
    <>
      {props.batchId ? (
        <DismissButton label={label} isDisabled={isBusy} onPress={() => void dismissAll()} />
      ) : (
        <Button isPending={isBusy} onPress={() => void dismissAll()}>
          {label}
        </Button>
      )}
      {failure ? <FailureView failure={failure} /> : null}
    </>
  );
}

/** Those that need nobody any more: what was refused is never among them. */
async function settledJobs(batchId: string | null): Promise<readonly string[] | Failure> {
  const jobIds: string[] = [];
  for (;;) {
    const where = batchId ? { batchId } : {};
    const page = await ask('jobs.list', { ...where, states: [...settledStates], offset: jobIds.length, limit: atOnce });
    if (!page.ok) return page.failure;
    jobIds.push(...page.value.jobs.map((job) => job.id));
    if (page.value.jobs.length < atOnce) return jobIds;
  }
}

/** Takes ended jobs off the list. It appears where "Cancel" was. */
export function DismissButton(props: {
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}) {
  const onPress = useFirstPress(props.onPress);
  const { label, isDisabled = false } = props;
  return <IconButton label={label} icon={<X aria-hidden="true" />} isDisabled={isDisabled} onPress={onPress} />;
}
