import type { SectionId } from '../../features/help.ts';
import { type GuideSection, linesOf } from './parse-guide.ts';

/** A part of the guide in which every word of a search occurs. */
export interface Hit {
  readonly section: SectionId;
  readonly anchor: string;
  /** The part's heading, after its section's. */
  readonly title: string;
  /** The first line with a word of the search, from shortly before that word; empty if only the heading has one. */
  readonly line: string;
}

/** The words of a search, compared without case and accents. */
export function wordsOf(text: string): readonly string[] {
  return folded(text).split(/\s+/).filter(Boolean);
}

/** Parts of the guide with all words, those with the words in their heading first. */
export function searchGuide(guide: readonly GuideSection[], words: readonly string[]): readonly Hit[] {
  if (words.length === 0) return [];
  const found = guide.flatMap((section) =>
    section.parts.flatMap((part) => {
      const lines = linesOf(part.tokens);
      const title = folded(part.title);
      if (!hasAll([title, ...lines.map(folded)].join('\n'), words)) return [];
      const line = lines.find((one) => words.some((word) => folded(one).includes(word))) ?? '';
      const isOwnHeading = part === section.parts[0];
      const name = isOwnHeading ? part.title : `${section.parts[0].title} › ${part.title}`;
      const rank = hasAll(title, words) ? 0 : 1;
      return [{ rank, hit: { section: section.id, anchor: part.anchor, title: name, line: fromHit(line, words) } }];
    }),
  );
  return found.sort((a, b) => a.rank - b.rank).map(({ hit }) => hit);
}

/** A text cut where words of a search begin and end. */
export function cutAtHits(text: string, words: readonly string[]): readonly { text: string; isHit: boolean }[] {
  const low = folded(text);
  const pieces: { text: string; isHit: boolean }[] = [];
  let at = 0;
  while (at < text.length) {
    const next = words.map((word) => ({ start: low.indexOf(word, at), word })).filter(({ start }) => start >= 0);
    const first = next.sort((a, b) => a.start - b.start || b.word.length - a.word.length)[0];
    if (!first) break;
    if (first.start > at) pieces.push({ text: text.slice(at, first.start), isHit: false });
    at = first.start + first.word.length;
    pieces.push({ text: text.slice(first.start, at), isHit: true });
  }
  return at < text.length ? [...pieces, { text: text.slice(at), isHit: false }] : pieces;
}

/** Characters before the first hit of a line that are still shown with it. */
const lead = 40;

function fromHit(line: string, words: readonly string[]): string {
  const low = folded(line);
  const first = Math.min(...words.map((word) => low.indexOf(word)).filter((at) => at >= 0));
  if (!Number.isFinite(first) || first <= lead) return line;
  return `… ${line.slice(line.indexOf(' ', first - lead) + 1)}`;
}

function hasAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

/** Lower case without accents, of the same length, so that places in it are places in the text. */
function folded(text: string): string {
  return Array.from({ length: text.length }, (_, at) => text[at]?.normalize('NFD')[0]?.toLowerCase()[0] ?? '').join('');
}
