import { Lexer, type Token, type Tokens } from 'marked';
import { type SectionId, sectionIds } from '../../features/help.ts';

export interface Guide {
  /** The language it is written in: English where there is no guide in the language of the window. */
  readonly language: string;
  readonly sections: readonly GuideSection[];
}

/** The guides of docs/, each in a file of its own in the built window. */
const sources = import.meta.glob<string>('../../../docs/user-guide*.md', { query: '?raw', import: 'default' });

const pictures = import.meta.glob<string>('../../../docs/screenshots/guide/*/*.webp', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** Loads the guide in a language. */
export async function loadGuide(language: string): Promise<Guide> {
  const own = sources[`../../../docs/user-guide.${language}.md`];
  const english = sources['../../../docs/user-guide.md'];
  const load = own ?? english;
  if (!load) throw new Error('there is no guide');
  return { language: own ? language : 'en', sections: parseGuide(await load()) };
}

/** The address of a picture of the guide, by its address in the Markdown. */
export function pictureAt(path: string): string | undefined {
  return pictures[`../../../docs/${path}`];
}

/** A heading with what stands below it, up to the next heading. */
interface GuidePart {
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

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
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

/** A part of the guide in which every word of a search occurs. */
interface Hit {
  readonly section: SectionId;
  readonly anchor: string;
  /** The part's heading, after its section's. */
  readonly title: string;
  /** The first line with a word of the search, from shortly before that word; empty if only the heading has one. */
  readonly line: string;
}

/** The words of a search, compared without case and accents. */
export function wordsOf(text: string): readonly string[] {
  return folded(text).split(/\s+/).filter(Boolean);
}

/** Parts of the guide with all words, those with the words in their heading first. */
export function searchGuide(guide: readonly GuideSection[], words: readonly string[]): readonly Hit[] {
  if (words.length === 0) return [];
  const found = guide.flatMap((section) =>
    section.parts.flatMap((part) => {
      const lines = linesOf(part.tokens);
      const title = folded(part.title);
      if (!hasAll([title, ...lines.map(folded)].join('\n'), words)) return [];
      const line = lines.find((one) => words.some((word) => folded(one).includes(word))) ?? '';
      const isOwnHeading = part === section.parts[0];
      const name = isOwnHeading ? part.title : `${section.parts[0].title} › ${part.title}`;
      const rank = hasAll(title, words) ? 0 : 1;
      return [{ rank, hit: { section: section.id, anchor: part.anchor, title: name, line: fromHit(line, words) } }];
    }),
  );
  return found.sort((a, b) => a.rank - b.rank).map(({ hit }) => hit);
}

/** A text cut where words of a search begin and end. */
export function cutAtHits(text: string, words: readonly string[]): readonly { text: string; isHit: boolean }[] {
  const low = folded(text);
  const pieces: { text: string; isHit: boolean }[] = [];
  let at = 0;
  while (at < text.length) {
    const next = words.map((word) => ({ start: low.indexOf(word, at), word })).filter(({ start }) => start >= 0);
    const first = next.sort((a, b) => a.start - b.start || b.word.length - a.word.length)[0];
    if (!first) break;
    if (first.start > at) pieces.push({ text: text.slice(at, first.start), isHit: false });
    at = first.start + first.word.length;
    pieces.push({ text: text.slice(first.start, at), isHit: true });
  }
  return at < text.length ? [...pieces, { text: text.slice(at), isHit: false }] : pieces;
}

/** Characters before the first hit of a line that are still shown with it. */
const lead = 40;

function fromHit(line: string, words: readonly string[]): string {
  const low = folded(line);
  const first = Math.min(...words.map((word) => low.indexOf(word)).filter((at) => at >= 0));
  if (!Number.isFinite(first) || first <= lead) return line;
  return `… ${line.slice(line.indexOf(' ', first - lead) + 1)}`;
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** Lower case without accents, of the same length, so that places in it are places in the text. */
function folded(text: string): string {
  return Array.from({ length: text.length }, (_, at) => text[at]?.normalize('NFD')[0]?.toLowerCase()[0] ?? '').join('');
}
