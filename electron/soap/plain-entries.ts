import { unusualCharacters } from '../core/foundation/text-readings.ts';

const references: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Characters that XML forbids, carriage returns that a parser would turn into line feeds, and `]]>`: not plain. */
const notPlain = /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|\]\]>/;

/** What most values have none of: what is not plain, references, and what the search for secrets looks at more closely. */
const notUsual = new RegExp(String.raw`[\]${unusualCharacters}]`);

/** The text with its references resolved; null if only the full parser can judge it. */
function resolved(value: string): string | null {
  if (notPlain.test(value)) return null;
  if (!value.includes('&')) return value;
  let plain = true;
  const text = value.replace(/&([^;]*);?/g, (whole, name: string) => {
    const known = whole.endsWith(';') ? references.get(name) : undefined;
    if (known === undefined) plain = false;
    return known ?? '';
  });
  return plain ? text : null;
}

interface ReadResult {
  /** Where reading stopped: the beginning of the first entry that was not read. */
  readonly next: number;
  /** True if that entry may become readable when more has arrived. */
  readonly wantsMore: boolean;
}

const plainName = /^[A-Za-z_][\w.-]*$/;

/** End tag and field by the content of a start tag; null if the tag is not plain. */
function createTagCache(prefix: string, names: ReadonlyMap<string, string>) {
  const lead = prefix === '' ? '' : `${prefix}:`;
  const tags = new Map<string, { readonly close: string; readonly field: string | undefined } | null>();
  return (inside: string) => {
    const known = tags.get(inside);
    if (known !== undefined) return known;
    const local = inside.slice(lead.length);
    const plain = inside.startsWith(lead) && plainName.test(local);
    const tag = plain ? { close: `</${inside}>`, field: names.get(local) } : null;
    // Tags with attributes are many and different: only names are worth keeping.
    if (plain && tags.size < 100) tags.set(inside, tag);
    return tag;
  };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 9; code = text.charCodeAt(at)) at += 1;
  return at;
}

const more = -1;
const unusual = -2;

/**
 * Reads entries that consist only of elements without attributes, with the prefix of the result element (which is therefore declared),
 * and simple text. Stops before anything else. `redact`
 * is called for values with characters that may begin an escape; others are the caller's to look at.
 */
export function createPlainEntries(
  prefix: string,
  names: ReadonlyMap<string, string>,
  onEntry: (entry: Record<string, string>, isStrange: boolean) => void,
  redact: (text: string) => string,
) {
  const tagOf = createTagCache(prefix, names);
  /** Reads one entry. Returns its end, or `more` or `unusual` if it could not be read. */
  const readEntry = (text: string, from: number): number => {
    if (from >= text.length) return more;
    if (text.charCodeAt(from) !== 60) return unusual;
    let end = text.indexOf('>', from);
    if (end < 0) return more;
    const outer = tagOf(text.slice(from + 1, end));
    if (!outer) return unusual;
    const entry: Record<string, string> = {};
    let known = 0;
    let unknown = 0;
    for (let at = end + 1; ; ) {
      at = skipSpace(text, at);
      if (text.startsWith(outer.close, at)) {
        onEntry(entry, known === 0 && unknown > 0);
        return at + outer.close.length;
      }
      end = text.indexOf('>', at);
      if (end < 0) return more;
      if (text.charCodeAt(at) !== 60) return unusual;
      const inner = tagOf(text.slice(at + 1, end));
      if (!inner) return unusual;
      const stop = text.indexOf('<', end);
      if (stop < 0 || stop + inner.close.length > text.length) return more;
      if (!text.startsWith(inner.close, stop)) return unusual;
      let value: string | null = text.slice(end + 1, stop);
      if (notUsual.test(value)) {
        value = resolved(value);
        if (value === null) return unusual;
        value = redact(value);
      }
      if (inner.field === undefined) unknown += 1;
      else {
        known += 1;
        entry[inner.field] = value;
      }
      at = stop + inner.close.length;
    }
  };
  return {
    read(text: string, from: number): ReadResult {
      let next = from;
      for (;;) {
        const at = skipSpace(text, next);
        const end = readEntry(text, at);
        if (end < 0) return { next: at, wantsMore: end === more };
        next = end;
      }
    },
  };
}
