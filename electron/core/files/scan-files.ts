import { basename } from 'node:path';
import type { SkippedFile } from '../../../contract/files.ts';
import { appError } from '../foundation/app-error.ts';
import { inspectFile, type Purpose } from './inspect-file.ts';
import type { LocalFile } from './local-file.ts';
import { type Found, type WalkState, walk } from './walk-folder.ts';

/** Files that are looked at at the same time: enough to keep a disk busy, few enough to leave the thread pool to others. */
const concurrency = 8;

/** More than anyone means to drop; beyond it a drop is a mistake (a whole disk) and is refused as one. */
const maxEntries = 200_000;

export interface ScanResult {
  readonly files: readonly LocalFile[];
  readonly skipped: readonly SkippedFile[];
  readonly folderCount: number;
}

/** Something that was chosen or dropped. `name` is what it is shown as. */
export interface Dropped {
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * Looks at everything dropped, folders to the bottom, in the order of the drop. A file that is reached twice (by itself
 * and in its folder) counts once: twice would cost twice.
 */
export async function scanFiles(dropped: readonly Dropped[], purpose: Purpose): Promise<ScanResult> {
  const state: WalkState = { seenFolders: new Set(), folderCount: 0 };
  const results: (LocalFile | SkippedFile)[] = [];
  const source = distinct(everything(dropped, state));
  let next = 0;
  // Each worker takes the next one found; the index keeps the order, whoever is done first.
  const work = async () => {
    for (;;) {
      const { value: found, done } = await source.next();
      if (done) return;
      const index = next++;
      if (index >= maxEntries) throw appError('bad-input', `more than ${maxEntries} files at once`);
      results[index] = await scanFile(found, purpose);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return {
    files: results.filter((one) => 'path' in one),
    skipped: results.filter((one) => 'reason' in one),
    folderCount: state.folderCount,
  };
}

async function* everything(dropped: readonly Dropped[], state: WalkState): AsyncGenerator<Found> {
  for (const { path, name, isFolder } of dropped) {
    if (isFolder) yield* walk(path, basename(path) || path, state);
    else yield { path, name, folder: '' };
  }
}

async function* distinct(all: AsyncIterable<Found>): AsyncGenerator<Found> {
  const seen = new Set<string>();
  for await (const found of all) {
    if (seen.has(found.path)) continue;
    seen.add(found.path);
    yield found;
  }
}

async function scanFile(found: Found, purpose: Purpose): Promise<LocalFile | SkippedFile> {
  const { path, name, folder } = found;
  if (found.problem) return { name, folder, reason: found.problem };
  const finding = await inspectFile(path, purpose);
  if (finding.usable) return { path, name, folder, sizeBytes: finding.sizeBytes };
  return { name, folder, reason: finding.reason, ...(finding.kind ? { kind: finding.kind } : {}) };
}
