import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Job } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { AgainConsequences, useAgainPreview } from '../../features/jobs/again-consequences.tsx';
import { Button } from '../../parts/button.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Confirm } from '../../parts/overlays/dialog.tsx';

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
