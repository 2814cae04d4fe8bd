import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SentNote } from '../../../contract/notes.ts';
import { askValue } from '../../bridge/door.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { RequestOutcome } from '../../bridge/request-outcome.tsx';
import { useWindowed } from '../../bridge/use-pages.ts';
import { useTask } from '../../bridge/use-task.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/field.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { VirtualRows } from '../../parts/virtual-rows.tsx';
import css from './notes.module.css';

/** Quick notes: one to write, and all that were sent with their answers. */
export function NotesScreen() {
  const { t } = useTranslation();
  const connection = useCurrentConnection();
  return (
    <Page title={t('notes.title')} lead={t('notes.lead', { connection: connection.name })} fill>
      <div className={css.split}>
        <Composer key={connection.id} />
        <History connectionId={connection.id} />
      </div>
    </Page>
  );
}

function Composer() {
  const { t } = useTranslation();
  const connection = useCurrentConnection();
  const announce = useAnnounce();
  const [message, setMessage] = useState('');
  const [description, setDescription] = useState('');
  const [asking, setAsking] = useState(false);
  const send = useTask('service.addQuickNote');

  async function sendNow() {
    const sent = await send.run({
      connectionId: connection.id,
      message,
      ...(description === '' ? {} : { description }),
    });
    setAsking(false);
    if (!sent.ok) return;
    setMessage('');
    setDescription('');
    announce(t('notes.queued'));
  }

  return (
    <Card title={t('notes.write')}>
      <TextField
        label={t('notes.message')}
        lines
        value={message}
        onChange={setMessage}
        maxLength={100_000}
        error={send.failure?.fields?.message}
      />
      <TextField
        label={t('notes.description')}
        value={description}
        onChange={setDescription}
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
        <Confirm
          title={t('notes.confirmTitle')}
          confirm={t('notes.confirm')}
          busy={send.busy}
          onConfirm={() => void sendNow()}
          onClose={() => setAsking(false)}
        >
          <p>{t('notes.confirmText', { connection: connection.name })}</p>
        </Confirm>
      ) : null}
    </Card>
  );
}

function History(props: { readonly connectionId: string }) {
  const { t } = useTranslation();
  const { connectionId } = props;
  const notes = useWindowed<SentNote>(['notes', connectionId], async (offset, limit) => {
    const { notes: rows, total } = await askValue('notes.list', { connectionId, offset, limit });
    return { rows, total };
  });
  return (
    <section className={css.history} aria-label={t('notes.history')}>
      <h2>{t('notes.history')}</h2>
      {notes.failure ? <FailureView failure={notes.failure} /> : null}
      {notes.total === 0 ? <Empty kind="nothing-yet" heading={t('notes.none')} text={t('notes.noneText')} /> : null}
      {notes.total ? (
        <VirtualRows
          label={t('notes.history')}
          count={notes.total}
          rowHeight={96}
          gap={12}
          className={css.rows}
          keyOf={(index) => notes.rowAt(index)?.jobId ?? String(index)}
          onShow={notes.onRange}
        >
          {(index) => {
            const note = notes.rowAt(index);
            return note ? (
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
                at={note.updatedAt}
              />
            ) : null;
          }}
        </VirtualRows>
      ) : null}
    </section>
  );
}
