import type { RawESignEntry } from './client.ts';
import { interfaceNames } from './element-names.ts';
import { eSignFields } from './operations.ts';
import { createReplyFeed, type ReplyFeed } from './read-reply.ts';

/** A list is passed on as it arrives, so its size is bounded only against a reply that never ends: 2 Gi characters. */
const maxListUnits = 2 * 1024 ** 3;

/**
 * Reads the e-sign list and gives every entry out at its end; nil entries are null. A text instead of entries (a negative
 * code) is kept for `text()`.
 */
export function createListReader(
  reading: Omit<Parameters<typeof createReplyFeed>[0], 'totalUnits'>,
  onEntry: (entry: RawESignEntry) => void,
): ReplyFeed & { text(): string } {
  const names = interfaceNames(reading.target.elementNames, reading.operation, eSignFields);
  let text = '';
  let entry: Record<string, string> | null = null;
  let field: string | undefined;
  const feed = createReplyFeed(
    { ...reading, totalUnits: maxListUnits },
    {
      result: () => undefined,
      open(tag, depth, nil) {
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
        }
      },
    },
  );
  return { ...feed, text: () => text.trim() };
}
