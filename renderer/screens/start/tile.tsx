import { type ReactNode, useId } from 'react';
import { Button } from 'react-aria-components';
import css from './start.module.css';

/** A large button with a heading and a sentence. */
export function Tile(props: {
  readonly title: string;
  readonly text: string;
  readonly icon?: ReactNode;
  readonly primary?: boolean;
  readonly isDisabled?: boolean;
  readonly isPending?: boolean;
  readonly onPress: () => void;
}) {
  const id = useId();
  return (
    <Button
      className={`${css.tile} ${props.primary ? css.primary : ''}`}
      aria-label={props.title}
      aria-describedby={id}
      isDisabled={props.isDisabled ?? false}
      isPending={props.isPending ?? false}
      onPress={props.onPress}
    >
      {props.icon ? <span className={css.tileIcon}>{props.icon}</span> : null}
      <span className={css.tileTitle}>{props.title}</span>
      <span id={id} className={css.tileText}>
        {props.text}
      </span>
    </Button>
  );
}
