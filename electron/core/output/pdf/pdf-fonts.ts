import type { HasGlyph } from './pdf-text.ts';

/** The used members of pdfkit's embedded font and of the font in it. They are not in its types; the version is pinned, and tests draw with it. */
interface EmbeddedFont {
  readonly scale: number;
  readonly font: {
    hasGlyphForCodePoint: HasGlyph;
    glyphForCodePoint(codePoint: number): Glyph;
  };
  layoutRun(text: string): Run;
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
 * report has a million letters. Answers a test for characters that the font has.
 */
export function quickenFont(document: PDFKit.PDFDocument): HasGlyph {
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
  const has = new Map<number, boolean>();
  return (codePoint) => {
    const isThere = has.get(codePoint) ?? font.hasGlyphForCodePoint(codePoint);
    has.set(codePoint, isThere);
    return isThere;
  };
}
