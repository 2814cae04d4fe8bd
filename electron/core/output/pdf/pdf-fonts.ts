import bidiFactory from 'bidi-js';

const bidi = bidiFactory();

/** Letters that run from right to left, and marks that change the direction. */
const rightToLeft = /[\u0590-\u08FF\u200F\u2067\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/**
 * A mark of direction: it has no ink. The layout of a line needs it and leaves it out. Not the older ones (U+202A to U+202E): a name with them looks like another name
 * (`fdp.exe` like `exe.pdf`), so they are drawn as their codes.
 */
const directionMark = /[\u061C\u200E\u200F\u2066-\u2069]/;
const directionMarks = new RegExp(directionMark, 'g');

export type Direction = 'ltr' | 'rtl';

function hasRightToLeft(text: string): boolean {
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

/** The used members of pdfkit's embedded font and of the font in it. They are not in its types; the version is pinned, and tests draw with it. */
interface EmbeddedFont {
  readonly scale: number;
  readonly font: {
    hasGlyphForCodePoint: HasGlyph;
    glyphForCodePoint(codePoint: number): Glyph;
    /** Undefined: by the font's own rules for the script of the text. */
    layout(text: string, features: undefined, script: undefined, language: undefined, direction: Direction): Run;
  };
  layoutRun(text: string): Run;
  layout(text: string, features?: unknown, onlyWidth?: boolean): Run;
}

interface Glyph {
  readonly advanceWidth: number;
}

interface GlyphPosition {
  readonly xAdvance: number;
  readonly yAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
  readonly advanceWidth: number;
}

interface Run {
  readonly glyphs: readonly Glyph[];
  readonly positions: readonly GlyphPosition[];
  readonly advanceWidth: number;
}

/** Scripts whose letters join, stack or run from right to left need the font's own rules. */
const needsShaping = /[\u0590-\u1CFF\uA800-\uABFF]|\p{M}/u;

/**
 * Makes the document's current font lay out text letter by letter where that is correct: the font's own rules take twenty times as long, and a
 * report has a million letters. Text with letters from right to left is laid out line by line: pdfkit would reverse its words, but not their order.
 */
export function quickenFont(document: PDFKit.PDFDocument) {
  const embedded = (document as unknown as { readonly _font: EmbeddedFont })._font;
  const { font, scale } = embedded;
  const shaped = embedded.layoutRun.bind(embedded);
  const known = new Map<number, { readonly glyph: Glyph; readonly position: GlyphPosition }>();
  const letter = (codePoint: number) => {
    const cached = known.get(codePoint);
    if (cached) return cached;
    const glyph = font.glyphForCodePoint(codePoint);
    const advance = glyph.advanceWidth * scale;
    const position = { xAdvance: advance, yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth: advance };
    known.set(codePoint, { glyph, position });
    return { glyph, position };
  };
  embedded.layoutRun = (text) => {
    if (needsShaping.test(text)) return shaped(text);
    const glyphs: Glyph[] = [];
    const positions: GlyphPosition[] = [];
    let advanceWidth = 0;
    for (const character of text) {
      const { glyph, position } = letter(character.codePointAt(0) ?? 0);
      glyphs.push(glyph);
      positions.push(position);
      advanceWidth += glyph.advanceWidth;
    }
    return { glyphs, positions, advanceWidth: advanceWidth * scale };
  };
  let base: Direction = 'ltr';
  const wordByWord = embedded.layout.bind(embedded);
  embedded.layout = (text, features, onlyWidth) => {
    if (!hasRightToLeft(text) && base === 'ltr') return wordByWord(withoutMarks(text), features, onlyWidth);
    // pdfkit aligns a line without the space at its end, which in a line from right to left would push the others over the margin.
    const inked = base === 'rtl' && !onlyWidth ? text.trimEnd() : text;
    return joined(
      visualRuns(inked, base).map((run) =>
        run.direction === 'ltr' ? wordByWord(run.text) : shapedBackwards(embedded, run.text),
      ),
    );
  };
  return {
    hasGlyph: rememberedGlyphs(font),
    /** Sets the direction of the text that is drawn next, which its lines share. */
    setBase: (direction: Direction) => {
      base = direction;
    },
  };
}

/** Letters from right to left by the font's rules, in points of a thousandth, as pdfkit expects them. */
function shapedBackwards({ font, scale }: EmbeddedFont, text: string): Run {
  const { glyphs, positions, advanceWidth } = font.layout(text, undefined, undefined, undefined, 'rtl');
  return {
    glyphs,
    positions: positions.map((position, at) => ({
      xAdvance: position.xAdvance * scale,
      yAdvance: position.yAdvance * scale,
      xOffset: position.xOffset * scale,
      yOffset: position.yOffset * scale,
      advanceWidth: (glyphs[at]?.advanceWidth ?? 0) * scale,
    })),
    advanceWidth: advanceWidth * scale,
  };
}

function joined(runs: readonly Run[]): Run {
  return {
    glyphs: runs.flatMap(({ glyphs }) => glyphs),
    positions: runs.flatMap(({ positions }) => positions),
    advanceWidth: runs.reduce((sum, run) => sum + run.advanceWidth, 0),
  };
}

function rememberedGlyphs(font: EmbeddedFont['font']): HasGlyph {
  const has = new Map<number, boolean>();
  return (codePoint) => {
    const isThere = has.get(codePoint) ?? font.hasGlyphForCodePoint(codePoint);
    has.set(codePoint, isThere);
    return isThere;
  };
}

/** Whether a font can draw a character. */
type HasGlyph = (codePoint: number) => boolean;

/** Characters that have no ink of their own and may be left out: joiners, variation selectors, the byte order mark. */
const invisible = /\u034F|[\u00AD\u200B-\u200D\u2060-\u2065\uFEFF]|[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/u;

/** Longer words get break opportunities: the layout time grows with the square of their length. */
const longWord = /\S{200}/gu;

/**
 * Text that the font can draw: missing characters are shown as `‹U+4E2D›`, so that none is lost and drawing does not throw. Control characters
 * and half surrogate pairs are shown the same way; white space other than line ends becomes a space.
 */
export function drawable(text: string, hasGlyph: HasGlyph): string {
  const keepsMarks = hasRightToLeft(text);
  let drawn = '';
  let missing: string[] = [];
  const closeMissing = () => {
    if (missing.length > 0) drawn += `‹${missing.join(' ')}›`;
    missing = [];
  };
  for (const character of text.replaceAll(/\r\n?/g, '\n')) {
    const codePoint = character.codePointAt(0) ?? 0;
    const isPlain = codePoint >= 0x20 && codePoint < 0x7f;
    if (!isPlain && invisible.test(character)) continue;
    if (!isPlain && directionMark.test(character)) {
      if (keepsMarks) drawn += character;
      continue;
    }
    const isSpace = !isPlain && character !== '\n' && /\s/u.test(character);
    const shown = isSpace ? ' ' : character;
    if (shown === '\n' || shown === ' ' || isPlain || (isInk(codePoint) && hasGlyph(codePoint))) {
      closeMissing();
      drawn += shown;
    } else missing.push(`U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`);
  }
  closeMissing();
  return drawn.replaceAll(longWord, '$&\u200B');
}

/** False for control characters, those that reverse what follows (though the font has a glyph for them), and half a surrogate pair. */
function isInk(codePoint: number): boolean {
  if (codePoint >= 0x202a && codePoint <= 0x202e) return false;
  return codePoint >= 0xa0 && !(codePoint >= 0xd800 && codePoint <= 0xdfff);
}
