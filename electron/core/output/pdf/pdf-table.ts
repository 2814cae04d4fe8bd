import type { PdfColumn, PdfTable } from './pdf-messages.ts';
import { bodyPt, colours, type Sheet } from './pdf-sheet.ts';

const sizePt = bodyPt - 1;
const paddingPt = 3;
const gutterPt = 8;

interface Cell {
  readonly title: string;
  readonly left: number;
  readonly width: number;
}

/** How a cell is told to programs that read aloud; not at all where the head stands there once more. */
type CellType = 'TH' | 'TD' | null;

/** A table on the sheet. A row that is higher than a page is written as lines of heading and text instead. */
export function tableIn(sheet: Sheet, columns: readonly PdfColumn[]): PdfTable {
  const { document, bottomPt, structure } = sheet;
  const places = placesOf(sheet, columns);
  const table = structure.open('Table');
  let headedPage: PDFKit.PDFPage | null = null;

  const heightOf = (texts: readonly string[]) =>
    Math.max(...texts.map((text, at) => cellHeight(document, text, places[at]?.width ?? 1)));
  const head = () => {
    const titles = places.map(({ title }) => title);
    sheet.use('bold', sizePt, colours.quiet);
    const height = heightOf(titles);
    drawRow(sheet, places, titles, height, headedPage === null ? { table, type: 'TH' } : { table, type: null });
    headedPage = document.page;
  };
  return {
    row: (cells) => {
      sheet.use('plain', sizePt);
      const texts = places.map((_place, at) => sheet.clean(cells[at] ?? ''));
      const height = heightOf(texts);
      const whole = height + 2 * paddingPt;
      if (whole > bottomPt - 120) return writeLines(sheet, table, places, texts);
      // The head never stands alone at the end of a page.
      sheet.need(headedPage === document.page ? whole : whole + 24);
      if (headedPage !== document.page) head();
      sheet.use('plain', sizePt);
      drawRow(sheet, places, texts, height, { table, type: 'TD' });
    },
  };
}

function placesOf({ leftPt, widthPt, clean }: Sheet, columns: readonly PdfColumn[]): readonly Cell[] {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  let left = leftPt;
  return columns.map(({ title, share }) => {
    const place = { title: clean(title), left, width: (widthPt * share) / shares - gutterPt };
    left += (widthPt * share) / shares;
    return place;
  });
}

function drawRow(
  { document, structure, leftPt, widthPt }: Sheet,
  places: readonly Cell[],
  texts: readonly string[],
  height: number,
  { table, type }: { readonly table: PDFKit.PDFStructureElement; readonly type: CellType },
): void {
  const y = document.y + paddingPt;
  const row = type === null ? null : structure.open('TR', table);
  for (const [at, { left, width }] of places.entries()) {
    // An empty cell is one, too: those behind it belong to their columns.
    const draw = () => document.text(texts[at] ?? '', left, y, { width, lineGap: 1 });
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

/** Most cells are one line: then no lines need to be broken to know the height. */
function cellHeight(document: PDFKit.PDFDocument, text: string, width: number): number {
  const line = document.currentLineHeight(true) + 1;
  if (text === '' || (!text.includes('\n') && document.widthOfString(text) <= width)) return line;
  return document.heightOfString(text, { width, lineGap: 1 });
}

function writeLines(
  sheet: Sheet,
  table: PDFKit.PDFStructureElement,
  places: readonly Cell[],
  texts: readonly string[],
): void {
  const { document, structure, leftPt, widthPt } = sheet;
  const row = structure.open('TR', table);
  for (const [at, text] of texts.entries()) {
    const cell = structure.open('TD', row);
    if (text !== '') {
      sheet.need(sizePt * 4);
      sheet.use('bold', sizePt, colours.quiet);
      structure.put(
        'P',
        () => document.text(places[at]?.title ?? '', leftPt, document.y + 2, { width: widthPt }),
        cell,
      );
      sheet.use('plain', sizePt);
      structure.put('P', () => document.text(text, leftPt, document.y, { width: widthPt, lineGap: 1 }), cell);
    }
    cell.end();
  }
  row.end();
  document.y += sizePt;
}
