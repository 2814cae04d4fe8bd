import type { ReactElement } from 'react';
import { Tooltip, TooltipTrigger } from 'react-aria-components';
import css from './hint.module.css';

/** A tooltip on a focusable element. */
export function Hint(props: {
  readonly text: string;
  readonly children: ReactElement;
  readonly placement?: 'top' | 'bottom' | 'end';
  /** True while the element itself shows the text. */
  readonly isDisabled?: boolean;
}) {
  return (
    <TooltipTrigger delay={400} isDisabled={props.isDisabled ?? false}>
      {props.children}
      <Tooltip className={css.hint} offset={6} placement={props.placement ?? 'top'}>
        {props.text}
      </Tooltip>
    </TooltipTrigger>
  );
}
