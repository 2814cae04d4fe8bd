import Papa from 'papaparse';
import { failing } from '../failing.ts';
import { type Table, tableLimits, tableOf } from './table.ts';

/** Excel's own word for the separator, on a line of its own before everything. */
const separatorLine = /^sep=(.)(\r\n|\r|\n)/i;

/** A table out of CSV in any of the usual separators. Throws bad-input (`tableToken`) where it cannot be taken apart. */
export function readCsv(bytes: Buffer): Table {
  const text = textOf(bytes);
  if (text.includes('\0')) throw unusable('is no text');
  const separator = separatorLine.exec(text);
  const body = separator ? text.slice(separator[0].length) : text;
  const { data, errors } = Papa.parse<string[]>(body, {
    delimiter: separator?.[1] ?? separatorOf(body),
    preview: tableLimits.rows + 2,
  });
  const quotes = errors.find(({ type }) => type === 'Quotes');
  if (quotes) throw unusable(`has a quote in row ${(quotes.row ?? 0) + 1} that does not end as it should`);
  if (data.length > tableLimits.rows + 1) throw unusable(`has more than ${tableLimits.rows} rows`);
  const before = separator ? 2 : 1;
  return tableOf(data.map((cells, at) => ({ row: at + before, cells })));
}

/** The one that stands most often between the headings: these hold no text that could hide others. */
function separatorOf(text: string): string {
  const [headings = ''] = text
    .replaceAll(/"[^"]*"/g, '')
    .trimStart()
    .split(/\r|\n/, 1);
  const count = (sign: string) => headings.split(sign).length;
  return [',', ';', '\t', '|'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

function unusable(problem: string) {
  return failing('bad-input', `the table ${problem}`, { fields: { tableToken: problem } });
}

/** By its byte order mark; else UTF-8 where it is that, else what Excel on Windows writes. */
function textOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
