import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { Dialog } from '../../parts/overlays/dialog.tsx';

/** Opens a reminder in the person's own mail program, because the service offers none. */
export function ReminderMail(props: {
  readonly connectionId: string;
  readonly entry: TrackedEntry;
  readonly kind?: 'plain' | 'quiet';
}) {
  const { connectionId, entry } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!entry.email) return null;
  return (
    <>
      <div>
        <Button kind={props.kind ?? 'plain'} onPress={() => setOpen(true)}>
          {t('tracking.draftReminder')}
        </Button>
      </div>
      {open ? <ReminderDialog connectionId={connectionId} entries={[entry]} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** One mail after the other to those who have not signed, each opened or skipped. */
export function ReminderDialog(props: {
  readonly connectionId: string;
  readonly entries: readonly TrackedEntry[];
  readonly onClose: () => void;
}) {
  const { connectionId, onClose } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const announce = useAnnounce();
  const draft = useCall('tracking.draftMail');
  // Those of when it was opened: who signs meanwhile is refused by the core.
  const [entries] = useState(props.entries);
  const [at, setAt] = useState(0);
  const [typed, setTyped] = useState<{ readonly subject?: string; readonly body?: string }>({});
  const entry = entries[at];
  if (!entry) return null;
  const document = entry.documentName ?? '';
  const subject = typed.subject ?? t('tracking.mailSubject', { document }).slice(0, 200);
  const written = entry.name ? 'tracking.mailBody' : 'tracking.mailBodyUnnamed';
  const body = typed.body ?? t(written, { name: entry.name ?? '', document }).slice(0, 1500);
  const total = format.number(entries.length);
  const title = (index: number, email: string) =>
    entries.length === 1
      ? t('tracking.reminderTitle', { to: email })
      : t('tracking.reminderTitleOf', { to: email, n: format.number(index + 1), total });

  function next() {
    const following = entries[at + 1];
    if (!following) return onClose();
    draft.clear();
    setTyped({});
    setAt(at + 1);
    announce(title(at + 1, following.email ?? ''));
  }

  return (
    <Dialog
      title={title(at, entry.email ?? '')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          {entries.length > 1 ? <Button onPress={next}>{t('tracking.skip')}</Button> : null}
          <Button
            kind="primary"
            isPending={draft.busy}
            onPress={() =>
              void draft.run({ connectionId, entryId: entry.id, subject, body }).then(({ ok }) => ok && next())
            }
          >
            {t('tracking.openMail')}
          </Button>
        </>
      }
    >
      <p>{t('tracking.reminderText')}</p>
      <TextField
        label={t('tracking.mailSubjectField')}
        value={subject}
        onChange={(text) => setTyped({ ...typed, subject: text })}
        maxLength={200}
      />
      <TextField
        label={t('tracking.mailBodyField')}
        lines
        value={body}
        onChange={(text) => setTyped({ ...typed, body: text })}
        maxLength={1500}
      />
      {draft.failure ? <FailureView failure={draft.failure} /> : null}
    </Dialog>
  );
}
