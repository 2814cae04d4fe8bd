import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** What of the sources goes into packages (electron-builder.yml). */
const packed = ['package.json', 'LICENSE', 'assets', 'dist'];
/** The installed packages that are not bundled. */
export const packedModules = ['@photostructure/sqlite', 'node-gyp-build', '@napi-rs'].map((name) =>
  join('node_modules', name),
);
/** Programs that are no package's `bin`. */
const installers = ['sealdesk-cli', 'sealdesk-cli-mac'].map((name) => join('assets', 'installer', name));

/** electron-builder's hook before anything is packed: the archive notes which files are executable. */
export function beforePack() {
  settleModes(resolve());
}

/**
 * Gives everything that is packed the modes of a package, whatever umask, file system and npm made of them: npm makes what a package names in `bin` executable when it
 * installs, if it is there by then.
 */
export function settleModes(root) {
  const own = new Set([...installers, ...binsOf(root)].map((path) => join(root, path)));
  for (const path of packed) settle(join(root, path), own);
  for (const path of packedModules) settle(join(root, path), new Set());
}

/** Each package below it adds the programs of its own. */
function settle(path, programs) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return;
  const mode = found.isDirectory() || programs.has(path) ? 0o755 : 0o644;
  // A file that many folders share as hard links is left alone where it is right.
  if ((found.mode & 0o777) !== mode) chmodSync(path, mode);
  if (!found.isDirectory()) return;
  const within = new Set([...programs, ...binsOf(path).map((name) => join(path, name))]);
  for (const name of readdirSync(path)) settle(join(path, name), within);
}

function binsOf(folder) {
  const path = join(folder, 'package.json');
  const { bin = {} } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  return (typeof bin === 'string' ? [bin] : Object.values(bin)).map((name) => relative(folder, resolve(folder, name)));
}
