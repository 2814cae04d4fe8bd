import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { ESignEntry } from '../../contract/signatures.ts';
import { temporaryFolder } from './data-folder.ts';

/** Entries printed at once. */
const pieceEntries = 500;

/** Entries of a list in a file of this run: they may be printed only when the list is complete, and may be more than fit into memory. */
export interface EntrySpool {
  restart(): Promise<void>;
  add(entries: readonly ESignEntry[]): Promise<void>;
  pieces(): AsyncIterable<readonly ESignEntry[]>;
  remove(): Promise<void>;
}

export async function openEntrySpool(): Promise<EntrySpool> {
  const folder = temporaryFolder();
  const path = join(folder.path, 'entries');
  const file = await open(path, 'ax', 0o600);
  return {
    restart: () => file.truncate(0),
    add: async (entries) => {
      if (entries.length > 0) await file.appendFile(entries.map(lineOf).join(''));
    },
    async *pieces() {
      let piece: ESignEntry[] = [];
      for await (const line of createInterface({
        input: createReadStream(path),
        crlfDelay: Number.POSITIVE_INFINITY,
      })) {
        piece.push(JSON.parse(line) as ESignEntry);
        if (piece.length < pieceEntries) continue;
        yield piece;
        piece = [];
      }
      yield piece;
    },
    remove: async () => {
      await file.close();
      folder.remove();
    },
  };
}

/** One line: readline ends lines at the two other separators too, which JSON leaves as they are. */
function lineOf(entry: ESignEntry): string {
  const text = JSON.stringify(entry).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `${text}\n`;
}
