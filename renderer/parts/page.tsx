import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';
import looks from './looks.module.css';
import { useThisPage } from './navigation.tsx';
import css from './page.module.css';

/** The way back from a page inside a screen. */
export interface Back {
  readonly text: string;
  readonly go: () => void;
  /** The page takes the place of another one on the screen: the next Tab starts inside it. */
  readonly takesFocus?: boolean;
}

/**
 * Heading, introduction and actions of a screen. `fill`: the screen scrolls inside itself, not as a whole. `back`: for a page inside a screen; any other page
 * leads back to the one from which it was opened.
 */
export function Page(props: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly fill?: boolean;
  readonly back?: Back | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className={`${css.page} ${props.fill ? css.fill : ''}`}>
      <header className={css.head}>
        <div className={css.titles}>
          <PageTitle title={props.title} back={props.back} />
          {props.lead ? <p className={css.lead}>{props.lead}</p> : null}
        </div>
        {props.actions ? <div className={css.actions}>{props.actions}</div> : null}
      </header>
      {props.children}
    </div>
  );
}

/** The title of a page after the way back, if there is one. */
export function PageTitle(props: { readonly title: string; readonly back?: Back | undefined }) {
  const { t } = useTranslation();
  const { wayBack } = useThisPage();
  const opener = wayBack && { text: t('app.backTo', { page: t(`screens.${wayBack.screen}`) }), go: wayBack.go };
  const back: Back | null = props.back ?? opener;
  const heading = useRef<HTMLHeadingElement>(null);
  const takesFocus = props.back?.takesFocus ?? false;
  useEffect(() => {
    if (takesFocus) heading.current?.focus();
  }, [takesFocus]);
  return (
    <div className={css.title}>
      {back ? (
        <IconButton data-back="" label={back.text} icon={<ArrowLeft aria-hidden="true" />} onPress={back.go} />
      ) : null}
      <h1 ref={heading} {...(takesFocus ? { tabIndex: -1 } : {})}>
        {props.title}
      </h1>
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
        <div className={`${looks.line3} ${looks.between}`}>
          <h2>{props.title}</h2>
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
