import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning, type ProgramRuns } from './own-files.ts';
import { removeTemporaryFiles } from './target-notes.ts';

/** Age after which a bulk folder without a row is removed: a running program writes the row within minutes. */
const bulkAfterMs = 24 * 3_600_000;

interface Needs {
  readonly run: Pick<ProgramRuns, 'isAlive'>;
  /** Null for a bulk that was never stored. */
  readonly bulks: { get(id: string): unknown };
}

/** Removes incomplete files of killed runs: copies of the database and the settings, temporary files beside targets, folders of bulks that were never stored. Never rejects. */
export async function removeLeftBehind(dataDir: string, { run, bulks }: Needs): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    const settingsOf = /^settings\.json\.(\d{1,9})\.new$/.exec(name)?.[1];
    if (settingsOf !== undefined && !isRunning(Number(settingsOf)))
      await rm(join(dataDir, name), { force: true }).catch(() => undefined);
  }
  await removeBrokenOffCopies(dataDir);
  await removeOld(join(dataDir, 'bulk'), bulkAfterMs, (id) => bulks.get(id) !== null);
  await removeTemporaryFiles(dataDir, run);
}

/** Removes copies before a migration whose program was killed; those of older versions name no program. Never rejects. */
export async function removeBrokenOffCopies(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    const [isCopy, pid] = /^sealdesk\.db\.v\d+\.bak(?:\.(\d{1,9}))?\.part$/.exec(name) ?? [];
    if (isCopy && !(pid && isRunning(Number(pid))))
      await rm(join(dataDir, name), { force: true }).catch(() => undefined);
  }
}

/** Removes what in the folder is older, in milliseconds, and not needed by its name. Never rejects. */
export async function removeOld(folder: string, olderMs: number, isNeeded: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > olderMs && !isNeeded(name)) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
