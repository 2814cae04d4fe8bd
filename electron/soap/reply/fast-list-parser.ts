import { someEscape, unusualCharacters, withoutReferences } from '../../core/foundation/text-readings.ts';

/** Characters that XML forbids, carriage returns that a parser would turn into line feeds, `]]>`, and references to what only the full parser knows: not plain. */
const notPlain = /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|\]\]>|&(?!(?:amp|lt|gt|quot|apos);)/;

/** What most values have none of: what is not plain, references, and what the search for secrets looks at more closely. */
const notUsual = new RegExp(String.raw`[\]${unusualCharacters}]`, 'g');

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
    const tag = plain ? { start: `<${inside}>`, end: `</${inside}>`, field: names.get(local) } : null;
    // Tags with attributes are many and different: only names are worth keeping.
    if (plain && tags.size < 100) tags.set(inside, tag);
    return tag;
  };
  return (text: string, at: number): Tag | null => {
    const end = text.indexOf('>', at);
    return end > at && text.charCodeAt(at) === 60 ? tagOf(text.slice(at + 1, end)) : null;
  };
}

/** What entries look like: these elements in this order, any of them absent. An expression reads such an entry several times faster. */
interface Form {
  readonly outer: Tag;
  readonly inner: readonly Tag[];
  readonly expression: RegExp;
}

/** More elements, or entries that differ more often, are read one element after the other. */
const mostInner = 30;
const mostForms = 20;

/** The elements of both, each once; the second alone if their orders differ. */
function mergeInner(known: readonly Tag[], seen: readonly Tag[]): readonly Tag[] {
  const merged = [...known];
  let next = 0;
  for (const tag of seen) {
    const at = merged.indexOf(tag);
    if (at >= 0 && at < next) return seen;
    if (at < 0) merged.splice(next, 0, tag);
    next = merged.indexOf(tag) + 1;
  }
  return merged;
}

/** The form of entries like both. Null if an element is there twice: which of two groups matches it would be tried in all ways. */
function formOf(known: Form | null, outer: Tag, seen: readonly Tag[]): Form | null {
  const inner = mergeInner(known?.outer === outer ? known.inner : [], seen);
  if (inner.length > mostInner || new Set(seen).size < seen.length) return known;
  const element = ({ start, end }: Tag) => `(?:${start}([^<]*)${end}[ \\t\\n]*)?`;
  const source = `${outer.start}[ \\t\\n]*${inner.map(element).join('')}${outer.end}`;
  return { outer, inner, expression: new RegExp(source.replaceAll('.', '\\.'), 'y') };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 9; code = text.charCodeAt(at)) at += 1;
  return at;
}

type Values = readonly (string | undefined)[];

/** `isStrange`: there is something in the entry, but no field that is known. */
type OnPlainEntry = (entry: Record<string, string>, isStrange: boolean) => void;

const more = -1;
const unusual = -2;

/** Passes on an entry that was found. `redact` is called for values that may be read in more than one way; the caller looks at the others, without their references. */
function createEntryTaker(onEntry: OnPlainEntry, redact: (text: string) => string) {
  /** The first character from where reading is that is not usual: a text is searched once, not each value. */
  let unusualAt = -1;
  const isUsual = (text: string, from: number, to: number) => {
    if (unusualAt < from) {
      notUsual.lastIndex = from;
      unusualAt = notUsual.test(text) ? notUsual.lastIndex - 1 : text.length;
    }
    return unusualAt >= to;
  };
  /** Null if only the full parser can read it. */
  const readValue = (written: string): string | null => {
    if (notPlain.test(written)) return null;
    const value = withoutReferences(written);
    return someEscape.test(value) ? redact(value) : value;
  };
  return {
    /** Another text is read. */
    begin() {
      unusualAt = -1;
    },
    /** Passes on the entry at `from`, whose elements have the values from the `first` on; one without is absent. Returns its end, or `unusual`. */
    take(text: string, from: number, outer: Tag, tags: readonly Tag[], values: Values, first: number): number {
      const entry: Record<string, string> = {};
      let [known, unknown] = [0, 0];
      let at = skipSpace(text, from + outer.start.length);
      for (let one = 0; one < tags.length; one += 1) {
        const written = values[first + one];
        if (written === undefined) continue;
        const tag = tags[one] as Tag;
        at += tag.start.length;
        const end = at + written.length;
        const value = isUsual(text, at, end) ? written : readValue(written);
        if (value === null) return unusual;
        if (tag.field === undefined) unknown += 1;
        else {
          known += 1;
          entry[tag.field] = value;
        }
        at = skipSpace(text, end + tag.end.length);
      }
      onEntry(entry, known === 0 && unknown > 0);
      return at + outer.end.length;
    },
  };
}

/**
 * Reads entries that consist only of elements without attributes, with the prefix of the result element (which is therefore declared),
 * and simple text. Stops before anything else.
 */
export function createPlainEntries(
  prefix: string,
  names: ReadonlyMap<string, string>,
  onEntry: OnPlainEntry,
  redact: (text: string) => string,
) {
  const readTag = createTagReader(prefix, names);
  const { begin, take } = createEntryTaker(onEntry, redact);
  let form: Form | null = null;
  let formsLeft = mostForms;
  const noTag = (text: string, at: number) => (text.indexOf('>', at) < 0 ? more : unusual);
  /** Reads one entry, element by element. Returns its end, or `more` or `unusual` if it could not be read. */
  const readByElement = (text: string, from: number): number => {
    const outer = readTag(text, from);
    if (!outer) return from < text.length && text.charCodeAt(from) !== 60 ? unusual : noTag(text, from);
    const tags: Tag[] = [];
    const values: string[] = [];
    for (let at = from + outer.start.length; ; ) {
      at = skipSpace(text, at);
      if (text.startsWith(outer.end, at)) {
        if (formsLeft > 0) form = formOf(form, outer, tags);
        formsLeft -= 1;
        return take(text, from, outer, tags, values, 0);
      }
      const inner = readTag(text, at);
      if (!inner) return noTag(text, at);
      const start = at + inner.start.length;
      const stop = text.indexOf('<', start);
      if (stop < 0 || stop + inner.end.length > text.length) return more;
      if (!text.startsWith(inner.end, stop)) return unusual;
      // Which of the two counts is for the full parser to say.
      if (inner.field !== undefined && tags.some(({ field }) => field === inner.field)) return unusual;
      tags.push(inner);
      values.push(text.slice(start, stop));
      at = stop + inner.end.length;
    }
  };
  const readEntry = (text: string, from: number): number => {
    if (!form) return readByElement(text, from);
    const { outer, inner, expression } = form;
    expression.lastIndex = from;
    const values = expression.exec(text);
    return values ? take(text, from, outer, inner, values, 1) : readByElement(text, from);
  };
  return {
    read(text: string, from: number): ReadResult {
      let next = from;
      begin();
      for (;;) {
        const at = skipSpace(text, next);
        const end = readEntry(text, at);
        if (end < 0) return { next: at, wantsMore: end === more };
        next = end;
      }
    },
  };
}
