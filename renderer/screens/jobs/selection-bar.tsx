import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Job, SentAgain } from '../../../contract/jobs.ts';
import { ask, listen } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useReadAgain } from '../../features/jobs/jobs.tsx';
import { endedStates, heldStates } from '../../features/jobs/jobs-view.ts';
import { AgainConsequences, isPartial, SentAgainResult, useAgainPreview } from '../../features/jobs/repeats.tsx';
import { SelectionBar } from '../../features/list/picked.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { useDismiss } from './dismiss.tsx';

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
    if (!endedStates.includes(state) || state === 'done') continue;
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

/** The jobs that a person selected. A job that changes its state leaves the selection: what can be done with it is something else. */
export function useJobSelection() {
  const [{ jobs, leftCount }, setSelected] = useState(nothing);
  /** Updates the selected ones among these jobs. */
  const update = useCallback((changed: readonly Job[]) => setSelected((before) => withChanges(before, changed)), []);
  useEffect(() => listen('jobs.changed', ({ jobs }) => update(jobs)), [update]);

  /** By what the person does with them: it is not said that they have left. */
  const remove = useCallback(
    (ids: readonly string[]) =>
      setSelected((before) => ({ ...before, jobs: new Map([...before.jobs].filter(([id]) => !ids.includes(id))) })),
    [],
  );
  const select = useCallback(
    (job: Job, isSelected: boolean) =>
      isSelected
        ? setSelected((before) => ({ ...before, jobs: new Map([...before.jobs, [job.id, job]]) }))
        : remove([job.id]),
    [remove],
  );
  const clear = useCallback(() => setSelected(nothing), []);
  return { jobs, leftCount, select, remove, clear, update } as const;
}

interface Selected {
  readonly jobs: ReadonlyMap<string, Job>;
  /** How many left the selection by their change since it was cleared. */
  readonly leftCount: number;
}
const nothing: Selected = { jobs: new Map(), leftCount: 0 };

function withChanges(before: Selected, changed: readonly Job[]): Selected {
  const known = changed.filter((job) => before.jobs.has(job.id) && before.jobs.get(job.id) !== job);
  if (known.length === 0) return before;
  const jobs = new Map(before.jobs);
  for (const job of known) {
    if (before.jobs.get(job.id)?.state === job.state) jobs.set(job.id, job);
    else jobs.delete(job.id);
  }
  return { jobs, leftCount: before.leftCount + before.jobs.size - jobs.size };
}
