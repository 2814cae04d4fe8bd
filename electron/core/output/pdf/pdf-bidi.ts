import bidiFactory from 'bidi-js';

const bidi = bidiFactory();

/** Letters that run from right to left, and marks that change the direction. */
const rightToLeft = /[\u0590-\u08FF\u200F\u2067\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * A mark of direction: it has no ink. The layout of a line needs it and leaves it out. Not the older ones (U+202A to U+202E): a name with them looks like another name
 * (`fdp.exe` like `exe.pdf`), so they are drawn as their codes.
 */
export const directionMark = /[\u061C\u200E\u200F\u2066-\u2069]/;
const directionMarks = new RegExp(directionMark, 'g');

export type Direction = 'ltr' | 'rtl';

export function hasRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** The text with ink alone. */
export function withoutMarks(text: string): string {
  return text.replaceAll(directionMarks, '');
}

/** The direction of a text by its first letter; values that a sentence isolates do not count. */
export function baseOf(text: string): Direction {
  if (!hasRightToLeft(text)) return 'ltr';
  return (bidi.getEmbeddingLevels(text, 'auto').paragraphs[0]?.level ?? 0) % 2 === 1 ? 'rtl' : 'ltr';
}

/** The runs of one line, each of letters of one direction, from left to right by the Unicode Bidirectional Algorithm. Brackets between letters from right to left are mirrored. */
export function visualRuns(line: string, base: Direction) {
  const { levels } = bidi.getEmbeddingLevels(line, base);
  // White space at the end of a line belongs to its end.
  for (let at = line.length - 1; at >= 0 && /\s/.test(line[at] ?? ''); at--) levels[at] = base === 'rtl' ? 1 : 0;
  const runs: { readonly level: number; text: string }[] = [];
  for (let at = 0; at < line.length; at++) {
    const level = levels[at] ?? 0;
    const character = line[at] ?? '';
    const shown = level % 2 === 1 ? (bidi.getMirroredCharacter(character) ?? character) : character;
    const last = runs.at(-1);
    if (last?.level === level) last.text += shown;
    else runs.push({ level, text: shown });
  }
  return reordered(runs)
    .map(({ level, text }) => ({
      text: withoutMarks(text),
      direction: level % 2 === 1 ? ('rtl' as const) : ('ltr' as const),
    }))
    .filter(({ text }) => text !== '');
}

/** From the highest level to the lowest odd one, every sequence of runs at or above the level is reversed (rule L2). */
function reordered<T extends { readonly level: number }>(runs: readonly T[]): readonly T[] {
  const order = [...runs];
  for (let level = Math.max(0, ...runs.map((run) => run.level)); level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while ((order[to]?.level ?? -1) >= level) to++;
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = to;
    }
  }
  return order;
}
