import { setImmediate as nextTurn } from 'node:timers/promises';
import { unzipSync } from 'fflate';
import { SaxesParser } from 'saxes';
import { failing } from '../failing.ts';
import { type Table, type TableRow, tableLimits, tableOf } from './table.ts';

/** Of one part, unpacked: a sheet of 10,000 rows is far below. What says that it is larger is not unpacked. */
const mostPartBytes = 48 * 1024 * 1024;
/** Parsed between two turns of the event loop. */
const sliceUnits = 64 * 1024;

/** The first sheet of a workbook. Formulas are never evaluated: what they came to when it was saved counts. Rejects with bad-input (`tableToken`). */
export async function readXlsx(bytes: Buffer): Promise<Table> {
  const parts = unzip(bytes);
  const sheetPath = await firstSheet(parts);
  const shared = parts['xl/sharedStrings.xml'] ? await readShared(textOf(parts['xl/sharedStrings.xml'])) : [];
  const sheet = parts[sheetPath];
  if (!sheet) throw unusable('has no sheet');
  return tableOf(await readSheet(textOf(sheet), shared));
}

type Parts = Readonly<Record<string, Uint8Array>>;

function unusable(problem: string) {
  return failing('bad-input', `the workbook ${problem}`, { fields: { tableToken: problem } });
}

function unzip(bytes: Buffer): Parts {
  let isTooLarge = false;
  try {
    const parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!/^xl\/(workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/[^/]+\.xml)$/.test(name))
          return false;
        isTooLarge ||= originalSize > mostPartBytes;
        return !isTooLarge;
      },
    });
    if (!isTooLarge) return Object.assign(Object.create(null) as Record<string, Uint8Array>, parts);
  } catch {
    throw unusable('cannot be unpacked');
  }
  throw unusable('is too large when unpacked');
}

function textOf(part: Uint8Array): string {
  return new TextDecoder('utf-8').decode(part);
}

interface Reading {
  readonly onOpen: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly onClose?: (name: string) => void;
  readonly onText?: (text: string) => void;
  /** Enough was read. */
  readonly isDone?: () => boolean;
}

/** In slices, so that a large sheet does not hold up the program. Names come without prefix; DOCTYPE is refused. */
async function parse(text: string, { onOpen, onClose, onText, isDone }: Reading): Promise<void> {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Error('a document type declaration is not accepted');
  });
  parser.on('opentag', ({ name, attributes }) => onOpen(local(name), attributes));
  parser.on('closetag', ({ name }) => onClose?.(local(name)));
  parser.on('text', (part) => onText?.(part));
  try {
    for (let at = 0; at < text.length && !isDone?.(); at += sliceUnits) {
      parser.write(text.slice(at, at + sliceUnits));
      await nextTurn();
    }
    if (!isDone?.()) parser.close();
  } catch {
    throw unusable('is damaged');
  }
}

/** Which part is the first sheet: named in the workbook, found through its relations. */
async function firstSheet(parts: Parts): Promise<string> {
  const { 'xl/workbook.xml': workbook, 'xl/_rels/workbook.xml.rels': relations } = parts;
  if (!workbook) throw unusable('is no XLSX file');
  let id = '';
  await parse(textOf(workbook), {
    onOpen: (name, attributes) => {
      if (name === 'sheet' && id === '') id = attributes['r:id'] ?? '';
    },
  });
  let target = '';
  if (relations)
    await parse(textOf(relations), {
      onOpen: (name, attributes) => {
        if (name === 'Relationship' && attributes.Id === id) target = attributes.Target ?? '';
      },
    });
  return target === '' ? 'xl/worksheets/sheet1.xml' : target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

/** Texts that cells point to. Text in <rPh> says how it is pronounced and does not belong to it. */
async function readShared(xml: string): Promise<string[]> {
  const texts: string[] = [];
  let text = '';
  let isText = false;
  let isPhonetic = false;
  await parse(xml, {
    onOpen: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isText = name === 't' && !isPhonetic;
    },
    onText: (part) => {
      if (isText && text.length < tableLimits.cellCharacters) text += part;
    },
    onClose: (name) => {
      if (name === 'si') texts.push(unescaped(text));
      if (name === 'rPh') isPhonetic = false;
      isText = false;
    },
  });
  return texts;
}

async function readSheet(xml: string, shared: readonly string[]): Promise<TableRow[]> {
  const rows: { row: number; cells: string[] }[] = [];
  let row = 0;
  let column = -1;
  let type = '';
  let text = '';
  let isValue = false;
  await parse(xml, {
    isDone: () => rows.length > tableLimits.rows + 1,
    onOpen: (name, attributes) => {
      if (name === 'row') {
        const given = Number(attributes.r);
        row = Number.isSafeInteger(given) && given > row ? given : row + 1;
        column = -1;
        rows.push({ row, cells: [] });
      } else if (name === 'c') {
        column = columnOf(attributes.r) ?? column + 1;
        type = attributes.t ?? 'n';
        text = '';
      }
      isValue = name === 'v' || (name === 't' && type === 'inlineStr');
    },
    onText: (part) => {
      if (isValue && text.length < tableLimits.cellCharacters) text += part;
    },
    onClose: (name) => {
      isValue = false;
      const cells = rows.at(-1)?.cells;
      if (name === 'c' && cells && column < tableLimits.columns) setCell(cells, column, cellText(type, text, shared));
    },
  });
  if (rows.length > tableLimits.rows + 1) throw unusable(`has more than ${tableLimits.rows} rows`);
  return rows;
}

function setCell(cells: string[], column: number, value: string): void {
  while (cells.length < column) cells.push('');
  cells[column] = value;
}

function columnOf(reference: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d+$/.exec(reference ?? '')?.[1];
  if (!letters) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function cellText(type: string, text: string, shared: readonly string[]): string {
  if (type === 's') return shared[Number(text)] ?? '';
  if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE';
  if (type === 'e') return '';
  return type === 'n' ? text : unescaped(text);
}

/** `_x000D_` and its kind stand for characters that XML cannot hold. */
function unescaped(text: string): string {
  return text.replaceAll(/_x([0-9A-F]{4})_/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
