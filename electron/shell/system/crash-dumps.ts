import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Memory images that are kept. Each has some megabytes. */
const mostDumps = 5;
/** More files than the browser engine keeps itself. */
const mostFiles = 500;

/** Number of memory images below a folder. */
export function countDumps(folder: string): number {
  return dumpsBelow(folder).length;
}

/** Removes all but the newest memory images and what lies beside them, and closes the folder to others. What cannot be removed stays. */
export function boundDumps(folder: string): void {
  try {
    chmodSync(folder, 0o700);
    const dumps = dumpsBelow(folder).sort((a, b) => b.changed - a.changed);
    for (const { path } of dumps.slice(mostDumps)) {
      rmSync(path, { force: true });
      rmSync(path.replace(/\.dmp$/, '.meta'), { force: true });
    }
  } catch {
    // There is no folder, or it belongs to somebody else.
  }
}

function dumpsBelow(folder: string): { readonly path: string; readonly changed: number }[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).slice(0, mostFiles);
    return names
      .filter((name) => name.endsWith('.dmp'))
      .map((name) => {
        const path = join(folder, name);
        return { path, changed: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
      });
  } catch {
    return [];
  }
}
