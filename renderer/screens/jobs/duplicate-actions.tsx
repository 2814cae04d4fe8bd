import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Job } from '../../../contract/jobs.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { useGo } from '../../parts/navigation.tsx';

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
        <Button kind="quiet" onPress={() => go({ screen: 'documents', search: existing })}>
          {t('jobs.openExisting')}
        </Button>
      ) : null}
      <Button kind="quiet" onPress={() => setAsking(true)}>
        {t('jobs.sendAnyway')}
      </Button>
      <Button isPending={decide.busy} onPress={() => void run('skip')}>
        {t('jobs.skip')}
      </Button>
      {decide.failure && !isAsking ? <FailureView failure={decide.failure} /> : null}
      {isAsking ? (
        <Confirm
          title={t('jobs.sendAnywayTitle', { title: job.title })}
          confirm={t('jobs.sendAnywayConfirm')}
          busy={decide.busy}
          onConfirm={() => void run('send').then((ended) => (ended.ok ? setAsking(false) : undefined))}
          onClose={() => setAsking(false)}
        >
          <p>{t('jobs.sendAnywayText')}</p>
          {decide.failure ? <FailureView failure={decide.failure} /> : null}
        </Confirm>
      ) : null}
    </>
  );
}
