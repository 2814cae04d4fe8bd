import { Check, Minus } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components';
import css from './checkbox.module.css';

/** A checkbox with its label beside it. */
export function Checkbox(props: {
  readonly isSelected: boolean;
  readonly isIndeterminate?: boolean;
  readonly isDisabled?: boolean;
  /** Why it cannot be changed, shown below the label. */
  readonly locked?: string | undefined;
  readonly onChange: (isSelected: boolean) => void;
  readonly children: ReactNode;
}) {
  const reason = useId();
  return (
    <AriaCheckbox
      className={css.box ?? ''}
      isSelected={props.isSelected}
      isIndeterminate={props.isIndeterminate ?? false}
      isDisabled={props.isDisabled ?? false}
      isReadOnly={props.locked !== undefined}
      {...(props.locked ? { 'aria-describedby': reason } : {})}
      onChange={props.onChange}
    >
      <Mark state={props.isIndeterminate ? 'some' : props.isSelected} />
      <span>
        {props.children}
        {props.locked ? <small id={reason}>{props.locked}</small> : null}
      </span>
    </AriaCheckbox>
  );
}

/** The same checkbox in a cell of a grid: `label` is heard and not shown, and the grid has the keys. */
export function CellCheckbox(props: {
  readonly state: boolean | 'some';
  readonly label: string;
  readonly isDisabled?: boolean;
  /** False where the grid itself is the Tab stop. */
  readonly isTabStop: boolean;
  readonly onToggle: (isSelected: boolean, event: MouseEvent) => void;
}) {
  const { state } = props;
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some';
  });
  return (
    <span className={css.cell}>
      <input
        ref={box}
        type="checkbox"
        tabIndex={props.isTabStop ? 0 : -1}
        checked={state === true}
        disabled={props.isDisabled}
        aria-label={props.label}
        onClick={(event) => props.onToggle(event.currentTarget.checked, event)}
        onChange={() => undefined}
      />
      <Mark state={state} />
    </span>
  );
}

function Mark({ state }: { readonly state: boolean | 'some' }) {
  return (
    <span className={css.mark} data-on={state === false ? undefined : ''} aria-hidden="true">
      {state === 'some' ? <Minus /> : state ? <Check /> : null}
    </span>
  );
}
