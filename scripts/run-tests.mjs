import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { absentPrograms } from './absent-programs.mjs';
import { findChromium } from './browser.mjs';
import { electronRun } from './electron-run.mjs';
import { loadText, slowness } from './machine-load.mjs';
import { build, install, nodeBinary, root } from './setup.mjs';
import { findSlow, timesTable, undelayedSeconds, waitedShare, watchPrograms } from './test-times.mjs';

/* What npm test runs: one queue for two processors. The last line is `N passed, N failed`, with what was skipped above it. */

const results = join(root, 'test-results');
const fileTimes = join(results, 'file-times.jsonl');
const length = process.argv[2] ?? process.env.SEALDESK_TESTS ?? 'short';
const { slow, longer, longest } = JSON.parse(readFileSync(join(root, 'test/lengths.json'), 'utf8'));
const totals = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const skips = [];
const suites = [];
/** By a file of tests, how it is run. */
const runsOf = new Map();
const began = performance.now();
const programs = watchPrograms();
/** Measured before anything else runs, and after: a machine's speed changes with what its host does. */
let slowerHere = 1;

process.env.SEALDESK_TESTS = length;
if (!['short', 'ci', 'all'].includes(length)) fail(`the length ${length}: it may be short, ci, all`);
else if (!(await install())) fail('installation');
else await everything();
if (suites.length > 0) await reportTimes();
report();

async function everything() {
  slowerHere = slowness(nodeBinary());
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const chromium = findChromium();
  const electron = await electronRun();
  tellMissing(chromium, electron);
  // Nothing waits for these, and they need nothing that is built.
  const checks = [
    check('types', 'typescript/bin/tsc', '-b', '--singleThreaded'),
    check('lint', '@biomejs/biome/bin/biome', 'check', '.'),
  ];
  const isBuilt = await build();
  if (!isBuilt) fail('build');
  await Promise.all([...checks, ...(isBuilt ? [mainSuite(chromium, electron), besides(chromium, electron)] : [])]);
  if (!isBuilt) return;
  if (length === 'all') await longRuns();
}

/** The files of longer runs. */
function leftOut() {
  return Object.keys({ short: { ...longer, ...longest }, ci: longest, all: {} }[length]);
}

function excluding() {
  return leftOut().map((file) => `--exclude=${file}`);
}

/** Node and the window in Chromium, longest file first. */
async function mainSuite({ path }, { env }) {
  const words = excluding();
  // These have runs of their own at full length, with a table.
  if (length === 'all') words.push('--exclude=test/faults/**', '--exclude=test/team/**');
  await suite('tests', words, { ...env, ...(path ? { SEALDESK_CHROMIUM: path } : {}) });
}

/** What is one program and one window at a time, beside the others. */
async function besides(chromium, electron) {
  if (chromium.path)
    await suite('components', ['-c', 'vitest.components.config.ts', ...excluding()], {
      SEALDESK_CHROMIUM: chromium.path,
    });
  else skip(`components and window in Chromium: ${chromium.reason}`);
  if (electron.reason) return skip(`window in Electron: ${electron.reason}`);
  const files = length === 'short' ? 'test/e2e/electron-main-job' : 'test/e2e/electron';
  await suite('electron', ['-c', 'vitest.electron.config.ts', ...excluding(), files], electron.env, electron.before);
}

/** Everything else that is there, one after another: each wants the machine for itself. */
async function longRuns() {
  const commands = [
    'test:faults',
    'test:faults -- --busy',
    'test:team',
    'test:verdict',
    'test:hostile',
    'test:fuzz',
    'test:large',
    'test:archive',
    'test:package',
    'test:defects',
  ];
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const isOnce = (name) => name === 'bench' || !scripts.bench.includes(scripts[name]);
  const benches = Object.keys(scripts).filter((name) => name.startsWith('bench') && isOnce(name));
  for (const name of [...commands, ...benches]) {
    if ((await timed(name, ['npm', 'run', '--silent', ...name.split(' ')])) === 0) totals.passed += 1;
    else fail(`npm run ${name}`);
  }
}

function tellMissing({ reason: noChromium }, { reason: noElectron }) {
  const absent = absentPrograms();
  if (noChromium) absent.push(`a Chromium (${noChromium})`);
  if (noElectron) absent.push(`Electron (${noElectron})`);
  if (absent.length > 0) console.log(`Not here, so what needs it cannot be tried: ${absent.join(', ')}.`);
}

async function check(name, script, ...words) {
  if ((await timed(name, [nodeBinary(), join(root, 'node_modules', script), ...words])) === 0) totals.passed += 1;
  else fail(name);
}

async function suite(name, args, env, before = []) {
  const output = join(results, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const config = args.slice(0, args[0] === '-c' ? 2 : 0);
  const run = (times, ...more) =>
    timed(name, [...before, nodeBinary(), join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...more], {
      ...env,
      SEALDESK_FILE_TIMES: times,
    });
  const files = count(name, output, await run(fileTimes, ...args, ...reporters));
  for (const file of files) runsOf.set(file, (times, ...more) => run(times, ...config, file, ...more));
}

/** Runs a program, says of each line whose it is, and notes how long it took. */
function timed(name, [program, ...words], env = {}) {
  const start = performance.now();
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  const shell = program === 'npm' && process.platform === 'win32';
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell, env: { ...process.env, PATH: path, ...env } };
  const child = spawn(program, words, options);
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (text) => console.log(`${name.padEnd(10)} │ ${text}`));
  }
  return new Promise((done) => {
    child.once('error', () => done(127));
    child.once('close', (code) => {
      const seconds = (performance.now() - start) / 1000;
      suites.push({ name, seconds, processorSeconds: programs.secondsOf(child.pid) });
      done(code ?? 1);
    });
  });
}

