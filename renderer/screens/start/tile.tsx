import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import looks from '../../parts/looks.module.css';
import css from './start.module.css';

/** A large target with a heading and a sentence: the heading is the button, and its area covers the whole tile. */
export function Tile(props: {
  readonly title: string;
  readonly text: string;
  readonly icon: ReactNode;
  readonly primary?: boolean;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
}) {
  return (
    <div className={`${css.tile} ${props.primary ? css.primary : ''} ${props.isDisabled ? css.disabled : ''}`}>
      <span className={css.tileIcon}>{props.icon}</span>
      <div>
        <Button className={css.tileTitle ?? ''} isDisabled={props.isDisabled ?? false} onPress={props.onPress}>
          {props.title}
        </Button>
        <p className={looks.said}>{props.text}</p>
      </div>
    </div>
  );
}
