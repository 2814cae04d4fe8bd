import { Check, ChevronDown } from 'lucide-react';
import {
  Button,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
} from 'react-aria-components';
import css from './field.module.css';
import looks from './looks.module.css';
import popup from './overlays/popup.module.css';

/** A selection of one named option. */
export function Choice<K extends string>(props: {
  readonly label: string;
  readonly value: K | null;
  readonly choices: readonly { readonly key: K; readonly text: string }[];
  readonly onChange: (key: K) => void;
  readonly placeholder?: string;
  readonly hideLabel?: boolean;
  readonly error?: string | undefined;
  /** Why the value cannot be changed. */
  readonly locked?: string | undefined;
}) {
  return (
    <Select
      className={css.field ?? ''}
      value={props.value}
      placeholder={props.placeholder ?? ''}
      isInvalid={props.error !== undefined}
      isDisabled={props.locked !== undefined}
      validationBehavior="aria"
      onChange={(key) => {
        const choice = props.choices.find((one) => one.key === key);
        if (choice) props.onChange(choice.key);
      }}
      {...(props.hideLabel ? { 'aria-label': props.label } : {})}
    >
      {props.hideLabel ? null : <Label className={looks.label}>{props.label}</Label>}
      <Button className={`${css.input} ${css.select}`}>
        <SelectValue className={css.value ?? ''} />
        <ChevronDown aria-hidden="true" />
      </Button>
      {props.locked ? (
        <Text slot="description" className={looks.aside ?? ''}>
          {props.locked}
        </Text>
      ) : null}
      <FieldError className={css.error ?? ''}>{props.error}</FieldError>
      <Popover className={popup.popup ?? ''} offset={4}>
        <ListBox>
          {props.choices.map((choice) => (
            <ListBoxItem key={choice.key} id={choice.key} textValue={choice.text} className={popup.item ?? ''}>
              {({ isSelected }) => (
                <>
                  <span className={looks.grow}>{choice.text}</span>
                  {isSelected ? <Check aria-hidden="true" /> : null}
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
