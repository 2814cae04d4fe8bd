import { X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { settledStates } from '../../features/jobs/jobs-view.ts';
import { Button, IconButton, useFirstPress } from '../../parts/button.tsx';
import { useDismiss } from './use-dismiss.ts';

const atOnce = 500;

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
