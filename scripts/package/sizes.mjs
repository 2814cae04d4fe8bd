import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Bytes that must not be passed. What is installed is counted in MiB by packages and by `du`. */
const limits = { deb: 75e6, installed: 240 * 1024 * 1024 };

/** As pairs of name and function: program and deb are not larger than they may be. `deb` is one with the best compression. */
export function checkSizes(folder, deb) {
  const check = (name, size, limit) => [
    `${name} has at most ${(limit / 1e6).toFixed(0)} MB`,
    () => {
      if (size > limit) throw new Error(`${(size / 1e6).toFixed(1)} MB`);
    },
  ];
  return [
    check('the installed program', bytesIn(folder), limits.installed),
    ...(deb ? [check('the deb', statSync(deb).size, limits.deb)] : []),
  ];
}

/** A table, as lines, of the packages in some folders: megabytes (of 1,000,000 bytes), and what the unpacked folder takes when it is installed. */
export function sizes(folder, outputs) {
  const files = outputs
    .filter((output) => existsSync(output))
    .flatMap((output) => readdirSync(output, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(deb|rpm|tar\.gz|msi)$/.test(entry.name))
    .map(({ name, parentPath }) => [name, statSync(join(parentPath, name)).size]);
  return [['linux-unpacked/', bytesIn(folder)], ...files].map(
    ([name, size]) => `        ${name.padEnd(36)} ${(size / 1e6).toFixed(1).padStart(6)} MB`,
  );
}

const bytesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
