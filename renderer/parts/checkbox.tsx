import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';
import css from './checkbox.module.css';

/** A checkbox with its label beside it. */
export function Checkbox(props: {
  readonly isSelected: boolean;
  readonly isIndeterminate?: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <AriaCheckbox
      className={css.box ?? ''}
      isSelected={props.isSelected}
      isIndeterminate={props.isIndeterminate ?? false}
      isDisabled={props.isDisabled ?? false}
      onChange={props.onChange}
    >
      <span className={css.mark} aria-hidden="true">
        {props.isIndeterminate ? <Minus /> : props.isSelected ? <Check /> : null}
      </span>
      <span>{props.children}</span>
    </AriaCheckbox>
  );
}
