import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackedGroup, TrackedSigner } from '../../../contract/tracking.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { UnlistedSignerState } from './state-chips.tsx';

/** Somebody who can be written to: the entry of a list, or who was asked by a request and whom no list shows. */
export interface Addressee {
  readonly name: string | null;
  readonly email: string;
  readonly documentName: string | null;
  readonly by: { readonly entryId: string } | { readonly requestId: string; readonly email: string };
  /** What is known of one whom no list shows. */
  readonly unlisted?: TrackedSigner;
}

/** The signer, unless it is known that he signed or he has no address. Who was asked comes from what was sent, also where no list has an entry. */
export function addresseeOf({ id, job, documentName }: TrackedGroup, signer: TrackedSigner): Addressee | null {
  const { entry, name, email } = signer;
  if (entry) return addresseeOfEntry(entry);
  if (job !== null || signer.state === 'signed' || !email) return null;
  return { name, email, documentName, by: { requestId: id, email }, unlisted: signer };
}

export function addresseeOfEntry({ id, hasSigned, name, email, documentName }: TrackedEntry): Addressee | null {
  return hasSigned || !email ? null : { name, email, documentName, by: { entryId: id } };
}

/** Opens a reminder in the person's own mail program, because the service offers none. */
export function ReminderMail(props: {
  readonly connectionId: string;
  readonly to: Addressee | null;
  readonly kind?: 'plain' | 'quiet';
}) {
  const { connectionId, to } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (!to) return null;
  return (
    <>
      <div>
        <Button kind={props.kind ?? 'plain'} onPress={() => setOpen(true)}>
          {t('tracking.draftReminder')}
        </Button>
      </div>
      {open ? <ReminderDialog connectionId={connectionId} all={[to]} onClose={() => setOpen(false)} /> : null}
    </>
  );
}

/** One mail after the other to those who have not signed, each opened or skipped. */
export function ReminderDialog(props: {
  readonly connectionId: string;
  readonly all: readonly Addressee[];
  readonly onClose: () => void;
}) {
  const { connectionId, onClose } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const announce = useAnnounce();
  const draft = useCall('tracking.draftMail');
  // Those of when it was opened: who signs meanwhile is refused by the core.
  const [all] = useState(props.all);
  const [at, setAt] = useState(0);
  const [typed, setTyped] = useState<{ readonly subject?: string; readonly body?: string }>({});
  const to = all[at];
  if (!to) return null;
  const document = to.documentName ?? '';
  const subject = typed.subject ?? t('tracking.mailSubject', { document }).slice(0, 200);
  const written = to.name ? 'tracking.mailBody' : 'tracking.mailBodyUnnamed';
  const body = typed.body ?? t(written, { name: to.name ?? '', document }).slice(0, 1500);
  const total = format.number(all.length);
  const title = (index: number, email: string) =>
    all.length === 1
      ? t('tracking.reminderTitle', { to: email })
      : t('tracking.reminderTitleOf', { to: email, n: format.number(index + 1), total });

  function next() {
    const following = all[at + 1];
    if (!following) return onClose();
    draft.clear();
    setTyped({});
    setAt(at + 1);
    announce(title(at + 1, following.email));
  }

  return (
    <Dialog
      title={title(at, to.email)}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          {all.length > 1 ? <Button onPress={next}>{t('tracking.skip')}</Button> : null}
          <Button
            kind="primary"
            isPending={draft.busy}
            onPress={() => void draft.run({ connectionId, ...to.by, subject, body }).then(({ ok }) => ok && next())}
          >
            {t('tracking.openMail')}
          </Button>
        </>
      }
    >
      <p>{t('tracking.reminderText')}</p>
      {to.unlisted ? (
        <p className={looks.line}>
          <UnlistedSignerState signer={to.unlisted} />
          {to.unlisted.state === 'not-known' ? t('tracking.reminderUnlisted') : null}
        </p>
      ) : null}
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
