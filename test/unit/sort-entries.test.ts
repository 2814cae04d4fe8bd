import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ESignEntry } from '../../contract/signatures.ts';
import { sortEntries } from '../../hosts/cli/sort-entries.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sort-entries-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const byName = (one: ESignEntry, other: ESignEntry) =>
  (one.name ?? '') < (other.name ?? '') ? -1 : Number(one.name !== other.name);
const entries = (count: number, text = ''): readonly ESignEntry[] =>
  Array.from(
    { length: count },
    (_, at) => ({ documentId: `${at}`, name: `${(at * 7919) % 97} \u2028${text}` }) as ESignEntry,
  );

async function* stream(all: readonly ESignEntry[]) {
  yield* all;
}

async function sorted(all: readonly ESignEntry[], limits?: Parameters<typeof sortEntries>[3]) {
  let files = 0;
  const found: ESignEntry[] = [];
  for await (const entry of sortEntries(stream(all), byName, () => join(folder, `${files++}`), limits))
    found.push(entry);
  return { found, files };
}

describe('sorting the entries of a list', () => {
  it('makes no file for a list that fits into memory', async () => {
    expect(await sorted(entries(1_000))).toEqual({ found: entries(1_000).toSorted(byName), files: 0 });
  });

  it('sorts a longer one in runs; equal entries keep their order', async () => {
    const limits = { runEntries: 100, runUnits: 1_000_000, mostRuns: 64 };
    expect(await sorted(entries(1_050), limits)).toEqual({ found: entries(1_050).toSorted(byName), files: 11 });
  });

  it('opens no more files at once than it may', async () => {
    const limits = { runEntries: 10, runUnits: 1_000_000, mostRuns: 4 };
    // 100 runs, then 25, then 7, then 2.
    expect(await sorted(entries(1_000), limits)).toEqual({ found: entries(1_000).toSorted(byName), files: 134 });
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it('counts characters, too', async () => {
    const limits = { runEntries: 1_000, runUnits: 10_000, mostRuns: 64 };
    const { found, files } = await sorted(entries(100, 'x'.repeat(1_000)), limits);
    expect(found).toEqual(entries(100, 'x'.repeat(1_000)).toSorted(byName));
    expect(files).toBe(10);
  });

  it('has nothing to sort', async () => {
    expect(await sorted([])).toEqual({ found: [], files: 0 });
  });
});
