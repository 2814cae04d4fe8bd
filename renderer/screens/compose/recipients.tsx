import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ClipboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DraftContent, RecipientProblem } from '../../../contract/compose.ts';
import type { Connection } from '../../../contract/connections.ts';
import type { CallOutput } from '../../../contract/index.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { filledRows } from '../../features/forms/draft-state.ts';
import { AddressBook } from '../../features/people/address-book.tsx';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import field from '../../parts/field.module.css';
import { TextField } from '../../parts/field.tsx';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Card } from '../../parts/page.tsx';
import css from './compose.module.css';
import { RecipientRow } from './recipient-row.tsx';
import type { DraftForm } from './use-draft.ts';

type Person = DraftForm['state']['content']['recipients'][number];

/** The open dialog. */
type Open = 'book' | { readonly pasted: string } | null;

/** Problems that are shown only after a person tried to continue: before that, the field is just not filled in yet. */
const afterwards: ReadonlySet<RecipientProblem['kind']> = new Set(['nobody', 'email-missing', 'name-missing']);

/** The signers, in their order. */
export function Recipients(props: {
  readonly draft: DraftForm;
  readonly connection: Connection;
  readonly problems: Problems;
  readonly tried: boolean;
}) {
  const { draft, tried } = props;
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>(null);
  const people = usePeople(draft);
  const problems = props.problems.problems.filter((problem) => tried || !afterwards.has(problem.kind));
  const ofAll = problems.filter((problem) => problem.list === 'recipients' && problem.index === null);

  return (
    <Card
      title={t('compose.whoSigns')}
      actions={
        <div className={looks.line3}>
          <Button kind="quiet" onPress={() => setOpen({ pasted: '' })}>
            {t('compose.pasteList')}
          </Button>
          <Button kind="quiet" onPress={() => setOpen('book')}>
            {t('people.open')}
          </Button>
        </div>
      }
    >
      <PeopleRows people={people} problems={problems} onPasted={(pasted) => setOpen({ pasted })} />
      {ofAll.map((problem) => (
        <p key={problem.kind} className={problem.severity === 'error' ? field.error : field.warning} role="alert">
          {t(`compose.problem.${problem.kind}`)}
        </p>
      ))}
      <div className={looks.line3}>
        <Button
          {...(tried && ofAll.some((problem) => problem.kind === 'nobody') ? { 'data-missing': '' } : {})}
          onPress={people.addEmpty}
        >
          {t('compose.addSigner')}
        </Button>
      </div>
      <Checkbox
        isSelected={draft.state.content.ownerSigns}
        onChange={(ownerSigns) => draft.set({ ownerSigns, ...(ownerSigns ? {} : { ownerFirst: false }) })}
      >
        {t('compose.ownerSigns')}
      </Checkbox>
      {open === 'book' ? (
        <AddressBook onAdd={(person) => people.add([person])} onClose={() => setOpen(null)} />
      ) : open ? (
        <PastePeople text={open.pasted} onAdd={people.add} onClose={() => setOpen(null)} />
      ) : null}
    </Card>
  );
}

function focusRow(index: number): void {
  document.querySelector<HTMLInputElement>(`[data-recipient="${index}"] input`)?.focus();
}

/** The signers of a draft, and the functions that change them. */
function usePeople(draft: DraftForm) {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const [focused, setFocused] = useState<number | null>(null);
  const { recipients } = draft.state.content;
  const set = (people: readonly Person[]) => draft.set({ recipients: [...people] });

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

  return {
    recipients,
    /** Index of the row that was added last: its first field gets the focus. */
    focused,
    move,
    /** Adds people; rows without name and address are replaced. */
    add: (people: readonly Person[]) =>
      set([...recipients.filter((person) => person.name !== '' || person.email !== ''), ...people]),
    addEmpty: () => {
      const empty = recipients.findIndex((person) => person.name === '' && person.email === '');
      if (empty >= 0) return focusRow(empty);
      setFocused(recipients.length);
      set([...recipients, { name: '', email: '' }]);
    },
    change: (index: number, changed: Person) => set(recipients.map((one, at) => (at === index ? changed : one))),
    remove: (index: number) => set(recipients.filter((_, at) => at !== index)),
  };
}

