import { setImmediate as nextTurn } from 'node:timers/promises';
import { failing } from '../core/failing.ts';
import { negativeCode } from './answers.ts';
import type { RawESignEntry } from './client.ts';
import { type Consume, feedReply } from './feed-reply.ts';
import { createListReader } from './list-reader.ts';

/** Work between two turns of the event loop: well under a frame of 16 ms. */
const sliceMs = 6;
const sliceUnits = 32 * 1024;

type OnEntries = (entries: readonly RawESignEntry[]) => void | Promise<void>;

/**
 * The e-sign list as it arrives: parsed in slices, handed out slice by slice, with the peer held back while `onEntries` is
 * at work. Answers the number of entries. Rejects with service-refused (negative-code) where a code came instead.
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
  const code = negativeCode(reader.text());
  if (code && count === 0) {
    throw failing('service-refused', `GetESignList answered ${code}`, {
      detail: 'negative-code',
      serviceCode: code,
      raw: reader.text(),
    });
  }
  return count;
}
