import { findChromium } from './browser.mjs';
import { electronRun } from './electron-run.mjs';
import { build, install, nodeBinary, run } from './setup.mjs';
import { supervised } from './supervise.mjs';

/* npm run test:e2e -- FILES…: builds, and runs tests of the window, in Electron and in Chromium; fails where they cannot run, instead of skipping them. */

await supervised(import.meta.filename);
const files = process.argv.slice(2);
if (files.length === 0) files.push('test/e2e');
const { env, before, reason } = await electronRun();
const chromium = findChromium();
const why = reason ?? (chromium.path ? null : chromium.reason);
if (why) {
  console.error(`The tests of the window cannot run here: ${why}.`);
  process.exitCode = 1;
} else if (!(await install()) || !(await build())) {
  process.exitCode = 1;
} else {
  const words = [
    ...before,
    nodeBinary(),
    'node_modules/vitest/vitest.mjs',
    'run',
    '-c',
    'vitest.e2e.config.ts',
    ...files,
  ];
  process.exitCode = await run(words[0], words.slice(1), { ...env, SEALDESK_CHROMIUM: chromium.path });
}
