import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { DocumentRow, KeptStatus } from '../../../contract/documents.ts';
import type { CallInput, CallOutput } from '../../../contract/index.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import type { DocumentQuery } from '../../bridge/queries.ts';
import { useWindowed, type Windowed } from '../../features/list/pages.ts';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Fold } from '../../parts/problem.tsx';
import { StatusChip } from '../../parts/status-chip.tsx';
import type { DocumentsView } from './documents-view.ts';

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
    <li
      className={looks.lines}
      title={t('common.span', { from: format.fullMoment(firstAskedAt), to: format.fullMoment(lastAskedAt) })}
    >
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

/** The register as one long list of which only the visible rows are read. */
export function useDocumentRows(ask: DocumentQuery): Windowed<DocumentRow, DocumentQuery> {
  return useWindowed(['documents', 'rows'], ask, (page) => askValue('documents.list', page));
}

export type DocumentKey = CallInput<'documents.place'>['of'];
export type DocumentPlace = NonNullable<CallOutput<'documents.place'>>;

/** A document and its index in the list of this view, read once. */
export function useDocumentPlace(of: DocumentKey, view: DocumentsView, connectionId: string) {
  const { sort, descending, scope } = view;
  const scoped = scope === 'current' ? { connectionId } : {};
  return useQuery({
    queryKey: ['document-place', of, sort, descending, scoped],
    queryFn: () => askValue('documents.place', { of, sort, descending, ...scoped }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** All statuses of a document and the history of its job. */
function useDocumentHistory({ connectionId, documentId }: DocumentKey) {
  return useQuery({
    queryKey: ['documents', 'history', connectionId, documentId],
    queryFn: () => askValue('documents.history', { connectionId, documentId }),
  });
}
