import { type Direction, directionMark, hasRightToLeft, visualRuns, withoutMarks } from './pdf-bidi.ts';

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
