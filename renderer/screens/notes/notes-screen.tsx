import { useQuery } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { Correction } from '../../../contract/corrections.ts';
import type { UnsentNote } from '../../../contract/notes.ts';
import { ask, askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection, useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { ConnectionGone, CorrectionNotice, useCorrection } from '../../features/correct.tsx';
import { useKeptInput } from '../../features/kept-input.tsx';
import { useWindowed } from '../../features/list/pages.ts';
import { RequestOutcome } from '../../features/request-outcome.tsx';
import { useSaveAfterChanges } from '../../features/use-save-after-changes.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/field.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import css from './notes.module.css';

/** Quick notes: the form for a new note or a correction, and all sent notes with their answers. */
export function NotesScreen(props: { readonly corrects: string | null }) {
  const { t } = useTranslation();
  const connection = useCurrentConnection();
  const { corrects } = props;
  return (
    <Page title={t('notes.title')} lead={t('notes.lead', { connection: connection.name })} fill>
      <div className={css.split}>
        {corrects ? (
          <Corrected key={corrects} jobId={corrects} />
        ) : (
          <NewNote key={`new ${connection.id}`} connection={connection} />
        )}
        <History key={connection.id} connectionId={connection.id} />
      </div>
    </Page>
  );
}

const nothing: UnsentNote = { message: '', description: '' };

/** A new note, as it was left before a restart. */
function NewNote({ connection }: { readonly connection: Connection }) {
  const { data, isPending } = useQuery({
    queryKey: ['unsent-note', connection.id],
    queryFn: () => askValue('notes.unsent', { connectionId: connection.id }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const given = { connection, keptAs: `note-${connection.id}`, corrects: null };
  // The form is in its place at once; nobody types into it before what was left is there.
  return (
    <div className={css.form} inert={isPending}>
      <Composer key={String(isPending)} {...given} start={data ?? nothing} />
    </div>
  );
}

/** Stores what is being written. `connectionId`: null for what is not to be stored. */
function useStored(connectionId: string | null, note: UnsentNote): void {
  const latest = useRef(note);
  latest.current = note;
  const stored = useRef(note);
  const save = useCallback(() => {
    if (connectionId === null || stored.current === latest.current) return;
    stored.current = latest.current;
    void ask('notes.keepUnsent', { connectionId, ...latest.current });
  }, [connectionId]);
  useSaveAfterChanges(note, save);
}

function Corrected(props: { readonly jobId: string }) {
  const { jobId } = props;
  const { t } = useTranslation();
  const correction = useCorrection(jobId);
  const note = correction.data?.kind === 'note' ? correction.data : null;
  const connection = useConnection(note?.connectionId ?? '');
  const [start, setStart] = useState<UnsentNote | null>(null);
  // The form's start value must stay the same while the form is mounted.
  if (note && !start) setStart({ message: note.message, description: note.description });
  if (correction.error) return <FailureView failure={correction.error.failure} />;
  if (!note || !start) return <p role="status">{t('common.loading')}</p>;
  if (!connection) return <ConnectionGone />;
  return <Composer connection={connection} keptAs={`note-${jobId}`} start={start} corrects={note} />;
}

interface ComposerProps {
  readonly connection: Connection;
  /** The key under which the input is kept while other screens are open. */
  readonly keptAs: string;
  readonly start: UnsentNote;
  readonly corrects: Extract<Correction, { kind: 'note' }> | null;
}

function Composer(props: ComposerProps) {
  const { connection, corrects } = props;
  const { t } = useTranslation();
  const go = useGo();
  const announce = useAnnounce();
  const [note, write, forget] = useKeptInput(props.keptAs, props.start);
  const { message, description } = note;
  useStored(corrects ? null : connection.id, note);
  const [asking, setAsking] = useState(false);
  const send = useCall('service.addQuickNote');

  async function sendNow() {
    const sent = await send.run({
      connectionId: connection.id,
      message,
      ...(description === '' ? {} : { description }),
      ...(corrects ? { corrects: corrects.jobId } : {}),
    });
    setAsking(false);
    if (!sent.ok) return;
    if (corrects) forget();
    else write(nothing);
    announce(t('notes.queued'));
    if (corrects) go({ screen: 'notes' });
  }

  return (
    <Card title={t('notes.write')}>
      {corrects ? <CorrectionNotice state={corrects.state} failure={corrects.failure} /> : null}
      <TextField
        label={t('notes.message')}
        lines
        value={message}
        onChange={(text) => write({ message: text, description })}
        maxLength={100_000}
        error={send.failure?.fields?.message}
      />
      <TextField
        label={t('notes.description')}
        value={description}
        onChange={(text) => write({ message, description: text })}
        maxLength={10_000}
        error={send.failure?.fields?.description}
      />
      {send.failure ? <FailureView failure={send.failure} /> : null}
      <div>
        <Button kind="primary" isDisabled={message.trim() === ''} onPress={() => setAsking(true)}>
          {t('notes.send')}
        </Button>
      </div>
      {asking ? (
        <ConfirmSend
          connection={connection}
          isDoubt={corrects?.state === 'in-doubt'}
          busy={send.busy}
          onConfirm={() => void sendNow()}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </Card>
  );
}

function ConfirmSend(props: {
  readonly connection: Connection;
  readonly isDoubt: boolean;
  readonly busy: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <Confirm
      title={t('notes.confirmTitle')}
      confirm={t('notes.confirm')}
      busy={props.busy}
      onConfirm={props.onConfirm}
      onClose={props.onClose}
    >
      <p>{t('notes.confirmText', { connection: props.connection.name })}</p>
      {props.isDoubt ? <p>{t('corrections.doubtText')}</p> : null}
    </Confirm>
  );
}

function History(props: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const { connectionId } = props;
  const notes = useWindowed(['notes'], { connectionId }, async (page) => {
    const { notes: rows, total } = await askValue('notes.list', page);
    return { rows, total };
  });
  return (
    <section className={css.history} aria-label={t('notes.history')}>
      <h2>{t('notes.history')}</h2>
      {notes.failure ? <FailureView failure={notes.failure} /> : null}
      {notes.total === 0 ? <Empty kind="nothing-yet" heading={t('notes.none')} text={t('notes.noneText')} /> : null}
      {notes.total ? (
        <VirtualList
          label={t('notes.history')}
          items={{ length: notes.total, at: notes.rowAt }}
          rowHeight={96}
          gap={12}
          className={css.rows}
          keyOf={(note) => note.jobId}
          onRange={notes.onRange}
        >
          {(note) => (
            <RequestOutcome
              what="note"
              jobId={note.jobId}
              title={note.message}
              about={note.description}
              state={note.state}
              raw={note.raw}
              kind={note.answer?.kind ?? null}
              documentId={null}
              failure={note.failure}
              at={note.at}
              canCorrect={note.canCorrect}
            />
          )}
        </VirtualList>
      ) : null}
    </section>
  );
}
