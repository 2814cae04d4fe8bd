import { chmodSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** What can be started by its name, also in a checkout: npm makes it executable when it installs, if it is built by then. */
const executable = join('cli', 'sealdesk.js');

/** electron-builder's hook before anything is packed: the archive notes which files are executable. */
export function beforePack() {
  settleModes(resolve('dist'));
}

/** Gives everything that was built the modes of a package, whatever umask, file system and npm made of them. */
export function settleModes(built) {
  for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, path === join(built, executable) ? 0o755 : 0o644);
  }
}