function PeopleRows(props: {
  readonly people: ReturnType<typeof usePeople>;
  readonly problems: readonly RecipientProblem[];
  readonly onPasted: (text: string) => void;
}) {
  const { recipients, focused, addEmpty, change, move, remove } = props.people;
  const { t } = useTranslation();

  /** A list that is pasted into a field is added as a list. */
  function onPaste(event: ClipboardEvent) {
    const text = event.clipboardData.getData('text/plain');
    if (event.clipboardData.files.length > 0 || !/[\n\t;<]/.test(text.trim())) return;
    event.preventDefault();
    props.onPasted(text);
  }

  return (
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
          problems={props.problems.filter((problem) => problem.list === 'recipients' && problem.index === index)}
          onChange={(changed) => change(index, changed)}
          onMove={(to) => move(index, to)}
          onRemove={() => remove(index)}
          onNext={() => (index + 1 < recipients.length ? focusRow(index + 1) : addEmpty())}
        />
      ))}
    </div>
  );
}

/** Extracts people from a spreadsheet or a mail header and shows them before they are added. */
function PastePeople(props: {
  readonly text: string;
  readonly onAdd: (people: readonly { name: string; email: string }[]) => void;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const [text, setText] = useState(props.text);
  const still = useDebounced(text, 200);
  const parsed = useQuery({
    queryKey: ['parse-people', still],
    queryFn: () => askValue('compose.parsePeople', { text: still }),
    placeholderData: (before) => before,
    gcTime: 0,
  });
  const people = parsed.data?.people ?? [];
  const leftOver = parsed.data?.leftOver ?? [];
  return (
    <Dialog
      wide
      title={t('compose.pasteTitle')}
      onClose={props.onClose}
      confirm={
        <Button
          kind="primary"
          isDisabled={people.length === 0 || still !== text}
          onPress={() => {
            props.onAdd(people.map(({ name, email }) => ({ name, email })));
            props.onClose();
          }}
        >
          {t('compose.addPeople', { count: people.length })}
        </Button>
      }
    >
      <p>{t('compose.pasteText')}</p>
      <TextField label={t('compose.pasteField')} lines autoFocus value={text} onChange={setText} />
      {parsed.error ? <FailureView failure={parsed.error.failure} /> : null}
      {people.length > 0 ? <ParsedPeople people={people} /> : null}
      {leftOver.length > 0 ? <LeftOver parts={leftOver} /> : null}
      {parsed.data?.cut ? <p>{t('compose.pasteCut')}</p> : null}
    </Dialog>
  );
}

type Parsed = CallOutput<'compose.parsePeople'>;

function ParsedPeople(props: { readonly people: Parsed['people'] }) {
  const { t } = useTranslation();
  return (
    <table className={looks.table}>
      <thead>
        <tr>
          <th>{t('compose.name')}</th>
          <th>{t('compose.email')}</th>
        </tr>
      </thead>
      <tbody>
        {props.people.slice(0, 50).map((person) => (
          <tr key={`${person.line}-${person.email}`}>
            <td>{person.name || '—'}</td>
            <td>{person.email}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Parts of the text that could not be read as people. */
function LeftOver(props: { readonly parts: Parsed['leftOver'] }) {
  const { t } = useTranslation();
  return (
    <div className={looks.warning} role="status">
      <p>{t('compose.leftOver', { count: props.parts.length })}</p>
      <ul>
        {props.parts.slice(0, 10).map((part) => (
          <li key={`${part.line}-${part.text}`}>{t('compose.leftOverLine', part)}</li>
        ))}
      </ul>
    </div>
  );
}

/** Problems of the recipients by position in the table; the core is asked whenever typing pauses. */
export function useRecipientProblems(connectionId: string, content: DraftContent) {
  const client = useQueryClient();
  const rows = filledRows(content);
  const copies = content.kind === 'plain' ? [] : content.ccEmails.map((email) => email.trim()).filter(Boolean);
  const input = {
    connectionId,
    kind: content.kind,
    recipients: rows.map(({ name, email }) => ({ name, email })),
    ccEmails: copies,
    ownerSigns: content.ownerSigns,
  };
  const query = (asked: typeof input) => ({
    queryKey: ['recipient-problems', asked],
    queryFn: () => askValue('compose.checkRecipients', asked),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const typed = JSON.stringify(input);
  const still = useDebounced(typed, 400);
  // What was checked at once is shown at once: the first error of it gets the focus.
  const [wanted, setWanted] = useState<string | null>(null);
  const shown = wanted === typed ? typed : still;
  const checked = useQuery({ ...query(JSON.parse(shown) as typeof input), placeholderData: (before) => before });
  const problems: readonly RecipientProblem[] = (checked.data ?? []).map((problem) =>
    problem.list === 'recipients' && problem.index !== null
      ? { ...problem, index: rows[problem.index]?.index ?? null }
      : problem,
  );
  return {
    problems,
    /** Checks the current input at once; true if there is an error. */
    now: async () => {
      setWanted(typed);
      const found = await client.fetchQuery(query(input));
      return found.some((problem) => problem.severity === 'error');
    },
  };
}

export type Problems = ReturnType<typeof useRecipientProblems>;
