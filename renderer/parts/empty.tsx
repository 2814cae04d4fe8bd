import { CircleCheck, CloudOff, ListFilter } from 'lucide-react';
import type { ReactNode } from 'react';
import css from './empty.module.css';
import looks from './looks.module.css';

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

const rim = Array.from({ length: 48 }, (_, index) => {
  const radius = index % 2 === 0 ? 11.2 : 9.9;
  const angle = (index / 48) * 2 * Math.PI;
  return `${(12 + radius * Math.cos(angle)).toFixed(2)},${(12 + radius * Math.sin(angle)).toFixed(2)}`;
}).join(' ');

/** A decorative image, hidden from screen readers: the text beside it has the same meaning. */
export function Seal(props: { readonly size: number }) {
  return (
    <svg viewBox="0 0 24 24" width={props.size} height={props.size} aria-hidden="true" focusable="false">
      <g fill="none" stroke="var(--accent)">
        <polygon points={rim} strokeWidth="1" />
        <circle cx="12" cy="12" r="7.6" strokeWidth="0.8" />
        <path d="M8.3 12.2l2.5 2.5 4.9-5.3" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
      </g>
    </svg>
  );
}
