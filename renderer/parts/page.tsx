import type { ReactNode } from 'react';
import css from './page.module.css';

/** Heading, introduction and actions of a screen. `fill`: the screen scrolls inside itself, not as a whole. */
export function Page(props: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly fill?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className={`${css.page} ${props.fill ? css.fill : ''}`}>
      <header className={css.head}>
        <div className={css.titles}>
          <h1>{props.title}</h1>
          {props.lead ? <p className={css.lead}>{props.lead}</p> : null}
        </div>
        {props.actions ? <div className={css.actions}>{props.actions}</div> : null}
      </header>
      {props.children}
    </div>
  );
}

/** A card with a heading. `mark`: data attributes by which it is found. */
export function Card(props: {
  readonly title: string;
  /** The title is only its accessible name, where the content says what it is. */
  readonly isTitleHidden?: boolean;
  readonly actions?: ReactNode;
  readonly mark?: Readonly<Record<`data-${string}`, string>>;
  readonly children: ReactNode;
}) {
  return (
    <section
      className={css.card}
      {...props.mark}
      {...(props.mark ? { tabIndex: -1 } : {})}
      {...(props.isTitleHidden ? { 'aria-label': props.title } : {})}
    >
      {props.isTitleHidden ? null : (
        <div className={css.cardHead}>
          <h2 className={css.cardTitle}>{props.title}</h2>
          {props.actions}
        </div>
      )}
      {props.children}
    </section>
  );
}

/** Pairs of name and value. A null value is left out. */
export function Facts(props: { readonly facts: readonly (readonly [name: string, value: ReactNode | null])[] }) {
  return (
    <dl className={css.facts}>
      {props.facts
        .filter(([, value]) => value !== null)
        .map(([name, value]) => (
          <div key={name} style={{ display: 'contents' }}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
