import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** A table, as lines, of what was built: megabytes (of 1,000,000 bytes), and what the folder takes when it is installed. */
export function sizes(output) {
  const files = readdirSync(output, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.(ya?ml|blockmap)$/.test(entry.name))
    .map(({ name }) => [name, statSync(join(output, name)).size]);
  const folder = join(output, 'linux-unpacked');
  const inside = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
  return [['linux-unpacked/', inside], ...files].map(
    ([name, size]) => `        ${name.padEnd(36)} ${(size / 1e6).toFixed(1).padStart(6)} MB`,
  );
}
