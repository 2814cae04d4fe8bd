import { useQuery } from '@tanstack/react-query';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { codeText } from '../bridge/failure-text.ts';
import { FailureView } from '../bridge/failure-view.tsx';
import { detailsQuery } from '../bridge/queries.ts';
import { Button } from '../parts/button.tsx';
import { useFormat } from '../parts/format.ts';
import looks from '../parts/looks.module.css';
import { Facts } from '../parts/page.tsx';
import { Fold, Technical } from '../parts/problem.tsx';

/** The details record of the service, with its text as it came. */
export function DetailsRecord(props: { readonly connectionId: string; readonly documentId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const details = useQuery(detailsQuery(props.connectionId, props.documentId));
  const record = details.data;
  return (
    <>
      <h3>{t('documents.record')}</h3>
      {details.isLoading ? <p className={looks.hint}>{t('common.loading')}</p> : null}
      {details.error ? <FailureView failure={details.error.failure} calm /> : null}
      {record ? (
        <>
          <Facts
            facts={[
              [t('documents.recordName'), record.documentName],
              [
                t('documents.recordCreated'),
                record.createdDate ? <Created key="created" raw={record.createdDate} /> : null,
              ],
              [t('documents.recordReference'), record.clientId],
              [t('documents.recordDescription'), record.description],
              [t('documents.recordPages'), record.pages],
              [t('documents.recordOriginal'), record.originalDocumentName],
              [t('documents.recordErrors'), errorsText(t, record.errors)],
            ]}
          />
          <Fold label={t('documents.recordRaw')}>
            <Technical text={record.raw} />
          </Fold>
        </>
      ) : null}
      <div className={looks.line}>
        <Button kind="quiet" isPending={details.isFetching} onPress={() => void details.refetch()}>
          {t('documents.readRecord')}
        </Button>
        {record ? (
          <span className={looks.hint}>{t('documents.asOf', { time: format.momentInText(record.askedAt) })}</span>
        ) : null}
      </div>
    </>
  );
}

/** In the locale's format if it can be read as a date; as it came in the tooltip. */
function Created(props: { readonly raw: string }) {
  const format = useFormat();
  const isDate = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(props.raw);
  return <span title={props.raw}>{isDate ? format.whole(props.raw) : props.raw}</span>;
}

function errorsText(t: TFunction, errors: number | null): string | null {
  if (errors === null) return null;
  return errors === 0 ? t('documents.recordNoErrors') : codeText(t, String(errors));
}
