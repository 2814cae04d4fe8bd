import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { TrackedEntry } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { DetailsRecord } from '../../features/details-record.tsx';
import { DownloadPart } from '../../features/download-part.tsx';
import { useTrackedEntry, useTracking } from '../../features/signature-queries.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFormat } from '../../parts/format.ts';
import { onEscape } from '../../parts/on-escape.ts';
import { Facts } from '../../parts/page.tsx';
import panel from '../../parts/panel.module.css';
import { DueDatePart } from './due-date.tsx';
import { EntryHistory } from './entry-history.tsx';
import { ReminderMail } from './reminder-mail.tsx';
import { SecretWordFact } from './secret-word-fact.tsx';
import { SignAs } from './sign-as.tsx';
import { SignerState } from './signer-state.tsx';
import { nameOf } from './tracked-view.ts';

/** Everything about one entry. Absent fields are marked as absent. */
export function EntryPanel(props: {
  readonly connection: Connection;
  readonly entryId: string;
  /** The entry is in another list now, with another ID. */
  readonly onMoved: (entryId: string) => void;
  readonly onFollow: (origDocumentId: string | null) => void;
  readonly onClose: () => void;
}) {
  const { connection, entryId } = props;
  const { t } = useTranslation();
  const found = useTrackedEntry(connection.id, entryId);
  const entry = found.data?.entry;
  const { onMoved } = props;
  const shownId = entry?.id;
  useEffect(() => {
    if (shownId !== undefined && shownId !== entryId) onMoved(shownId);
  }, [shownId, entryId, onMoved]);
  // Between the reading of the list that it left and of the one where it arrived, an entry is in none.
  const isReading = useTracking(connection.id).data?.lists.some(({ isRefreshing }) => isRefreshing) ?? false;
  const isGone = found.error?.failure.code === 'not-found' && !isReading;
  return (
    <aside className={panel.panel} aria-label={t('tracking.panel')} onKeyDown={onEscape(props.onClose)}>
      <div className={panel.head}>
        <h2>{entry ? (nameOf(entry) ?? t('tracking.noName')) : t('tracking.panel')}</h2>
        <IconButton label={t('documents.closePanel')} icon={<X aria-hidden="true" />} onPress={props.onClose} />
      </div>
      {found.error && found.error.failure.code !== 'not-found' ? (
        <FailureView failure={found.error.failure} calm />
      ) : null}
      {isGone ? (
        <Empty kind="done" heading={t('tracking.goneHeading')} text={t('tracking.goneText')}>
          <Button onPress={() => props.onFollow(entry?.origDocumentId ?? null)}>{t('tracking.follow')}</Button>
        </Empty>
      ) : null}
      {entry && !isGone ? (
        <>
          <StateLine connection={connection} entry={entry} />
          <EntryFacts connection={connection} entry={entry} />
          <EntryHistory connectionId={connection.id} entry={entry} history={found.data?.history ?? []} />
          {connection.kind === 'practice' && !entry.hasSigned ? (
            <SignAs connectionId={connection.id} entry={entry} />
          ) : null}
          {entry.documentId ? (
            <DownloadPart
              connectionId={connection.id}
              documentId={entry.documentId}
              suggestedName={entry.documentName ?? entry.documentId}
              plain
            />
          ) : null}
          {entry.hasSigned ? null : <ReminderMail connectionId={connection.id} entry={entry} />}
          {entry.hasSigned && !entry.due ? null : <DueDatePart connectionId={connection.id} entry={entry} />}
          {entry.documentId ? <Details connectionId={connection.id} documentId={entry.documentId} /> : null}
          {entry.hasSigned ? null : <p className={panel.hint}>{t('tracking.honest')}</p>}
        </>
      ) : null}
    </aside>
  );
}

/** The signer's state; a status also with its time. */
function StateLine(props: { readonly connection: Connection; readonly entry: TrackedEntry }) {
  const { connection, entry } = props;
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className={panel.row} role="status">
      <SignerState entry={entry} list={connection.lists.find(({ value }) => value === entry.listType)} named />
      {entry.state === 'status' && entry.status ? (
        <span className={panel.hint}>{t('documents.asOf', { time: format.moment(entry.status.askedAt) })}</span>
      ) : null}
    </div>
  );
}

function EntryFacts(props: { readonly connection: Connection; readonly entry: TrackedEntry }) {
  const { entry } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const list = props.connection.lists.find((one) => one.value === entry.listType);
  const absent = t('tracking.absent');
  return (
    <Facts
      facts={[
        [t('tracking.column.name'), entry.name ?? absent],
        [t('tracking.column.email'), entry.email ?? absent],
        [t('tracking.column.list'), list?.name ?? String(entry.listType)],
        [
          t('tracking.column.createdAt'),
          <span key="created" title={entry.createdDate ?? undefined}>
            {entry.createdAt ? format.fullMoment(entry.createdAt) : (entry.createdDate ?? absent)}
          </span>,
        ],
        [
          t('tracking.column.documentId'),
          entry.documentId ? <CopyId key="id" id={entry.documentId} what={t('tracking.column.documentId')} /> : absent,
        ],
        [
          t('tracking.column.origDocumentId'),
          entry.origDocumentId ? (
            <CopyId key="orig" id={entry.origDocumentId} what={t('tracking.column.origDocumentId')} />
          ) : (
            absent
          ),
        ],
        [
          t('compose.secretWord'),
          entry.hasSecretWord ? (
            <SecretWordFact key="secret" connectionId={props.connection.id} entry={entry} />
          ) : (
            t('tracking.noSecret')
          ),
        ],
      ]}
    />
  );
}

/** The service is asked only on a person's request. */
function Details(props: { readonly connectionId: string; readonly documentId: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <DetailsRecord {...props} />;
  return (
    <div>
      <Button onPress={() => setOpen(true)}>{t('tracking.readDetails')}</Button>
    </div>
  );
}
