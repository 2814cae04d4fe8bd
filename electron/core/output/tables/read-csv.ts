import { setImmediate as nextTurn } from 'node:timers/promises';
import Papa from 'papaparse';
import { type Table, tableRows, unusableTable } from './table.ts';

/** Excel's own word for the separator, on a line of its own before everything. */
const separatorLine = /^sep=(.)(\r\n|\r|\n)/i;

/** Decoded, and parsed, between two turns of the event loop. */
const sliceBytes = 64 * 1024;
/** A quote that is never closed makes a row of all that follows: it would be parsed anew with each slice. */
const mostRowUnits = 1024 * 1024;

/** A table out of CSV in any of the usual separators. Rejects with bad-input (`tableToken`) where it cannot be taken apart. */
export async function readCsv(bytes: Buffer): Promise<Table> {
  const [head = '', ...slices] = await textOf(bytes);
  const separator = separatorLine.exec(head);
  const body = separator ? head.slice(separator[0].length) : head;
  const parser = { delimiter: separator?.[1] ?? separatorOf(body), newline: lineEndOf(body) };
  const rows = tableRows();
  let row = separator ? 2 : 1;
  let pending = body;
  const read = (isLast: boolean) => {
    const { data, errors, meta } = new Papa.Parser(parser).parse(pending, 0, !isLast) as Papa.ParseResult<string[]>;
    // What is wrong with a row that is not there whole yet may be right with the next slice.
    const quotes = errors.find((error) => error.type === 'Quotes' && (isLast || (error.row ?? 0) < data.length));
    if (quotes) throw unusableTable(`has a quote in row ${row + (quotes.row ?? 0)} that does not end as it should`);
    for (const cells of data) rows.add(row++, cells);
    pending = isLast ? '' : pending.slice(meta.cursor);
    if (pending.length > mostRowUnits) throw unusableTable(`has a row ${row} of more than a million characters`);
  };
  for (const slice of slices) {
    read(false);
    pending += slice;
    await nextTurn();
  }
  read(true);
  return rows.table();
}

/** Without what is quoted: that could hold anything. */
function headingsIn(text: string): string {
  return text.replaceAll(/"[^"]*(?:"|$)/g, '');
}

/** The one that stands most often between the headings: these hold no text that could hide others. */
function separatorOf(text: string): string {
  const [headings = ''] = headingsIn(text).trimStart().split(/\r|\n/, 1);
  const count = (sign: string) => headings.split(sign).length;
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

function lineEndOf(text: string): '\r\n' | '\r' | '\n' {
  const first = /\r\n|\r|\n/.exec(headingsIn(text))?.[0];
  return first === '\r\n' || first === '\r' ? first : '\n';
}

/** In slices. By its byte order mark; else UTF-8 where it is that, else what Excel on Windows writes. */
async function textOf(bytes: Buffer): Promise<string[]> {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes, new TextDecoder('utf-16le'));
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes, new TextDecoder('utf-16be'));
  try {
    return await decoded(bytes, new TextDecoder('utf-8', { fatal: true }));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return decoded(bytes, new TextDecoder('windows-1252'));
  }
}

/** Rejects with bad-input where it is no text, with a TypeError where it is not in this encoding. */
async function decoded(bytes: Buffer, decoder: InstanceType<typeof TextDecoder>): Promise<string[]> {
  const slices: string[] = [];
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    const stream = at + sliceBytes < bytes.length;
    const slice = decoder.decode(bytes.subarray(at, at + sliceBytes), { stream });
    if (slice.includes('\0')) throw unusableTable('is no text');
    slices.push(slice);
    await nextTurn();
  }
  return slices;
}
