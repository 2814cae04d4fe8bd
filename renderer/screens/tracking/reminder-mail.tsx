import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { MenuButton } from '../../parts/menu-button.tsx';
import { useWho } from './signer-state.tsx';

interface MailProps {
  readonly connectionId: string;
  readonly entry: TrackedEntry;
}

/** Opens a reminder in the person's own mail program, because the service offers none. */
export function ReminderMail(props: MailProps & { readonly kind?: 'plain' | 'quiet' }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!props.entry.email) return null;
  return (
    <>
      <div>
        <Button kind={props.kind ?? 'plain'} onPress={() => setOpen(true)}>
          {t('tracking.draftReminder')}
        </Button>
      </div>
      {open ? <ReminderDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** The same for those of a request who have not signed. */
export function RemindersMenu(props: { readonly connectionId: string; readonly entries: readonly TrackedEntry[] }) {
  const { connectionId, entries } = props;
  const { t } = useTranslation();
  const who = useWho();
  const [to, setTo] = useState<TrackedEntry | null>(null);
  const [only] = entries;
  if (only === undefined) return null;
  return (
    <>
      {entries.length === 1 ? (
        <Button kind="quiet" onPress={() => setTo(only)}>
          {t('tracking.write')}
        </Button>
      ) : (
        <MenuButton
          kind="quiet"
          label={t('tracking.write')}
          choices={entries.map((entry) => ({ key: entry.id, text: who(entry) }))}
          onChoose={(id) => setTo(entries.find((entry) => entry.id === id) ?? null)}
        />
      )}
      {to ? <ReminderDialog connectionId={connectionId} entry={to} onClose={() => setTo(null)} /> : null}
    </>
  );
}

function ReminderDialog(props: MailProps & { readonly onClose: () => void }) {
  const { entry, onClose } = props;
  const { t } = useTranslation();
  const draft = useCall('tracking.draftMail');
  const document = entry.documentName ?? '';
  const [subject, setSubject] = useState(() => t('tracking.mailSubject', { document }).slice(0, 200));
  const [body, setBody] = useState(() => t('tracking.mailBody', { name: entry.name ?? '', document }).slice(0, 1500));

  async function openMail() {
    const opened = await draft.run({ connectionId: props.connectionId, entryId: entry.id, subject, body });
    if (opened.ok) onClose();
  }

  return (
    <Dialog
      title={t('tracking.reminderTitle', { to: entry.email ?? '' })}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button kind="primary" isPending={draft.busy} onPress={() => void openMail()}>
            {t('tracking.openMail')}
          </Button>
        </>
      }
    >
      <p>{t('tracking.reminderText')}</p>
      <TextField label={t('tracking.mailSubjectField')} value={subject} onChange={setSubject} maxLength={200} />
      <TextField label={t('tracking.mailBodyField')} lines value={body} onChange={setBody} maxLength={1500} />
      {draft.failure ? <FailureView failure={draft.failure} /> : null}
    </Dialog>
  );
}
