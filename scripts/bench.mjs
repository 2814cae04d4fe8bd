import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { electronRun } from './electron-run.mjs';
import { build, install, nodeBinary, root, run } from './setup.mjs';
import { supervised } from './supervise.mjs';

/*
 * npm run bench:NAME: builds, and runs bench/NAME.ts, with Electron and a display where they can be had.
 * npm run bench: runs all of them but the quick one, one after the other, with the options that it is given; the last line is `N passed, N failed`. With `--small` that takes
 * a minute, as CI does it. A bench that writes into the repository without `--write` has failed.
 */

/** The exit code of a bench that cannot run on this machine. */
const cannotRun = 3;

await supervised(import.meta.filename);
const [name, ...options] = process.argv.slice(2);
if (!(await install()) || !(await build())) process.exit(1);
const { env = {}, before = [], reason } = await electronRun();
if (reason) console.log(`No Electron: ${reason}`);
if (name && !name.startsWith('-')) process.exitCode = await bench(name, options);
else await all(name ? [name, ...options] : options);

function bench(which, words) {
  const [program, ...args] = [...before, nodeBinary(), join('bench', `${which}.ts`), ...words];
  return run(program, args, env);
}

async function all(words) {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = Object.keys(scripts).flatMap((script) => script.match(/^bench:(?!quick$)(.+)/)?.[1] ?? []);
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const which of names) {
    console.log(`\n── bench:${which}`);
    const state = tree();
    const code = await bench(which, words);
    const hasWritten = tree() !== state && !words.includes('--write');
    // As with tests: in CI all is there, but an Electron that cannot be fetched.
    const isSkipped = code === cannotRun && (!process.env.CI || reason);
    const why = hasWritten ? 'it wrote into the repository' : code !== 0 && !isSkipped ? `ended with ${code}` : null;
    if (why) console.log(`failed   bench:${which}: ${why}`);
    else if (isSkipped) console.log(`skipped  bench:${which}`);
    totals[why ? 'failed' : isSkipped ? 'skipped' : 'passed'] += 1;
  }
  const { passed, failed, skipped } = totals;
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

/** What differs from the last commit, where there is a history. */
function tree() {
  try {
    return execFileSync('git', ['status', '--porcelain'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  }
}
