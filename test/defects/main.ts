import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Defect, defects } from './defects.ts';
import { type Report, whatFound } from './what-found.ts';

/*
 * npm run test:defects [-- WORD…]: runs each test as it is, where it must pass, then makes one defect after another in the working copy and runs the test that must
 * find it. Every file is as it was at the end, also after Ctrl-C. The last line is `N passed, N failed`.
 */

const root = resolve(import.meta.dirname, '../..');
const words = process.argv.slice(2);
const chosen = defects.filter(({ area, name }) => words.every((word) => `${area} ${name}`.includes(word)));
const folder = mkdtempSync(join(tmpdir(), 'sealdesk-defects-'));
/** What each test says without a defect. */
const controls = new Map<string, Report | null>();
let restore = () => {};
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => {
  restore();
  rmSync(folder, { recursive: true, force: true });
});

const missed = chosen.filter((defect) => !isFound(defect));
console.log(`${chosen.length - missed.length} passed, ${missed.length} failed`);
process.exitCode = missed.length > 0 || chosen.length === 0 ? 1 : 0;

function isFound({ area, name, file, find, replace, foundBy }: Defect): boolean {
  const since = performance.now();
  if (!controls.has(foundBy)) controls.set(foundBy, runTest(foundBy));
  const path = join(root, file);
  const text = readFileSync(path, 'utf8');
  const { atime, mtime } = statSync(path);
  restore = () => {
    writeFileSync(path, text);
    // What is built is still what the sources would build.
    utimesSync(path, atime, mtime);
  };
  writeFileSync(
    path,
    text.replace(find, () => replace),
  );
  const verdict = whatFound(controls.get(foundBy) ?? null, runTest(foundBy));
  restore();
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  console.log(`${verdict.isFound ? 'found ' : 'MISSED'} ${area.padEnd(7)} ${name} (${foundBy}, ${seconds} s)`);
  console.log(`       ${verdict.why}`);
  return verdict.isFound;
}

/** The report of a test in the length of npm test; null if there is none. */
function runTest(file: string): Report | null {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const config = file.startsWith('test/components/') ? ['-c', 'vitest.components.config.ts'] : [];
  const reporters = ['--reporter=json', `--outputFile.json=${report}`];
  const { signal } = spawnSync('npx', ['--no-install', 'vitest', 'run', ...config, file, '--bail=1', ...reporters], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, SEALDESK_TESTS: 'short' },
  });
  if (signal) process.exit(1);
  return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report) : null;
}
