import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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
let running: ChildProcess | null = null;
/** A defect may let its test go on for ever. */
const longestMs = 10 * 60_000;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
process.once('exit', () => {
  restore();
  endTest();
  rmSync(folder, { recursive: true, force: true });
});

const missed: Defect[] = [];
for (const defect of chosen) if (!(await isFound(defect))) missed.push(defect);
console.log(`${chosen.length - missed.length} passed, ${missed.length} failed`);
process.exitCode = missed.length > 0 || chosen.length === 0 ? 1 : 0;

async function isFound({ area, name, file, find, replace, foundBy }: Defect): Promise<boolean> {
  const since = performance.now();
  if (!controls.has(foundBy)) controls.set(foundBy, await runTest(foundBy));
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
  const verdict = whatFound(controls.get(foundBy) ?? null, await runTest(foundBy));
  restore();
  const seconds = ((performance.now() - since) / 1000).toFixed(0);
  console.log(`${verdict.isFound ? 'found ' : 'MISSED'} ${area.padEnd(7)} ${name} (${foundBy}, ${seconds} s)`);
  console.log(`       ${verdict.why}`);
  return verdict.isFound;
}

/** The report of a test in the length of npm test; null if there is none. */
async function runTest(file: string): Promise<Report | null> {
  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const config = file.startsWith('test/components/') ? ['-c', 'vitest.components.config.ts'] : [];
  const reporters = ['--reporter=json', `--outputFile.json=${report}`];
  const words = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...config, file, ...reporters];
  const env = { ...process.env, SEALDESK_TESTS: 'short' };
  // A group of its own, so that one signal ends its workers too.
  running = spawn(process.execPath, words, { cwd: root, stdio: 'ignore', env, detached: true });
  const limit = setTimeout(endTest, longestMs);
  await once(running, 'exit');
  clearTimeout(limit);
  endTest();
  return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')) as Report) : null;
}

function endTest(): void {
  const { pid } = running ?? {};
  running = null;
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}
