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
