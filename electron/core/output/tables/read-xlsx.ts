import { setImmediate as nextTurn } from 'node:timers/promises';
import { format, getFormatFromId, getLocale, isDateFormat } from 'numfmt';
import { SaxesParser } from 'saxes';
import { failureOf } from '../../foundation/app-error.ts';
import { readZip, type ZipParts } from './read-zip.ts';
import { checkLines, type Table, tableLimits, tableRows, tooManyRows, unusableTable } from './table.ts';

/** Rows that are filled with their shared texts between two turns of the event loop. */
const rowsPerSlice = 200;

/**
 * Reads the first sheet of a workbook. Of the other parts only the shared texts that the sheet refers to are kept. Formulas are never evaluated: their saved results
 * are used. Numbers and dates are read as they are shown in the region `locale` (BCP 47). Rejects with bad-input (`tableToken`).
 */
export async function readXlsx(bytes: Buffer, locale: string): Promise<Table> {
  const parts = opened(bytes);
  const { sheet, isFrom1904 } = await readWorkbook(parts);
  if (!parts.has(sheet)) throw unusableTable('table-unreadable', 'has no sheet');
  const numbers = await readNumberFormats(parts, { locale, isFrom1904 });
  const { rows, pointedTo } = await readSheet(parts, sheet, numbers);
  const texts = parts.has(sharedPart) ? await readShared(parts, pointedTo) : new Map<number, string>();
  const all = tableRows();
  for (const [at, { row, cells }] of rows.entries()) {
    all.add(
      row,
      cells.map((cell) => (typeof cell === 'number' ? (texts.get(cell) ?? '') : cell)),
    );
    if (at % rowsPerSlice === 0) await nextTurn();
  }
  return all.table();
}

const [workbookPart, relationsPart, sharedPart] = [
  'xl/workbook.xml',
  'xl/_rels/workbook.xml.rels',
  'xl/sharedStrings.xml',
] as const;

/** A row of a sheet; a cell that is a number is the index of a shared text. */
interface RawRow {
  readonly row: number;
  readonly cells: (string | number)[];
}

function opened(bytes: Buffer): ZipParts {
  try {
    return readZip(bytes);
  } catch {
    throw unusableTable('table-unreadable', 'cannot be unpacked');
  }
}

/** The name of the first sheet's part (the workbook has its id, the relations its path), and whether days are counted from 1904, as old Macs did. */
async function readWorkbook(parts: ZipParts): Promise<{ readonly sheet: string; readonly isFrom1904: boolean }> {
  if (!parts.has(workbookPart)) throw unusableTable('table-unreadable', 'is no XLSX file');
  let id = '';
  let isFrom1904 = false;
  await parsePart(parts, workbookPart, {
    what: 'a list of sheets',
    onOpen: (name, attributes) => {
      if (name === 'sheet' && id === '') id = attributes['r:id'] ?? '';
      if (name === 'workbookPr') isFrom1904 = /^(1|true)$/.test(attributes.date1904 ?? '');
    },
  });
  let target = '';
  if (parts.has(relationsPart))
    await parsePart(parts, relationsPart, {
      what: 'a list of parts',
      onOpen: (name, attributes) => {
        if (name === 'Relationship' && attributes.Id === id) target = attributes.Target ?? '';
      },
    });
  const path = target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  return { sheet: target === '' ? 'xl/worksheets/sheet1.xml' : path, isFrom1904 };
}

/** The shared texts with these indexes. Text in <rPh> is the pronunciation and does not belong to the text. */
async function readShared(parts: ZipParts, wanted: ReadonlySet<number>): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  let number = 0;
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await parsePart(parts, sharedPart, {
    what: 'texts',
    isDone: () => texts.size === wanted.size,
    onOpen: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic && wanted.has(number);
    },
    onText: (part) => {
      if (isText && text.length < tableLimits.cellCharacters) text += part;
    },
    onClose: (name) => {
      if (name === 'si') {
        if (wanted.has(number)) texts.set(number, unescaped(text));
        number += 1;
      }
      if (name === 'rPh') isPhonetic = false;
      isText = false;
    },
  });
  return texts;
}

