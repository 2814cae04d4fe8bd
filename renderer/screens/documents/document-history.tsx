import { useTranslation } from 'react-i18next';
import type { KeptStatus } from '../../../contract/documents.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { StatusChip } from '../../parts/status-chip.tsx';
import { type DocumentKey, useDocumentHistory } from './document-queries.ts';

/** All statuses, the latest first, and the steps of sending the document. */
export function DocumentHistory(props: { readonly of: DocumentKey }) {
  const { t } = useTranslation();
  const format = useFormat();
  const history = useDocumentHistory(props.of);
  const statuses = history.data?.statuses.toReversed() ?? [];
  const steps = history.data?.story ?? [];
  return (
    <>
      <h3>{t('documents.history')}</h3>
      {history.error ? <FailureView failure={history.error.failure} calm /> : null}
      {history.data && statuses.length === 0 ? <p className={looks.hint}>{t('documents.historyNone')}</p> : null}
      <ol className={looks.stack}>
        {statuses.map((status) => (
          <StatusLine key={status.firstAskedAt} status={status} />
        ))}
      </ol>
      {steps.length > 0 ? (
        <Fold label={t('jobs.story')}>
          <ol className={looks.stack}>
            {steps.map((step) => (
              <li key={`${step.at} ${step.kind}`} className={looks.lines}>
                <span>{t(`jobs.step.${step.kind}`)}</span>
                <time className={looks.aside} dateTime={step.at} title={step.at}>
                  {format.whole(step.at)}
                </time>
              </li>
            ))}
          </ol>
        </Fold>
      ) : null}
    </>
  );
}

function StatusLine(props: { readonly status: KeptStatus }) {
  const { raw, answer, firstAskedAt, lastAskedAt } = props.status;
  const { t } = useTranslation();
  const format = useFormat();
  const words = raw === null ? t('common.noAnswerText') : t('common.quote', { text: raw });
  return (
    <li className={looks.lines} title={`${firstAskedAt} – ${lastAskedAt}`}>
      <span className={looks.row}>
        <StatusChip status={{ raw, answer, askedAt: lastAskedAt }} />
      </span>
      <small>
        {firstAskedAt === lastAskedAt
          ? t('documents.historyOnce', { status: words, from: format.moment(firstAskedAt) })
          : t('documents.historyStatus', {
              status: words,
              from: format.moment(firstAskedAt),
              to: format.moment(lastAskedAt),
            })}
      </small>
    </li>
  );
}
