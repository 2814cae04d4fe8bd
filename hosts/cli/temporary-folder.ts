import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from '../../electron/core/files/program-runs.ts';

/** Names the process that owns the folder. */
const ownerFile = '.sealdesk-owner';
const prefix = 'sealdesk-';

export type TemporaryFolder = ReturnType<typeof makeTemporaryFolder>;

/** Creates a folder for this run. Folders of killed runs are removed first, since they hold documents. */
export function makeTemporaryFolder() {
  removeAbandoned();
  const path = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(join(path, ownerFile), JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
  return { path, remove: () => removeFolder(path) };
}

/** Removes folders whose process has ended. A folder without an owner file is not ours; one of another computer or container cannot be checked. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!name.startsWith(prefix) || !isAbandoned(path)) continue;
    try {
      removeFolder(path);
    } catch {
      // It belongs to another user or is held open: a later run tries again.
    }
  }
}

function removeFolder(path: string): void {
  if (!existsSync(path)) return;
  // The owner file is removed last, so that a partly removed folder is still recognised.
  for (const name of readdirSync(path))
    if (name !== ownerFile) rmSync(join(path, name), { recursive: true, force: true, maxRetries: 3 });
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

/**
 * A folder of this person's, and no link: in a temporary folder that many people share, somebody could put a link there and turn it to anywhere while its
 * content is removed. A folder of one's own can be replaced by nobody else.
 */
function isOwn(path: string): boolean {
  const stats = lstatSync(path);
  return stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid());
}

function isAbandoned(path: string): boolean {
  try {
    if (!isOwn(path)) return false;
    const { pid, host } = JSON.parse(readFileSync(join(path, ownerFile), 'utf8')) as { pid?: unknown; host?: unknown };
    return typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && host === hostname() && !isRunning(pid);
  } catch {
    return false;
  }
}
