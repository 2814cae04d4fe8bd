import { join } from 'node:path';
import { directionOf } from '../../../../contract/languages.ts';
import { baseOf, type Direction } from './pdf-bidi.ts';
import { quickenFont } from './pdf-fonts.ts';
import { type Structure, structureOf } from './pdf-structure.ts';
import { drawable } from './pdf-text.ts';

export const marginPt = 50;
export const footerPt = 28;
export const bodyPt = 9;
export const colours = { ink: '#1b1b18', quiet: '#5c5a53', line: '#c9c6bc' } as const;

/** The document and page geometry that all drawing functions share. */
export interface Sheet {
  readonly document: PDFKit.PDFDocument;
  readonly structure: Structure;
  readonly widthPt: number;
  readonly leftPt: number;
  /** Lower end of the text area; below it is only the footer. */
  readonly bottomPt: number;
  use(this: void, font: 'plain' | 'bold', sizePt: number, colour?: string): PDFKit.PDFDocument;
  clean(text: string): string;
  /**
   * Draws a cleaned text. `left`: the distance from the start of the lines, which is the right margin in a report from right to left.
   */
  put(
    this: void,
    text: string,
    left: number,
    y: number,
    options: { readonly width: number; readonly lineGap?: number },
  ): void;
  /** Begins a new page if less than this height is left. */
  need(heightPt: number): void;
}

interface SheetOptions {
  readonly language: string;
  readonly footer: string;
  readonly assetsDir: string;
}

/** Opens the fonts and begins the first page. Every page gets its footer with the number. */
export function sheetOf(document: PDFKit.PDFDocument, { assetsDir, footer, language }: SheetOptions): Sheet {
  const folder = join(assetsDir, 'fonts');
  document.registerFont('plain', join(folder, 'DejaVuSans.ttf'));
  document.registerFont('bold', join(folder, 'DejaVuSans-Bold.ttf'));
  const fonts = [quickenFont(document.font('bold')), quickenFont(document.font('plain'))];
  const clean = (text: string) => drawable(text, (codePoint) => fonts[1]?.hasGlyph(codePoint) ?? false);
  const direction = directionOf(language);
  let base: Direction = 'ltr';
  const draw = (text: string, drawText: () => void) => {
    const before = base;
    const setBase = (next: Direction) => {
      base = next;
      for (const font of fonts) font.setBase(next);
    };
    setBase(baseOf(text));
    drawText();
    // A new page interrupts a text with its footer.
    setBase(before);
  };
  const structure = structureOf(document);
  const foot = clean(footer);
  let pageNumber = 0;
  let style: Parameters<Sheet['use']> = ['plain', bodyPt];
  const use: Sheet['use'] = (...wanted) => {
    style = wanted;
    const [font, sizePt, colour = colours.ink] = wanted;
    return document.font(font).fontSize(sizePt).fillColor(colour);
  };
  document.on('pageAdded', () => {
    pageNumber += 1;
    const footing = `${foot}${foot === '' ? '' : ' · '}${pageNumber}`;
    structure.artifact(() => footPage(document, footing, direction, draw), 'Pagination');
    // A text that continues from the page before keeps its font and colour.
    use(...style);
  });
  document.addPage();
  const bottomPt = document.page.height - marginPt - footerPt;
  return {
    document,
    structure,
    widthPt: document.page.width - 2 * marginPt,
    leftPt: marginPt,
    bottomPt,
    use,
    clean,
    put: (text, left, y, options) => {
      const isBackwards = direction === 'rtl';
      const x = isBackwards ? document.page.width - marginPt - left - options.width : marginPt + left;
      draw(text, () => document.text(text, x, y, isBackwards ? { ...options, align: 'right' } : options));
    },
    need: (heightPt) => {
      if (document.y + heightPt > bottomPt && document.y > marginPt) document.addPage();
    },
  };
}

/** Writes the footer into the bottom margin. The margin is set to 0 meanwhile, as pdfkit would begin a new page for text in it. */
function footPage(
  document: PDFKit.PDFDocument,
  text: string,
  direction: Direction,
  draw: (text: string, drawText: () => void) => void,
): void {
  const { page } = document;
  const bottom = page.margins.bottom;
  page.margins.bottom = 0;
  const width = page.width - 2 * marginPt;
  document.font('plain').fontSize(7.5).fillColor(colours.quiet);
  draw(text, () => {
    const left = direction === 'rtl' ? marginPt + Math.max(0, width - document.widthOfString(text)) : marginPt;
    document.text(text, left, page.height - marginPt, { width, height: 10, ellipsis: true, lineBreak: false });
  });
  page.margins.bottom = bottom;
  document.x = marginPt;
  document.y = marginPt;
}
