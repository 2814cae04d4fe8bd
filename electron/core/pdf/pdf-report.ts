import { openPdfFile } from './pdf-file.ts';
import { bodyPt, colours, footerPt, marginPt, type Sheet, sheetOf } from './pdf-sheet.ts';
import { tableIn } from './pdf-table.ts';

/**
 * A printable report that is written while it is made: A4, real text in embedded fonts (Latin, Greek, Cyrillic, Hebrew, Arabic …; what
 * the font lacks is shown as `‹U+4E2D›`), page numbers, a bookmark for each heading. Any text can be given; line ends are kept.
 */
export interface PdfReport {
  /** Level 1 to 3; with a bookmark. Level 1 stands beside other level 1 headings, 2 below the last level 1. */
  heading(text: string, level?: 1 | 2 | 3): void;
  paragraph(text: string, look?: { readonly isQuiet?: boolean; readonly sizePt?: number }): void;
  /** Lines of a label and a value. */
  fields(rows: readonly (readonly [label: string, value: string])[]): void;
  /** Begins a table; its head is repeated on every page. Widths are shares. */
  table(columns: readonly PdfColumn[]): PdfTable;
  /** A file inside the PDF. */
  attach(name: string, bytes: Uint8Array, description: string): void;
  /** A horizontal line with some space. */
  rule(): void;
  /** To be awaited now and then while much is written: gives others a turn and waits for the disk. */
  settle(): Promise<void>;
  /** Writes the end and puts the file in its place. Rejects with storage-full or file-unreadable (target-not-writable); then nothing stays. */
  finish(): Promise<void>;
  /** Gives it up: nothing stays. Never rejects. */
  discard(): Promise<void>;
}

export interface PdfColumn {
  readonly title: string;
  readonly share: number;
}

export interface PdfTable {
  row(cells: readonly string[]): void;
}

export interface PdfReportOptions {
  readonly title: string;
  /** On every page, beside its number. */
  readonly footer: string;
  /** Of the program: `fonts/` is in it. */
  readonly assetsDir: string;
  /** BCP 47, for readers of the document; English unless given. */
  readonly language?: string;
}

const sizesPt = { 1: 18, 2: 13, 3: 10.5 } as const;

/** Begins a report in a temporary file beside `target`. */
export function createPdfReport(target: string, options: PdfReportOptions): PdfReport {
  const file = openPdfFile(target, {
    size: 'A4',
    margins: { top: marginPt, left: marginPt, right: marginPt, bottom: marginPt + footerPt },
    lang: options.language ?? 'en',
    displayTitle: true,
    // It would keep every word of the report.
    fontLayoutCache: false,
    pdfVersion: '1.7',
    autoFirstPage: false,
    // None: pdfkit opens anew, at every use, a font that it has under two names.
    font: '',
    info: { Title: options.title, Creator: 'Sealdesk', Producer: 'Sealdesk' },
  });
  const sheet = sheetOf(file.document, options);
  return { ...writingOn(sheet), settle: file.settle, finish: file.finish, discard: file.discard };
}

function writingOn(sheet: Sheet): Pick<PdfReport, 'heading' | 'paragraph' | 'fields' | 'table' | 'attach' | 'rule'> {
  const { document, leftPt, widthPt } = sheet;
  const write = (text: string, gapPt: number) => {
    document.text(sheet.clean(text), leftPt, document.y, { width: widthPt, lineGap: 2 });
    document.y += gapPt;
  };
  /** The bookmarks above the next one, by level. */
  const above: PDFKit.PDFOutline[] = [document.outline];
  return {
    heading: (text, level = 1) => {
      const size = sizesPt[level];
      sheet.need(size * 4);
      if (document.y > marginPt) document.y += size * 0.6;
      const parent = above[Math.min(level, above.length) - 1] ?? document.outline;
      above.splice(Math.min(level, above.length), Number.POSITIVE_INFINITY, parent.addItem(sheet.clean(text) || '–'));
      sheet.use('bold', size);
      write(text, size * 0.35);
    },
    paragraph: (text, { isQuiet = false, sizePt = bodyPt } = {}) => {
      sheet.need(sizePt * 2);
      sheet.use('plain', sizePt, isQuiet ? colours.quiet : colours.ink);
      write(text, sizePt * 0.5);
    },
    fields: (rows) => {
      for (const [label, value] of rows) field(sheet, label, value);
      document.y += bodyPt * 0.5;
    },
    table: (columns) => tableIn(sheet, columns),
    attach: (name, bytes, description) => {
      document.file(Buffer.from(bytes), { name, description, type: 'application/json', creationDate: new Date() });
    },
    rule: () => {
      sheet.need(12);
      const y = document.y + 4;
      document
        .moveTo(leftPt, y)
        .lineTo(leftPt + widthPt, y)
        .lineWidth(0.5)
        .strokeColor(colours.line)
        .stroke();
      document.y = y + 8;
    },
  };
}

function field(sheet: Sheet, label: string, value: string): void {
  const { document, leftPt, widthPt } = sheet;
  const labelWidth = widthPt * 0.27;
  sheet.need(bodyPt * 2.2);
  const y = document.y;
  sheet.use('plain', bodyPt, colours.quiet).text(sheet.clean(label), leftPt, y, { width: labelWidth - 8, lineGap: 2 });
  const afterLabel = document.y;
  const page = document.page;
  sheet
    .use('plain', bodyPt)
    .text(sheet.clean(value) || '–', leftPt + labelWidth, y, { width: widthPt - labelWidth, lineGap: 2 });
  // A long value may have gone on to the next page; then the label's end says nothing.
  if (document.page === page) document.y = Math.max(document.y, afterLabel);
  document.y += 2;
}
