import type { IncomingMessage } from 'node:http';
import { createTurns } from '../../core/foundation/throttled.ts';
import type { RawESignEntry } from '../service/client.ts';
import { tooLarge } from './bounded-xml.ts';
import { feedReply, type Reading } from './feed-reply.ts';
import { createListReader } from './list-reader.ts';
import { textFailure } from './read-reply.ts';

const sliceUnits = 32 * 1024;

/** Most entries if MaxItems names no limit (0 or negative). */
const mostEntries = 1_000_000;

type OnEntries = (entries: readonly RawESignEntry[]) => void | Promise<void>;

/**
 * Parses the e-sign list as it arrives and passes it on in slices; the peer is held back while `onEntries` works.
 * Resolves with the number of entries: a service that ignores MaxItems gets no more read than was asked for. Rejects with service-refused or
 * credentials-rejected (negative-code) if a code arrived instead, with reply-unreadable: wrong-reply for another text, reply-too-large for an endless list.
 */
export async function listESign(
  response: IncomingMessage,
  reading: Reading,
  maxItems: number,
  onEntries: OnEntries,
): Promise<number> {
  const limit = maxItems > 0 ? Math.min(maxItems, mostEntries) : mostEntries;
  const counts = { filled: 0, nil: 0 };
  let isFull = false;
  let entries: RawESignEntry[] = [];
  const reader = createListReader(reading, (entry) => {
    // Nil entries may come besides the others.
    isFull ||= counts[entry ? 'filled' : 'nil'] >= limit;
    if (isFull) return;
    counts[entry ? 'filled' : 'nil'] += 1;
    entries.push(entry);
  });
  const handOut = async () => {
    if (entries.length === 0) return;
    const ready = entries;
    entries = [];
    await onEntries(ready);
  };
  const otherWork = createTurns();
  const write = async (text: string) => {
    for (let at = 0; at < text.length; at += sliceUnits) {
      reader.write(text.slice(at, at + sliceUnits));
      await handOut();
      if (isFull) throw enough;
      const turn = otherWork();
      if (turn) await turn;
    }
  };
  try {
    await feedReply(response, reading, write);
    reader.end();
  } catch (error) {
    if (!isFull) throw error;
    if (limit !== maxItems) throw tooLarge('the list');
    reader.resultName();
  }
  await handOut();
  const count = counts.filled + counts.nil;
  const text = count === 0 ? reading.redact(reader.text()) : '';
  // Read as an empty list, it would replace the last copy by nothing.
  if (text !== '') throw textFailure(text, 'list');
  return count;
}

/** Ends the reading of a list that is longer than asked. */
const enough = new Error('enough');
