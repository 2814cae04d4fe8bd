import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FailureView } from '../bridge/failure-view.tsx';
import { useCall } from '../bridge/use-call.ts';
import { Button } from '../parts/button.tsx';
import { Confirm } from '../parts/dialog.tsx';

/** Lets jobs go that may have been sent already, after a question. */
export function ResumeRestored({ count }: { readonly count: number }) {
  const { t } = useTranslation();
  const resume = useCall('jobs.resume');
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onPress={() => setAsking(true)}>{t('jobs.resumeRestored')}</Button>
      {isAsking ? (
        <Confirm
          title={t('jobs.resumeRestoredTitle', { count })}
          confirm={t('jobs.resumeRestoredConfirm')}
          danger
          busy={resume.busy}
          onConfirm={() =>
            void resume.run({ what: 'restored' }).then((ended) => (ended.ok ? setAsking(false) : undefined))
          }
          onClose={() => setAsking(false)}
        >
          <p>{t('jobs.resumeRestoredText')}</p>
          {resume.failure ? <FailureView failure={resume.failure} /> : null}
        </Confirm>
      ) : null}
    </>
  );
}
