import { CircleCheck, CloudOff, ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './empty.module.css';
import looks from './looks.module.css';
import { Seal } from './seal.tsx';

const pictures = { filtered: ListFilter, failed: CloudOff, done: CircleCheck } as const;

/** One of the four reasons for an empty view. */
export function Empty(props: {
  readonly kind: 'nothing-yet' | keyof typeof pictures;
  readonly heading: string;
  readonly text?: string;
  readonly children?: ReactNode;
}) {
  const Picture = props.kind === 'nothing-yet' ? null : pictures[props.kind];
  return (
    <div className={`${css.empty} ${props.kind === 'nothing-yet' ? looks.dashed : ''}`}>
      {Picture ? <Picture className={css.quiet} aria-hidden="true" strokeWidth={1.5} /> : <Seal size={60} />}
      <h2 className={looks.title}>{props.heading}</h2>
      {props.text ? <p className={css.text}>{props.text}</p> : null}
      {props.children ? <div className={css.actions}>{props.children}</div> : null}
    </div>
  );
}
