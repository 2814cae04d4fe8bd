import type { RawESignEntry } from '../service/client.ts';
import { interfaceNames } from '../service/element-names.ts';
import { eSignFields } from '../service/operations.ts';
import { tooLarge } from './bounded-xml.ts';
import { createPlainEntries } from './fast-list-parser.ts';
import { createReplyFeed, type EnvelopeReading, type ReplyEvents, wrongReply } from './read-reply.ts';

/** A list is passed on as it arrives, so this bound is only against a reply that never ends: 2 Gi characters. */
const maxListUnits = 2 * 1024 ** 3;
/** A longer entry goes to the full parser, which has its own bounds. */
const maxHeldUnits = 256 * 1024;
/** Longest value of a field: pieces of it (CDATA, comments between) are tokens of their own, which the parser's bounds do not add up. */
const maxFieldUnits = maxHeldUnits;
/** Longest text from the end of one entry to that of the next: seven of the longest fields twice over. */
const maxEntryUnits = 4 * 1024 * 1024;
/** Length of a text instead of entries. */
const maxOtherText = 2_000;

/** Entries without any known field that are passed over in an element which may not be the list. */
const mostStrange = 100;

/** `isStrange`: there is something in the entry, but no field that is known. */
type OnEntry = (entry: RawESignEntry, isStrange: boolean) => void;

/** A service may repeat the credentials in any field, also in pieces that only the parser puts together. */
function hideSecrets(entry: Record<string, string>, redact: (text: string) => string): void {
  for (const name in entry) {
    const value = entry[name] as string;
    const clean = redact(value);
    if (clean !== value) entry[name] = clean;
  }
}

/** Collects entries from the events of the full parser. `isBetween` is true while no entry is open. */
function createEntryEvents(
  names: ReadonlyMap<string, string>,
  onEntry: (entry: Record<string, string> | null, isStrange: boolean) => void,
  onSurplus: () => void,
) {
  let text = '';
  let entry: Record<string, string> | null = null;
  let field: string | undefined;
  let isInField = false;
  let [known, unknown] = [0, 0];
  const state = {
    isBetween: false,
    text: () => text.trim(),
    clear: () => {
      text = '';
    },
  };
  const events: Pick<ReplyEvents, 'open' | 'text' | 'close'> = {
    open(tag, depth, nil) {
      state.isBetween = false;
      if (depth === 1) {
        entry = nil ? null : {};
        known = 0;
        unknown = 0;
      } else if (depth === 2) {
        if (names.has(tag.local)) known += 1;
        else unknown += 1;
        field = nil ? undefined : names.get(tag.local);
        isInField = true;
        if (!entry || !field) return;
        if (field in entry) onSurplus();
        entry[field] = '';
      }
    },
    text(piece) {
      if (entry && field) {
        const value = (entry[field] ?? '') + piece;
        if (value.length > maxFieldUnits) throw tooLarge('a field of an entry');
        entry[field] = value;
      } else {
        if (entry && piece.trim() !== '') {
          unknown += 1;
          if (!isInField) onSurplus();
        }
        if (text.length < maxOtherText) text += piece;
      }
    },
    close(depth) {
      if (depth === 2) {
        field = undefined;
        isInField = false;
      } else if (depth === 1) {
        onEntry(entry, entry !== null && known === 0 && unknown > 0);
        entry = null;
        state.isBetween = true;
      }
    },
  };
  return { events, state };
}

/** Passes entries on, and counts what shows that an element is no list. */
function createEntryCheck(pass: (entry: RawESignEntry) => void) {
  /** What has come in an element that may not be the list, because it is not called so. */
  let isOther = false;
  let passed = 0;
  let strange = 0;
  // Read as entries without content, they would take the place of those that were read before.
  const noEntries = () => wrongReply('the list has an entry with none of the known fields');
  return {
    begin(other: boolean) {
      // The list itself, after an element that was read in its place.
      if (isOther && passed > 0) throw wrongReply('more than one list');
      isOther = other;
      strange = 0;
    },
    take(entry: RawESignEntry, isStrange: boolean) {
      if (!isStrange) {
        passed += 1;
        pass(entry);
        return;
      }
      strange += 1;
      if (!isOther || strange > mostStrange) throw noEntries();
    },
    /** Returns whether there were entries. */
    end(): boolean {
      if (strange > 0) throw noEntries();
      return passed > 0;
    },
  };
}

