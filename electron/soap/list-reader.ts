import type { RawESignEntry } from './client.ts';
import { interfaceNames } from './element-names.ts';
import { eSignFields } from './operations.ts';
import { createPlainEntries } from './plain-entries.ts';
import { createReplyFeed, type ReplyFeed } from './read-reply.ts';

/** A list is passed on as it arrives, so its size is bounded only against a reply that never ends: 2 Gi characters. */
const maxListUnits = 2 * 1024 ** 3;
/** An entry that has not ended by then is the full parser's business, with its bounds. */
const maxHeldUnits = 256 * 1024;

/**
 * Reads the e-sign list and gives every entry out at its end; nil entries are null. A text instead of entries (a negative
 * code) is kept for `text()`.
 *
 * Two readers share the work. The full parser reads the envelope and every entry that has anything unusual in it
 * (attributes, CDATA, comments, other prefixes). Between two entries the plain reader is asked first: it knows
 * only elements without attributes, which is what services send, and is several times faster.
 */
export function createListReader(
  reading: Omit<Parameters<typeof createReplyFeed>[0], 'totalUnits'>,
  onEntry: (entry: RawESignEntry) => void,
): ReplyFeed & { text(): string } {
  const names = interfaceNames(reading.target.elementNames, reading.operation, eSignFields);
  let text = '';
  let entry: Record<string, string> | null = null;
  let field: string | undefined;
  let plain: ReturnType<typeof createPlainEntries> | null = null;
  let between = false;
  let held = '';
  const feed = createReplyFeed(
    { ...reading, totalUnits: maxListUnits },
    {
      result(tag) {
        plain = createPlainEntries(tag.prefix, names, onEntry);
        between = !tag.isSelfClosing;
      },
      open(tag, depth, nil) {
        between = false;
        if (depth === 1) entry = nil ? null : {};
        else if (depth === 2) {
          field = nil ? undefined : names.get(tag.local);
          if (entry && field) entry[field] = '';
        }
      },
      text(piece) {
        if (entry && field) entry[field] += piece;
        else if (text.length < 2_000) text += piece;
      },
      close(depth) {
        if (depth === 2) field = undefined;
        else if (depth === 1) {
          onEntry(entry);
          entry = null;
          between = true;
        }
      },
    },
  );
  /** Up to the end of the next tag, so that the plain reader gets its turn as soon as an entry is over. */
  const parse = (whole: string, from: number): number => {
    const end = whole.indexOf('>', from) + 1 || whole.length;
    feed.write(whole.slice(from, end));
    return end;
  };
  return {
    write(piece) {
      const whole = held + piece;
      held = '';
      let at = 0;
      while (at < whole.length) {
        if (between && plain) {
          const { next, wantsMore } = plain.read(whole, at);
          at = next;
          if (wantsMore && whole.length - at < maxHeldUnits) {
            held = whole.slice(at);
            return;
          }
          between = false;
        }
        at = parse(whole, at);
      }
    },
    end() {
      feed.write(held);
      feed.end();
    },
    text: () => text.trim(),
  };
}
