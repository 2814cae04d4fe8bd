import { createReadStream } from 'node:fs';
import { appendFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ESignEntry } from '../../../contract/compose.ts';
import { option } from '../arguments/options.ts';
import { numberOf, textOf } from '../arguments/values.ts';
import type { ServiceCommand } from '../command.ts';
import { temporaryFolder } from '../data-folder.ts';
import { exitCodes, UsageError } from '../output/exit-code.ts';
import { nameOnLine } from '../output/printer.ts';
import { t } from '../output/texts.ts';

const operation = 'GetESignList';

export const requestsCommand: ServiceCommand = {
  kind: 'service',
  name: 'requests',
  summary: t('commands.requests.summary'),
  arguments: [],
  options: [
    option('--list <N>', t('options.list')),
    option('--max <N>', t('options.max')),
    option('--sort <BY>', t('options.sort')),
  ],
  operation,
  needsCredentials: true,
  examples: [
    ['--list 1', t('commands.requests.out')],
    ['--list 1 --sort date-desc', t('commands.requests.newest')],
    ['--list 2 --max 20 --json', t('commands.requests.signed')],
  ],
  run: async (session, { values, printer }) => {
    const listType = numberOf(values, 'list') ?? session.connection.lists[0]?.value;
    if (listType === undefined) throw new UsageError(t('errors.noLists'));
    const maxItems = numberOf(values, 'max') ?? session.connection.maxItems;
    const order = orderOf(textOf(values, 'sort'));
    const spool = await openEntrySpool();
    try {
      const { total, nilEntries } = await session.core.readRequests(session.connection.id, listType, spool, maxItems);
      if (nilEntries > 0) printer.remark(t('results.emptyEntries', { entries: nilEntries }));
      // A service that has more sends no more, or is not read any further.
      if (maxItems > 0 && total >= maxItems) printer.remark(t('results.listIsCut', { entries: maxItems }));
      const entries = order ? await spool.sorted(order) : spool.pieces();
      await printer.list({ operation }, entries, rowOf, t('results.emptyList'));
      return exitCodes.fine;
    } finally {
      await spool.remove();
    }
  },
};

/** Null if the entry has no value: such entries come last in both directions. */
const keys: Readonly<Record<string, (entry: ESignEntry) => string | null>> = {
  // .NET's "no date" is a day of year 1, in whatever zone.
  date: ({ createdAt, createdDate }) => createdAt ?? (/^\s*000[01]-/.test(createdDate ?? '') ? null : createdDate),
  person: ({ name, email }) => name || email,
  document: ({ documentName }) => documentName,
};

/** Null without --sort: the entries keep the service's order; equal entries always do. Throws a UsageError. */
function orderOf(by: string | undefined): Compare | null {
  if (by === undefined) return null;
  const name = by.replace(/-desc$/, '');
  const key = Object.hasOwn(keys, name) ? keys[name] : undefined;
  if (!key) throw new UsageError(t('errors.sort'));
  const direction = by === name ? 1 : -1;
  const { compare } = new Intl.Collator('en', { numeric: true });
  return (one, other) => {
    const [a, b] = [key(one), key(other)];
    if (!a || !b) return (a ? 0 : 1) - (b ? 0 : 1);
    return direction * compare(a, b);
  };
}

function rowOf({ documentId, createdDate, documentName, name, email }: ESignEntry): string {
  const signer = [name, email && `<${email}>`].filter(Boolean).join(' ');
  return [documentId ?? '–', createdDate ?? '–', documentName ?? '–', signer || '–'].map(nameOnLine).join('  ');
}

type Compare = (one: ESignEntry, other: ESignEntry) => number;

/** The most that is sorted: entries, and bytes of their file. */
const usualMost = { entries: 200_000, bytes: 256 * 1024 * 1024 };

/** Entries of a list in a file of this run: they may be printed only when the list is complete, and may be more than fit into memory. */
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