/**
 * Cuts the text of a list for its two readers: between two entries (`state.isBetween`) it is for the plain reader, as far as that can read it, else for the full
 * parser.
 */
function createTextCut(
  parse: (text: string) => void,
  plainReader: () => ReturnType<typeof createPlainEntries> | null,
  state: { isBetween: boolean },
) {
  let held = '';
  /** The length of `held` from which reading it again is worth the work: with one byte more each time it would be read without end. */
  let retryUnits = 0;
  /**
   * Parses up to the end of the next tag, so that the plain reader takes over as soon as an entry has ended. Text goes with the tag behind it: cut at
   * every `>` in it, it would fill the memory. `isStart`: a tag of the piece before may still be open.
   */
  const parseTag = (whole: string, from: number, isStart: boolean): number => {
    const tag = isStart ? from : whole.indexOf('<', from);
    const end = (tag < 0 ? 0 : whole.indexOf('>', tag) + 1) || whole.length;
    parse(whole.slice(from, end));
    return end;
  };
  return {
    /** The text to be read, with what was held: the plain reader reads no entry in two pieces. Null if more must arrive before. */
    join(piece: string): string | null {
      const whole = held + piece;
      const isEnough = whole.length >= retryUnits;
      held = isEnough ? '' : whole;
      if (isEnough) retryUnits = 0;
      return isEnough ? whole : null;
    },
    read(whole: string) {
      let at = 0;
      while (at < whole.length) {
        const plain = state.isBetween ? plainReader() : null;
        if (plain) {
          const { next, wantsMore } = plain.read(whole, at);
          at = next;
          if (wantsMore && whole.length - at < maxHeldUnits) {
            held = whole.slice(at);
            retryUnits = Math.min(held.length * 2, maxHeldUnits);
            return;
          }
          state.isBetween = false;
        }
        at = parseTag(whole, at, at === 0);
      }
    },
    end: () => parse(held),
  };
}

/**
 * Reads the e-sign list and passes on each entry when it ends; nil entries are null. A text instead of entries (a negative
 * code) is kept for `text()`.
 *
 * Two readers share the work. The full parser reads the envelope and every entry with anything unusual in it
 * (attributes, CDATA, comments, other prefixes). Between two entries the plain reader goes first: it reads
 * only elements without attributes, which is what services send, and is several times faster.
 */
export function createListReader(reading: EnvelopeReading, pass: (entry: RawESignEntry) => void) {
  const { target, operation, redact, remark } = reading;
  const check = createEntryCheck(pass);
  let unitsSinceEntry = 0;
  const onEntry: OnEntry = (entry, isStrange) => {
    unitsSinceEntry = 0;
    check.take(entry, isStrange);
  };
  const onParsedEntry = (entry: Record<string, string> | null, isStrange: boolean) => {
    if (entry) hideSecrets(entry, redact);
    onEntry(entry, isStrange);
  };
  let hasSurplus = false;
  const onSurplus = () => {
    if (!hasSurplus) remark?.({ kind: 'reply-surplus', operation });
    hasSurplus = true;
  };
  /** False while the text that is read holds no secret as it stands: most lists are looked through only once. */
  let isSuspect = true;
  const onPlainEntry = (entry: Record<string, string>, isStrange: boolean) =>
    (isSuspect ? onParsedEntry : onEntry)(entry, isStrange);
  const names = interfaceNames(target.elementNames, operation, eSignFields);
  const { events, state } = createEntryEvents(names, onParsedEntry, onSurplus);
  let plain: ReturnType<typeof createPlainEntries> | null = null;
  const feed = createReplyFeed(reading, maxListUnits, {
    ...events,
    result(tag, _nil, isOther) {
      check.begin(isOther);
      state.clear();
      plain = createPlainEntries(tag.prefix, names, onPlainEntry, redact);
      state.isBetween = !tag.isSelfClosing;
    },
  });
  const cut = createTextCut(feed.write, () => plain, state);
  return {
    write(piece: string) {
      unitsSinceEntry += piece.length;
      if (unitsSinceEntry > maxEntryUnits) throw tooLarge('an entry');
      const whole = cut.join(piece);
      if (whole === null) return;
      isSuspect = redact.isNeeded?.(whole) ?? true;
      cut.read(whole);
    },
    end() {
      cut.end();
      // Before the feed says that it was read under another name.
      const hasEntries = check.end();
      if (hasEntries && state.text() !== '') onSurplus();
      feed.end();
    },
    resultName: feed.resultName,
    text: state.text,
  };
}
