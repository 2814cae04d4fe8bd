import { Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
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
import { IconButton } from './button.tsx';
import css from './field.module.css';

interface Common {
  readonly label: string;
  readonly help?: ReactNode;
  /** The error of the field; undefined if there is none. */
  readonly error?: string | undefined;
}

function Notes(props: { readonly help?: ReactNode; readonly error?: string | undefined }) {
  return (
    <>
      {props.help ? (
        <Text slot="description" className={css.help}>
          {props.help}
        </Text>
      ) : null}
      <FieldError className={css.error ?? ''}>{props.error}</FieldError>
    </>
  );
}

/** A text of one or several lines, or a secret. */
export function TextField(
  props: Common & {
    readonly value: string;
    readonly onChange: (value: string) => void;
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
      validationBehavior="aria"
      autoComplete="off"
      spellCheck={props.lines ? 'true' : 'false'}
      autoFocus={props.autoFocus ?? false}
      {...(props.hideLabel ? { 'aria-label': props.label } : {})}
      {...(props.maxLength ? { maxLength: props.maxLength } : {})}
    >
      {props.hideLabel ? null : <Label className={css.label}>{props.label}</Label>}
      {props.lines ? (
        <TextArea className={className} placeholder={props.placeholder} />
      ) : (
        <Input className={className} placeholder={props.placeholder} />
      )}
      <Notes help={props.help} error={props.error} />
    </AriaTextField>
  );
}

/** A date, in the system's format; null for none. */
export function DayField(
  props: Common & { readonly value: string | null; readonly onChange: (day: string | null) => void },
) {
  return (
    <AriaTextField
      className={css.field ?? ''}
      value={props.value ?? ''}
      onChange={(value) => props.onChange(value === '' ? null : value)}
      isInvalid={props.error !== undefined}
      validationBehavior="aria"
    >
      <Label className={css.label}>{props.label}</Label>
      <Input type="date" max="9999-12-31" className={css.input ?? ''} />
      <Notes help={props.help} error={props.error} />
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
      isInvalid={props.error !== undefined}
      validationBehavior="aria"
      formatOptions={{ maximumFractionDigits: 0, useGrouping: false }}
      {...(props.hideLabel ? { 'aria-label': props.label } : {})}
    >
      {props.hideLabel ? null : <Label className={css.label}>{props.label}</Label>}
      <Input className={css.input ?? ''} />
      <Notes help={props.help} error={props.error} />
    </NumberField>
  );
}

/** A search while typing; Esc clears it. Ctrl+F finds it by its data-search mark. */
export function SearchField(props: {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <AriaSearchField
      aria-label={props.label}
      className={css.search ?? ''}
      value={props.value}
      onChange={props.onChange}
      data-search=""
    >
      <Search aria-hidden="true" />
      <Input className={css.input ?? ''} placeholder={props.placeholder} />
      {props.value ? (
        <span className={css.clear}>
          <IconButton label={t('documents.clearSearch')} icon={<X aria-hidden="true" />} />
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
  readonly value: K;
  readonly choices: readonly { readonly key: K; readonly text: string }[];
  readonly onChange: (key: K) => void;
}) {
  return (
    <RadioGroup
      className={css.field ?? ''}
      value={props.value}
      orientation="horizontal"
      {...(props.hideLabel ? { 'aria-label': props.label } : {})}
      onChange={(value) => {
        const choice = props.choices.find((one) => one.key === value);
        if (choice) props.onChange(choice.key);
      }}
    >
      {props.hideLabel ? null : <Label className={css.label}>{props.label}</Label>}
      <div className={css.segments}>
        {props.choices.map((choice) => (
          <Radio key={choice.key} value={choice.key} className={css.segment ?? ''}>
            {choice.text}
          </Radio>
        ))}
      </div>
      {props.help ? (
        <Text slot="description" className={css.help}>
          {props.help}
        </Text>
      ) : null}
    </RadioGroup>
  );
}
