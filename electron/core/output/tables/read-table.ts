import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ParseResult } from 'papaparse';
import type { LocalFile } from '../../files/local-file.ts';
import { readWhole } from '../../files/open-file.ts';
import { asRead } from '../../foundation/fs-errors.ts';
import { type Table, tableLimits, tableRows, unusableTable } from './table.ts';

/** Reads a table from a file. `locale`: as for `tableOf`. Rejects as `readTableFile` and `tableOf` do. */
export async function readTable({ path }: Pick<LocalFile, 'path'>, locale: string): Promise<Table> {
  return await tableOf(await readTableFile(path), locale);
}

/** The bytes of a file that may hold a table. Rejects with bad-input (`tableToken`) if there are too many, with file-unreadable. */
export async function readTableFile(path: string): Promise<Buffer> {
  const bytes = await asRead(readWhole(path, tableLimits.fileBytes));
  if (!bytes) throw unusableTable('table-too-large', 'is larger than 20 MB');
  return bytes;
}

/**
 * The table in the bytes of a file; the first ones decide on the format: XLSX is a ZIP archive, everything else is read as CSV. Both are read in slices with turns of
 * the event loop between them. `locale` (BCP 47): the region in which a spreadsheet program would show its numbers and dates, usually the system’s. Rejects with bad-input (`tableToken`).
 */
export async function tableOf(bytes: Buffer, locale: string): Promise<Table> {
  const isZip = bytes.length > 3 && bytes.readUInt32LE(0) === 0x04034b50;
  const isOldExcel = bytes.length > 3 && bytes.readUInt32BE(0) === 0xd0cf11e0;
  if (isOldExcel) throw unusableTable('table-old', 'is an XLS or protected file');
  if (!isZip) return await readCsv(bytes);
  // Loaded with the first table of its kind: most runs read none.
  const { readXlsx } = await import('./read-xlsx.ts');
  return await readXlsx(bytes, locale);
}

/** Excel's declaration of the separator in the first line. */
const separatorLine = /^sep=(.)(\r\n|\r|\n)/i;

/** Longest row in UTF-16 units. An unclosed quote makes one row of the rest of the file, which would be parsed again with each slice. */
const mostRowUnits = 1024 * 1024;

/** Reads a table from CSV with any of the usual separators. Rejects with bad-input (`tableToken`) if it cannot be parsed. */
async function readCsv(bytes: Buffer): Promise<Table> {
  const { default: Papa } = await import('papaparse');
  const text = await decodeText(bytes);
  if (!text) throw unusableTable('table-unreadable', 'is no text');
  const [head = '', ...slices] = text;
  const separator = separatorLine.exec(head);
  const body = separator ? head.slice(separator[0].length) : head;
  const parser = { delimiter: separator?.[1] ?? separatorOf(body), newline: lineEndOf(body) };
  const rows = tableRows();
  let row = separator ? 2 : 1;
  let pending = body;
  const read = (isLast: boolean) => {
    const { data, errors, meta } = new Papa.Parser(parser).parse(pending, 0, !isLast) as ParseResult<string[]>;
    // An error in the last, incomplete row may be resolved by the next slice.
    const quotes = errors.find((error) => error.type === 'Quotes' && (isLast || (error.row ?? 0) < data.length));
    if (quotes) {
      const at = row + (quotes.row ?? 0);
      throw unusableTable('table-quote', `has a quote in row ${at} that does not end as it should`, { row: at });
    }
    for (const cells of data) rows.add(row++, cells);
    pending = isLast ? '' : pending.slice(meta.cursor);
    if (pending.length <= mostRowUnits) return;
    const why = pending.includes('"') ? 'table-quote' : 'table-too-large';
    throw unusableTable(why, `has a row ${row} of more than a million characters`, { row });
  };
  for (const slice of slices) {
    read(false);
    pending += slice;
    await nextTurn();
  }
  read(true);
  return rows.table();
}

/** The text without quoted parts, which could contain separators and line ends. */
function headingsIn(text: string): string {
  return text.replaceAll(/"[^"]*(?:"|$)/g, '');
}

/** The most frequent separator in the row of headings, as headings rarely contain other separators. */
function separatorOf(text: string): string {
  const [headings = ''] = headingsIn(text).trimStart().split(/\r|\n/, 1);
  const count = (sign: string) => headings.split(sign).length;
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

function lineEndOf(text: string): '\r\n' | '\r' | '\n' {
  const first = /\r\n|\r|\n/.exec(headingsIn(text))?.[0];
  return first === '\r\n' || first === '\r' ? first : '\n';
}

/** Bytes that are decoded between two turns of the event loop. */
const sliceBytes = 64 * 1024;

/**
 * The decoded text in slices, null if it is no text. Encoding: by the byte order mark; else UTF-8 if it is valid; else windows-1252, which Excel on
 * Windows writes.
 */
export async function decodeText(bytes: Buffer): Promise<string[] | null> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes, new TextDecoder('utf-16le'));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes, new TextDecoder('utf-16be'));
  try {
    return await decoded(bytes, new TextDecoder('utf-8', { fatal: true }));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return decoded(bytes, new TextDecoder('windows-1252'));
  }
}

/** Null if it is no text. Rejects with a TypeError if it is not in this encoding. */
async function decoded(bytes: Buffer, decoder: InstanceType<typeof TextDecoder>): Promise<string[] | null> {
  const slices: string[] = [];
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    const stream = at + sliceBytes < bytes.length;
    const slice = decoder.decode(bytes.subarray(at, at + sliceBytes), { stream });
    if (slice.includes('\0')) return null;
    slices.push(slice);
    await nextTurn();
  }
  return slices;
}
