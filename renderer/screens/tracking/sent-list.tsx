import { useTranslation } from 'react-i18next';
import type { SentRequest } from '../../../contract/compose.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { RequestOutcome } from '../../features/request-outcome.tsx';
import { useWindowed } from '../../features/use-pages.ts';
import { Button } from '../../parts/button.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import css from './signatures.module.css';

/** Requests sent from here, with the service's answers as they came. */
export function SentList(props: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const go = useGo();
  const { connectionId } = props;
  const sent = useWindowed<SentRequest>(['sent', 'requests', connectionId], async (offset, limit) => {
    const { requests, total } = await askValue('compose.sent', { connectionId, offset, limit });
    return { rows: requests, total };
  });
  return (
    <>
      <header className={css.head}>
        <div className={css.headLine}>
          <h1>{t('tracking.sent')}</h1>
          <Button kind="primary" onPress={() => go({ screen: 'compose' })}>
            {t('compose.newRequest')}
          </Button>
        </div>
        <p className={css.about}>{t('tracking.sentText')}</p>
      </header>
      {sent.failure ? <FailureView failure={sent.failure} /> : null}
      {sent.total === 0 ? (
        <Empty kind="nothing-yet" heading={t('tracking.sentNone')} text={t('tracking.sentNoneText')} />
      ) : null}
      {sent.total ? (
        <VirtualList
          label={t('tracking.sent')}
          items={{ length: sent.total, at: sent.rowAt }}
          rowHeight={96}
          gap={12}
          className={css.sent}
          keyOf={(request) => request.jobId}
          onRange={sent.onRange}
        >
          {(request) => (
            <RequestOutcome
              jobId={request.jobId}
              title={request.title}
              about={[t(`compose.kinds.${request.kind}`), request.emails].filter(Boolean).join(' · ')}
              state={request.state}
              raw={request.raw}
              kind={request.canOpen ? 'url' : (request.answer?.kind ?? null)}
              documentId={request.documentId}
              failure={request.failure}
              at={request.at}
              canCorrect={request.canCorrect}
            />
          )}
        </VirtualList>
      ) : null}
    </>
  );
}
