import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { syncFile } from '../../files/atomic-write.ts';
import { toWriteError } from '../../foundation/fs-errors.ts';
import { bodyPt, colours, footerPt, marginPt, type Sheet, sheetOf } from './pdf-sheet.ts';
import type { PdfColumn, PdfLook, PdfReportOptions, PdfStep, PdfTable } from './pdf-step.ts';

/** Begins a document in the file `temporary`, which must not exist. */
function openPdfFile(temporary: string, options: PDFKit.PDFDocumentOptions) {
  const document = new PDFDocument(options);
  const sink = createWriteStream(temporary, { flags: 'wx' });
  let failed: unknown = null;
  sink.on('error', (error) => {
    failed ??= error;
    // Without a reader the document would wait for ever.
    document.unpipe(sink);
    document.resume();
  });
  document.pipe(sink);
  const assertWritable = () => {
    if (failed !== null) throw toWriteError(failed);
  };
  /** Removes the file. Never rejects. */
  const discard = async () => {
    document.unpipe(sink);
    document.resume();
    // The file may not be created yet: it can only be removed once the stream is closed.
    const closed = sink.closed ? null : new Promise<void>((resolve) => sink.once('close', () => resolve()));
    sink.destroy();
    await closed;
    await rm(temporary, { force: true }).catch(() => undefined);
  };
  return {
    document,
    /** Waits for the disk. Rejects with storage-full or file-unreadable (target-not-writable). */
    settle: async () => {
      await nextTurn();
      while (sink.writableNeedDrain && failed === null) await nextTurn();
      assertWritable();
    },
    /** Ends the document and syncs the file, which is then complete. Rejects as `settle`; then the file is removed. */
    finish: async () => {
      try {
        document.end();
        await finished(sink);
        assertWritable();
        await syncFile(temporary);
      } catch (error) {
        await discard();
        throw toWriteError(error);
      }
    },
    discard,
  };
}

/** A PDF that is being drawn, in the worker. */
export type PdfWriting = ReturnType<typeof writePdf>;

const sizesPt = { 1: 18, 2: 13, 3: 10.5 } as const;

/** Begins a PDF in the file `temporary`. */
export function writePdf(temporary: string, options: PdfReportOptions) {
  const { document, settle, finish, discard } = openPdfFile(temporary, {
    size: 'A4',
    layout: options.isLandscape ? 'landscape' : 'portrait',
    margins: { top: marginPt, left: marginPt, right: marginPt, bottom: marginPt + footerPt },
    lang: options.language,
    displayTitle: true,
    tagged: true,
    // The cache would hold every word of the report in memory.
    fontLayoutCache: false,
    pdfVersion: '1.7',
    autoFirstPage: false,
    // No default font: pdfkit would reopen a font that has two names at every use.
    font: '',
    info: { Title: options.title, Creator: 'Sealdesk', Producer: 'Sealdesk' },
  });
  const sheet = sheetOf(document, options);
  return {
    draw: drawingOn(sheet),
    /** Waits for the disk. Rejects with storage-full or file-unreadable (target-not-writable). */
    settle,
    /** Completes the PDF. Rejects as `settle`; then the file is removed. */
    finish: async (): Promise<void> => {
      sheet.end();
      await finish();
    },
    /** Removes the file. Never rejects. */
    discard,
  };
}

function drawingOn(sheet: Sheet): (step: PdfStep) => void {
  const { document } = sheet;
  const tables: PdfTable[] = [];
  const heading = headingsOn(sheet);
  return (step) => {
    switch (step[0]) {
      case 'heading':
        return heading(step[1], step[2]);
      case 'paragraph':
        return paragraph(sheet, step[1], step[2]);
      case 'fields':
        return fields(sheet, step[1]);
      case 'table':
        return void tables.push(tableIn(sheet, step[1], step[2]));
      case 'row':
        return tables[step[1]]?.row(step[2]);
      case 'attach': {
        const [, name, bytes, description] = step;
        const file = { name, description, type: 'application/json', creationDate: new Date() };
        return void document.file(Buffer.from(bytes), file);
      }
      case 'rule':
        return rule(sheet);
    }
  };
}

