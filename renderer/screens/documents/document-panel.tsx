import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { DetailsRecord } from '../../features/details-record.tsx';
import { DownloadPart } from '../../features/download-part.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { useFormat } from '../../parts/format.ts';
import { useGo } from '../../parts/navigation.tsx';
import { Facts } from '../../parts/page.tsx';
import panel from '../../parts/panel.module.css';
import { SidePanel } from '../../parts/side-panel.tsx';
import { StatusChip } from '../../parts/status-chip.tsx';
import { visibleName } from '../../parts/visible-name.ts';
import { fromOf } from './document-columns.tsx';
import { DocumentHistory } from './document-history.tsx';
import { ReceiptPart } from './receipt-part.tsx';

/** Everything about one document. */
export function DocumentPanel(props: {
  readonly row: DocumentRow;
  /** False while the selection moves through the list, so that the service is not asked at every step. */
  readonly isStill: boolean;
  readonly onClose: () => void;
  readonly onCheckReceipt: () => void;
}) {
  const { row } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const go = useGo();
  const connection = useConnection(row.connectionId);
  return (
    <SidePanel
      label={t('documents.panel')}
      title={visibleName(row.name || row.fileName || row.documentId)}
      onClose={props.onClose}
    >
      <Status row={row} />
      <Facts
        facts={[
          [t('documents.documentId'), <CopyId key="id" id={row.documentId} what={t('documents.documentId')} />],
          [t('documents.reference'), row.clientId || null],
          [t('documents.description'), row.description || null],
          [t('documents.fileName'), row.fileName === null ? null : visibleName(row.fileName)],
          [t('documents.size'), row.sizeBytes === null ? null : format.bytes(row.sizeBytes)],
          [
            t('documents.registered'),
            <time key="at" dateTime={row.registeredAt} title={row.registeredAt}>
              {format.whole(row.registeredAt)}
            </time>,
          ],
          [t('documents.columnTitle.by'), row.by ? `${row.by.person} (${row.by.computer})` : null],
          [t('documents.connection'), connection?.name ?? t('documents.gone')],
          [
            t('documents.sha256'),
            row.sha256 ? <CopyId key="sha" id={row.sha256} what={t('documents.sha256')} /> : null,
          ],
        ]}
      />
      {connection ? (
        <DownloadPart
          connectionId={row.connectionId}
          documentId={row.documentId}
          suggestedName={row.fileName ?? row.name}
        />
      ) : null}
      {connection && props.isStill ? (
        <DetailsRecord connectionId={row.connectionId} documentId={row.documentId} />
      ) : null}
      <DocumentHistory row={row} />
      <ReceiptPart row={row} onCheck={props.onCheckReceipt} />
      <h3>{t('screens.verify')}</h3>
      <p className={panel.hint}>{t('documents.verifyHint')}</p>
      <div>
        <Button onPress={() => go({ screen: 'verify' })}>{t('documents.toVerify')}</Button>
      </div>
    </SidePanel>
  );
}

function Status(props: { readonly row: DocumentRow }) {
  const { row } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const ask = useCall('documents.status');
  const gone = useConnection(row.connectionId) === null;
  return (
    <>
      <div className={panel.row} role="status">
        <StatusChip status={row.status} from={fromOf(row)} />
        {row.status === null && fromOf(row) ? <span className={panel.hint}>{t('documents.notAsked')}</span> : null}
        {row.status ? (
          <span className={panel.hint} title={format.fullMoment(row.status.askedAt)}>
            {row.status.raw ? `${t('common.quote', { text: row.status.raw })} · ` : ''}
            {t('documents.asOf', { time: format.momentInText(row.status.askedAt) })}
          </span>
        ) : null}
      </div>
      <div>
        <Button
          isDisabled={gone}
          isPending={ask.busy}
          onPress={() => void ask.run({ connectionId: row.connectionId, documentId: row.documentId })}
        >
          {t('documents.askStatus')}
        </Button>
      </div>
      {ask.failure ? <FailureView failure={ask.failure} calm /> : null}
    </>
  );
}
