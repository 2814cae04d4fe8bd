import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { type ChipTone, ToneIcon } from '../../parts/chip.tsx';
import css from './signatures.module.css';

/** One line of the rail: a list, a view or another page. */
export function RailItem(props: {
  readonly text: string;
  /** A sign before the text. */
  readonly tone?: ChipTone;
  /** Below the text, in small letters. */
  readonly detail?: string | undefined;
  readonly count?: ReactNode;
  readonly mark?: string | null;
  readonly isCurrent: boolean;
  readonly onPress: () => void;
  readonly aside?: ReactNode;
}) {
  return (
    <div className={css.railItem} data-current={props.isCurrent ? '' : undefined}>
      <AriaButton
        className={css.railButton ?? ''}
        aria-current={props.isCurrent ? 'true' : undefined}
        onPress={props.onPress}
      >
        {props.tone ? <ToneIcon {...props.tone} /> : null}
        <span className={css.railText}>
          {props.text}
          {props.detail ? <small className={css.railDetail}>{props.detail}</small> : null}
        </span>
        {props.mark ? <span className={css.dot} role="img" aria-label={props.mark} title={props.mark} /> : null}
        {props.count ? <span className={css.count}>{props.count}</span> : null}
      </AriaButton>
      {props.aside}
    </div>
  );
}
