import { useTranslation } from 'react-i18next';
import { isCorrectable } from '../../../contract/corrections.ts';
import { RequestOutcome } from '../../features/jobs/request-outcome.tsx';
import { sentToText } from '../../features/jobs/sent-to.ts';
import { useJobOfBatch } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Page } from '../../parts/page.tsx';

/** The outcome of the sent request. */
export function SentPage(props: { readonly batchId: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const job = useJobOfBatch(props.batchId).data;
  return (
    <Page
      title={t('compose.sentTitle')}
      actions={
        <>
          <Button onPress={() => go({ screen: 'compose', fresh: props.batchId }, 'instead')}>
            {t('compose.newRequest')}
          </Button>
          {job?.state === 'refused' || job?.state === 'failed' ? null : (
            <Button
              kind="primary"
              onPress={() => go({ screen: 'signatures', ...(job ? { job: job.id } : {}) }, 'instead')}
            >
              {t('compose.toSignatures')}
            </Button>
          )}
        </>
      }
    >
      {job ? (
        <RequestOutcome
          jobId={job.id}
          title={job.title}
          state={job.state}
          raw={job.raw}
          kind={job.answer?.kind ?? null}
          documentId={job.documentId}
          failure={job.failure}
          at={job.at}
          about={sentToText(job.sentTo)}
          canCorrect={isCorrectable(job.state)}
        />
      ) : (
        <p role="status">{t('common.loading')}</p>
      )}
    </Page>
  );
}
