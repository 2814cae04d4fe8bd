import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isEmail } from '../../../contract/email.ts';
import { type PeopleImport, type Person, peopleLimits } from '../../../contract/people.ts';
import { languageFor } from '../../../locales/choose-language.ts';
import { askValue, listen } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall, useChooseFile } from '../../bridge/use-call.ts';
import { useForbidden } from '../../bridge/use-policy.ts';
import { Button } from '../../parts/button.tsx';
import { Form, SearchField, TextField } from '../../parts/field.tsx';
import { useFormat, visibleName } from '../../parts/format.ts';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { Confirm, Dialog } from '../../parts/overlays/dialog.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { ListBody } from '../list/list-grid.tsx';
import { useWindowed } from '../list/pages.ts';
import { UndoStrip, useRemoval } from '../undo.tsx';
import css from './address-book.module.css';

/** Height of a row, in px. */
const rowHeight = 41;

type Editing = { readonly was: Person | null } | null;

/** People of earlier requests and people who were entered or imported. With `onAdd` each can be added to a request. */
export function AddressBook(props: {
  readonly onAdd?: (person: { name: string; email: string }) => void;
  readonly onClose: () => void;
}) {
  const { onAdd } = props;
  const { t } = useTranslation();
  const [search, setSearch] = useState('');
  const [editing, setEditing] = useState<Editing>(null);
  const [isClearing, setClearing] = useState(false);
  const [added, setAdded] = useState<string | null>(null);
  const book = useBook(useDebounced(search.trim(), 120));
  const files = useFiles();
  const { total } = book;
  const add =
    onAdd &&
    ((one: { name: string; email: string }) => {
      onAdd(one);
      setAdded(t('people.addedToRequest', { who: one.name || one.email }));
    });
  return (
    <Dialog
      wide
      title={t('people.title')}
      onClose={props.onClose}
      actions={
        <>
          <Button onPress={() => setEditing({ was: null })}>{t('people.add')}</Button>
          <FileButtons files={files} isEmpty={!total} />
          <Button isDisabled={!total || search !== ''} onPress={() => setClearing(true)}>
            {t('people.clear')}
          </Button>
          <Button kind="primary" onPress={props.onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <SearchField
        label={t('compose.searchPeople')}
        placeholder={t('compose.searchPeople')}
        value={search}
        onChange={setSearch}
      />
      {files.failure ? <FailureView failure={files.failure} /> : null}
      {files.outcome ? <ImportOutcome outcome={files.outcome} /> : null}
      {files.saved ? <p role="status">{files.saved}</p> : null}
      {added ? <p role="status">{added}</p> : null}
      <People book={book} isSearch={search !== ''} onAdd={add} onEdit={(was) => setEditing({ was })} />
      <UndoStrip ofDialog />
      {editing ? <PersonForm was={editing.was} onClose={() => setEditing(null)} /> : null}
      {isClearing && total ? <ClearPeople total={total} onClose={() => setClearing(false)} /> : null}
    </Dialog>
  );
}

function useBook(search: string) {
  const client = useQueryClient();
  useEffect(() => listen('people.changed', () => void client.invalidateQueries({ queryKey: ['people'] })), [client]);
  return useWindowed(['people', 'book'], { search }, async (page) => {
    const { people, total } = await askValue('people.list', page);
    return { rows: people, total };
  });
}

function People(props: {
  readonly book: ReturnType<typeof useBook>;
  readonly isSearch: boolean;
  readonly onAdd: ((person: { name: string; email: string }) => void) | undefined;
  readonly onEdit: (person: Person) => void;
}) {
  const { book } = props;
  const { t } = useTranslation();
  const remove = useRemoval('people.remove');
  return (
    <>
      {remove.failure ? <FailureView failure={remove.failure} /> : null}
      <ListBody list={book} empty={t(props.isSearch ? 'compose.noPeople' : 'people.empty')}>
        <VirtualList
          label={t('people.title')}
          items={{ length: book.total ?? 0, at: book.rowAt }}
          rowHeight={rowHeight}
          className={css.list}
          keyOf={(person) => person.email}
          onRange={book.onRange}
        >
          {(person) => (
            <PersonRow
              person={person}
              onAdd={props.onAdd}
              onEdit={() => props.onEdit(person)}
              onRemove={() => void remove.run({ email: person.email }, person.name || person.email)}
            />
          )}
        </VirtualList>
      </ListBody>
    </>
  );
}

function FileButtons({ files, isEmpty }: { readonly files: ReturnType<typeof useFiles>; readonly isEmpty: boolean }) {
  const { t } = useTranslation();
  const unavailable = useForbidden('people.export');
  return (
    <>
      <Button isPending={files.busy} onPress={() => void files.importNow()}>
        {t('people.import')}
      </Button>
      <Button unavailable={unavailable} isDisabled={isEmpty} onPress={() => void files.exportNow()}>
        {t('people.export')}
      </Button>
    </>
  );
}

/** Importing and exporting, with the outcome of the last. */
function useFiles() {
  const { t, i18n } = useTranslation();
  const choose = useChooseFile('any');
  const importing = useCall('people.import');
  const exporting = useCall('people.export');
  const [outcome, setOutcome] = useState<PeopleImport | null>(null);
  const [saved, setSaved] = useState<string | null>(null);
  return {
    busy: choose.busy || importing.busy,
    failure: choose.failure ?? importing.failure ?? exporting.failure,
    outcome,
    saved,
    importNow: async () => {
      const file = await choose.choose();
      if (!file) return;
      setSaved(null);
      const done = await importing.run({ token: file.token });
      setOutcome(done.ok ? done.value : null);
    },
    exportNow: async () => {
      const done = await exporting.run({ language: languageFor(i18n.language, []) });
      if (!done.ok || !done.value) return;
      setOutcome(null);
      setSaved(t('people.exported', { count: done.value.count, name: done.value.fileName }));
    },
  } as const;
}

function PersonRow(props: {
  readonly person: Person;
  readonly onAdd: ((person: { name: string; email: string }) => void) | undefined;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}) {
  const { person, onAdd } = props;
  const { t } = useTranslation();
  const who = person.name || person.email;
  return (
    <div className={css.row}>
      <div className={css.who}>
        <strong>
          <MiddleCut text={who} />
        </strong>
        {person.name ? <MiddleCut text={person.email} /> : null}
      </div>
      {onAdd ? (
        <Button of={who} onPress={() => onAdd({ name: person.name, email: person.email })}>
          {t('compose.add')}
        </Button>
      ) : null}
      <Button kind="quiet" of={who} onPress={props.onEdit}>
        {t('compose.edit')}
      </Button>
      <Button kind="quiet" of={who} onPress={props.onRemove}>
        {t('common.remove')}
      </Button>
    </div>
  );
}

function ClearPeople(props: { readonly total: number; readonly onClose: () => void }) {
  const { total } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const clear = useRemoval('people.clear');
  return (
    <Confirm
      danger
      title={t('people.clearTitle', format.counted(total))}
      confirm={t('people.clearConfirm')}
      busy={clear.busy}
      onConfirm={() => void clear.run({}, t('people.title')).then((isDone) => isDone && props.onClose())}
      onClose={props.onClose}
    >
      <p>{t('people.clearText')}</p>
      {clear.failure ? <FailureView failure={clear.failure} /> : null}
    </Confirm>
  );
}

/** How many people came from a file, and the lines that were left out. */
function ImportOutcome(props: { readonly outcome: PeopleImport }) {
  const { fileName, added, changed, known, problems, problemCount } = props.outcome;
  const { t } = useTranslation();
  const format = useFormat();
  const parts = [
    t('people.added', format.counted(added)),
    changed > 0 ? t('people.changed', format.counted(changed)) : null,
    known > 0 ? t('people.known', format.counted(known)) : null,
  ].filter((part) => part !== null);
  return (
    <div role="status">
      <p>{t('people.outcome', { name: visibleName(fileName), counts: format.list(parts) })}</p>
      {problemCount > 0 ? (
        <>
          <p>{t('people.leftOut', format.counted(problemCount))}</p>
          <ul className={css.problems}>
            {problems.map(({ line, reason }) => (
              <li key={`${line} ${reason}`}>
                {t('people.problemAt', { line, problem: t(`people.problem.${reason}`) })}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}

/** Adds a person to the address book, or changes one. */
function PersonForm(props: { readonly was: Person | null; readonly onClose: () => void }) {
  const { was } = props;
  const { t } = useTranslation();
  const [name, setName] = useState(was?.name ?? '');
  const [email, setEmail] = useState(was?.email ?? '');
  const [tried, setTried] = useState(false);
  const save = useCall('people.save');
  const problem = save.failure?.fields?.email;
  const refused = problem && (problem === 'has no room' ? t('people.full') : t('people.twice'));
  const error = tried && !isEmail(email.trim()) ? t('compose.problem.email-invalid') : refused;

  async function saveNow() {
    setTried(true);
    if (!isEmail(email.trim())) return;
    const saved = await save.run({ ...(was ? { was: was.email } : {}), name, email });
    if (saved.ok) props.onClose();
  }

  return (
    <Dialog
      title={was ? t('people.editTitle') : t('people.addTitle')}
      onClose={props.onClose}
      confirm={
        <Button kind="primary" isPending={save.busy} onPress={() => void saveNow()}>
          {t('people.save')}
        </Button>
      }
    >
      <Form className={looks.stack} onSubmit={() => void saveNow()}>
        <TextField
          label={t('compose.name')}
          value={name}
          onChange={setName}
          autoFocus
          maxLength={peopleLimits.nameCharacters}
        />
        <TextField
          label={t('compose.email')}
          type="email"
          value={email}
          onChange={(value) => {
            setEmail(value);
            save.clear();
          }}
          error={error}
          maxLength={peopleLimits.emailCharacters}
        />
        <button type="submit" hidden aria-hidden="true" tabIndex={-1} />
      </Form>
      {save.failure && save.failure.fields?.email === undefined ? <FailureView failure={save.failure} /> : null}
    </Dialog>
  );
}