function headingsOn(sheet: Sheet): (text: string, level: 1 | 2 | 3) => void {
  const { document } = sheet;
  /** The bookmarks above the next one, by level. */
  const above: PDFKit.PDFOutline[] = [document.outline];
  return (text, level) => {
    const size = sizesPt[level];
    // Keeps the heading on the same page as the beginning of its text.
    sheet.need(size * 4 + 110);
    if (document.y > marginPt) document.y += size;
    const parent = above[Math.min(level, above.length) - 1] ?? document.outline;
    above.splice(Math.min(level, above.length), Number.POSITIVE_INFINITY, parent.addItem(sheet.clean(text) || '–'));
    sheet.use('bold', size);
    sheet.structure.put(`H${level}`, () => write(sheet, text, size * 0.35));
  };
}

function paragraph(sheet: Sheet, text: string, { isQuiet = false, sizePt = bodyPt }: PdfLook): void {
  sheet.need(sizePt * 2);
  sheet.use('plain', sizePt, isQuiet ? colours.quiet : colours.ink);
  sheet.structure.put('P', () => write(sheet, text, sizePt * 0.5));
}

function write({ document, widthPt, clean, put }: Sheet, text: string, gapPt: number): void {
  put(clean(text), 0, document.y, { width: widthPt, lineGap: 2 });
  document.y += gapPt;
}

function rule(sheet: Sheet): void {
  sheet.need(12);
  const y = sheet.document.y + 4;
  line(sheet, y, 0.5);
  sheet.document.y = y + 8;
}

function line({ document, leftPt, widthPt, structure }: Sheet, y: number, thicknessPt: number): void {
  structure.artifact(() => {
    document
      .moveTo(leftPt, y)
      .lineTo(leftPt + widthPt, y)
      .lineWidth(thicknessPt)
      .strokeColor(colours.line)
      .stroke();
  });
}

function fields(sheet: Sheet, rows: readonly (readonly [label: string, value: string])[]): void {
  const list = sheet.structure.open('L');
  for (const [label, value] of rows) {
    const item = sheet.structure.open('LI', list);
    field(sheet, item, label, value);
    item.end();
  }
  list.end();
  sheet.document.y += bodyPt * 0.5;
}

function field(sheet: Sheet, item: PDFKit.PDFStructureElement, label: string, value: string): void {
  const { document, widthPt, structure } = sheet;
  const labelWidth = widthPt * 0.27;
  sheet.need(bodyPt * 2.2);
  const y = document.y;
  sheet.use('plain', bodyPt, colours.quiet);
  const drawLabel = () => sheet.put(sheet.clean(label), 0, y, { width: labelWidth - 8, lineGap: 2 });
  structure.put('Lbl', drawLabel, item);
  const afterLabel = document.y;
  const page = document.page;
  sheet.use('plain', bodyPt);
  const at = { width: widthPt - labelWidth, lineGap: 2 };
  structure.put('LBody', () => sheet.put(sheet.clean(value) || '–', labelWidth, y, at), item);
  // If a long value continues on the next page, the end of the label is irrelevant.
  if (document.page === page) document.y = Math.max(document.y, afterLabel);
  document.y += 2;
}

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
function tableIn(sheet: Sheet, columns: readonly PdfColumn[], { sizePt = usualPt }: PdfLook): PdfTable {
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
  sheet: Sheet,
  slots: readonly Cell[],
  texts: readonly string[],
  { height, paddingPt }: { readonly height: number; readonly paddingPt: number },
  { table, type }: { readonly table: PDFKit.PDFStructureElement; readonly type: CellType },
): void {
  const { document, structure, leftPt, put } = sheet;
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
  line(sheet, bottom, 0.4);
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
