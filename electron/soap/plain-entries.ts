import { someEscape, unusualCharacters, withoutReferences } from '../core/foundation/text-readings.ts';

/** Characters that XML forbids, carriage returns that a parser would turn into line feeds, `]]>`, and references to what only the full parser knows: not plain. */
const notPlain = /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|\]\]>|&(?!(?:amp|lt|gt|quot|apos);)/;

/** What most values have none of: what is not plain, references, and what the search for secrets looks at more closely. */
const notUsual = new RegExp(String.raw`[\]${unusualCharacters}]`);

interface ReadResult {
  /** Where reading stopped: the beginning of the first entry that was not read. */
  readonly next: number;
  /** True if that entry may become readable when more has arrived. */
  readonly wantsMore: boolean;
}

const plainName = /^[A-Za-z_][\w.-]*$/;

interface Tag {
  readonly start: string;
  readonly end: string;
  readonly field: string | undefined;
  /** What followed it the last time, as most entries are alike, and its own end tag with the start tag of that. */
  next: Tag | null;
  passage: string;
}

function expectAfter(before: Tag, tag: Tag): void {
  before.next = tag;
  before.passage = before.end + tag.start;
}

/** Reads a start tag; null if it is not plain, or has not all arrived. */
function createTagReader(prefix: string, names: ReadonlyMap<string, string>) {
  const lead = prefix === '' ? '' : `${prefix}:`;
  const tags = new Map<string, Tag | null>();
  const tagOf = (inside: string) => {
    const known = tags.get(inside);
    if (known !== undefined) return known;
    const local = inside.slice(lead.length);
    const plain = inside.startsWith(lead) && plainName.test(local);
    const tag = plain
      ? { start: `<${inside}>`, end: `</${inside}>`, field: names.get(local), next: null, passage: '' }
      : null;
    // Tags with attributes are many and different: only names are worth keeping.
    if (plain && tags.size < 100) tags.set(inside, tag);
    return tag;
  };
  return (text: string, at: number, before: Tag): Tag | null => {
    if (before.next && text.startsWith(before.next.start, at)) return before.next;
    const end = text.indexOf('>', at);
    const tag = end > at && text.charCodeAt(at) === 60 ? tagOf(text.slice(at + 1, end)) : null;
    if (tag) expectAfter(before, tag);
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
 * and simple text. Stops before anything else. `redact` is called for values that may be read in more than one way; the caller looks at the others, without their
 * references.
 */
export function createPlainEntries(
  prefix: string,
  names: ReadonlyMap<string, string>,
  onEntry: (entry: Record<string, string>, isStrange: boolean) => void,
  redact: (text: string) => string,
) {
  const readTag = createTagReader(prefix, names);
  const before: Tag = { start: '', end: '', field: undefined, next: null, passage: '' };
  const noTag = (text: string, at: number) => (text.indexOf('>', at) < 0 ? more : unusual);
  /** Reads one entry. Returns its end, or `more` or `unusual` if it could not be read. */
  const readEntry = (text: string, from: number): number => {
    const outer = readTag(text, from, before);
    if (!outer) return from < text.length && text.charCodeAt(from) !== 60 ? unusual : noTag(text, from);
    const entry: Record<string, string> = {};
    let known = 0;
    let unknown = 0;
    let last = outer;
    let inner: Tag | null = null;
    for (let at = from + outer.start.length; ; ) {
      if (!inner) {
        at = skipSpace(text, at);
        if (text.startsWith(outer.end, at)) {
          onEntry(entry, known === 0 && unknown > 0);
          return at + outer.end.length;
        }
        inner = readTag(text, at, last);
        if (!inner) return noTag(text, at);
        at += inner.start.length;
      }
      const start = at;
      const stop = text.indexOf('<', start);
      if (stop < 0 || stop + inner.end.length > text.length) return more;
      const isAsBefore: boolean = inner.next !== null && text.startsWith(inner.passage, stop);
      if (!isAsBefore && !text.startsWith(inner.end, stop)) return unusual;
      let value = text.slice(start, stop);
      if (notUsual.test(value)) {
        if (notPlain.test(value)) return unusual;
        value = withoutReferences(value);
        if (someEscape.test(value)) value = redact(value);
      }
      last = inner;
      if (inner.field === undefined) unknown += 1;
      else {
        known += 1;
        entry[inner.field] = value;
      }
      at = stop + (isAsBefore ? inner.passage : inner.end).length;
      inner = isAsBefore ? inner.next : null;
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
