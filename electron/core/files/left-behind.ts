import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProgramRuns } from './program-runs.ts';
import { removeTemporaryFiles } from './target-notes.ts';

/** Whoever makes such a folder writes its row within minutes. */
const bulkAfterMs = 24 * 3_600_000;

interface Needs {
  readonly run: Pick<ProgramRuns, 'isAlive'>;
  /** Of bulks by table: null for one that was never kept. */
  readonly bulks: { get(id: string): unknown };
}

/** Removes what killed runs left behind half-written: of the database and the settings, beside targets, of tables that were never kept. Never rejects. */
export async function removeLeftBehind(dataDir: string, { run, bulks }: Needs): Promise<void> {
  for (const name of await readdir(dataDir).catch(() => [])) {
    const settingsOf = /^settings\.json\.(\d{1,9})\.new$/.exec(name)?.[1];
    // The database is open: whoever copied it before a migration has come to an end.
    const isOver =
      /^sealdesk\.db\.v\d+\.bak\.part$/.test(name) || (settingsOf !== undefined && !isRunning(Number(settingsOf)));
    if (isOver) await rm(join(dataDir, name), { force: true }).catch(() => undefined);
  }
  await removeBulkFolders(join(dataDir, 'bulk'), bulks);
  await removeTemporaryFiles(dataDir, run);
}

async function removeBulkFolders(folder: string, bulks: Needs['bulks']): Promise<void> {
  for (const id of await readdir(folder).catch(() => [])) {
    const path = join(folder, id);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > bulkAfterMs && bulks.get(id) === null)
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
