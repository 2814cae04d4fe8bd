import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { CallOutput } from '../../../contract/index.ts';
import type { TrackedEntry } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { DetailsRecord } from '../../features/details-record.tsx';
import { DownloadPart } from '../../features/files/download-part.tsx';
import { useTrackedEntry, useTracking } from '../../features/signature-queries.ts';
import { Button } from '../../parts/button.tsx';
import { CopyId } from '../../parts/copy.tsx';
import { Empty } from '../../parts/empty.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { SidePanel } from '../../parts/overlays/side-panel.tsx';
import { Facts } from '../../parts/page.tsx';
import { EntryHistory } from './entry-history.tsx';
import { addresseeOfEntry, ReminderMail } from './reminder-mail.tsx';
import { DueDatePart } from './request-dialogs.tsx';
import { SignAs } from './request-signer.tsx';
import css from './signatures.module.css';
import { useSignerState } from './state-chips.tsx';
import { TeamPart } from './team-part.tsx';
import { nameOf } from './tracked-view.ts';

/** Everything about one entry. Names, addresses and IDs that the service left out are marked as absent. */
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
    <SidePanel
      label={t('tracking.panel')}
      title={entry ? (nameOf(entry) ?? t('tracking.noName')) : t('tracking.panel')}
      onClose={props.onClose}
    >
      {found.error && found.error.failure.code !== 'not-found' ? (
        <FailureView failure={found.error.failure} calm />
      ) : null}
      {isGone ? (
        <Empty kind="done" heading={t('tracking.goneHeading')} text={t('tracking.goneText')}>
          <Button onPress={() => props.onFollow(entry?.origDocumentId ?? null)}>{t('tracking.follow')}</Button>
        </Empty>
      ) : null}
      {found.data && !isGone ? <Known connection={connection} {...found.data} /> : null}
    </SidePanel>
  );
}

/** An entry that is in a list, with what can be done about it. */
function Known(props: CallOutput<'tracking.entry'> & { readonly connection: Connection }) {
  const { connection, entry } = props;
  const { t } = useTranslation();
  const connectionId = connection.id;
  const { documentId } = entry;
  /** The document by which its request is known. */
  const requestId = entry.origDocumentId || documentId;
  return (
    <>
      <StateLine connection={connection} entry={entry} />
      <div className={looks.line}>
        <ReminderMail connectionId={connectionId} to={addresseeOfEntry(entry)} />
        {documentId ? (
          <DownloadPart
            connectionId={connectionId}
            documentId={documentId}
            suggestedName={entry.documentName ?? documentId}
            plain
          />
        ) : null}
      </div>
      <EntryFacts connection={connection} entry={entry} />
      {requestId ? <TeamPart connectionId={connectionId} documentId={requestId} /> : null}
      <EntryHistory connectionId={connectionId} entry={entry} history={props.history} />
      {documentId ? <Details connectionId={connectionId} documentId={documentId} /> : null}
      {connection.kind === 'practice' && !entry.hasSigned ? <SignAs connectionId={connectionId} entry={entry} /> : null}
      {requestId && (!entry.hasSigned || entry.due) ? (
        <DueDatePart connectionId={connectionId} documentId={requestId} due={entry.due} />
      ) : null}
      {entry.hasSigned ? null : <p className={looks.hint}>{t('tracking.honest')}</p>}
    </>
  );
}

/** The signer's state; a status also with its time. */
function StateLine(props: { readonly connection: Connection; readonly entry: TrackedEntry }) {
  const { connection, entry } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const signerState = useSignerState();
  return (
    <div className={looks.line} role="status">
      {signerState(
        entry,
        connection.lists.find(({ value }) => value === entry.listType),
        true,
      )}
      {entry.state === 'status' && entry.status ? (
        <span className={looks.hint}>{t('documents.asOf', { time: format.momentInText(entry.status.askedAt) })}</span>
      ) : null}
      {entry.signedAt === null ? null : (
        <span className={looks.hint}>{t('tracking.seenOn', { time: format.momentInText(entry.signedAt) })}</span>
      )}
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
        // The state says the same, if it is that of the list.
        [
          t('tracking.column.list'),
          entry.state === 'waiting' || entry.state === 'signed' ? null : (list?.name ?? String(entry.listType)),
        ],
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
          entry.origDocumentId === entry.documentId ? null : entry.origDocumentId ? (
            <CopyId key="orig" id={entry.origDocumentId} what={t('tracking.column.origDocumentId')} />
          ) : (
            absent
          ),
        ],
        [
          t('compose.secretWord'),
          entry.hasSecretWord ? <SecretWordFact key="secret" connectionId={props.connection.id} entry={entry} /> : null,
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

/** The secret word is hidden until a person wants to read it, and hidden again when the panel is closed. */
function SecretWordFact(props: { readonly connectionId: string; readonly entry: TrackedEntry }) {
  const { t } = useTranslation();
  const reveal = useCall('tracking.revealSecretWord');
  const [word, setWord] = useState<string | null>(null);
  const [lost, setLost] = useState(props.entry.secretWordLost);

  async function show() {
    const revealed = await reveal.run({ connectionId: props.connectionId, entryId: props.entry.id });
    if (!revealed.ok) return;
    setWord(revealed.value.secretWord);
    setLost(revealed.value.secretWord === null);
  }

  if (lost) return <span title={t('tracking.secretLostText')}>{t('tracking.secretLost')}</span>;
  return (
    <span className={looks.line}>
      <span className={css.secret}>{word ?? '••••••'}</span>
      {word === null ? (
        <Button kind="quiet" isPending={reveal.busy} onPress={() => void show()}>
          {t('tracking.show')}
        </Button>
      ) : (
        <Button kind="quiet" onPress={() => setWord(null)}>
          {t('tracking.hide')}
        </Button>
      )}
      {reveal.failure ? <FailureView failure={reveal.failure} /> : null}
    </span>
  );
}
