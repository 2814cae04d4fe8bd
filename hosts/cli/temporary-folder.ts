import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';

/** In each folder that is made here: whose it is. */
const ownerFile = '.sealdesk-owner';
const prefix = 'sealdesk-';

export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/** A folder for this run. Folders of runs that were killed are removed first: there are documents in them. */
export function makeTemporaryFolder(): TemporaryFolder {
  removeAbandoned();
  const path = mkdtempSync(join(tmpdir(), prefix));
  writeFileSync(join(path, ownerFile), JSON.stringify({ pid: process.pid, host: hostname() }), { mode: 0o600 });
  return { path, remove: () => removeFolder(path) };
}

/** One without the mark of an owner is not ours, and one of another computer or container cannot be judged. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const path = join(tmpdir(), name);
    if (!name.startsWith(prefix) || !isAbandoned(path)) continue;
    try {
      removeFolder(path);
    } catch {
      // Somebody else's, or held open: another run may have more luck.
    }
  }
}

function removeFolder(path: string): void {
  if (!existsSync(path)) return;
  // The mark goes last: what a kill leaves of the folder is still known to be ours.
  for (const name of readdirSync(path))
    if (name !== ownerFile) rmSync(join(path, name), { recursive: true, force: true, maxRetries: 3 });
  rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

function isAbandoned(path: string): boolean {
  try {
    const { pid, host } = JSON.parse(readFileSync(join(path, ownerFile), 'utf8')) as { pid?: unknown; host?: unknown };
    return typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && host === hostname() && !isRunning(pid);
  } catch {
    return false;
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
