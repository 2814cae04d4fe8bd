import type { HasGlyph } from './pdf-text.ts';

/** What is used of pdfkit's embedded font and of the font within. Not in its types; the version is fixed, and tests draw with it. */
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
 * The font that the document uses now, laid out letter by letter where that is right: the font's own rules take twenty times as long, and a
 * report has a million letters. Answers which characters it has.
 */
export function quickenFont(document: PDFKit.PDFDocument): HasGlyph {
  const embedded = (document as unknown as { readonly _font: EmbeddedFont })._font;
  const { font, scale } = embedded;
  const shaped = embedded.layoutRun.bind(embedded);
  const known = new Map<number, { readonly glyph: Glyph; readonly place: GlyphPosition }>();
  const letter = (codePoint: number) => {
    const seen = known.get(codePoint);
    if (seen) return seen;
    const glyph = font.glyphForCodePoint(codePoint);
    const advance = glyph.advanceWidth * scale;
    const place = { xAdvance: advance, yAdvance: 0, xOffset: 0, yOffset: 0, advanceWidth: advance };
    known.set(codePoint, { glyph, place });
    return { glyph, place };
  };
  embedded.layoutRun = (text) => {
    if (needsShaping.test(text)) return shaped(text);
    const glyphs: Glyph[] = [];
    const positions: GlyphPosition[] = [];
    let advanceWidth = 0;
    for (const character of text) {
      const { glyph, place } = letter(character.codePointAt(0) ?? 0);
      glyphs.push(glyph);
      positions.push(place);
      advanceWidth += glyph.advanceWidth;
    }
    return { glyphs, positions, advanceWidth: advanceWidth * scale };
  };
  const has = new Map<number, boolean>();
  return (codePoint) => {
    const kept = has.get(codePoint) ?? font.hasGlyphForCodePoint(codePoint);
    has.set(codePoint, kept);
    return kept;
  };
}
