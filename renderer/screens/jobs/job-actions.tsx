import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Job } from '../../../contract/jobs.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { CallButton } from '../../features/call-button.tsx';
import { CorrectAction } from '../../features/jobs/correct.tsx';
import { endedStates, heldStates } from '../../features/jobs/jobs-view.ts';
import { DuplicateActions } from '../../features/jobs/repeats.tsx';
import { SendNow, TakeBackOne, useStopped } from '../../features/jobs/take-back.tsx';
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
  const stopped = useStopped(job.batchId);
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
      {stopped?.jobId === job.id && stopped.count === 1 ? <SendNow countdown={stopped} /> : null}
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
