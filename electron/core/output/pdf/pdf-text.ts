import { directionMark, hasRightToLeft } from './pdf-bidi.ts';

/** Whether a font can draw a character. */
export type HasGlyph = (codePoint: number) => boolean;

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
