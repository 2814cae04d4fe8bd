import { Search, X } from 'lucide-react';
import { type ReactNode, type Ref, startTransition, useEffect, useOptimistic, useRef } from 'react';
import {
  SearchField as AriaSearchField,
  TextField as AriaTextField,
  FieldError,
  Input,
  Label,
  NumberField,
  Radio,
  RadioGroup,
  Text,
  TextArea,
} from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import { useAnnounce } from './announcer.tsx';
import { Button, IconButton } from './button.tsx';
import css from './field.module.css';
import { useFormat } from './format.ts';
import looks from './looks.module.css';
import { useMarks } from './mark-matches.ts';

interface Common {
  readonly label: string;
  readonly help?: ReactNode;
  /** The error of the field; undefined if there is none. */
  readonly error?: string | undefined;
  /** Why the value cannot be changed, shown in place of the help. */
  readonly locked?: string | undefined;
  /** As locked, where the reason is said elsewhere. */
  readonly isReadOnly?: boolean;
}

/** What stands below a field. `value`, `maxLength`: of a text that takes no more characters once it is full, which is then said. */
export function FieldNotes(
  props: Pick<Common, 'help' | 'error' | 'locked'> & {
    readonly value?: string;
    readonly maxLength?: number | undefined;
  },
) {
  const { value = '', maxLength } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const announce = useAnnounce();
  const isFull = maxLength !== undefined && value.length >= maxLength;
  const full = isFull ? t('common.fieldFull', { shown: format.number(maxLength) }) : null;
  useEffect(() => {
    if (full !== null) announce(full);
  }, [announce, full]);
  return (
    <>
      <Description text={props.locked ?? full ?? props.help} />
      <FieldError className={css.error ?? ''}>{props.error}</FieldError>
    </>
  );
}

function Description({ text }: { readonly text: ReactNode }) {
  return text ? (
    <Text slot="description" className={looks.aside}>
      {text}
    </Text>
  ) : null;
}

/** A text of one or several lines, or a secret. */
export function TextField(
  props: Common & {
    readonly value: string;
    readonly onChange: (value: string) => void;
    readonly onBlur?: () => void;
    readonly type?: 'text' | 'url' | 'email' | 'password';
    readonly lines?: boolean;
    readonly mono?: boolean;
    readonly hideLabel?: boolean;
    readonly placeholder?: string;
    readonly autoFocus?: boolean;
    readonly isRequired?: boolean;
    readonly maxLength?: number;
  },
) {
  const className = `${css.input} ${props.mono ? css.mono : ''}`;
  return (
    <AriaTextField
      className={css.field ?? ''}
      value={props.value}
      onChange={props.onChange}
      type={props.type ?? 'text'}
      isInvalid={props.error !== undefined}
      isRequired={props.isRequired ?? false}
      isReadOnly={props.isReadOnly ?? props.locked !== undefined}
      validationBehavior="aria"
      autoComplete="off"
      spellCheck={props.lines ? 'true' : 'false'}
      autoFocus={props.autoFocus ?? false}
      {...(props.hideLabel ? { 'aria-label': props.label } : {})}
      {...(props.maxLength ? { maxLength: props.maxLength } : {})}
      {...(props.onBlur ? { onBlur: props.onBlur } : {})}
    >
      {props.hideLabel ? null : <Label className={looks.label}>{props.label}</Label>}
      {props.lines ? (
        <TextArea className={className} placeholder={props.placeholder} />
      ) : (
        <Input className={className} placeholder={props.placeholder} />
      )}
      <FieldNotes {...props} />
    </AriaTextField>
  );
}

/** A whole number. */
export function WholeNumberField(
  props: Common & {
    readonly value: number;
    readonly onChange: (value: number) => void;
    readonly min: number;
    readonly max: number;
    readonly hideLabel?: boolean;
  },
) {
  return (
    <NumberField
      className={css.field ?? ''}
      value={props.value}
      onChange={props.onChange}
      minValue={props.min}
      maxValue={props.max}
      isReadOnly={props.isReadOnly ?? props.locked !== undefined}
      isInvalid={props.error !== undefined}
      validationBehavior="aria"
      formatOptions={{ maximumFractionDigits: 0, useGrouping: false }}
      {...(props.hideLabel ? { 'aria-label': props.label } : {})}
    >
      {props.hideLabel ? null : <Label className={looks.label}>{props.label}</Label>}
      <Input className={css.input ?? ''} />
      <FieldNotes help={props.help} error={props.error} locked={props.locked} />
    </NumberField>
  );
}

