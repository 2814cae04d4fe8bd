import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { TextField as AriaTextField, Input } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { askValue } from '../../bridge/client.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import field from '../../parts/field.module.css';
import { FieldNotes } from '../../parts/field.tsx';
import { useCombobox } from '../../parts/hooks/use-combobox.ts';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import looks from '../../parts/looks.module.css';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import popup from '../../parts/overlays/popup.module.css';
import css from './person-field.module.css';

interface NameAndEmail {
  readonly name: string;
  readonly email: string;
}

interface FieldProps {
  readonly label: string;
  readonly type: 'text' | 'email';
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** A person of the address book was chosen: name and address. */
  readonly onPerson: (person: NameAndEmail) => void;
  readonly maxLength: number;
  readonly autoFocus?: boolean;
  readonly error?: string | undefined;
}

/** People of the address book who match a text, as the options of a field. Arrow down in an empty field shows recent people. */
export function usePeopleOptions(value: string, onPerson: (person: NameAndEmail) => void) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const people = useSuggestions(value, isOpen);
  const combobox = useCombobox({
    label: t('people.suggestions'),
    keys: people.map(({ email }) => email),
    isOpen,
    resetKey: value,
    startsAtFirst: false,
    onPick: (index) => {
      const person = people[index];
      if (person) onPerson({ name: person.name, email: person.email });
      setOpen(false);
    },
  });

  /** True if the key was for the options. */
  function onKeyDown(event: KeyboardEvent): boolean {
    if (event.key === 'Escape' && isOpen) {
      event.stopPropagation();
      setOpen(false);
      return true;
    }
    if (event.key === 'ArrowDown' && !event.altKey && !isOpen) {
      event.preventDefault();
      setOpen(true);
      return true;
    }
    combobox.inputProps.onKeyDown(event);
    return event.defaultPrevented;
  }

  const isShown = isOpen && people.length > 0;
  return {
    isShown,
    inputProps: combobox.inputProps,
    onKeyDown,
    onTyped: (text: string) => setOpen(text.trim() !== ''),
    close: () => setOpen(false),
    list: isShown ? (
      <div {...combobox.listProps} className={css.list}>
        {people.map((person, index) => (
          <div key={person.email} {...combobox.optionProps(index)} className={popup.item}>
            <span className={looks.grow}>{person.name || person.email}</span>
            {person.name ? (
              <span className={css.aside}>
                <MiddleCut text={person.email} />
              </span>
            ) : null}
          </div>
        ))}
      </div>
    ) : null,
  } as const;
}

/** A name or an address, completed from the address book while typing. */
export function PersonField(props: FieldProps) {
  const options = usePeopleOptions(props.value, props.onPerson);
  return (
    <AriaTextField
      className={`${field.field} ${looks.anchor}`}
      aria-label={props.label}
      value={props.value}
      onChange={(value) => {
        props.onChange(value);
        options.onTyped(value);
      }}
      onBlur={options.close}
      type={props.type}
      isInvalid={props.error !== undefined}
      validationBehavior="aria"
      autoComplete="off"
      spellCheck="false"
      autoFocus={props.autoFocus ?? false}
      maxLength={props.maxLength}
    >
      <Input
        {...options.inputProps}
        onKeyDown={(event) => void options.onKeyDown(event)}
        className={field.input ?? ''}
      />
      {options.list}
      <FieldNotes {...props} />
    </AriaTextField>
  );
}

/** People who match the text, and their number announced. None if the text is already the whole address. */
function useSuggestions(value: string, isOpen: boolean): readonly NameAndEmail[] {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const search = useDebounced(value.trim(), 120).slice(0, 200);
  const query = useQuery({
    queryKey: ['people', 'suggested', search],
    queryFn: () => askValue('people.list', { search, limit: 6 }),
    enabled: isOpen,
    placeholderData: (before) => before,
  });
  const found = query.data?.people ?? [];
  const people = found.length === 1 && found[0]?.email === value.trim() ? [] : found;
  const count = isOpen ? people.length : 0;
  useEffect(() => {
    if (count > 0) announce(t('people.suggestionCount', { count }));
  }, [announce, t, count]);
  return people;
}
