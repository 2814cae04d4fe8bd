import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { Correction } from '../../../contract/corrections.ts';
import type { SentNote } from '../../../contract/notes.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection, useCurrentConnection } from '../../bridge/live.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { CorrectionNotice, useCorrection } from '../../features/correct.tsx';
import { RequestOutcome } from '../../features/request-outcome.tsx';
import { useTyped } from '../../features/typed.tsx';
import { useWindowed } from '../../features/use-pages.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/field.tsx';
import { useGo } from '../../parts/navigation.tsx';
import { Card, Page } from '../../parts/page.tsx';
import { VirtualRows } from '../../parts/virtual-rows.tsx';
import css from './notes.module.css';

/** Quick notes: one to write, or one that was not taken, and all that were sent with their answers. */
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
          <Composer key={connection.id} {...fresh(connection)} />
        )}
        <History connectionId={connection.id} />
      </div>
    </Page>
  );
}

interface Written {
  readonly message: string;
  readonly description: string;
}

const nothing: Written = { message: '', description: '' };
const fresh = (connection: Connection) => ({
  connection,
  keptAs: `note-${connection.id}`,
  start: nothing,
  corrects: null,
});

function Corrected(props: { readonly jobId: string }) {
  const { jobId } = props;
  const { t } = useTranslation();
  const correction = useCorrection(jobId);
  const note = correction.data?.kind === 'note' ? correction.data : null;
  const connection = useConnection(note?.connectionId ?? '');
  const [start, setStart] = useState<Written | null>(null);
  // The start of the form must be one and the same value for as long as the form stands.
  if (note && !start) setStart({ message: note.message, description: note.description });
  if (correction.error) return <FailureView failure={correction.error.failure} />;
  if (!note || !start) return <p role="status">{t('common.loading')}</p>;
  if (!connection) {
    return (
      <Empty kind="nothing-yet" heading={t('corrections.connectionGone')} text={t('corrections.connectionGoneText')} />
    );
  }
  return <Composer connection={connection} keptAs={`note-${jobId}`} start={start} corrects={note} />;
}

function Composer(props: {
  readonly connection: Connection;
  /** Under which name what is typed is kept while somebody looks at other screens. */
  readonly keptAs: string;
  readonly start: Written;
  readonly corrects: Extract<Correction, { kind: 'note' }> | null;
}) {
  const { connection, corrects } = props;
  const { t } = useTranslation();
  const go = useGo();
  const announce = useAnnounce();
  const [{ message, description }, write, forget] = useTyped(props.keptAs, props.start);
  const [asking, setAsking] = useState(false);
  const send = useTask('service.addQuickNote');

  async function sendNow() {
    const sent = await send.run({
      connectionId: connection.id,
      message,
      ...(description === '' ? {} : { description }),
      ...(corrects ? { corrects: corrects.jobId } : {}),
    });
    setAsking(false);
    if (!sent.ok) return;
    forget();
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
        <Confirm
          title={t('notes.confirmTitle')}
          confirm={t('notes.confirm')}
          busy={send.busy}
          onConfirm={() => void sendNow()}
          onClose={() => setAsking(false)}
        >
          <p>{t('notes.confirmText', { connection: connection.name })}</p>
          {corrects?.state === 'in-doubt' ? <p>{t('corrections.doubtText')}</p> : null}
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
                canCorrect={note.canCorrect}
              />
            ) : null;
          }}
        </VirtualRows>
      ) : null}
    </section>
  );
}
