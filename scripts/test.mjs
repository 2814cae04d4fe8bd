import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findChromium } from './browser.mjs';
import { electronRun } from './electron-run.mjs';
import { build, checkNode, install, nodeBinary, root, run } from './setup.mjs';

/* npm test: installs, builds, checks, and runs every suite. The last line is `N passed, N failed`, with what was skipped above it. */

const results = join(root, 'test-results');
const tool = (path) => join(root, 'node_modules', path);
const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const skips = [];

checkNode();
if (!(await install())) fail('installation');
else if (!(await build())) fail('build');
else await everything();
report();

async function everything() {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  await check('types (tsc -b)', tool('typescript/bin/tsc'), ['-b']);
  await check('lint and format (biome)', tool('@biomejs/biome/bin/biome'), ['check', '.']);
  await suite('node', [], {});
  await inChromium('components', ['-c', 'vitest.components.config.ts']);
  if (hasTests('preview')) await inChromium('preview', ['-c', 'vitest.e2e.config.ts', 'test/e2e/preview']);
  await inElectron();
}

async function check(name, script, args) {
  console.log(`\n── ${name}`);
  if ((await run(nodeBinary(), [script, ...args])) === 0) totals.passed += 1;
  else fail(name);
}

async function inChromium(name, args) {
  const { path, reason } = findChromium();
  if (path) await suite(name, args, { SEALDESK_CHROMIUM: path });
  else skip(`${name} in Chromium: ${reason}`);
}

async function inElectron() {
  if (!hasTests('electron')) return;
  const { env, before, reason } = await electronRun();
  if (reason) return skip(`e2e in Electron: ${reason}`);
  // What everybody waits for is the main job; the others run before a change is taken.
  const files = (process.env.SEALDESK_TESTS ?? 'short') === 'short' ? 'electron-main-job' : 'electron';
  await suite('electron', ['-c', 'vitest.electron.config.ts', `test/e2e/${files}`], env, before);
}

function hasTests(prefix) {
  const folder = join(root, 'test/e2e');
  return existsSync(folder) && readdirSync(folder).some((name) => name.startsWith(prefix));
}

async function suite(name, args, env, before = []) {
  console.log(`\n── tests: ${name}`);
  const output = join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const words = [...before, nodeBinary(), tool('vitest/vitest.mjs'), 'run', ...args, ...reporters];
  const code = await run(words[0], words.slice(1), env);
  count(name, output, code);
}

function count(name, output, code) {
  if (!existsSync(output)) return fail(`tests: ${name} (no result)`);
  const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
  let ran = 0;
  let failedHere = 0;
  for (const { name: path, assertionResults, status, message } of testResults) {
    const file = relative(root, path);
    for (const { status: state, fullName } of assertionResults) {
      if (state === 'passed') totals.passed += 1;
      else if (state === 'failed') {
        failedHere += 1;
        fail(`${file}: ${fullName}`);
      } else skip(`${file}: ${fullName}`);
      if (state === 'passed' || state === 'failed') ran += 1;
    }
    // A file that could not be loaded, or whose set-up failed, has no failed test of its own.
    if (status === 'failed' && !assertionResults.some(({ status: state }) => state === 'failed')) {
      failedHere += 1;
      fail(`${file}: ${String(message).split('\n')[0]}`);
    }
  }
  if (ran === 0 && failedHere === 0) fail(`tests: ${name} (none ran)`);
  else if (code !== 0 && failedHere === 0) fail(`tests: ${name} (ended with ${code})`);
}

function fail(what) {
  totals.failed += 1;
  failures.push(what);
}

function skip(what) {
  totals.skipped += 1;
  skips.push(what);
}

function report() {
  console.log('');
  for (const what of failures) console.log(`failed   ${what}`);
  for (const what of skips) console.log(`skipped  ${what}`);
  const { passed, failed, skipped } = totals;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}
