import { bodyPt, colours, type Sheet } from './pdf-sheet.ts';
import type { PdfColumn, PdfLook, PdfTable } from './pdf-step.ts';

const usualPt = bodyPt - 1;
const gutterPt = 8;

interface Cell {
  readonly title: string;
  readonly left: number;
  readonly width: number;
}

/** The element of a cell for screen readers; null for a repeated head, which they skip. */
type CellType = 'TH' | 'TD' | null;

/** Draws a table on the sheet. A row that is higher than a page is written as lines of heading and text instead. */
export function tableIn(sheet: Sheet, columns: readonly PdfColumn[], { sizePt = usualPt }: PdfLook): PdfTable {
  const { document, bottomPt, structure } = sheet;
  const slots = slotsOf(sheet, columns);
  // Small letters stand closer.
  const paddingPt = sizePt < usualPt ? 2 : 3;
  const table = structure.open('Table');
  let headedPage: PDFKit.PDFPage | null = null;

  const heightOf = (texts: readonly string[]) =>
    Math.max(...texts.map((text, at) => cellHeight(document, text, slots[at]?.width ?? 1)));
  const head = () => {
    const titles = slots.map(({ title }) => title);
    sheet.use('bold', sizePt, colours.quiet);
    const height = heightOf(titles);
    drawRow(
      sheet,
      slots,
      titles,
      { height, paddingPt },
      headedPage === null ? { table, type: 'TH' } : { table, type: null },
    );
    headedPage = document.page;
  };
  return {
    row: (cells) => {
      sheet.use('plain', sizePt);
      const texts = slots.map((_slot, at) => sheet.clean(cells[at] ?? ''));
      const height = heightOf(texts);
      const whole = height + 2 * paddingPt;
      if (whole > bottomPt - 120) return writeLines(sheet, table, slots, texts, sizePt);
      // The head must not be alone at the end of a page.
      sheet.need(headedPage === document.page ? whole : whole + 24);
      if (headedPage !== document.page) head();
      sheet.use('plain', sizePt);
      drawRow(sheet, slots, texts, { height, paddingPt }, { table, type: 'TD' });
    },
  };
}

function slotsOf({ widthPt, clean }: Sheet, columns: readonly PdfColumn[]): readonly Cell[] {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  let left = 0;
  return columns.map(({ title, share }) => {
    const slot = { title: clean(title), left, width: (widthPt * share) / shares - gutterPt };
    left += (widthPt * share) / shares;
    return slot;
  });
}

function drawRow(
  { document, structure, leftPt, widthPt, put }: Sheet,
  slots: readonly Cell[],
  texts: readonly string[],
  { height, paddingPt }: { readonly height: number; readonly paddingPt: number },
  { table, type }: { readonly table: PDFKit.PDFStructureElement; readonly type: CellType },
): void {
  const y = document.y + paddingPt;
  const row = type === null ? null : structure.open('TR', table);
  for (const [at, { left, width }] of slots.entries()) {
    // An empty cell is drawn, too, so that the next cells belong to their columns.
    const draw = () => put(texts[at] ?? '', left, y, { width, lineGap: 1 });
    if (row && type) structure.put(type, draw, row, type === 'TH' ? { scope: 'Column' } : {});
    else structure.artifact(draw, 'Pagination');
  }
  row?.end();
  const bottom = y + height + paddingPt;
  structure.artifact(() => {
    document
      .moveTo(leftPt, bottom)
      .lineTo(leftPt + widthPt, bottom)
      .lineWidth(0.4)
      .strokeColor(colours.line)
      .stroke();
  });
  document.x = leftPt;
  document.y = bottom;
}

/** Height of a cell's text in points. Most cells are one line: for these no lines have to be broken. */
function cellHeight(document: PDFKit.PDFDocument, text: string, width: number): number {
  const line = document.currentLineHeight(true) + 1;
  if (text === '' || (!text.includes('\n') && document.widthOfString(text) <= width)) return line;
  return document.heightOfString(text, { width, lineGap: 1 });
}

function writeLines(
  sheet: Sheet,
  table: PDFKit.PDFStructureElement,
  slots: readonly Cell[],
  texts: readonly string[],
  sizePt: number,
): void {
  const { document, structure, widthPt } = sheet;
  const row = structure.open('TR', table);
  for (const [at, text] of texts.entries()) {
    const cell = structure.open('TD', row);
    if (text !== '') {
      sheet.need(sizePt * 4);
      sheet.use('bold', sizePt, colours.quiet);
      structure.put('P', () => sheet.put(slots[at]?.title ?? '', 0, document.y + 2, { width: widthPt }), cell);
      sheet.use('plain', sizePt);
      structure.put('P', () => sheet.put(text, 0, document.y, { width: widthPt, lineGap: 1 }), cell);
    }
    cell.end();
  }
  row.end();
  document.y += sizePt;
}
