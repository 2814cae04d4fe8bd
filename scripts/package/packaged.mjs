import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeBinary, root } from '../setup.mjs';
import { refusesDebuggers } from './debuggers.mjs';
import { missingTool } from './tools.mjs';
import { copyWithInspector } from './with-program.mjs';

/** Tests of the window that hold for what people install, too. */
const lockdown = ['test/e2e/electron-lockdown.test.ts', 'test/e2e/electron-trusted-types.test.ts'];

/** The checks that look into the program: on a copy of the folder that differs in this one fuse. */
export function checkPackaged(folder) {
  return [
    ['the packaged program writes a report', () => withCopy(folder, writesReport)],
    ['the packaged program lets no debugger in', () => refusesDebuggers(folder)],
    ['the packaged program is locked as the tests of the window say', () => withCopy(folder, isLocked)],
  ];
}

async function withCopy(folder, work) {
  const missing = missingTool('xvfb-run', 'xauth');
  if (missing) return missing;
  const parent = mkdtempSync(join(tmpdir(), 'sealdesk-packaged-copy-'));
  try {
    const copy = join(parent, 'program');
    cpSync(folder, copy, { recursive: true });
    const program = join(copy, 'sealdesk');
    await copyWithInspector(join(folder, 'sealdesk'), program);
    work(program);
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

function writesReport(program) {
  onDisplay([join(import.meta.dirname, 'report-check.mjs')], 300_000, { SEALDESK_PACKAGED: program });
}

function isLocked(program) {
  const report = join(dirname(program), 'lockdown.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const words = ['run', '-c', 'vitest.electron.config.ts', ...reporters, ...lockdown];
  onDisplay([join(root, 'node_modules/vitest/vitest.mjs'), ...words], 300_000, { SEALDESK_PACKAGED: program });
  const { numPassedTests, numTotalTests } = JSON.parse(readFileSync(report, 'utf8'));
  // Skipped tests would pass, too.
  if (numTotalTests === 0 || numPassedTests < numTotalTests)
    throw new Error(`${numPassedTests} of ${numTotalTests} passed`);
}

function onDisplay(words, timeout, env = {}) {
  const done = spawnSync('xvfb-run', ['-a', nodeBinary(), ...words], {
    cwd: root,
    encoding: 'utf8',
    timeout,
    env: { ...process.env, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (done.status === 0) return;
  const said = `${done.stdout}${done.stderr}`;
  // Behind the error a test tool lists all that the program printed.
  const error = said.search(/\w*Error: /);
  throw new Error(said.slice(error < 0 ? -1500 : error).slice(0, 1500));
}
