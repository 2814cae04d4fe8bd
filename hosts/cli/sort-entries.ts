import { rm } from 'node:fs/promises';
import type { ESignEntry } from '../../contract/signatures.ts';
import { appendEntries, inPieces, readEntries, unitsOf } from './entry-files.ts';

export type Compare = (one: ESignEntry, other: ESignEntry) => number;

/**
 * Entries and characters that are sorted in memory; a longer list is sorted in runs, which are files. `mostRuns`: merged at once, as each has a file open.
 */
const usualLimits = { runEntries: 20_000, runUnits: 8 * 1024 * 1024, mostRuns: 64 };

/** Sorts any number of entries; equal ones keep their order. `newPath` names files that are not there yet. */
export async function* sortEntries(
  entries: AsyncIterable<ESignEntry>,
  compare: Compare,
  newPath: () => string,
  { runEntries, runUnits, mostRuns } = usualLimits,
): AsyncGenerator<ESignEntry> {
  let runs: string[] = [];
  let held: ESignEntry[] = [];
  let units = 0;
  const putAway = async () => {
    runs.push(await written(ofArray(held.sort(compare)), newPath()));
    [held, units] = [[], 0];
  };
  for await (const entry of entries) {
    held.push(entry);
    units += unitsOf(entry);
    if (held.length >= runEntries || units >= runUnits) await putAway();
  }
  if (runs.length === 0) return yield* held.sort(compare);
  if (held.length > 0) await putAway();
  while (runs.length > mostRuns) {
    const longer: string[] = [];
    for (let at = 0; at < runs.length; at += mostRuns) {
      const some = runs.slice(at, at + mostRuns);
      longer.push(await written(merge(some, compare), newPath()));
      for (const path of some) await rm(path);
    }
    runs = longer;
  }
  yield* merge(runs, compare);
}

async function* ofArray(entries: readonly ESignEntry[]): AsyncGenerator<ESignEntry> {
  yield* entries;
}

async function written(entries: AsyncIterable<ESignEntry>, path: string): Promise<string> {
  for await (const piece of inPieces(entries)) await appendEntries(path, piece);
  return path;
}

interface Head {
  readonly entry: ESignEntry;
  /** Number of its run: of equal entries the one of the earlier run comes first. */
  readonly run: number;
  readonly rest: AsyncIterator<ESignEntry>;
}

/** Merges sorted runs. */
async function* merge(runs: readonly string[], compare: Compare): AsyncGenerator<ESignEntry> {
  // The next entry of each run, the first one last.
  const heads: Head[] = [];
  const insert = async (run: number, rest: Head['rest']) => {
    const next = await rest.next();
    if (next.done) return;
    const head: Head = { entry: next.value, run, rest };
    let [low, high] = [0, heads.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = heads[middle] as Head;
      if ((compare(other.entry, head.entry) || other.run - head.run) > 0) low = middle + 1;
      else high = middle;
    }
    heads.splice(low, 0, head);
  };
  for (const [run, path] of runs.entries()) await insert(run, readEntries(path)[Symbol.asyncIterator]());
  for (let first = heads.pop(); first; first = heads.pop()) {
    yield first.entry;
    await insert(first.run, first.rest);
  }
}
