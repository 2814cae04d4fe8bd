import { useTranslation } from 'react-i18next';
import type { Job, ReconcileCandidate } from '../../contract/jobs.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { Button } from '../parts/button.tsx';
import { useFormat } from '../parts/format.ts';
import { useGo } from '../parts/navigation.tsx';
import { hasOnlyFile, isFileKnown, isNeverListed, LookForJob, unsettledAnswer } from './look-for-job.tsx';
import { useAccept } from './use-accept.ts';

/** When an add in doubt was left without a clear answer, and what a look for it has found. */
export function useDoubtText(job: Job): string {
  const { t } = useTranslation();
  const format = useFormat();
  const lost = t('start.noAnswer', { when: format.momentInText(job.at) });
  const { look } = job;
  const now = !look && hasOnlyFile(job) ? 'start.fileCanBeChecked' : null;
  const answer = look && unsettledAnswer(look);
  if (answer) return `${lost} · ${t('jobs.askedFile', { answer: t('common.quote', { text: answer }) })}`;
  const mayBe = look?.verdict === 'cannot-tell' && look.candidates.length > 0;
  const found = look && (isFileKnown(look) ? 'jobs.fileKnown' : mayBe ? 'jobs.lookFound' : lookKeys[look.verdict]);
  const said = found ?? now;
  return said ? `${lost} · ${t(said)}` : lost;
}

const lookKeys = {
  found: 'start.found',
  'not-found': 'jobs.lookNotFound',
  'cannot-tell': 'jobs.lookCannotTell',
} as const;

/** The one document that the service shows for the job; null if there is none, or more than one. */
export function onlyCandidate({ look }: Job): ReconcileCandidate | null {
  const [candidate, ...others] = look?.candidates.filter(({ isTaken }) => !isTaken) ?? [];
  return look?.verdict === 'found' && others.length === 0 ? (candidate ?? null) : null;
}

/** Looking first, then the one document, or the file, that the service knows; everything else is decided where all of the evidence is. */
export function DoubtAction(props: { readonly job: Job }) {
  const { job } = props;
  const { look } = job;
  const { t } = useTranslation();
  const go = useGo();
  const { accept, busy, failure } = useAccept(job);
  if (!look && !isNeverListed(job)) return <LookForJob job={job} />;
  const candidate = onlyCandidate(job);
  if (!look || (!candidate && !isFileKnown(look)))
    return (
      <Button onPress={() => go({ screen: 'jobs', batchId: job.batchId, jobId: job.id })}>{t('start.decide')}</Button>
    );
  return (
    <>
      <Button isPending={busy} onPress={() => accept(candidate)}>
        {t(candidate ? 'start.itIsThis' : 'jobs.countRegistered')}
      </Button>
      {failure ? <FailureView failure={failure} calm /> : null}
    </>
  );
}
