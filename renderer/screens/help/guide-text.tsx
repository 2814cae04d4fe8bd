import type { Token, Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-aria-components';
import looks from '../../parts/looks.module.css';
import css from './help.module.css';
import { cutAtHits, innerOf, isList, isPicture, isTable, pictureAt, plainText } from './load-guide.ts';

interface Shown {
  readonly tokens: readonly Token[];
  readonly words: readonly string[];
  /** Called for a link to another place of the guide. */
  readonly onLink: (anchor: string) => void;
}

/** Markdown as React elements. HTML in it is not shown. */
export function GuideText({ tokens, ...shown }: Shown): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: a guide does not change
  return tokens.map((token, at) => <Fragment key={at}>{block(token, shown)}</Fragment>);
}

type How = Omit<Shown, 'tokens'>;

function block(token: Token, how: How): ReactNode {
  if (isPicture(token)) return <Picture image={innerOf(token)?.[0] as Tokens.Image} />;
  if (isList(token)) return <List list={token} how={how} />;
  if (isTable(token)) return <Table table={token} how={how} />;
  if (token.type === 'paragraph') return <p>{inline(innerOf(token), how)}</p>;
  if (token.type === 'code') {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, so it can be reached by keyboard
      <pre tabIndex={0} dir="ltr">
        {token.text}
      </pre>
    );
  }
  return token.type === 'html' ? null : inline([token], how);
}

function List({ list, how }: { readonly list: Tokens.List; readonly how: How }) {
  const Tag = list.ordered ? 'ol' : 'ul';
  return (
    <Tag className={css.list}>
      {list.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a guide does not change
        <li key={at}>
          <GuideText tokens={item.tokens} {...how} />
        </li>
      ))}
    </Tag>
  );
}

function Table({ table, how }: { readonly table: Tokens.Table; readonly how: How }) {
  const cells = (row: readonly Tokens.TableCell[], Tag: 'td' | 'th') =>
    row.map((cell, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a guide does not change
      <Tag key={at}>{inline(cell.tokens, how)}</Tag>
    ));
  return (
    <table className={looks.table}>
      <thead>
        <tr>{cells(table.header, 'th')}</tr>
      </thead>
      <tbody>
        {table.rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a guide does not change
          <tr key={at}>{cells(row, 'td')}</tr>
        ))}
      </tbody>
    </table>
  );
}

function Picture({ image }: { readonly image: Tokens.Image }) {
  const address = pictureAt(image.href);
  // Its size is known before it is loaded, so that a place below it stays where it was scrolled to.
  return address ? <img className={css.picture} src={address} alt={image.text} width={1280} height={800} /> : null;
}

function inline(tokens: readonly Token[] | undefined, how: How): ReactNode {
  return tokens?.map((token, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a guide does not change
    <Fragment key={at}>{inlineOne(token, how)}</Fragment>
  ));
}

function inlineOne(token: Token, how: How): ReactNode {
  const inner = () => inline(innerOf(token), how);
  if (token.type === 'strong') return <strong>{inner()}</strong>;
  if (token.type === 'em') return <em>{inner()}</em>;
  if (token.type === 'codespan') return <code>{token.text}</code>;
  if (token.type === 'br') return <br />;
  if (token.type === 'link') {
    const anchor = decodeURIComponent(token.href.replace('#', ''));
    return (
      <Link className={css.link ?? ''} onPress={() => how.onLink(anchor)}>
        {inner()}
      </Link>
    );
  }
  if (token.type === 'html') return null;
  return innerOf(token) ? inner() : <Marked text={plainText([token])} words={how.words} />;
}

/** A text with the words of a search marked. */
export function Marked(props: { readonly text: string; readonly words: readonly string[] }) {
  return cutAtHits(props.text, props.words).map(({ text, isHit }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text
    isHit ? <mark key={at}>{text}</mark> : <Fragment key={at}>{text}</Fragment>,
  );
}
