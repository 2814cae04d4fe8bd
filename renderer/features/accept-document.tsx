import { useTranslation } from 'react-i18next';
import type { Job, ReconcileCandidate } from '../../contract/jobs.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Facts } from '../parts/page.tsx';

/** Asks whether a job in doubt became this document of the service, or counts as registered because the service knows its file (null). Nothing is sent. */
export function AcceptDocument(props: {
  readonly job: Job;
  readonly candidate: ReconcileCandidate | null;
  readonly onClose: () => void;
}) {
  const { job, candidate } = props;
  const { t } = useTranslation();
  const accept = useCall('jobs.accept');
  return (
    <Confirm
      title={t(candidate ? 'jobs.acceptTitle' : 'jobs.countTitle', { title: job.title })}
      confirm={t(candidate ? 'jobs.acceptConfirm' : 'jobs.countConfirm')}
      busy={accept.busy}
      onConfirm={() =>
        void accept
          .run({ jobId: job.id, documentId: candidate?.documentId ?? null })
          .then((ended) => (ended.ok ? props.onClose() : undefined))
      }
      onClose={props.onClose}
    >
      {candidate ? (
        <Facts
          facts={[
            [t('documents.documentId'), candidate.documentId],
            [t('documents.name'), candidate.documentName],
            [t('documents.recordCreated'), candidate.createdDate],
          ]}
        />
      ) : null}
      <p>{t(candidate ? 'jobs.acceptText' : 'jobs.countText')}</p>
      {accept.failure ? <FailureView failure={accept.failure} /> : null}
    </Confirm>
  );
}