/** Counts what a suite says of its tests; gives its files. */
function count(name, output, code) {
  if (!existsSync(output)) {
    fail(`tests: ${name} (no result)`);
    return [];
  }
  const { testResults } = JSON.parse(readFileSync(output, 'utf8'));
  let ran = 0;
  let failedHere = 0;
  for (const { name: path, assertionResults, status, message } of testResults) {
    const file = relative(root, path);
    if (leftOut().includes(file)) fail(`${file}: is of a longer run`);
    for (const { status: state, fullName, failureMessages } of assertionResults) {
      if (state === 'passed') totals.passed += 1;
      else if (state === 'failed') {
        failedHere += 1;
        fail(`${file}: ${fullName}: ${firstWords(failureMessages?.[0])}`);
      } else skip(`${file}: ${fullName}`);
      if (state === 'passed' || state === 'failed') ran += 1;
    }
    // A file that could not be loaded, or whose set-up failed, has no failed test of its own.
    if (status === 'failed' && !assertionResults.some(({ status: state }) => state === 'failed')) {
      failedHere += 1;
      fail(`${file}: ${firstWords(message)}`);
    }
  }
  if (ran === 0 && failedHere === 0) fail(`tests: ${name} (none ran)`);
  else if (code !== 0 && failedHere === 0) fail(`tests: ${name} (ended with ${code})`);
  return testResults.map(({ name: path }) => relative(root, path));
}

/** Of why something failed: of a long log often only its end is kept. Without the colours of a terminal. */
function firstWords(message) {
  const lines = stripVTControlCharacters(String(message)).split('\n');
  const places = lines.findIndex((line) => /^\s+at /.test(line));
  return lines
    .slice(0, places === -1 ? 20 : places)
    .join(' ')
    .replace(/\s+/g, ' ')
    .slice(0, 600);
}

/** Times of all files: their own word, and that of the runner about those in the browser. None has the time in it in which others had the processors. */
function timesOfFiles(times = fileTimes, inBrowser = join(results, 'components.json')) {
  const told = existsSync(times) ? readFileSync(times, 'utf8').split('\n').filter(Boolean) : [];
  const rows = told.map((text) => JSON.parse(text));
  const filesOf = (pid) => rows.filter((row) => row.pid === pid).length;
  const files = rows.map(({ file, pid, seconds, used, delay }) => {
    // Of a process that ran several files nobody knows whose its programs were.
    const below = filesOf(pid) === 1 ? programs.secondsOf(pid) : null;
    const known = process.platform === 'linux' ? Math.max(used, below ?? 0) : null;
    const own = undelayedSeconds(seconds, known, delay);
    return { file: relative(root, file), seconds: own, waited: waitedShare(own, known) };
  });
  const { testResults } = existsSync(inBrowser) ? JSON.parse(readFileSync(inBrowser, 'utf8')) : { testResults: [] };
  const usual = rows.reduce((sum, { delay }) => sum + delay, 0) / Math.max(1, rows.length);
  return [
    ...files,
    ...testResults
      .filter(({ name }) => !rows.some((row) => row.file === name))
      .map(({ name, startTime, endTime }) => ({
        file: relative(root, name),
        seconds: undelayedSeconds((endTime - startTime) / 1000, null, usual),
        waited: null,
      })),
  ];
}

/** Too slow is a failure in CI, unless others made it so, or it is not so when it runs once more and alone: a disk stands still now and then. At full length it only says which are slow. */
async function reportTimes() {
  const load = programs.others();
  slowerHere = Math.max(slowerHere, slowness(nodeBinary()));
  const seconds = (performance.now() - began) / 1000;
  const files = timesOfFiles();
  const all = { name: 'all', seconds, processorSeconds: programs.allSeconds() };
  console.log(
    `\n${timesTable(files, [...suites, all])}\n\n${loadText(load)}; this machine is ${slowerHere.toFixed(1)} times as slow as the one of the limits`,
  );
  // Half of the time is now 48 %, now 52 %: what is at its limit is named, and a run is red for what is clearly over it.
  const clearly = findSlow(files, slow, 1.25, slowerHere);
  const isStrict = process.env.CI && length !== 'all' && !load.isBusy;
  for (const found of findSlow(files, slow, 1, slowerHere)) {
    const again = isStrict && clearly.some(({ file }) => file === found.file) ? await slowAgain(found.file) : null;
    if (again) fail(`slow, twice: ${again.text}`);
    else console.log(`slow     ${found.text}`);
  }
  programs.stop();
}

/** What is slow of a file that runs once more, alone; undefined if nothing is. */
async function slowAgain(file) {
  const [times, output] = [join(results, 'file-times-again.jsonl'), join(results, 'again.json')];
  for (const path of [times, output]) rmSync(path, { force: true });
  await runsOf.get(file)(times, '--reporter=json', `--outputFile.json=${output}`);
  return findSlow(timesOfFiles(times, output), slow, 1.25, slowerHere).find((found) => found.file === file);
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
