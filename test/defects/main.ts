import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Defect, defects } from './defects.ts';

/*
 * npm run test:defects [-- WORD…]: makes one defect after another in the working copy and runs the test that must find it. Every file is as it was at the end, also
 * after Ctrl-C. The last line is `N passed, N failed`.
 */

const root = resolve(import.meta.dirname, '../..');
const words = process.argv.slice(2);
const chosen = defects.filter(({ area, name }) => words.every((word) => `${area} ${name}`.includes(word)));
let restore = () => {};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => restore());

const missed = chosen.filter((defect) => !isFound(defect));
console.log(`${chosen.length - missed.length} passed, ${missed.length} failed`);
process.exitCode = missed.length > 0 || chosen.length === 0 ? 1 : 0;

function isFound({ area, name, file, find, replace, foundBy }: Defect): boolean {
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  restore = () => writeFileSync(path, text);
  const since = performance.now();
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  const config = foundBy.startsWith('test/components/') ? ['-c', 'vitest.components.config.ts'] : [];
  const { status, signal } = spawnSync('npx', ['--no-install', 'vitest', 'run', ...config, foundBy, '--bail=1'], {
    cwd: root,
    stdio: 'ignore',
  });
  restore();
  if (signal) process.exit(1);
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  console.log(`${status === 0 ? 'MISSED' : 'found '} ${area.padEnd(7)} ${name} (${foundBy}, ${seconds} s)`);
  return status !== 0;
}
