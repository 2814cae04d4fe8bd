export const hidden = '•••';

export type Ranges = [from: number, to: number][];

/** A text is looked through in parts of this length, so that what is noted about its escapes stays small. */
const partUnits = 128 * 1024;

/** The parts of a text, each with the beginning of the next. */
export function* partsOf(text: string, overlap: number): Generator<{ readonly at: number; readonly part: string }> {
  for (let at = 0; at < text.length; at += partUnits) yield { at, part: text.slice(at, at + partUnits + overlap) };
}

/** The text with something else in the place of these parts, which may overlap. */
export function withoutRanges(text: string, found: Ranges): string {
  if (found.length === 0) return text;
  found.sort(([a], [b]) => a - b);
  let clean = '';
  let end = 0;
  for (const [from, to] of found) {
    if (from >= end) clean += text.slice(end, from) + hidden;
    end = Math.max(end, to);
  }
  return clean + text.slice(end);
}

/** Most texts that are looked through are shorter, and share one memory. */
const sharedUnits = 64 * 1024;
const shared = new Uint16Array(sharedUnits);
const sharedBytes = Buffer.from(shared.buffer);

/** The characters of a text as numbers, which are read several times faster than those of a string; valid until the next call. */
export function unitsOf(text: string): Uint16Array {
  const bytes = text.length <= sharedUnits ? sharedBytes : Buffer.from(new ArrayBuffer(text.length * 2));
  bytes.write(text, 'utf16le');
  return new Uint16Array(bytes.buffer, 0, text.length);
}
