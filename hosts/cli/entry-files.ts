import { createReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { ESignEntry } from '../../contract/signatures.ts';

/** Entries in pieces that fit into memory. */
export type Pieces = AsyncIterable<readonly ESignEntry[]>;

/** Entries of a piece, and characters after which it ends all the same. */
const pieceEntries = 500;
const pieceUnits = 1024 * 1024;

/** Adds the entries to a private file, one line each. */
export async function appendEntries(path: string, entries: readonly ESignEntry[]): Promise<void> {
  if (entries.length > 0) await appendFile(path, entries.map(lineOf).join(''), { mode: 0o600 });
}

/** The entries of a file, one by one. */
export async function* readEntries(path: string): AsyncGenerator<ESignEntry> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) yield JSON.parse(line) as ESignEntry;
}

/** Entries in pieces: what handles them works once for many. */
export async function* inPieces(entries: AsyncIterable<ESignEntry>): AsyncGenerator<readonly ESignEntry[]> {
  let piece: ESignEntry[] = [];
  let units = 0;
  for await (const entry of entries) {
    piece.push(entry);
    units += unitsOf(entry);
    if (piece.length < pieceEntries && units < pieceUnits) continue;
    yield piece;
    [piece, units] = [[], 0];
  }
  yield piece;
}

/** Characters of an entry. */
export function unitsOf(entry: ESignEntry): number {
  let units = 0;
  for (const value of Object.values(entry)) units += typeof value === 'string' ? value.length : 0;
  return units;
}

/** One line: readline ends lines at the two other separators too, which JSON leaves as they are. */
function lineOf(entry: ESignEntry): string {
  const text = JSON.stringify(entry).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `${text}\n`;
}
