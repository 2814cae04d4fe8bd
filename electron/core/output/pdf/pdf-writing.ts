import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { syncFile } from '../../files/atomic-write.ts';
import { toWriteError } from '../../foundation/fs-errors.ts';
import { bodyPt, colours, footerPt, marginPt, type Sheet, sheetOf } from './pdf-sheet.ts';
import type { PdfLook, PdfReportOptions, PdfStep, PdfTable } from './pdf-step.ts';
import { tableIn } from './pdf-table.ts';

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

function rule({ document, leftPt, widthPt, need, structure }: Sheet): void {
  need(12);
  const y = document.y + 4;
  structure.artifact(() => {
    document
      .moveTo(leftPt, y)
      .lineTo(leftPt + widthPt, y)
      .lineWidth(0.5)
      .strokeColor(colours.line)
      .stroke();
  });
  document.y = y + 8;
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