/** Rows that are not empty, and the indexes of the shared texts that they refer to. */
async function readSheet(
  parts: ZipParts,
  part: string,
  numbers: NumberTexts,
): Promise<{ readonly rows: readonly RawRow[]; readonly pointedTo: ReadonlySet<number> }> {
  const rows: RawRow[] = [];
  const pointedTo = new Set<number>();
  let cells: (string | number)[] = [];
  let row = 0;
  let column = -1;
  let type = '';
  let style = 0;
  let text = '';
  let isValue = false;
  await parsePart(parts, part, {
    what: 'a sheet',
    onOpen: (name, attributes) => {
      if (name === 'row') {
        const given = Number(attributes.r);
        row = Number.isSafeInteger(given) && given > row ? given : row + 1;
        checkLines(row);
        column = -1;
        cells = [];
      } else if (name === 'c') {
        column = columnOf(attributes.r) ?? column + 1;
        type = attributes.t ?? 'n';
        style = Number(attributes.s ?? 0);
        text = '';
      }
      isValue = name === 'v' || (name === 't' && type === 'inlineStr');
    },
    onText: (part) => {
      if (isValue && text.length < tableLimits.cellCharacters) text += part;
    },
    onClose: (name) => {
      isValue = false;
      if (name === 'c') {
        const value = type === 'n' ? numbers(text, style) : cellText(type, text);
        if (typeof value === 'number') pointedTo.add(value);
        // One cell stands for all beyond the limit.
        if (column < tableLimits.columns || value !== '') setCell(cells, Math.min(column, tableLimits.columns), value);
      }
      if (name !== 'row' || cells.every((cell) => cell === '')) return;
      rows.push({ row, cells });
      if (rows.length > tableLimits.rows + 1) throw tooManyRows();
    },
  });
  return { rows, pointedTo };
}

function setCell(cells: (string | number)[], column: number, value: string | number): void {
  while (cells.length < column) cells.push('');
  cells[column] = value;
}

function columnOf(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference ?? '')?.[1];
  if (!letters) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellText(type: string, text: string): string | number {
  if (type === 's') return text === '' ? '' : Number(text);
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  if (type === 'e') return '';
  return unescaped(text);
}

/** Decodes `_x000D_` and similar escapes of characters that XML cannot contain. */
function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9A-F]{4})_/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The text that a spreadsheet program shows for a saved number, by the index of its cell's style. */
type NumberTexts = (saved: string, style: number) => string;

const stylesPart = 'xl/styles.xml';
/** Far more than a spreadsheet program writes; styles above it show their numbers as they are saved. */
const mostStyles = 65_000;
/** Spreadsheet programs take no longer number format; one of megabytes would be parsed for half a minute. */
const longestPattern = 255;
/** From the first day of 1900 to that of 1904. */
const daysTo1904 = 1462;

/** Reads the number formats of a workbook's styles (ECMA-376, 18.8). `locale`: BCP 47; it decides on separators, and on dates in the short form of the region. */
async function readNumberFormats(
  parts: ZipParts,
  { locale, isFrom1904 }: { readonly locale: string; readonly isFrom1904: boolean },
): Promise<NumberTexts> {
  const own = new Map<number, string>();
  const styles: number[] = [];
  let isCellStyle = false;
  if (parts.has(stylesPart))
    await parsePart(parts, stylesPart, {
      what: 'styles',
      onOpen: (name, { numFmtId, formatCode }) => {
        if (name === 'numFmt' && own.size < mostStyles)
          own.set(Number(numFmtId), (formatCode ?? '').length > longestPattern ? 'General' : (formatCode ?? ''));
        if (name === 'cellXfs') isCellStyle = true;
        if (name === 'xf' && isCellStyle && styles.length < mostStyles) styles.push(Number(numFmtId ?? 0));
      },
      onClose: (name) => {
        if (name === 'cellXfs') isCellStyle = false;
      },
    });
  const region = regionOf(locale);
  const patterns = styles.map((id) => own.get(id) ?? getFormatFromId(id, region));
  return (saved, style) => {
    const number = Number(saved);
    const pattern = patterns[style] ?? 'General';
    if (saved === '' || !Number.isFinite(number)) return saved;
    if (/^general$/i.test(pattern) || pattern === '@') return asSaved(saved, number);
    try {
      const shown = isFrom1904 && isDateFormat(pattern) ? number + daysTo1904 : number;
      return format(pattern, shown, { locale: region, dateErrorThrows: true, dateSpanLarge: false }).trim();
    } catch {
      // A pattern of another program, or a day that no calendar has.
      return asSaved(saved, number);
    }
  };
}