/** A search while typing; Esc clears it. Ctrl+F finds it by its data-search mark. A key is shown at once: what follows from it is drawn behind it. */
export function SearchField(props: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}) {
  const { t } = useTranslation();
  const field = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useOptimistic(props.value);
  useMarks(field, props.value);
  return (
    <AriaSearchField
      ref={field}
      autoFocus={props.autoFocus ?? false}
      aria-label={props.label}
      className={css.search ?? ''}
      value={typed}
      onChange={(value) =>
        startTransition(() => {
          setTyped(value);
          props.onChange(value);
        })
      }
      data-search=""
    >
      <Search aria-hidden="true" />
      <Input className={css.input ?? ''} placeholder={props.placeholder} />
      {typed ? (
        <span className={css.clear}>
          <IconButton label={t('list.clearSearch')} icon={<X aria-hidden="true" />} />
        </span>
      ) : null}
    </AriaSearchField>
  );
}

/** A few exclusive options side by side. */
export function Segments<K extends string>(props: {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly help?: ReactNode;
  readonly locked?: string | undefined;
  readonly value: K;
  readonly choices: readonly { readonly key: K; readonly text: string; readonly tip?: string }[];
  readonly onChange: (key: K) => void;
}) {
  return (
    <RadioGroup
      className={css.field ?? ''}
      value={props.value}
      orientation="horizontal"
      isReadOnly={props.locked !== undefined}
      {...(props.hideLabel ? { 'aria-label': props.label } : {})}
      onChange={(value) => {
        const choice = props.choices.find((one) => one.key === value);
        if (choice) props.onChange(choice.key);
      }}
    >
      {props.hideLabel ? null : <Label className={looks.label}>{props.label}</Label>}
      <div className={css.segments}>
        {props.choices.map((choice) => (
          <Radio key={choice.key} value={choice.key} className={css.segment ?? ''}>
            <span title={choice.tip}>{choice.text}</span>
          </Radio>
        ))}
      </div>
      <Description text={props.locked ?? props.help} />
    </RadioGroup>
  );
}

/** Fields that Enter sends. `label`: the name of a sheet of several, each of which says what is wrong with it. */
export function Form(props: {
  readonly ref?: Ref<HTMLFormElement>;
  readonly label?: string;
  readonly className?: string | undefined;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}) {
  return (
    <form
      ref={props.ref}
      className={props.className}
      aria-label={props.label}
      // The browser would refuse an address without https:// on Enter, without a word.
      noValidate={props.label !== undefined}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      {props.children}
      {/* Several fields are submitted by Enter only if there is a button. */}
      {props.label === undefined ? null : <button type="submit" hidden />}
    </form>
  );
}

/** A field for an access code, which is kept with the draft and never shown again. `word`: as it was typed here; null if it was not changed. */
export function SecretWordField(props: {
  readonly label: string;
  readonly help?: string;
  readonly word: string | null;
  readonly isKept: boolean;
  readonly onChange: (word: string) => void;
}) {
  const { label, word, isKept, onChange } = props;
  const { t } = useTranslation();
  if (isKept && word === null) {
    return (
      <div className={looks.stack1}>
        <span className={looks.label}>{label}</span>
        <div className={looks.line3}>
          <span>{t('compose.secretKept')}</span>
          <Button kind="quiet" onPress={() => onChange('')}>
            {t('compose.secretChange')}
          </Button>
        </div>
      </div>
    );
  }
  const help = props.help === undefined ? {} : { help: props.help };
  return <TextField label={label} type="password" value={word ?? ''} onChange={onChange} maxLength={200} {...help} />;
}
