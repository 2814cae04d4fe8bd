import { skipToken, useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { CallInput } from '../../../contract/index.ts';
import type { Batch, DuplicateOf, Job, JobState, SentAgain } from '../../../contract/jobs.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Confirm, Dialog } from '../../parts/overlays/dialog.tsx';
import { CountdownActions, TakeBackOne, useCountdownName, useStopped } from './take-back.tsx';

/** Reads what sending jobs again uses and whom it mails. Until that is known, nothing may be sent. Null: it is not read. */
export function useAgainPreview(which: CallInput<'jobs.previewAgain'> | null) {
  return useQuery({
    queryKey: ['again-preview', which],
    queryFn: which ? () => askValue('jobs.previewAgain', which) : skipToken,
    gcTime: 0,
  });
}

/** The cost of sending jobs again, and the people whom it mails, by name. */
export function AgainConsequences(props: {
  readonly preview: ReturnType<typeof useAgainPreview>;
  /** Null where they are of several. */
  readonly connectionId: string | null;
}) {
  const { data, error } = props.preview;
  const { t } = useTranslation();
  const format = useFormat();
  const isPractice = useConnection(props.connectionId ?? '')?.kind === 'practice';
  if (error) return <FailureView failure={error.failure} />;
  if (!data) return <p role="status">{t('common.loading')}</p>;
  const { credits, requests, notes, people, peopleCount, prepaidCount, idChecks } = data;
  const names = people.map(({ name, email }) => name || email || t('compose.yourself'));
  const others = peopleCount - people.length;
  const costs = [
    credits > 0 ? t('jobs.usesCredits', { count: credits }) : null,
    requests > 0 ? t('jobs.usesRequests', { count: requests }) : null,
    notes > 0 ? t('jobs.sendsNotes', { count: notes }) : null,
    prepaidCount > 0 ? t('compose.costsPrepaid', { count: 2 * prepaidCount }) : null,
    idChecks > 0 ? t('compose.costsIdChecks', { count: idChecks }) : null,
  ].filter((part) => part !== null);
  return (
    <>
      <p>{costs.join(' · ')}</p>
      {peopleCount > 0 ? (
        <p>
          {t('jobs.mailsPeople', {
            people: format.list(others > 0 ? [...names, t('jobs.morePeople', { count: others })] : names),
          })}
        </p>
      ) : null}
      {isPractice && peopleCount > 0 ? <p>{t('compose.practice')}</p> : null}
    </>
  );
}

/** True if some of the jobs are not sent. */
export function isPartial({ asking, skipped }: SentAgain): boolean {
  return asking + skipped > 0;
}

/** The result of sending jobs again, if some of them are not sent. */
export function SentAgainResult(props: { readonly result: SentAgain; readonly onClose: () => void }) {
  const { count, asking, skipped } = props.result;
  const { t } = useTranslation();
  return (
    <Dialog
      title={asking > 0 ? t('jobs.askingHeading', { count: asking }) : t('jobs.againSkippedTitle')}
      onClose={props.onClose}
      actions={
        <Button kind="primary" autoFocus onPress={props.onClose}>
          {t('common.close')}
        </Button>
      }
    >
      {asking > 0 ? <p>{t('jobs.againAsking', { count: asking })}</p> : null}
      {skipped > 0 ? <p>{t('jobs.againSkipped', { count: skipped })}</p> : null}
      <p>{t('jobs.againGoing', { count })}</p>
    </Dialog>
  );
}

/** A request is sent, a document registered. */
export function doneWord(t: TFunction, state: JobState, operation: Batch['operation']): string {
  return state === 'done' && operation !== 'AddNewDocument' ? t('bulk.states.done') : t(`jobs.state.${state}`);
}

/** What became of a job, or what keeps it back. */
export const jobWord = (t: TFunction, { pausedBy, state, operation }: Pick<Job, 'pausedBy' | 'state' | 'operation'>) =>
  pausedBy ? t(`jobs.pausedBy.${pausedBy}`) : doneWord(t, state, operation);

/** What a job repeats, in words: who or what has the same, how far that is, and since when. */
export function sameText(t: TFunction, format: ReturnType<typeof useFormat>, job: Job, same: DuplicateOf): string {
  const words = {
    title: same.title,
    when: format.momentInText(same.at),
    state: doneWord(t, same.state, job.operation),
  };
  if (same.by) {
    const state = same.state === 'done' ? 'done' : same.state === 'in-doubt' ? 'doubt' : 'sending';
    return t(`team.${state}By`, { ...words, ...same.by });
  }
  if (same.kind === 'document') return t('jobs.sameAsDocument', words);
  return t(job.sha256 === null ? 'jobs.sameRequest' : 'jobs.sameAsJob', words);
}

/** A job as it is now; null if there is none. */
export function useJob(jobId: string) {
  return useQuery({
    queryKey: ['jobs', 'one', jobId],
    queryFn: async () => (await askValue('jobs.read', { jobIds: [jobId] }))[0] ?? null,
  });
}

/** The job, where it waits for a person: it repeats another, or nobody saw the end of its countdown. */
export const askingJob = (job: Job): Job | null =>
  job.pausedBy === 'duplicate' || job.pausedBy === 'countdown-stopped' ? job : null;

/** Why such a job waits, to be decided here: what it repeats, or that its countdown was not seen, and which others are decided about with it. */
export function Asking({ job }: { readonly job: Job }) {
  const { t } = useTranslation();
  const format = useFormat();
  const stopped = useStopped(job.batchId);
  const name = useCountdownName(stopped ?? { title: job.title, count: 1 });
  const why =
    job.pausedBy === 'duplicate'
      ? [job.duplicateOf && sameText(t, format, job, job.duplicateOf)]
      : [t('jobs.unseen'), job.isBesideDoubt && t('corrections.doubtText'), name !== job.title && name];
  return (
    <>
      <p className={looks.said}>{why.filter(Boolean).join(' · ')}</p>
      <div className={looks.line}>
        {job.pausedBy === 'duplicate' ? (
          <DuplicateActions job={job} />
        ) : stopped ? (
          <CountdownActions countdown={stopped} />
        ) : (
          <TakeBackOne jobId={job.id} />
        )}
      </div>
    </>
  );
}

/** Actions for a job whose bytes are already registered: open that document, skip the job, or send it anyway. */
export function DuplicateActions(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const go = useGo();
  const decide = useCall('jobs.decide');
  const [isAsking, setAsking] = useState(false);
  const existing = job.duplicateOf?.documentId;
  const run = (decision: 'send' | 'skip') => decide.run({ jobIds: [job.id], decision });
  return (
    <>
      {existing ? (
        <Button
          kind="quiet"
          onPress={() => go({ screen: 'documents', open: { connectionId: job.connectionId, documentId: existing } })}
        >
          {t(job.duplicateOf?.by ? 'team.openTheirs' : 'jobs.openExisting')}
        </Button>
      ) : null}
      <Button kind="quiet" onPress={() => setAsking(true)}>
        {t('jobs.sendAnyway')}
      </Button>
      {job.duplicateOf?.skipsWhenDone ? null : (
        <Button isPending={decide.busy} onPress={() => void run('skip')}>
          {t('jobs.skip')}
        </Button>
      )}
      {decide.failure && !isAsking ? <FailureView failure={decide.failure} /> : null}
      {isAsking ? (
        <SendAnyway
          job={job}
          failure={decide.failure}
          busy={decide.busy}
          onConfirm={() => void run('send').then((ended) => (ended.ok ? setAsking(false) : undefined))}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

/** Asks before the same document or request is sent once more: what that uses, and whom a request mails. */
function SendAnyway(props: {
  readonly job: Job;
  readonly failure: Failure | null;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { id, operation, title, connectionId, duplicateOf } = props.job;
  const { t } = useTranslation();
  const isDocument = operation === 'AddNewDocument';
  const person = duplicateOf?.by?.person;
  const preview = useAgainPreview(isDocument ? null : { jobIds: [id] });
  return (
    <Confirm
      title={
        person
          ? t('team.anywayTitle', { title, person })
          : t(isDocument ? 'jobs.sendAnywayTitle' : 'jobs.sendAgainTitle', { title })
      }
      confirm={t('jobs.sendAnywayConfirm')}
      busy={props.busy}
      isDisabled={!(isDocument || preview.data)}
      onConfirm={props.onConfirm}
      onClose={props.onClose}
    >
      {person ? <p>{t('team.anywayText', { person })}</p> : null}
      {isDocument ? (
        person ? null : (
          <p>{t('jobs.sendAnywayText')}</p>
        )
      ) : (
        <AgainConsequences preview={preview} connectionId={connectionId} />
      )}
      {props.failure ? <FailureView failure={props.failure} /> : null}
    </Confirm>
  );
}
