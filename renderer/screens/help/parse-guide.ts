import { Lexer, type Token, type Tokens } from 'marked';
import { type SectionId, sectionIds } from '../../features/help.ts';

/** A heading with what stands below it, up to the next heading. */
export interface GuidePart {
  /** The anchor of its heading, as on the web pages of a repository. */
  readonly anchor: string;
  readonly title: string;
  readonly tokens: readonly Token[];
}

/** A section; its first part is its own heading with the introduction. */
export interface GuideSection {
  readonly id: SectionId;
  readonly parts: readonly [GuidePart, ...GuidePart[]];
}

/** Reads the Markdown of a guide. What stands before the first section (title, table of contents) is for readers outside of the program. */
export function parseGuide(markdown: string): readonly GuideSection[] {
  const anchors = new Map<string, number>();
  const sections: { id: SectionId; parts: { anchor: string; title: string; tokens: Token[] }[] }[] = [];
  let next: SectionId | null = null;
  for (const token of new Lexer({ gfm: true }).lex(markdown)) {
    const id = /^<!-- section: ([\w-]+) -->/.exec(token.raw)?.[1];
    if (token.type === 'html') next = sectionIds.find((known) => known === id) ?? next;
    else if (isHeading(token)) {
      const part = { anchor: anchorOf(plainText(token.tokens), anchors), title: plainText(token.tokens), tokens: [] };
      if (next) sections.push({ id: next, parts: [part] });
      else sections.at(-1)?.parts.push(part);
      next = null;
    } else if (token.type !== 'space') sections.at(-1)?.parts.at(-1)?.tokens.push(token);
  }
  return sections.map(({ id, parts: [first, ...more] }) => ({ id, parts: [first as GuidePart, ...more] }));
}

/** The text of tokens, without marks. */
export function plainText(tokens: readonly Token[] | undefined): string {
  return (tokens ?? [])
    .map((token) => {
      const inner = innerOf(token);
      return inner ? plainText(inner) : 'text' in token ? token.text : '';
    })
    .join('');
}

/** The tokens inside of a token; undefined for a text itself. */
export function innerOf(token: Token): readonly Token[] | undefined {
  return 'tokens' in token ? token.tokens : undefined;
}

/** Paragraphs, list items and cells of a part: what is shown as one line in a search. */
export function linesOf(tokens: readonly Token[]): readonly string[] {
  return tokens.flatMap((token): readonly string[] => {
    if (isList(token)) return token.items.flatMap((item) => linesOf(item.tokens));
    if (isTable(token)) return token.rows.map((row) => row.map((cell) => plainText(cell.tokens)).join(' · '));
    if (token.type === 'code') return [token.text];
    return isPicture(token) ? [] : [plainText([token])];
  });
}

/** A paragraph that is a picture and nothing else. */
export function isPicture(token: Token): boolean {
  return token.type === 'paragraph' && innerOf(token)?.length === 1 && innerOf(token)?.[0]?.type === 'image';
}

export const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
export const isList = (token: Token): token is Tokens.List => token.type === 'list';
export const isTable = (token: Token): token is Tokens.Table => token.type === 'table';

/** Lower case, letters, digits and hyphens; a second heading of the same name gets a number. */
function anchorOf(title: string, taken: Map<string, number>): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  const count = taken.get(name) ?? 0;
  taken.set(name, count + 1);
  return count === 0 ? name : `${name}-${count}`;
}
