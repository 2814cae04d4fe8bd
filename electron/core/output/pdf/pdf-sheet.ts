import { join } from 'node:path';
import { directionOf } from '../../../../contract/languages.ts';
import { baseOf, type Direction, drawable, quickenFont } from './pdf-fonts.ts';

export const marginPt = 50;
export const footerPt = 28;
export const bodyPt = 9;
const footSizePt = 7.5;
/** Room for the number of the page and that of all pages. */
const numberPt = 80;
/** Between the words and the number of all pages. */
const gapPt = 2.5;
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
  /** Writes what is known only when all pages are there. */
  end(): void;
}

interface SheetOptions {
  readonly language: string;
  readonly footer: string;
  readonly pageOf?: string;
  readonly assetsDir: string;
}

/** Opens the fonts and begins the first page. Every page gets its footer with the number. */
export function sheetOf(document: PDFKit.PDFDocument, { assetsDir, footer, pageOf, language }: SheetOptions): Sheet {
  const folder = join(assetsDir, 'fonts');
  document.registerFont('plain', join(folder, 'DejaVuSans.ttf'));
  document.registerFont('bold', join(folder, 'DejaVuSans-Bold.ttf'));
  const fonts = [quickenFont(document.font('bold')), quickenFont(document.font('plain'))];
  const clean = (text: string) => drawable(text, (codePoint) => fonts[1]?.hasGlyph(codePoint) ?? false);
  const direction = directionOf(language);
  const draw = drawingWith(fonts);
  const structure = structureOf(document);
  const foot = clean(footer);
  const count = pageOf === undefined ? null : pageCountOf(document, 'plain', footSizePt, direction);
  let pageNumber = 0;
  let style: Parameters<Sheet['use']> = ['plain', bodyPt];
  const use: Sheet['use'] = (...wanted) => {
    style = wanted;
    const [font, sizePt, colour = colours.ink] = wanted;
    return document.font(font).fontSize(sizePt).fillColor(colour);
  };
  document.on('pageAdded', () => {
    pageNumber += 1;
    const number =
      pageOf === undefined ? '' : clean(pageOf.replace('{page}', String(pageNumber)).replace('{total}', '').trimEnd());
    const footing = count ? foot : `${foot}${foot === '' ? '' : ' · '}${pageNumber}`;
    structure.artifact(() => {
      footPage(document, { text: footing, number, direction, count }, draw);
    }, 'Pagination');
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
    end: () => count?.end(pageNumber),
  };
}

/** Draws texts in their own direction. */
function drawingWith(fonts: readonly ReturnType<typeof quickenFont>[]) {
  let base: Direction = 'ltr';
  const setBase = (next: Direction) => {
    base = next;
    for (const font of fonts) font.setBase(next);
  };
  return (text: string, drawText: () => void): void => {
    const before = base;
    setBase(baseOf(text));
    drawText();
    // A new page interrupts a text with its footer.
    setBase(before);
  };
}

interface Foot {
  readonly text: string;
  /** The words before the number of all pages. */
  readonly number: string;
  readonly direction: Direction;
  readonly count: PageCount | null;
}

/** Writes the footer into the bottom margin. The margin is set to 0 meanwhile, as pdfkit would begin a new page for text in it. */
function footPage(
  document: PDFKit.PDFDocument,
  { text, number, direction, count }: Foot,
  draw: (text: string, drawText: () => void) => void,
): void {
  const { page } = document;
  const bottom = page.margins.bottom;
  page.margins.bottom = 0;
  const numberWidth = count ? numberPt : 0;
  const width = page.width - 2 * marginPt - numberWidth;
  const y = page.height - marginPt;
  const line = { height: 10, ellipsis: true, lineBreak: false };
  document.font('plain').fontSize(footSizePt).fillColor(colours.quiet);
  draw(text, () => {
    const start = direction === 'rtl' ? Math.max(numberWidth, numberWidth + width - document.widthOfString(text)) : 0;
    document.text(text, marginPt + start, y, { ...line, width });
  });
  if (count) {
    const wide = document.widthOfString(number);
    const isBackwards = direction === 'rtl';
    const left = isBackwards ? marginPt + numberPt - wide : page.width - marginPt - numberPt;
    draw(number, () => void document.text(number, left, y, { ...line, width: wide + 1 }));
    const baseline = y + (footSizePt * ascentOf(document)) / 1000;
    count.draw(isBackwards ? left - gapPt : left + wide + gapPt, baseline);
  }
  page.margins.bottom = bottom;
  document.x = marginPt;
  document.y = marginPt;
}

/** Height of letters above their line, in thousandths of their size. */
function ascentOf(document: PDFKit.PDFDocument): number {
  return (document as unknown as { readonly _font: { readonly ascender: number } })._font.ascender;
}

type Element = PDFKit.PDFStructureElement;
type Options = PDFKit.Mixins.StructureElementOptions & { readonly scope?: 'Column' | 'Row' };

/** The document's structure for screen readers: every text is in an element, all other drawing is an artifact. */
type Structure = ReturnType<typeof structureOf>;

function structureOf(document: PDFKit.PDFDocument) {
  const root = document.struct('Document');
  document.addStructure(root);
  return {
    /** Adds an element for other elements to the document, or below another one. The caller must end it. */
    open: (type: 'L' | 'LI' | 'Table' | 'TR' | 'TD', below: Element = root): Element => {
      const element = document.struct(type);
      below.add(element);
      return element;
    },
    /** Adds an element for the text that `draw` draws, also over several pages. */
    put: (type: string, draw: () => void, below: Element = root, options: Options = {}): void => {
      const content = document.markStructureContent(type);
      draw();
      document.endMarkedContent();
      below.add(document.struct(type, options, [content]));
    },
    /** Marks drawing without content of its own: lines, page numbers, repeated headings. */
    artifact: (draw: () => void, type: 'Pagination' | 'Layout' = 'Layout'): void => {
      document.markContent('Artifact', { type });
      draw();
      document.endMarkedContent();
    },
  };
}

const name = 'PageCount';

/** What pdfkit has and its types do not name. */
interface Inner {
  readonly _font: {
    readonly id: string;
    ref(): unknown;
    encode(text: string): readonly [encoded: readonly string[], positions: unknown];
  };
}

/** The number of all pages, which is drawn on every page and known only at the end: one form that all pages refer to, so that pages can be written before. */
type PageCount = ReturnType<typeof pageCountOf>;

/** `font`: a registered one, which has digits. */
function pageCountOf(document: PDFKit.PDFDocument, font: string, sizePt: number, direction: Direction) {
  const inner = () => document.font(font).fontSize(sizePt) as unknown as Inner;
  const { _font } = inner();
  const form = document.ref({
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [-100, -sizePt, 100, 2 * sizePt],
    Resources: { Font: { [_font.id]: _font.ref() } },
  });
  return {
    /** Draws it at this place of the current page: where the number begins, or ends in a report from right to left. */
    draw: (x: number, y: number): void => {
      const page = document.page as unknown as { readonly xobjects: Record<string, unknown> };
      page.xobjects[name] = form;
      // The page's lines run downwards, those of the form upwards.
      document.addContent(`q 1 0 0 -1 ${x.toFixed(2)} ${y.toFixed(2)} cm /${name} Do Q`);
    },
    /** Gives it its text. Call it once, before the document ends. */
    end: (total: number): void => {
      const text = String(total);
      const { _font: current } = inner();
      const [glyphs] = current.encode(text);
      const start = direction === 'rtl' ? -document.widthOfString(text) : 0;
      const grey = '0.361 0.353 0.325 rg';
      form.end(`BT ${grey} /${current.id} ${sizePt} Tf ${start.toFixed(2)} 0 Td <${glyphs.join('')}> Tj ET`);
    },
  };
}
