import Papa from 'papaparse';
import type { ParsedPeople } from '../../../../contract/compose.ts';
import { isEmail } from '../../../../contract/email.ts';

const mostPeople = 1_000;
const mostLeftOver = 200;
const longestLeftOver = 200;
const longestName = 200;

type Person = ParsedPeople['people'][number];
type LeftOver = ParsedPeople['leftOver'][number];

/** Reads people from a pasted text. Never throws; text without an address is returned in `leftOver`, not guessed. */
export function parsePeople(text: string): ParsedPeople {
  const lines = text.replaceAll(/^\uFEFF/g, '').split(/\r\n|\r|\n/);
  if (lines.every((line) => line.trim() === '')) return { people: [], leftOver: [], form: 'empty', cut: false };
  const table = readTable(text);
  const { people, leftOver } = table ?? readAddresses(lines);
  return {
    people: people.slice(0, mostPeople),
    leftOver: leftOver.slice(0, mostLeftOver).map(({ line, text }) => ({ line, text: cut(text, longestLeftOver) })),
    form: table ? 'table' : 'addresses',
    cut: people.length > mostPeople,
  };
}

interface ReadResult {
  readonly people: Person[];
  readonly leftOver: LeftOver[];
}

/** Cuts a text to a length in UTF-16 units without splitting a surrogate pair. */
function cut(text: string, units: number): string {
  const short = text.slice(0, units);
  return /[\uD800-\uDBFF]$/.test(short) ? short.slice(0, -1) : short;
}

function plain(text: string): string {
  return text.replaceAll(/[\u0000-\u001F\u007F]+/g, ' ').trim();
}

/** `Ayla <a@b.example>`: a text with such parts is a mail header, whatever separates them. */
const bracketed = /<[^<>]*@[^<>]*>/;

/**
 * Reads rows of a spreadsheet: one address per row, in the same column of most rows, and at least two columns. Null
 * if the text has another form. A row of headings has no address and is left out.
 */
function readTable(text: string): ReadResult | null {
  if (bracketed.test(text)) return null;
  const delimiter = ['\t', ';', ','].find((sign) => text.includes(sign));
  if (delimiter === undefined) return null;
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { delimiter, skipEmptyLines: false });
  const rows = data.map((cells, at) => ({ line: at + 1, cells: cells.map(plain) }));
  const withEmail = rows.filter(({ cells }) => cells.some(isEmail));
  // A line with several addresses is a list of addresses.
  if (withEmail.some(({ cells }) => cells.filter(isEmail).length > 1 || cells.length < 2)) return null;
  if (withEmail.length === 0) return null;
  const column = columnOfEmails(withEmail.map(({ cells }) => cells));
  const heading = rows.find(({ cells }) => cells.some((cell) => cell !== ''));
  const names = nameColumns(heading && !heading.cells.some(isEmail) ? heading.cells : null, column, withEmail);
  const people = withEmail.map(({ line, cells }) => ({
    line,
    email: cells.find(isEmail) ?? '',
    name: cut(
      names
        .map((index) => cells[index] ?? '')
        .filter(Boolean)
        .join(' '),
      longestName,
    ),
  }));
  const leftOver = rows
    .filter((row) => row !== heading || !isHeading(row.cells))
    .filter(({ cells }) => cells.some((cell) => cell !== '') && !cells.some(isEmail))
    .map(({ line, cells }) => ({ line, text: cells.join(' ') }));
  return { people, leftOver };
}

const mailHeading = /^(e-?mail|mail|e-?mail[- ]?(address|adresse)|address|adresse)\b/i;
const nameHeading =
  /^(full ?name|name|first ?name|vorname|last ?name|surname|nachname|recipient|empf[aä]nger|signer)\b/i;

function isHeading(cells: readonly string[]): boolean {
  return cells.some((cell) => mailHeading.test(cell) || nameHeading.test(cell));
}

function columnOfEmails(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const cells of rows) {
    const column = cells.findIndex(isEmail);
    counts.set(column, (counts.get(column) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}

/** Columns whose headings mean a name; else the column next to the address that looks like a name. */
function nameColumns(
  heading: readonly string[] | null,
  emailColumn: number,
  rows: readonly { readonly cells: readonly string[] }[],
): number[] {
  const named = (heading ?? []).flatMap((cell, index) =>
    nameHeading.test(cell) && index !== emailColumn ? [index] : [],
  );
  if (named.length > 0) return named;
  const looksLikeName = (index: number) =>
    rows.some(({ cells }) => /\p{L}{2}/u.test(cells[index] ?? '')) &&
    rows.every(({ cells }) => !/@/.test(cells[index] ?? ''));
  return [emailColumn - 1, emailColumn + 1].filter((index) => index >= 0 && looksLikeName(index)).slice(0, 1);
}

/** Reads addresses as mail programs write them, separated by commas, semicolons or lines. */
function readAddresses(lines: readonly string[]): ReadResult {
  const people: Person[] = [];
  const leftOver: LeftOver[] = [];
  for (const [index, line] of lines.entries()) {
    // `To:` and similar headers, as copied from a message.
    const text = line.replace(/^\s*(to|cc|bcc|an|from|von)\s*:\s*/i, '');
    for (const part of partsOf(text)) {
      const person = personOf(part);
      if (person) people.push({ ...person, line: index + 1 });
      else if (plain(part) !== '') leftOver.push({ line: index + 1, text: plain(part) });
    }
  }
  return { people, leftOver };
}

/**
 * Splits at commas and semicolons outside of quotes and brackets. One pass: after a quote that is never closed the
 * rest of the line is one part.
 */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  let isBracketed = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (sign === '\\' && isQuoted) {
      part += sign + (text[at + 1] ?? '');
      at += 1;
      continue;
    }
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === '<') isBracketed = true;
    else if (!isQuoted && sign === '>') isBracketed = false;
    if (!isQuoted && !isBracketed && (sign === ',' || sign === ';')) {
      parts.push(part);
      part = '';
    } else part += sign;
  }
  parts.push(part);
  return joinedNames(parts);
}

/**
 * Joins `Last, First <a@b.example>` written without quotes: a part before the address that holds no address belongs
 * to it.
 */
function joinedNames(parts: readonly string[]): string[] {
  const joined: string[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    const isName = last !== undefined && !last.includes('@') && /^[\p{L}\p{M}'’. -]+$/u.test(plain(last));
    if (isName && bracketed.test(part) && !part.trimStart().startsWith('"'))
      joined[joined.length - 1] = `${last},${part}`;
    else joined.push(part);
  }
  return joined;
}

function personOf(part: string): { name: string; email: string } | null {
  const text = plain(part);
  const open = text.lastIndexOf('<');
  const close = text.indexOf('>', open);
  if (open >= 0 && close > open) {
    const email = text
      .slice(open + 1, close)
      .trim()
      .replace(/^mailto:/i, '');
    return isEmail(email) ? { name: cut(unquoted(text.slice(0, open)), longestName), email } : null;
  }
  const words = text.split(/\s+/).map((word) => word.replace(/^mailto:/i, '').replaceAll(/^[("'[]+|[)"'\],.]+$/g, ''));
  const emails = words.filter(isEmail);
  const [email] = emails;
  if (email === undefined || emails.length > 1) return null;
  const name = words.filter((word) => word !== email && word !== '').join(' ');
  return { name: cut(name, longestName), email };
}

function unquoted(text: string): string {
  const name = text.trim();
  const inside = /^"([\s\S]*)"$/.exec(name)?.[1] ?? name;
  return inside.replaceAll(/\\(.)/g, '$1').trim();
}
