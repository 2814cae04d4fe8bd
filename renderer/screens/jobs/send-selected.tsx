import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Job, SentAgain } from '../../../contract/jobs.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { AgainConsequences, isPartial, useAgainPreview } from '../../features/again-consequences.tsx';
import { useReadAgain } from '../../features/jobs.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/overlays/dialog.tsx';

/** Jobs that are sent again by one decision: of one kind, over one connection. */
export interface AgainGroup {
  readonly kind: 'document' | 'request' | 'note';
  readonly connectionId: string;
  readonly jobIds: readonly string[];
}

/** One decision covers at most this many jobs. */
const mostAtOnce = 5_000;

/** The jobs that may be sent again, never mixing kinds or connections: what is used and who is mailed differs between them. */
export function againGroups(jobs: readonly Job[]): AgainGroup[] {
  const groups = new Map<string, AgainGroup & { readonly jobIds: string[] }>();
  for (const { id, state, operation, connectionId } of jobs) {
    if (state !== 'failed' && state !== 'refused' && state !== 'cancelled') continue;
    const kind = operation === 'AddQuickNote' ? 'note' : operation === 'AddNewDocument' ? 'document' : 'request';
    const group = groups.get(`${kind} ${connectionId}`) ?? { kind, connectionId, jobIds: [] };
    groups.set(`${kind} ${connectionId}`, group);
    if (group.jobIds.length < mostAtOnce) group.jobIds.push(id);
  }
  return [...groups.values()];
}

/** The button that asks whether a group is sent again. `isOnly`: no other group is beside it. */
export function SendSelected(props: {
  readonly group: AgainGroup;
  readonly isOnly: boolean;
  readonly onPress: () => void;
}) {
  const { kind, connectionId, jobIds } = props.group;
  const { t } = useTranslation();
  const connection = useConnection(connectionId)?.name ?? t('documents.gone');
  const count = jobIds.length;
  return (
    <Button onPress={props.onPress}>
      {props.isOnly ? t('jobs.sendSelected', { count }) : t(`jobs.sendGroup.${kind}`, { count, connection })}
    </Button>
  );
}

/** Asks before a group is sent again, with its cost and whom it mails. `onSent` is called if some of the jobs are not sent. */
export function AskSelected(props: {
  readonly group: AgainGroup;
  readonly onBegin: (jobIds: readonly string[]) => void;
  readonly onSent: (sum: SentAgain) => void;
  readonly onClose: () => void;
}) {
  const { kind, connectionId, jobIds } = props.group;
  const { t } = useTranslation();
  const readAgain = useReadAgain();
  const preview = useAgainPreview({ jobIds: [...jobIds] });
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function sendAll() {
    setBusy(true);
    props.onBegin(jobIds);
    const sent = await sendEach(jobIds);
    setBusy(false);
    await readAgain();
    if ('code' in sent) return setFailure(sent);
    if (isPartial(sent)) props.onSent(sent);
    props.onClose();
  }

  return (
    <Confirm
      title={t(`jobs.againTitle.${kind}`, { count: jobIds.length })}
      confirm={t('jobs.retryConfirm', { count: jobIds.length })}
      busy={isBusy}
      isDisabled={!preview.data}
      onConfirm={() => void sendAll()}
      onClose={props.onClose}
    >
      <AgainConsequences preview={preview} connectionId={connectionId} />
      {failure ? <FailureView failure={failure} /> : null}
    </Confirm>
  );
}

async function sendEach(jobIds: readonly string[]): Promise<SentAgain | Failure> {
  let sum: SentAgain = { count: 0, asking: 0, skipped: 0 };
  for (const jobId of jobIds) {
    const sent = await ask('jobs.sendAgain', { jobId });
    if (!sent.ok) return sent.failure;
    const { count, asking, skipped } = sent.value;
    sum = { count: sum.count + count, asking: sum.asking + asking, skipped: sum.skipped + skipped };
  }
  return sum;
}
