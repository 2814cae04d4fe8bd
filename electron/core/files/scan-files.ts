import { basename } from 'node:path';
import type { SkippedFile } from '../../../contract/files.ts';
import { appError } from '../foundation/app-error.ts';
import { type Finding, forPurposes, inspectFile, type Purpose } from './inspect-file.ts';
import type { LocalFile } from './local-file.ts';
import { type Found, type WalkState, walk } from './walk-folder.ts';

/** Files that are inspected at the same time: enough to keep a disk busy, few enough to leave threads of the pool to others. */
const concurrency = 8;

/** More than a person drops on purpose; a larger drop (a whole disk) is a mistake and is refused. */
const maxEntries = 200_000;

export interface ScanResult {
  readonly files: readonly LocalFile[];
  readonly skipped: readonly LocatedSkip[];
  readonly folderCount: number;
}

/** A skipped file with its path, which no window gets. */
export type LocatedSkip = SkippedFile & { readonly path: string };

/** A file or folder that was chosen or dropped. `name`: for showing. */
export interface Dropped {
  readonly path: string;
  readonly name: string;
  readonly isFolder: boolean;
}

/**
 * Scans all dropped files, and folders with all their subfolders, in the order of the drop, and answers one result for each purpose. A file that is found twice (by
 * itself and in its folder) counts once, as sending it twice would cost twice. Rejects with bad-input for more than 200,000 files.
 */
export async function scanFiles<P extends Purpose>(
  dropped: readonly Dropped[],
  purposes: readonly P[],
): Promise<Record<P, ScanResult>> {
  const state: WalkState = { seenFolders: new Set(), folderCount: 0 };
  const results: Record<P, LocalFile | LocatedSkip>[] = [];
  const source = distinct(allFiles(dropped, state));
  let next = 0;
  // Each loop takes the next file found; the index keeps the order, whichever is finished first.
  const work = async () => {
    for (;;) {
      const { value: found, done } = await source.next();
      if (done) return;
      const index = next++;
      if (index >= maxEntries) throw appError('bad-input', `more than ${maxEntries} files at once`);
      results[index] = await scanFile(found, purposes);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return forPurposes(purposes, (purpose): ScanResult => {
    const found: readonly (LocalFile | LocatedSkip)[] = results.map((one) => one[purpose]);
    return {
      files: found.filter((one) => 'sizeBytes' in one),
      skipped: found.filter((one) => 'reason' in one),
      folderCount: state.folderCount,
    };
  });
}

async function* allFiles(dropped: readonly Dropped[], state: WalkState): AsyncGenerator<Found> {
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

async function scanFile<P extends Purpose>(
  found: Found,
  purposes: readonly P[],
): Promise<Record<P, LocalFile | LocatedSkip>> {
  const { path, name, folder, problem } = found;
  if (problem) return forPurposes(purposes, () => ({ path, name, folder, reason: problem }));
  const findings = await inspectFile(path, purposes);
  return forPurposes(purposes, (purpose) => {
    const finding: Finding = findings[purpose];
    if (finding.usable) {
      const { sizeBytes, modifiedMs, identity, isPdf } = finding;
      return { path, name, folder, sizeBytes, modifiedMs, identity, isPdf };
    }
    return { path, name, folder, reason: finding.reason, ...(finding.kind ? { kind: finding.kind } : {}) };
  });
}
