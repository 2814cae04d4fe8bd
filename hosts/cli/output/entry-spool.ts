import { createReadStream } from 'node:fs';
import { appendFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ESignEntry } from '../../../contract/compose.ts';
import { temporaryFolder } from '../data-folder.ts';
import { UsageError } from './exit-code.ts';
import { t } from './texts.ts';

export type Compare = (one: ESignEntry, other: ESignEntry) => number;

/** The most that is sorted: entries, and bytes of their file. */
const usualMost = { entries: 200_000, bytes: 256 * 1024 * 1024 };

/** Entries of a list in a file of this run: they may be printed only when the list is complete, and may be more than fit into memory. */
export type EntrySpool = Awaited<ReturnType<typeof openEntrySpool>>;

export async function openEntrySpool(most = usualMost) {
  const folder = temporaryFolder();
  const path = join(folder.path, 'entries');
  await writeFile(path, '', { flag: 'ax', mode: 0o600 });
  return {
    restart: (): Promise<void> => truncate(path, 0),
    add: (entries: readonly ESignEntry[]): Promise<void> => appendEntries(path, entries),
    /** In the service's order. */
    pieces: (): Pieces => inPieces(readEntries(path)),
    /** Rejects with a UsageError if they are more than memory should hold. Equal ones keep their order. */
    sorted: async (compare: Compare): Promise<Pieces> => inPieces(await sortedEntries(path, compare, most)),
    remove: async () => folder.remove(),
  };
}

async function sortedEntries(path: string, compare: Compare, most: typeof usualMost): Promise<ESignEntry[]> {
  const entries: ESignEntry[] = [];
  const tooMany = () => new UsageError(t('errors.sortTooMany', { entries: most.entries, mebibytes: most.bytes >> 20 }));
  if ((await stat(path)).size > most.bytes) throw tooMany();
  for await (const entry of readEntries(path)) {
    if (entries.push(entry) > most.entries) throw tooMany();
  }
  return entries.sort(compare);
}

/** Entries in pieces that fit into memory. */
type Pieces = AsyncIterable<readonly ESignEntry[]>;

/** Entries of a piece, and characters after which it ends all the same. */
const pieceEntries = 500;
const pieceUnits = 1024 * 1024;

/** Adds the entries to a private file, one line each. */
async function appendEntries(path: string, entries: readonly ESignEntry[]): Promise<void> {
  if (entries.length > 0) await appendFile(path, entries.map(lineOf).join(''), { mode: 0o600 });
}

/** The entries of a file, one by one. */
async function* readEntries(path: string): AsyncGenerator<ESignEntry> {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) yield JSON.parse(line) as ESignEntry;
}

/** Entries in pieces: what handles them works once for many. */
async function* inPieces(
  entries: AsyncIterable<ESignEntry> | Iterable<ESignEntry>,
): AsyncGenerator<readonly ESignEntry[]> {
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
function unitsOf(entry: ESignEntry): number {
  let units = 0;
  for (const value of Object.values(entry)) units += typeof value === 'string' ? value.length : 0;
  return units;
}

/** One line: readline ends lines at the two other separators too, which JSON leaves as they are. */
function lineOf(entry: ESignEntry): string {
  const text = JSON.stringify(entry).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `${text}\n`;
}
