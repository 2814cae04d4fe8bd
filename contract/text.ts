import { z } from 'zod';
import { languageTags } from './languages.ts';

/** Characters that XML 1.0 excludes: control characters but tab and line ends, the two non-characters, halves of surrogate pairs. Input with them is refused, never silently cleaned. */
export const notXml =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

const eachNotXml = new RegExp(notXml, 'g');

/**
 * Fills a pattern for the `n`th file: {name} (its name without the ending), {file}, {folder} and {n}; other braces stay. A character in a file or folder name that XML
 * excludes, but Linux allows, becomes the replacement character; one that a person typed stays, and is refused later.
 */
export function fillPattern(
  pattern: string,
  file: { readonly name: string; readonly folder: string },
  n: number,
): string {
  const values: Readonly<Record<string, string>> = {
    '{name}': file.name.replace(/(?<=.)\.[^.]*$/, ''),
    '{file}': file.name,
    '{folder}': file.folder,
    '{n}': String(n),
  };
  return pattern.replaceAll(/\{(?:name|file|folder|n)\}/g, (found) =>
    (values[found] ?? found).replaceAll(eachNotXml, '\ufffd'),
  );
}

/** What a document without a name of its own is called. */
export const nameOfFile = ({ name }: { readonly name: string }): string =>
  fillPattern('{name}', { name, folder: '' }, 1);

/** Checks that many texts share, given to a schema at once: each that a schema adds by a method of its own makes another schema. */
const inXml = z.refine<string>((text) => !notXml.test(text), 'has a character that XML cannot carry');
const oneLine = [
  z.trim(),
  z.minLength(1),
  z.refine<string>((text) => !/[\r\n]/.test(text), 'must be one line'),
] as const;

/** Text for an XML element, at most `max` UTF-16 units. */
export function xmlText(max: number) {
  return z.string().check(z.maxLength(max), inXml);
}

/**
 * Limit for XMLData and UniqueID in UTF-16 units. Their content depends on the service, so the limit is only that this computer can hold them in
 * memory several times.
 */
export const longestPassedText = 64 * 1024 * 1024;

/** A text that is sent to the service exactly as entered, including spaces, tabs and line ends. */
export const passedText = xmlText(longestPassedText);

/** Text on one line that must not be empty after trimming. */
export function lineOf(max: number) {
  return z.string().check(z.maxLength(max), inXml, ...oneLine);
}

/** A password, exactly as entered. It can only be set; no call returns it. */
export const password = z
  .string()
  .max(1000)
  .refine((text) => !/[\r\n\0]/.test(text), 'must be one line');

/** Every value of xs:int. */
export const int32 = z.int().min(-2147483648).max(2147483647);

/** The GUID form of 2.1, in either case. */
export const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A document ID as a person copied it, without surrounding spaces and the braces that some programs write around a GUID. */
export function withoutBraces(id: string): string {
  return id
    .trim()
    .replace(/^\{(.*)\}$/, '$1')
    .trim();
}

/** As which document IDs are compared: services write one ID in either case, with and without braces. */
export const documentIdKey = (id: string): string => withoutBraces(id).toLowerCase();

/** IDs of local objects: connections, jobs, intakes, files. Made by the core, opaque to everyone else. */
export const localId = z.string().min(1).max(64);

/** ID of a document at the service. Any text: the interface types it as a plain string, so a service that uses other IDs than GUIDs is accepted. */
export const documentIdText = lineOf(200);

/** A day of the calendar. */
export const calendarDay = z
  .string()
  .max(10)
  .regex(/^\d{4}-\d\d-\d\d$/, 'must be a day, as 2026-11-21');

/** Language of a report, a receipt or a table. English if the caller names none. Not beside the languages: the window reads those first, and needs no schema there. */
export const language = z.enum(languageTags).default('en');

/** The part of a list that a call asks for. */
export const page = { offset: z.int().min(0).default(0), limit: z.int().min(1).max(500).default(100) };

/** What a log is searched for: a text, and what happened from one time on and until another, ISO 8601. */
export const sought = {
  search: z.string().trim().max(200).optional(),
  from: z.iso.datetime({ offset: true }).max(40).optional(),
  to: z.iso.datetime({ offset: true }).max(40).optional(),
};

/** The keys of the window for rows of a list that were selected: only how many of these the list has is answered, as its total. */
export const among = z.array(z.string().max(1000)).max(10_000).optional();

/** How well texts match a search: 3 one is equal, 2 one begins with it, 1 every word of the search begins a word of them, 0 not at all. */
type MatchRank = 0 | 1 | 2 | 3;

/** A text as searches compare it: lower case, without accents. */
export function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

export function matchRank(search: string, texts: readonly string[]): MatchRank {
  const wanted = folded(search).trim();
  const own = texts.map((text) => folded(text).trim());
  if (wanted === '') return 1;
  if (own.includes(wanted)) return 3;
  if (own.some((text) => text.startsWith(wanted))) return 2;
  const words = own.join(' ').split(/[^\p{L}\p{N}]+/u);
  const asked = wanted.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return asked.length > 0 && asked.every((word) => words.some((one) => one.startsWith(word))) ? 1 : 0;
}
