import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Job } from '../../../contract/jobs.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { CallButton } from '../../features/call-button.tsx';
import { AgainConsequences, useAgainPreview } from '../../features/jobs/again-consequences.tsx';
import { CorrectAction } from '../../features/jobs/correct.tsx';
import { endedStates, heldStates } from '../../features/jobs/jobs-view.ts';
import { TakeBackOne } from '../../features/jobs/take-back.tsx';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { DismissButton, useDismiss } from './dismiss.tsx';
import css from './jobs.module.css';
import { SendAgain } from './send-again.tsx';
import { SendWithoutTeam } from './send-without-team.tsx';

/** Actions of a job by its state. Nothing that may cost something happens without a question. `isInBatch`: the heading of its batch has those for all of it. */
export function JobActions(props: { readonly job: Job; readonly isInBatch: boolean }) {
  const { job } = props;
  const { t } = useTranslation();
  const go = useGo();
  const dismiss = useDismiss();
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isSending, setSending] = useState(false);
  const { connectionId, documentId } = job;
  const isHeld = heldStates.includes(job.state);
  const isCounted = job.pausedBy === 'countdown' || job.pausedBy === 'countdown-stopped';
  const maySend = endedStates.includes(job.state) && job.state !== 'done';

  return (
    <div className={css.actions}>
      {job.state === 'done' && documentId ? (
        <Button
          kind="quiet"
          aria-label={t('jobs.openDocument')}
          onPress={() => go({ screen: 'documents', open: { connectionId, documentId } })}
        >
          {t('verify.open')}
        </Button>
      ) : null}
      {job.state === 'done' && documentId ? (
        <ReceiptAction connectionId={connectionId} documentId={documentId} />
      ) : null}
      {job.pausedBy === 'duplicate' ? <DuplicateActions job={job} /> : null}
      {isHeld && job.pausedBy !== 'duplicate' ? <PauseAction job={job} /> : null}
      {props.isInBatch ? null : (
        <SendWithoutTeam
          batchId={job.batchId}
          connectionId={connectionId}
          count={job.state === 'waiting' && job.pausedBy === null ? 1 : 0}
        />
      )}
      {maySend ? <CorrectAction quiet jobId={job.id} /> : null}
      {maySend ? (
        <Button kind="quiet" onPress={() => setSending(true)}>
          {t('jobs.sendAgain')}
        </Button>
      ) : null}
      {isCounted ? <TakeBackOne jobId={job.id} /> : null}
      {(isHeld && !isCounted && job.pausedBy !== 'duplicate') || job.state === 'sending' ? (
        <CancelAction job={job} />
      ) : null}
      {endedStates.includes(job.state) ? (
        <DismissButton label={t('jobs.dismiss')} onPress={() => void dismiss([job.id]).then(setFailure)} />
      ) : null}
      {failure ? <FailureView failure={failure} /> : null}
      {isSending ? <SendAgain job={job} onClose={() => setSending(false)} /> : null}
    </div>
  );
}

/** Pauses or resumes a single job. A job paused with its batch or with everything is resumed there. */
function PauseAction(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const isPaused = job.pausedBy === 'job';
  if (job.pausedBy !== null && !isPaused) return null;
  return (
    <CallButton kind="quiet" call={isPaused ? 'jobs.resume' : 'jobs.pause'} input={{ what: 'job', jobId: job.id }}>
      {isPaused ? t('jobs.resume') : t('jobs.pause')}
    </CallButton>
  );
}

/** A job that is being sent may be taken in spite of the cancellation, so this is confirmed first. */
function CancelAction(props: { readonly job: Job }) {
  const { job } = props;
  const { t } = useTranslation();
  const cancel = useCall('jobs.cancel');
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        kind="quiet"
        isPending={cancel.busy}
        onPress={() => (job.state === 'sending' ? setAsking(true) : void cancel.run({ jobId: job.id }))}
      >
        {t('jobs.cancel')}
      </Button>
      {cancel.failure ? <FailureView failure={cancel.failure} /> : null}
      {isAsking ? (
        <Confirm
          title={t('jobs.cancelTitle', { title: job.title })}
          confirm={t('jobs.cancelConfirm')}
          cancel={t('jobs.keepSending')}
          danger
          busy={cancel.busy}
          onConfirm={() => void cancel.run({ jobId: job.id }).then(() => setAsking(false))}
          onClose={() => setAsking(false)}
        >
          <p>{t('jobs.cancelText')}</p>
        </Confirm>
      ) : null}
    </>
  );
}

/** Saves the receipt of a document as a PDF. */
function ReceiptAction(props: { readonly connectionId: string; readonly documentId: string }) {
  const { t, i18n } = useTranslation();
  const announce = useAnnounce();
  const save = useCall('receipts.save');
  const unavailable = useForbidden('receipts.save');

  async function saveNow() {
    const saved = await save.run({ ...props, format: 'pdf', language: languageFor(i18n.language, []) });
    if (saved.ok && saved.value) announce(t('receipts.saved', { name: saved.value.fileName }));
  }

  return (
    <>
      <Button kind="quiet" unavailable={unavailable} isPending={save.busy} onPress={() => void saveNow()}>
        {t('jobs.receipt')}
      </Button>
      {save.failure ? <FailureView failure={save.failure} /> : null}
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
