import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DocumentRow } from '../../../contract/documents.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { CallButton } from '../../features/call-button.tsx';
import { DetailsRecord } from '../../features/details-record.tsx';
import { DownloadPart } from '../../features/files/download-part.tsx';
import { EnterId } from '../../features/jobs/doubt-action.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { SidePanel } from '../../parts/overlays/side-panel.tsx';
import { Facts } from '../../parts/page.tsx';
import { DocumentState, fromOf, titleOf } from './document-columns.tsx';
import { DocumentHistory, type DocumentKey } from './document-history.tsx';

/** Everything about one document. */
export function DocumentPanel(props: {
  readonly row: DocumentRow;
  /** False while the selection moves through the list, so that the service is not asked at every step. */
  readonly isStill: boolean;
  readonly onClose: () => void;
  readonly onCheckReceipt: () => void;
}) {
  const { row } = props;
  const { connectionId, documentId } = row;
  const { t } = useTranslation();
  const format = useFormat();
  const connection = useConnection(connectionId);
  return (
    <SidePanel label={t('documents.panel')} title={visibleName(titleOf(row))} onClose={props.onClose}>
      {documentId === null ? <WithoutId row={row} /> : <Status row={row} of={{ connectionId, documentId }} />}
      <Facts
        facts={[
          [
            t('documents.documentId'),
            documentId === null ? null : <CopyId key="id" id={documentId} what={t('documents.documentId')} />,
          ],
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
      {documentId === null ? null : (
        <AtService {...props} of={{ connectionId, documentId }} isAsked={connection !== null && props.isStill} />
      )}
    </SidePanel>
  );
}

/** The service has it, and under which ID is not known: its answer named none, or none came and a person decided. The person enters it, from the service's portal. */
function WithoutId({ row }: { readonly row: DocumentRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { jobId } = row;
  const { data: steps } = useQuery({
    queryKey: ['jobs', 'steps', jobId],
    queryFn: () => askValue('jobs.history', { jobId: jobId ?? '' }),
    enabled: jobId !== null,
  });
  const accepted = steps?.findLast(({ kind }) => kind === 'accepted');
  const took = steps && t('documents.tookWithoutId');
  const why = accepted ? t('documents.countedAsRegistered', { when: format.momentInText(accepted.at) }) : took;
  return (
    <>
      <div className={looks.line} role="status">
        <DocumentState row={row} />
      </div>
      <p className={looks.hint}>{[why, t('documents.noIdText')].filter(Boolean).join(' ')}</p>
      {jobId === null ? null : <EnterId jobId={jobId} />}
    </>
  );
}

/** What needs the document's ID. */
function AtService(props: {
  readonly row: DocumentRow;
  readonly of: DocumentKey;
  readonly isAsked: boolean;
  readonly onCheckReceipt: () => void;
}) {
  const { row, of } = props;
  const { t } = useTranslation();
  const go = useGo();
  const gone = useConnection(row.connectionId) === null;
  return (
    <>
      {gone ? null : <DownloadPart {...of} suggestedName={row.fileName ?? row.name} />}
      {props.isAsked ? <DetailsRecord {...of} /> : null}
      <DocumentHistory of={of} />
      <ReceiptPart row={row} of={of} onCheck={props.onCheckReceipt} />
      <h3>{t('screens.verify')}</h3>
      <p className={looks.hint}>{t('documents.verifyHint')}</p>
      <div>
        <Button onPress={() => go({ screen: 'verify' })}>{t('documents.toVerify')}</Button>
      </div>
    </>
  );
}

function Status(props: { readonly row: DocumentRow; readonly of: DocumentKey }) {
  const { row, of } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const gone = useConnection(row.connectionId) === null;
  return (
    <>
      <div className={looks.line} role="status">
        <DocumentState row={row} />
        {row.status === null && fromOf(row) ? <span className={looks.hint}>{t('documents.notAsked')}</span> : null}
        {row.status ? (
          <span className={looks.hint} title={format.fullMoment(row.status.askedAt)}>
            {row.status.raw ? `${t('common.quote', { text: row.status.raw })} · ` : ''}
            {t('documents.asOf', { time: format.momentInText(row.status.askedAt) })}
          </span>
        ) : null}
      </div>
      <div>
        <CallButton isDisabled={gone} call="documents.status" input={of} failed={{ calm: true }}>
          {t('documents.askStatus')}
        </CallButton>
      </div>
    </>
  );
}

/** The program's own record of sending the document, to be kept outside of the program. */
function ReceiptPart(props: { readonly row: DocumentRow; readonly of: DocumentKey; readonly onCheck: () => void }) {
  const { jobId } = props.row;
  const { t, i18n } = useTranslation();
  const save = useCall('receipts.save');
  const unavailable = useForbidden('receipts.save');
  const [savedAs, setSavedAs] = useState<string | null>(null);

  async function saveAs(format: 'pdf' | 'json') {
    const saved = await save.run({ ...props.of, format, language: languageFor(i18n.language, []) });
    if (saved.ok && saved.value) setSavedAs(saved.value.fileName);
  }

  return (
    <>
      <h3>{t('receipts.title')}</h3>
      <p className={looks.hint}>{jobId === null ? t('receipts.notSent') : t('receipts.text')}</p>
      <div className={looks.line}>
        {jobId === null ? null : (
          <>
            <Button unavailable={unavailable} isPending={save.busy} onPress={() => void saveAs('pdf')}>
              {t('receipts.savePdf')}
            </Button>
            <Button unavailable={unavailable} isPending={save.busy} onPress={() => void saveAs('json')}>
              {t('receipts.saveJson')}
            </Button>
          </>
        )}
        <Button kind="quiet" onPress={props.onCheck}>
          {t('receipts.check')}
        </Button>
      </div>
      {savedAs ? (
        <p role="status" className={looks.row}>
          <Chip tone="confirmed">{t('receipts.saved', { name: savedAs })}</Chip>
        </p>
      ) : null}
      {save.failure ? <FailureView failure={save.failure} /> : null}
    </>
  );
}
