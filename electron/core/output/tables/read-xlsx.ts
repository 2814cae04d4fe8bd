import { setImmediate as nextTurn } from 'node:timers/promises';
import { readZip, type ZipParts } from './read-zip.ts';
import { checkLines, type Table, tableLimits, tableRows, tooManyRows, unusableTable } from './table.ts';
import { type NumberTexts, readNumberFormats } from './xlsx-number-formats.ts';
import { parsePart } from './xlsx-part.ts';

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
