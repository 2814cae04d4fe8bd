import { type ClipboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecipientProblem } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/page.tsx';
import css from './compose.module.css';
import { OwnerSigns } from './owner-signs.tsx';
import { PastePeople } from './paste-people.tsx';
import { RecentPeople } from './recent-people.tsx';
import { RecipientRow } from './recipient-row.tsx';
import type { DraftInHand } from './use-draft.ts';
import type { Problems } from './use-recipient-problems.ts';

type Person = DraftInHand['composing']['content']['recipients'][number];

/** Only said once somebody wanted to go on: until then a field is merely not filled in yet. */
const afterwards: ReadonlySet<RecipientProblem['kind']> = new Set(['nobody', 'email-missing', 'name-missing']);

/** Who signs, in their order. */
export function Recipients(props: {
  readonly draft: DraftInHand;
  readonly connection: Connection;
  readonly problems: Problems;
  readonly tried: boolean;
}) {
  const { draft } = props;
  const { t } = useTranslation();
  const announce = useAnnounce();
  const [open, setOpen] = useState<'recent' | { readonly pasted: string } | null>(null);
  const [focused, setFocused] = useState<number | null>(null);
  const { recipients, kind } = draft.composing.content;
  const shown = props.problems.problems.filter((problem) => props.tried || !afterwards.has(problem.kind));
  const ofAll = shown.filter((problem) => problem.list === 'recipients' && problem.index === null);
  const set = (people: readonly Person[]) => draft.set({ recipients: [...people] });

  function add(people: readonly Person[]) {
    set([...recipients.filter((person) => person.name !== '' || person.email !== ''), ...people]);
  }
  function move(from: number, to: number) {
    if (to < 0 || to >= recipients.length || from === to) return;
    const next = [...recipients];
    const [person] = next.splice(from, 1);
    if (!person) return;
    next.splice(to, 0, person);
    set(next);
    announce(
      t('compose.moved', { who: person.name || person.email || t('compose.signer', { n: from + 1 }), n: to + 1 }),
    );
  }
  /** A list pasted into a field is looked at as a list. */
  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text/plain');
    if (event.clipboardData.files.length > 0 || !/[\n\t;<]/.test(text.trim())) return;
    event.preventDefault();
    setOpen({ pasted: text });
  }

  return (
    <Card
      title={t('compose.whoSigns')}
      actions={
        <div className={css.row}>
          <Button kind="quiet" onPress={() => setOpen({ pasted: '' })}>
            {t('compose.pasteList')}
          </Button>
          <Button kind="quiet" onPress={() => setOpen('recent')}>
            {t('compose.recentPeople')}
          </Button>
        </div>
      }
    >
      <div className={css.people} onPaste={onPaste}>
        {recipients.length > 0 ? (
          <div className={css.personHead} aria-hidden="true">
            <span />
            <span>{t('compose.name')}</span>
            <span>{t('compose.email')}</span>
            <span />
          </div>
        ) : null}
        {recipients.map((person, index) => (
          <RecipientRow
            // biome-ignore lint/suspicious/noArrayIndexKey: people may be empty or equal; their place is what tells them apart
            key={index}
            index={index}
            count={recipients.length}
            person={person}
            autoFocus={focused === index}
            problems={shown.filter((problem) => problem.list === 'recipients' && problem.index === index)}
            onChange={(changed) => set(recipients.map((one, at) => (at === index ? changed : one)))}
            onMove={(to) => move(index, to)}
            onRemove={() => set(recipients.filter((_, at) => at !== index))}
          />
        ))}
      </div>
      {ofAll.map((problem) => (
        <p key={problem.kind} className={problem.severity === 'error' ? css.error : css.warningText} role="alert">
          {t(`compose.problem.${problem.kind}`)}
        </p>
      ))}
      <div className={css.row}>
        <Button
          {...(props.tried && ofAll.some((problem) => problem.kind === 'nobody') ? { 'data-missing': '' } : {})}
          onPress={() => {
            setFocused(recipients.length);
            set([...recipients, { name: '', email: '' }]);
          }}
        >
          {t('compose.addSigner')}
        </Button>
        {kind === 'plain' ? null : <span className={css.help}>{t('compose.upToThree')}</span>}
      </div>
      <OwnerSigns draft={draft} />
      {open === 'recent' ? (
        <RecentPeople onAdd={(person) => add([person])} onClose={() => setOpen(null)} />
      ) : open ? (
        <PastePeople text={open.pasted} onAdd={add} onClose={() => setOpen(null)} />
      ) : null}
    </Card>
  );
}
