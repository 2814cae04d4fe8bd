import type { PdfColumn, PdfTable } from './pdf-report.ts';
import { bodyPt, colours, type Sheet } from './pdf-sheet.ts';

const sizePt = bodyPt - 1;
const paddingPt = 3;
const gutterPt = 8;

/** A table on the sheet. A row that is higher than a page is written as lines of heading and text instead. */
export function tableIn(sheet: Sheet, columns: readonly PdfColumn[]): PdfTable {
  const { document, leftPt, widthPt, bottomPt } = sheet;
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  let left = leftPt;
  const places = columns.map(({ title, share }) => {
    const place = { title: sheet.clean(title), left, width: (widthPt * share) / shares - gutterPt };
    left += (widthPt * share) / shares;
    return place;
  });
  let headedPage: PDFKit.PDFPage | null = null;

  const heightOf = (texts: readonly string[]) =>
    Math.max(...texts.map((text, at) => cellHeight(document, text, places[at]?.width ?? 1)));
  const draw = (texts: readonly string[], height: number) => {
    const y = document.y + paddingPt;
    for (const [at, text] of texts.entries()) {
      const place = places[at];
      if (place && text !== '') document.text(text, place.left, y, { width: place.width, lineGap: 1 });
    }
    const bottom = y + height + paddingPt;
    document
      .moveTo(leftPt, bottom)
      .lineTo(leftPt + widthPt, bottom)
      .lineWidth(0.4)
      .strokeColor(colours.line)
      .stroke();
    document.x = leftPt;
    document.y = bottom;
  };
  const head = () => {
    const titles = places.map(({ title }) => title);
    sheet.use('bold', sizePt, colours.quiet);
    const height = heightOf(titles);
    draw(titles, height);
    headedPage = document.page;
  };
  return {
    row: (cells) => {
      sheet.use('plain', sizePt);
      const texts = places.map((_place, at) => sheet.clean(cells[at] ?? ''));
      const height = heightOf(texts);
      const whole = height + 2 * paddingPt;
      if (whole > bottomPt - 120) return writeLines(sheet, places, texts);
      // The head never stands alone at the end of a page.
      sheet.need(headedPage === document.page ? whole : whole + 24);
      if (headedPage !== document.page) head();
      sheet.use('plain', sizePt);
      draw(texts, height);
    },
  };
}

/** Most cells are one line: then no lines need to be broken to know the height. */
function cellHeight(document: PDFKit.PDFDocument, text: string, width: number): number {
  const line = document.currentLineHeight(true) + 1;
  if (text === '' || (!text.includes('\n') && document.widthOfString(text) <= width)) return line;
  return document.heightOfString(text, { width, lineGap: 1 });
}

function writeLines(sheet: Sheet, places: readonly { readonly title: string }[], texts: readonly string[]): void {
  const { document, leftPt, widthPt } = sheet;
  for (const [at, text] of texts.entries()) {
    if (text === '') continue;
    sheet.need(sizePt * 4);
    sheet.use('bold', sizePt, colours.quiet).text(places[at]?.title ?? '', leftPt, document.y + 2, { width: widthPt });
    sheet.use('plain', sizePt).text(text, leftPt, document.y, { width: widthPt, lineGap: 1 });
  }
  document.y += sizePt;
}
