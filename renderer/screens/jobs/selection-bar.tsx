import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Job, SentAgain } from '../../../contract/jobs.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import {
  AgainConsequences,
  isPartial,
  SentAgainResult,
  useAgainPreview,
} from '../../features/jobs/again-consequences.tsx';
import { useReadAgain } from '../../features/jobs/jobs.tsx';
import { endedStates, heldStates } from '../../features/jobs/jobs-view.ts';
import { SelectionBar } from '../../features/list/picked.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { useDismiss } from './use-dismiss.ts';
import type { useJobSelection } from './use-job-selection.ts';

/** Actions for all selected jobs. Jobs in doubt are never among them. */
export function JobsBar({ selection }: { readonly selection: ReturnType<typeof useJobSelection> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const readAgain = useReadAgain();
  const dismiss = useDismiss();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [asking, setAsking] = useState<AgainGroup | null>(null);
  const [sentAgain, setSentAgain] = useState<SentAgain | null>(null);
  const jobs = [...selection.jobs.values()];
  const groups = againGroups(jobs);
  const ended = jobs.filter(({ state }) => endedStates.includes(state));
  const held = jobs.filter(({ state }) => heldStates.includes(state));

  async function run(action: () => Promise<Failure | null>, some: readonly Job[]) {
    selection.remove(some.map(({ id }) => id));
    setBusy(true);
    setFailure(await action());
    setBusy(false);
    await readAgain();
  }

  // The questions stay while the jobs leave the selection one by one.
  return (
    <>
      <SelectionBar
        picked={{ rows: jobs, isFull: false, goneCount: selection.leftCount, clear: selection.clear }}
        goneText={t('jobs.selectedLeft', { shown: format.number(selection.leftCount) })}
      >
        {groups.map((group) => (
          <SendSelected
            key={`${group.kind} ${group.connectionId}`}
            group={group}
            isOnly={groups.length === 1}
            onPress={() => setAsking(group)}
          />
        ))}
        {held.length > 0 ? (
          <Button isPending={isBusy} onPress={() => void run(() => cancelEach(held), held)}>
            {t('jobs.cancelSelected', { count: held.length })}
          </Button>
        ) : null}
        {ended.length > 0 ? (
          <Button isPending={isBusy} onPress={() => void run(() => dismiss(ended.map(({ id }) => id)), ended)}>
            {t('jobs.dismissSelected', { count: ended.length })}
          </Button>
        ) : null}
      </SelectionBar>
      {failure ? <FailureView failure={failure} /> : null}
      {asking ? (
        <AskSelected group={asking} onBegin={selection.remove} onSent={setSentAgain} onClose={() => setAsking(null)} />
      ) : null}
      {sentAgain ? <SentAgainResult result={sentAgain} onClose={() => setSentAgain(null)} /> : null}
    </>
  );
}

async function cancelEach(jobs: readonly Job[]): Promise<Failure | null> {
  for (const { id: jobId } of jobs) {
    const cancelled = await ask('jobs.cancel', { jobId });
    if (!cancelled.ok) return cancelled.failure;
  }
  return null;
}

/** Jobs that are sent again by one decision: of one kind, over one connection. */
export interface AgainGroup {
  readonly kind: 'document' | 'request' | 'note';
  readonly connectionId: string;
  readonly jobIds: readonly string[];
}

/** One decision covers at most this many jobs. */
const mostAtOnce = 5_000;

/** The jobs that may be sent again, never mixing kinds or connections: what is used and who is mailed differs between them. */
function againGroups(jobs: readonly Job[]): AgainGroup[] {
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
function SendSelected(props: { readonly group: AgainGroup; readonly isOnly: boolean; readonly onPress: () => void }) {
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
function AskSelected(props: {
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
