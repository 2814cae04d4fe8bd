import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Job, type ReconcileCandidate, type Reconciliation, speaksForIt } from '../../../contract/jobs.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { Hint } from '../../parts/overlays/hint.tsx';
import { useOfferUndo } from '../undo.tsx';

/** What a look for an add in doubt has found, which is what matters where the line is short, and when it was left without a clear answer. */
export function useDoubtText(job: Job): string {
  const { t } = useTranslation();
  const format = useFormat();
  const lost = t('start.noAnswer', { when: format.momentInText(job.at) });
  const { look } = job;
  const now = !look && hasOnlyFile(job) ? 'start.fileCanBeChecked' : null;
  const answer = look && unsettledAnswer(look);
  if (!look && job.sameFileAs) return `${t('jobs.sameFile', { title: job.sameFileAs })} · ${lost}`;
  if (look?.explainedBy) return `${t('jobs.fileOfOther', { title: look.explainedBy })} · ${lost}`;
  if (answer) return `${t('jobs.askedFile', { answer: t('common.quote', { text: answer }) })} · ${lost}`;
  const mayBe = look?.verdict === 'cannot-tell' && look.candidates.length > 0;
  const found = look && (isFileKnown(look) ? 'jobs.fileKnown' : mayBe ? 'jobs.lookFound' : lookKey(look));
  const said = found ?? now;
  return said ? `${t(said)} · ${lost}` : lost;
}

const lookKeys = {
  found: 'start.found',
  'not-found': 'jobs.lookNotFound',
  'cannot-tell': 'jobs.lookCannotTell',
  unanswered: 'jobs.lookUnanswered',
} as const;

/** Where a list of the service ends before all of it was seen, that is why the document was not. */
const lookKey = ({ verdict, questions }: Reconciliation) =>
  verdict === 'cannot-tell' && questions.some(({ isCutOff }) => isCutOff) ? 'jobs.lookCutOff' : lookKeys[verdict];

/** The one document that the service shows for the job; null if there is none, or more than one. */
export function onlyCandidate({ look }: Job): ReconcileCandidate | null {
  const [candidate, ...others] = look?.candidates.filter(({ isTaken }) => !isTaken) ?? [];
  return look?.verdict === 'found' && others.length === 0 ? (candidate ?? null) : null;
}

/** Looking first, where that can settle it, then the one document, or the file, that the service knows; everything else is decided where all of the evidence is. */
export function DoubtAction(props: { readonly job: Job }) {
  const { job } = props;
  const { look } = job;
  const { t } = useTranslation();
  const go = useGo();
  const { accept, busy, failure } = useAccept(job);
  const canSettle = !isNeverListed(job) && job.sameFileAs === undefined;
  if ((!look || look.verdict === 'unanswered') && canSettle) return <LookForJob job={job} />;
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

/** Registrations are in no list of the service: it is asked about their file. */
export const hasOnlyFile = ({ operation }: Job) => operation === 'AddNewDocument';

/** Notes are in no list, and have no ID. */
export const isNeverListed = ({ operation }: Job) => operation === 'AddQuickNote';

/** True for a look that found that the service knows the file, and no document. */
export const isFileKnown = ({ verdict, candidates }: Reconciliation) => verdict === 'found' && candidates.length === 0;

/** The service's answer about the file, of a look that it does not settle; null if there is none, or another thing explains it. */
export function unsettledAnswer({ verdict, questions, explainedBy }: Reconciliation): string | null {
  if (explainedBy !== undefined) return null;
  const asked = questions.find(({ operation, failure }) => operation === 'ValidateDocument' && failure === null);
  return verdict === 'cannot-tell' && asked?.about ? asked.about : null;
}

/** Looks for a job in doubt at the service: in its lists, or with the file, which is said before. */
export function LookForJob(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const reconcile = useCall('jobs.reconcile');
  const withFile = hasOnlyFile(job);
  const kind = job.sameFileAs ? 'quiet' : 'plain';
  const button = (
    <Button kind={kind} isPending={reconcile.busy} onPress={() => void reconcile.run({ jobId: job.id, withFile })}>
      {reconcile.busy ? t('jobs.looking') : t(withFile ? 'jobs.checkFile' : 'jobs.lookFor')}
    </Button>
  );
  return (
    <>
      {withFile ? <Hint text={t('jobs.checkFileTip')}>{button}</Hint> : button}
      {reconcile.failure ? <FailureView failure={reconcile.failure} calm /> : null}
    </>
  );
}

/**
 * Accepts that a job in doubt became a document of the service, or counts it as registered because the service knows its file, or as sent because a person saw the note
 * there (null). Nothing is sent, and it can be
 * undone for some seconds: no question is asked before.
 */
export function useAccept(job: Job) {
  const { id: jobId, title } = job;
  const { t } = useTranslation();
  const offerUndo = useOfferUndo();
  const { run, busy, failure } = useCall('jobs.accept');

  async function accept(candidate: ReconcileCandidate | null) {
    const documentId = candidate?.documentId ?? null;
    // What speaks against it stands beside the button.
    const isUnchecked = candidate !== null && !speaksForIt(candidate);
    const accepted = await run({ jobId, documentId, ...(isUnchecked ? { isUnchecked } : {}) });
    if (!accepted.ok) return;
    offerUndo({
      text: t(isNeverListed(job) ? 'jobs.acceptedNote' : hasOnlyFile(job) ? 'jobs.accepted' : 'jobs.acceptedRequest', {
        title,
      }),
      undo: () => ask('jobs.undoAccept', { jobId }),
    });
  }
  return { accept: (candidate: ReconcileCandidate | null) => void accept(candidate), busy, failure };
}

/** The ID of a document that the service has without having named one. */
export function EnterId(props: { readonly jobId: string }) {
  const { t } = useTranslation();
  const accept = useCall('jobs.accept');
  const [id, setId] = useState('');
  return (
    <Form
      className={looks.byId}
      onSubmit={() =>
        id.trim() !== '' && void accept.run({ jobId: props.jobId, documentId: id.trim(), isUnchecked: true })
      }
    >
      <TextField label={t('jobs.askAboutId')} value={id} onChange={setId} mono maxLength={200} />
      <Button type="submit" isDisabled={id.trim() === ''} isPending={accept.busy}>
        {t('jobs.enterId')}
      </Button>
      {accept.failure ? <FailureView failure={accept.failure} calm /> : null}
    </Form>
  );
}
