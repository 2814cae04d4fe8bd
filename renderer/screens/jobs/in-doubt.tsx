import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '../../../contract/jobs.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { CorrectAction } from '../../features/jobs/correct.tsx';
import { isFileKnown, isNeverListed, LookForJob, useAccept } from '../../features/jobs/doubt-action.tsx';
import { Button } from '../../parts/button.tsx';
import { Form, TextField } from '../../parts/field.tsx';
import { Fold } from '../../parts/fold.tsx';
import looks from '../../parts/looks.module.css';
import { Technical } from '../../parts/problem.tsx';
import css from './jobs.module.css';
import { ReconcileResult } from './reconcile-result.tsx';
import { SendAgain } from './send-again.tsx';

/** A job with an unknown outcome: what the service itself shows of it first, sending again last. */
export function InDoubt(props: { readonly job: Job }) {
  const { job } = props;
  const isNote = isNeverListed(job);
  // One that an earlier version noted for a note asked nothing.
  const look = isNote ? null : job.look;
  const { t } = useTranslation();
  const reconcile = useCall('jobs.reconcile');
  const [isSending, setSending] = useState(false);
  const accepting = useAccept(job);
  const [id, setId] = useState('');

  return (
    <div className={css.explain}>
      <strong>{t(isNote ? 'corrections.heading.in-doubt' : 'jobs.doubtHeading')}</strong>
      {isNote ? <p>{t('jobs.notesNotListed')}</p> : null}
      {job.raw ? <p>{t('jobs.said', { raw: t('common.quote', { text: job.raw }) })}</p> : null}
      {look ? <ReconcileResult result={look} isBusy={accepting.busy} onAccept={accepting.accept} /> : null}
      {accepting.failure ? <FailureView failure={accepting.failure} calm /> : null}
      {look && (look.verdict !== 'found' || isFileKnown(look)) ? (
        <Form
          className={looks.byId}
          onSubmit={() => id.trim() !== '' && void reconcile.run({ jobId: job.id, documentId: id.trim() })}
        >
          <TextField label={t('jobs.askAboutId')} value={id} onChange={setId} mono maxLength={200} />
          <Button type="submit" isDisabled={id.trim() === ''} isPending={reconcile.busy}>
            {t('jobs.askAboutIdConfirm')}
          </Button>
        </Form>
      ) : null}
      {reconcile.failure ? <FailureView failure={reconcile.failure} calm /> : null}
      <div className={looks.line}>
        {isNote ? null : <LookForJob job={job} />}
        <CorrectAction quiet jobId={job.id} />
        <Button kind="quiet" onPress={() => setSending(true)}>
          {t('jobs.sendAgain')}
        </Button>
      </div>
      {job.failure ? (
        <Fold label={t('common.technical')}>
          <Technical text={failureText(t, job.failure).technical} />
        </Fold>
      ) : null}
      {isSending ? <SendAgain job={job} onClose={() => setSending(false)} /> : null}
    </div>
  );
}
