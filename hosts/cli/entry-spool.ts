import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ESignEntry } from '../../contract/signatures.ts';
import { temporaryFolder } from './data-folder.ts';
import { appendEntries, inPieces, type Pieces, readEntries } from './entry-files.ts';
import { type Compare, sortEntries } from './sort-entries.ts';

/** Entries of a list in a file of this run: they may be printed only when the list is complete, and may be more than fit into memory. */
export interface EntrySpool {
  restart(): Promise<void>;
  add(entries: readonly ESignEntry[]): Promise<void>;
  /** In the service's order. */
  pieces(): Pieces;
  sorted(compare: Compare): Pieces;
  remove(): Promise<void>;
}

export async function openEntrySpool(): Promise<EntrySpool> {
  const folder = temporaryFolder();
  const path = join(folder.path, 'entries');
  await writeFile(path, '', { flag: 'ax', mode: 0o600 });
  let runs = 0;
  return {
    restart: () => truncate(path, 0),
    add: (entries) => appendEntries(path, entries),
    pieces: () => inPieces(readEntries(path)),
    sorted: (compare) => inPieces(sortEntries(readEntries(path), compare, () => join(folder.path, `run-${runs++}`))),
    remove: async () => folder.remove(),
  };
}
