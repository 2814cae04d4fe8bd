import { setImmediate as nextTurn } from 'node:timers/promises';
import { appError } from '../core/foundation/app-error.ts';
import { negativeCode } from './answers.ts';
import type { RawESignEntry } from './client.ts';
import { type Consume, feedReply } from './feed-reply.ts';
import { createListReader } from './list-reader.ts';
import { refusal } from './refusal.ts';

/** Work between two turns of the event loop: well under a frame of 16 ms. */
const sliceMs = 6;
const sliceUnits = 32 * 1024;

type OnEntries = (entries: readonly RawESignEntry[]) => void | Promise<void>;

/**
 * The e-sign list as it arrives: parsed in slices, handed out slice by slice, with the peer held back while `onEntries` is
 * at work. Answers the number of entries. Rejects with service-refused or credentials-rejected (negative-code) where a code
 * came instead, with reply-unreadable (wrong-reply) where another text did.
 */
export async function listESign(
  response: Parameters<Consume<number>>[0],
  reading: Parameters<Consume<number>>[1],
  onEntries: OnEntries,
): Promise<number> {
  let count = 0;
  let entries: RawESignEntry[] = [];
  const reader = createListReader(reading, (entry) => {
    count += 1;
    entries.push(entry);
  });
  const handOut = async () => {
    if (entries.length === 0) return;
    const ready = entries;
    entries = [];
    await onEntries(ready);
  };
  let since = performance.now();
  const write = async (text: string) => {
    for (let at = 0; at < text.length; at += sliceUnits) {
      reader.write(text.slice(at, at + sliceUnits));
      await handOut();
      if (performance.now() - since < sliceMs) continue;
      await nextTurn();
      since = performance.now();
    }
  };
  await feedReply(response, reading, write);
  reader.end();
  await handOut();
  if (count === 0) refuseText(reader.text());
  return count;
}

/** A text is no empty list: taken for one, it would put nothing in the place of the last copy. */
function refuseText(raw: string): void {
  if (raw === '') return;
  const code = negativeCode(raw);
  if (code) throw refusal(code, raw);
  throw appError('reply-unreadable', 'a text where a list was expected', { detail: 'wrong-reply', raw });
}
