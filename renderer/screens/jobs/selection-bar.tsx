import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Job, SentAgain } from '../../../contract/jobs.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { SentAgainResult } from '../../features/again-consequences.tsx';
import { useReadAgain } from '../../features/jobs.tsx';
import { endedStates, heldStates } from '../../features/jobs-view.ts';
import { SelectionBar } from '../../features/list/picked.tsx';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import { type AgainGroup, AskSelected, againGroups, SendSelected } from './send-selected.tsx';
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
