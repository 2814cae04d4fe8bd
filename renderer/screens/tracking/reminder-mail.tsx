import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';

/** Opens a reminder in the person's own mail program, because the service offers none. */
export function ReminderMail(props: {
  readonly connectionId: string;
  readonly entry: TrackedEntry;
  readonly kind?: 'plain' | 'quiet';
}) {
  const { entry } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const draft = useCall('tracking.draftMail');
  const document = entry.documentName ?? '';
  const [subject, setSubject] = useState(() => t('tracking.mailSubject', { document }).slice(0, 200));
  const [body, setBody] = useState(() => t('tracking.mailBody', { name: entry.name ?? '', document }).slice(0, 1500));

  async function openMail() {
    const opened = await draft.run({ connectionId: props.connectionId, entryId: entry.id, subject, body });
    if (opened.ok) setOpen(false);
  }

  if (!entry.email) return null;
  return (
    <>
      <div>
        <Button kind={props.kind ?? 'plain'} onPress={() => setOpen(true)}>
          {t('tracking.draftReminder')}
        </Button>
      </div>
      {open ? (
        <Dialog
          title={t('tracking.reminderTitle', { to: entry.email })}
          onClose={() => setOpen(false)}
          actions={
            <>
              <Button onPress={() => setOpen(false)}>{t('common.cancel')}</Button>
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
      ) : null}
    </>
  );
}
