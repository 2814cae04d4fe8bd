import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../contract/connections.ts';
import type { Correction } from '../../../contract/forms.ts';
import type { SentNote, UnsentNote } from '../../../contract/service.ts';
import { ask, askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useConnection, useCurrentConnection } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useKeptInput, useSaveAfterChanges } from '../../features/forms/kept-input.tsx';
import { ConnectionGone, CorrectionNotice, mayHaveArrived, useCorrection } from '../../features/jobs/correct.tsx';
import { askingJob, jobWord, useJob } from '../../features/jobs/repeats.tsx';
import { RequestOutcome } from '../../features/jobs/request-outcome.tsx';
import { ListGrid } from '../../features/list/list-grid.tsx';
import { ListScreen } from '../../features/list/list-screen.tsx';
import { useWindowed } from '../../features/list/pages.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { Empty } from '../../parts/empty.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import type { GridColumn } from '../../parts/grid/grid-column.ts';
import { useFocusNext } from '../../parts/hooks/focus-and-scroll.ts';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { useGo, useKeptState } from '../../parts/navigation.tsx';
import { Confirm } from '../../parts/overlays/dialog.tsx';
import { SidePanel } from '../../parts/overlays/side-panel.tsx';
import { toneOf } from '../../parts/status-chip.tsx';

/** Quick notes: all that were sent, and beside them the form, or one note with its answer. */
export function NotesScreen(props: { readonly corrects: string | null }) {
  const connection = useCurrentConnection();
  return <Notes key={connection.id} connection={connection} corrects={props.corrects} />;
}

function Notes(props: { readonly connection: Connection; readonly corrects: string | null }) {
  const { connection, corrects } = props;
  const { t } = useTranslation();
  const go = useGo();
  const focusNext = useFocusNext();
  const isNarrow = useNarrow();
  // In a narrow window the form would hide the list.
  const [open, setOpen] = useKeptState<SentNote | 'form' | null>(`open ${connection.id}`, isNarrow ? null : 'form');
  const notes = useNotes(connection.id);
  const chosen = open === 'form' ? null : open;
  const shown = chosen && (notes.find(({ jobId }) => jobId === chosen.jobId) ?? chosen);
  const isForm = corrects !== null || open === 'form';
  /** What is corrected is an address of its own. */
  function show(next: typeof open) {
    if (corrects) go({ screen: 'notes' });
    setOpen(next);
    if (next === 'form') focusNext(() => document.querySelector<HTMLElement>('aside > div:not([inert]) textarea'));
  }
  return (
    <ListScreen
      title={t('notes.title')}
      about={t('notes.lead', { connection: connection.name })}
      actions={
        <Button kind={isForm ? 'plain' : 'primary'} onPress={() => show('form')}>
          {t('notes.newNote')}
        </Button>
      }
      head={null}
      panel={
        isForm || shown ? (
          <SidePanel label={t('notes.write')} title={t('notes.write')} onClose={() => show(null)}>
            {corrects ? <Corrected key={corrects} jobId={corrects} /> : null}
            {isForm && !corrects ? <NewNote connection={connection} /> : null}
            {shown && !isForm ? <NoteOutcome note={shown} /> : null}
          </SidePanel>
        ) : null
      }
    >
      <ListGrid
        label={t('notes.history')}
        table="notes-columns"
        list={notes}
        columns={useColumns()}
        keyOf={({ jobId }) => jobId}
        nameOf={({ message }) => message}
        chosen={shown && !isForm ? shown.jobId : null}
        onChoose={show}
        empty={<Empty kind="nothing-yet" heading={t('notes.none')} text={t('notes.noneText')} />}
      />
    </ListScreen>
  );
}

function NoteOutcome({ note }: { readonly note: SentNote }) {
  const { message, description, answer } = note;
  const { data: job } = useJob(note.jobId);
  const what = { what: 'note', title: message, about: description, kind: answer?.kind ?? null } as const;
  return <RequestOutcome {...note} {...what} documentId={null} asking={job ? askingJob(job) : null} />;
}

function useNotes(connectionId: string) {
  return useWindowed(['notes'], { connectionId }, async (page) => {
    const { notes: rows, total } = await askValue('notes.list', page);
    return { rows, total };
  });
}

function useColumns(): readonly GridColumn<SentNote>[] {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'state',
        title: t('bulk.state'),
        width: 'minmax(19.5rem, 0.6fr)',
        cell: (note) => <Chip {...toneOf(note)}>{jobWord(t, { ...note, operation: 'AddQuickNote' })}</Chip>,
      },
      {
        id: 'message',
        title: t('notes.message'),
        width: 'minmax(10rem, 3fr)',
        cell: ({ message }) => <MiddleCut text={message} />,
      },
      {
        id: 'answer',
        title: t('answers.word'),
        width: 'minmax(6rem, 1fr)',
        fold: 2,
        cell: ({ raw }) => (
          <MiddleCut isSentence text={raw === null ? '—' : t('common.quote', { text: visibleName(raw) })} />
        ),
      },
      {
        id: 'written',
        title: t('notes.written'),
        width: 'minmax(7rem, 0.8fr)',
        fold: 1,
        cell: ({ createdAt }) => <time dateTime={createdAt}>{format.moment(createdAt)}</time>,
      },
    ],
    [t, format],
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
    <div className={looks.stack} inert={isPending}>
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

const inputOf = ({ connection, corrects }: ComposerProps, { message, description }: UnsentNote) => ({
  connectionId: connection.id,
  message,
  ...(description === '' ? {} : { description }),
  ...(corrects ? { corrects: corrects.jobId } : {}),
});

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
    const sent = await send.run(inputOf(props, note));
    setAsking(false);
    if (!sent.ok) return;
    announce(t('notes.queued'));
    if (!corrects) return write(nothing);
    forget();
    go({ screen: 'notes' });
  }
  return (
    <>
      {corrects ? <CorrectionNotice {...corrects} /> : null}
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
          {corrects && mayHaveArrived(corrects) ? <p>{t('corrections.doubtText')}</p> : null}
        </Confirm>
      ) : null}
    </>
  );
}
