import { createTurns } from '../foundation/throttled.ts';
import { checkLines, unusableTable } from '../output/tables/table.ts';
import type { ReadPeople } from './people-columns.ts';

/** A property with its parameters has fewer characters before its value. */
const headUnits = 1_000;
/** More people, or lines that are none, are no address book. */
const mostCards = 100_000;
/** Addresses of one card; more are no person's. */
const mostAddresses = 5;

interface Card {
  readonly line: number;
  fullName: string;
  parts: readonly string[];
  readonly emails: { readonly line: number; readonly email: string }[];
}

/**
 * Reads the people of vCards (2.1, 3.0, 4.0), one for each address. A card that does not end, a line that is none and a card without an address are
 * problems with their line.
 */
export async function readVcards(text: string): Promise<ReadPeople> {
  const lines = createLines(text.replace(/^\uFEFF/, ''));
  const found: ReadPeople = { people: [], problems: [] };
  const unreadable = (line: number) => found.problems.push({ line, reason: 'unreadable' });
  let card: Card | null = null;
  const turn = createTurns();
  while (!lines.isOver()) {
    const line = lines.number();
    const unfolded = await unfold(lines, turn);
    if (found.people.length + found.problems.length > mostCards)
      throw unusableTable('table-too-large', `has more than ${mostCards} people or lines that are none`);
    await turn();
    if (unfolded.trim() === '') continue;
    const content = contentLine(unfolded);
    if (content?.name === 'BEGIN') {
      if (card) unreadable(card.line);
      card = { line, fullName: '', parts: [], emails: [] };
    } else if (content?.name === 'END') {
      if (card) addCard(card, found);
      card = null;
    } else if (card && content) keep(card, content, line);
    else unreadable(line);
  }
  if (card) unreadable(card.line);
  return found;
}

type Lines = ReturnType<typeof createLines>;

/** Reads one line after the other: a file of nothing but line ends would be millions of texts at once. */
function createLines(text: string) {
  const ends = /\r\n|\r|\n/g;
  let [from, to, next, number] = [0, 0, 0, 0];
  const skip = () => {
    from = next;
    number += 1;
    checkLines(number);
    ends.lastIndex = from;
    const end = from < text.length ? ends.exec(text) : null;
    to = end?.index ?? text.length;
    next = end ? ends.lastIndex : text.length + 1;
  };
  skip();
  return {
    isOver: (): boolean => from >= text.length,
    /** Number of the next line, from 1. */
    number: (): number => number,
    /** The next line; `first` characters of it if it is longer. */
    peek: (first: number): string => text.slice(from, Math.min(to, from + first)),
    skip,
  };
}

/** The next line with those that continue it. Only the text that is used is joined: a photo has thousands of lines. */
async function unfold(lines: Lines, turn: () => Promise<void> | undefined): Promise<string> {
  const head = lines.peek(headUnits);
  const isQuoted = /^[^:]*quoted-printable[^:]*:/i.test(head);
  const isBase64 = /^[^:]*[;=](b|base64)[;:]/i.test(head);
  let text = lines.peek(mostLineUnits);
  let isOpen = text.endsWith('=');
  for (lines.skip(); !lines.isOver(); lines.skip()) {
    const line = lines.peek(mostLineUnits);
    const isContinued = /^[ \t]/.test(line);
    if (isQuoted ? !isOpen && !isContinued : !isContinued)
      if (!(isBase64 && /^[a-z0-9+/]+=*$/i.test(line)))
        // Version 2.1 also writes the lines of a photo without the space.
        break;
    if (isBase64) continue;
    if (text.length < mostLineUnits)
      text = `${isQuoted ? text.replace(/=$/, '') : text}${isContinued ? line.slice(1) : line}`;
    isOpen = line.endsWith('=');
    await turn();
  }
  return isQuoted ? text.replace(/=$/, '') : text;
}

function keep(card: Card, content: ContentLine, line: number): void {
  if (content.name === 'FN' && card.fullName === '') card.fullName = textOf(content);
  if (content.name === 'N') card.parts = valuesOf(content);
  if (content.name !== 'EMAIL' || card.emails.length === mostAddresses) return;
  const email = { line, email: textOf(content).trim() };
  if (content.isPreferred) card.emails.unshift(email);
  else card.emails.push(email);
}

function addCard({ line, fullName, parts, emails }: Card, found: ReadPeople): void {
  const [family = '', given = '', ...middle] = parts;
  const name = fullName.trim() === '' ? [given, middle[0] ?? '', family].filter(Boolean).join(' ') : fullName;
  const filled = emails.filter(({ email }) => email !== '');
  if (filled.length === 0) found.problems.push({ line, reason: 'no-email' });
  for (const one of filled) found.people.push({ ...one, name });
}

/** A property of a vCard. */
interface ContentLine {
  /** In capitals, without its group. */
  readonly name: string;
  readonly value: string;
  readonly isPreferred: boolean;
}

/** The longest line that is parsed, in UTF-16 units: names and addresses are short, and photos are not read. */
const mostLineUnits = 20_000;

/** Reads an unfolded line; null if it is no property. The value of a property that is not needed may be cut. */
function contentLine(line: string): ContentLine | null {
  const text = line.slice(0, mostLineUnits);
  const colon = colonOf(text);
  if (colon < 0) return null;
  const [head = '', ...given] = text.slice(0, colon).split(';');
  const name = /^(?:[a-z0-9-]+\.)?([a-z0-9-]+)$/i.exec(head.trim())?.[1]?.toUpperCase();
  if (name === undefined) return null;
  const parameters = given.map((one) => one.trim().toLowerCase());
  const isQuoted = parameters.some((one) => /^(encoding=)?quoted-printable$/.test(one));
  const charset = parameters.find((one) => one.startsWith('charset='))?.slice('charset='.length) ?? 'utf-8';
  const value = text.slice(colon + 1);
  return {
    name,
    value: isQuoted ? unquoted(value, charset) : value,
    isPreferred: parameters.some((one) => one === 'pref' || one === 'pref=1' || /^type=(.*\bpref\b)/.test(one)),
  };
}

/** The first colon outside of quotes. */
function colonOf(text: string): number {
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === ':' && !isQuoted) return at;
  }
  return -1;
}

/** Decodes quoted-printable. Characters that were not encoded are kept as they are. */
function unquoted(value: string, charset: string): string {
  const label = knownCharset(charset);
  const parts = value.split(/((?:=[0-9a-f]{2})+)/i);
  return parts
    .map((part, at) =>
      at % 2 === 0 ? part : new TextDecoder(label).decode(Buffer.from(part.replaceAll('=', ''), 'hex')),
    )
    .join('');
}

function knownCharset(charset: string): string {
  try {
    return new TextDecoder(charset.replaceAll('"', '')).encoding;
  } catch {
    return 'windows-1252';
  }
}

/** The value as one text. */
function textOf({ value }: ContentLine): string {
  return unescaped(value);
}

/** The parts of a structured value, as those of a name. */
function valuesOf({ value }: ContentLine): string[] {
  const parts = value.match(/(?:\\.|[^;\\])+|(?<=^|;)(?=;|$)/g) ?? [];
  return parts.map((part) => unescaped(part).trim());
}

function unescaped(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, (_all, sign: string) => (sign === 'n' || sign === 'N' ? ' ' : sign));
}