/** The nearest locale that the library knows: `de-AT` is shown as `de`. */
function regionOf(locale: string): string {
  const language = locale.split('-')[0] ?? '';
  return [locale, language].find((one) => getLocale(one.replace('-', '_')) !== undefined) ?? 'en';
}

/** Without the noise of binary fractions (0.1 + 0.2), which no spreadsheet program shows; digits of a long number stay, unlike in Excel’s narrow columns. */
function asSaved(saved: string, number: number): string {
  return /[.eE]/.test(saved) ? String(Number(number.toPrecision(15))) : saved;
}

/** Largest part, unpacked: a sheet of 10,000 rows is far below. */
const mostPartMb = 48;
/** Far above what spreadsheet programs write. The parser keeps every open element with its attributes, and a text until it ends, at fifty bytes for some characters. */
const [mostDepth, mostAttributes, mostTextUnits] = [64, 100, 1024 * 1024];

interface Reading {
  /** Name of the part in the error for one that is too large. */
  readonly what: string;
  readonly onOpen: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly onClose?: (name: string) => void;
  readonly onText?: (text: string) => void;
  /** True if enough was read. */
  readonly isDone?: () => boolean;
}

/** Parses a part of a workbook piece by piece, so that a large sheet does not block the program. Names are passed without prefix; DOCTYPE is refused. Rejects with bad-input (`tableToken`). */
async function parsePart(
  parts: ZipParts,
  part: string,
  { what, onOpen, onClose, onText, isDone }: Reading,
): Promise<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type declaration is not accepted');
  });
  let [depth, attributes, textUnits] = [0, 0, 0];
  let isTag = false;
  const textEnds = (text: string) => {
    textUnits = 0;
    onText?.(text);
  };
  parser.on('opentagstart', () => {
    attributes = 0;
    isTag = true;
    depth += 1;
    if (depth > mostDepth)
      throw unusableTable('table-unreadable', `has ${what} with more than ${mostDepth} elements inside each other`);
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > mostAttributes)
      throw unusableTable('table-unreadable', `has ${what} with more than ${mostAttributes} attributes`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    isTag = false;
    textUnits = 0;
    onOpen(local(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    textUnits = 0;
    depth -= 1;
    onClose?.(local(name));
  });
  parser.on('text', textEnds);
  parser.on('cdata', textEnds);
  const decoder = new TextDecoder('utf-8');
  try {
    for await (const piece of parts.pieces(part, mostPartMb * 1024 * 1024)) {
      textUnits += piece.length;
      parser.write(decoder.decode(piece, { stream: true }));
      if (!isTag && textUnits > mostTextUnits)
        throw unusableTable('table-too-large', `has ${what} with a text of more than a million characters`);
      if (isDone?.()) return;
      await nextTurn();
    }
    parser.write(decoder.decode()).close();
  } catch (error) {
    throw failureOf(error) ? error : unreadPart(error, what);
  }
}

function unreadPart(error: unknown, what: string) {
  return error instanceof RangeError
    ? unusableTable('table-too-large', `has ${what} of more than ${mostPartMb} MB when unpacked`)
    : unusableTable('table-unreadable', 'is damaged');
}
