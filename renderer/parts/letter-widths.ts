/** Returns the rendered width of one letter in px. */
export type LetterWidth = (letter: string) => number;

const fonts = new Map<string, Map<string, number>>();
let probe: HTMLSpanElement | null = null;

/**
 * Widths of single letters in the font of `element`, each measured once. Their sum is the width of a text without kerning. A new letter costs a
 * layout; known letters cost nothing.
 */
export function letterWidths(element: Element): LetterWidth {
  // Not `font`, which is empty if it cannot express all properties, for example tabular figures.
  const { fontFamily, fontSize, fontStyle, fontWeight, fontVariantNumeric, letterSpacing } = getComputedStyle(element);
  const style = { fontFamily, fontSize, fontStyle, fontWeight, fontVariantNumeric, letterSpacing };
  const key = Object.values(style).join('|');
  return (letter) => {
    // Looked up each time, because loading a font removes all widths.
    const known = fonts.get(key) ?? new Map<string, number>();
    if (known.size === 0) fonts.set(key, known);
    const width = known.get(letter) ?? measured(letter, style);
    known.set(letter, width);
    return width;
  };
}

/** Call this after fonts were loaded: the widths measured with fallback fonts are wrong then. */
export function forgetLetterWidths(): void {
  fonts.clear();
}

function measured(letter: string, style: Partial<CSSStyleDeclaration>): number {
  if (!probe) {
    probe = document.createElement('span');
    probe.ariaHidden = 'true';
    Object.assign(probe.style, { position: 'fixed', visibility: 'hidden', whiteSpace: 'pre' });
    document.body.append(probe);
  }
  Object.assign(probe.style, style);
  probe.textContent = letter;
  return probe.getBoundingClientRect().width;
}
