import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failureText } from '../../bridge/failure-text.ts';
import { useChooseFile } from '../../bridge/use-call.ts';
import { usePeopleOptions } from '../../features/people/person-field.tsx';
import { Button } from '../../parts/button.tsx';
import looks from '../../parts/looks.module.css';
import css from './bulk.module.css';

export interface CellChange {
  readonly value: string;
  readonly fileToken?: string;
}

interface CellEditorProps {
  /** Names column and row. */
  readonly label: string;
  readonly value: string;
  /** `name` and `email` are completed from the address book. */
  readonly kind: 'text' | 'name' | 'email' | 'secret' | 'file';
  /** What is wrong with the value; empty if nothing is. */
  readonly problem: string;
  readonly busy: boolean;
  readonly onSave: (change: CellChange, isLeft: boolean) => void;
  /** `isLeft`: the focus went elsewhere. */
  readonly onClose: (isLeft: boolean) => void;
}

/** A cell of a spreadsheet as a field: Enter saves, Esc keeps what was there. Leaving it saves a changed value, also by scrolling it away. */
export function CellEditor(props: CellEditorProps) {
  return props.kind === 'file' ? <FileCell {...props} /> : <TextCell {...props} kind={props.kind} />;
}

function FileCell(props: CellEditorProps) {
  const { t } = useTranslation();
  const messageId = useId();
  const choose = useChooseFile('documents');
  const problem = choose.failure ? failureText(t, choose.failure).heading : props.problem;

  async function chooseFile() {
    const file = await choose.choose();
    if (file) props.onSave({ value: file.name, fileToken: file.token }, false);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Esc of the button inside
    <span
      className={`${looks.anchor} ${looks.grow}`}
      onKeyDown={(event) => (event.key === 'Escape' ? props.onClose(false) : undefined)}
    >
      <Button
        autoFocus
        aria-label={props.label}
        {...(problem ? { 'aria-describedby': messageId } : {})}
        isPending={props.busy || choose.busy}
        onPress={() => void chooseFile()}
      >
        {t('bulk.choosePdf')}
      </Button>
      <CellProblem id={messageId} text={problem} />
    </span>
  );
}

function TextCell(props: CellEditorProps & { readonly kind: 'text' | 'name' | 'email' | 'secret' }) {
  const messageId = useId();
  const [text, setText] = useState(props.value);
  const keep = useSaveWhenRemoved((value) => props.onSave({ value }, true));
  const person = props.kind === 'name' || props.kind === 'email' ? props.kind : null;
  const people = usePeopleOptions(text, (chosen) => {
    const value = (person && chosen[person]) || text;
    setText(value);
    keep(null);
    props.onSave({ value }, false);
  });
  const { problem } = props;
  return (
    <span className={`${looks.anchor} ${looks.grow}`}>
      <input
        {...(person ? people.inputProps : {})}
        // biome-ignore lint/a11y/noAutofocus: the person asked to edit this cell
        autoFocus
        type={props.kind === 'secret' ? 'password' : 'text'}
        className={css.cellInput}
        aria-label={props.label}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem && !people.isShown ? messageId : undefined}
        maxLength={32_767}
        autoComplete="off"
        spellCheck={false}
        value={text}
        readOnly={props.busy}
        onChange={(event) => {
          setText(event.currentTarget.value);
          keep(event.currentTarget.value);
          if (person) people.onTyped(event.currentTarget.value);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (person && people.onKeyDown(event)) return;
          const isSaved = event.key === 'Enter' && !event.nativeEvent.isComposing;
          if (isSaved || event.key === 'Escape') keep(null);
          if (isSaved) props.onSave({ value: text }, false);
          if (event.key === 'Escape') props.onClose(false);
        }}
        onBlur={() => {
          people.close();
          if (props.busy) return;
          keep(null);
          if (text === props.value) props.onClose(true);
          else props.onSave({ value: text }, true);
        }}
      />
      {person ? people.list : null}
      {people.isShown ? null : <CellProblem id={messageId} text={problem} />}
    </span>
  );
}

function CellProblem({ id, text }: { readonly id: string; readonly text: string }) {
  return text ? (
    <span id={id} className={css.cellProblem}>
      {text}
    </span>
  ) : null;
}

/** A row that scrolls out of sight is removed with its field, and then no field tells that the focus left it. What was typed is saved all the same. */
function useSaveWhenRemoved(save: (value: string) => void): (typed: string | null) => void {
  const typed = useRef<string | null>(null);
  const latest = useRef(save);
  latest.current = save;
  useEffect(
    () => () => {
      if (typed.current !== null) latest.current(typed.current);
    },
    [],
  );
  return (value) => {
    typed.current = value;
  };
}
