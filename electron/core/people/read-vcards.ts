import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ReadPeople } from './people-of-file.ts';
import { type ContentLine, contentLine, textOf, valuesOf } from './vcard-line.ts';

/** Lines that are read between two turns of the event loop: some milliseconds. */
const linesPerTurn = 5_000;
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
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const found: ReadPeople = { people: [], problems: [] };
  const unreadable = (line: number) => found.problems.push({ line, reason: 'unreadable' });
  let card: Card | null = null;
  let turnAt = linesPerTurn;
  for (let at = 0; at < lines.length; ) {
    const line = at + 1;
    const [unfolded, next] = unfold(lines, at);
    at = next;
    if (at >= turnAt) {
      turnAt = at + linesPerTurn;
      await nextTurn();
    }
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

/** The line at an index with those that continue it, and the index after them. Only the text that is used is joined: a photo has thousands of lines. */
function unfold(lines: readonly string[], from: number): [text: string, next: number] {
  const first = lines[from] ?? '';
  const isQuoted = /^[^:]*quoted-printable[^:]*:/i.test(first);
  const isBase64 = /^[^:]*[;=](b|base64)[;:]/i.test(first);
  const parts = [first];
  let at = from + 1;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (isQuoted && parts.at(-1)?.endsWith('=')) parts.push(line.replace(/^[ \t]/, ''));
    else if (/^[ \t]/.test(line)) parts.push(line.slice(1));
    // Version 2.1 also writes the lines of a photo without the space.
    else if (!(isBase64 && /^[a-z0-9+/]+=*$/i.test(line))) break;
  }
  if (isBase64) return [first, at];
  return [isQuoted ? parts.map((part) => part.replace(/=$/, '')).join('') : parts.join(''), at];
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
