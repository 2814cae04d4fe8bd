import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A table, as lines, of the packages in some folders: megabytes (of 1,000,000 bytes), and what the unpacked folder takes when it is installed. */
export function sizes(folder, outputs) {
  const files = outputs
    .filter((output) => existsSync(output))
    .flatMap((output) => readdirSync(output, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(deb|rpm|tar\.gz|msi)$/.test(entry.name))
    .map(({ name, parentPath }) => [name, statSync(join(parentPath, name)).size]);
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return [['linux-unpacked/', inside], ...files].map(
    ([name, size]) => `        ${name.padEnd(36)} ${(size / 1e6).toFixed(1).padStart(6)} MB`,
  );
}
