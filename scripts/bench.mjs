import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { electronRun } from './electron-run.mjs';
import { build, install, nodeBinary, root, run } from './setup.mjs';

/*
 * npm run bench:NAME: builds, and runs bench/NAME.ts, with Electron and a display where they can be had.
 * npm run bench: runs all of them but the quick one, one after the other, with the options that it is given; the last line is `N passed, N failed`. With `--small` that takes
 * a minute, as CI does it. A bench that writes into the repository without `--write` has failed.
 */

/** The exit code of a bench that cannot run on this machine. */
const cannotRun = 3;

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
    if (hasWritten) console.log(`failed   bench:${which}: it wrote into the repository`);
    else if (code === cannotRun) console.log(`skipped  bench:${which}`);
    else if (code !== 0) console.log(`failed   bench:${which}: ended with ${code}`);
    totals[hasWritten ? 'failed' : code === cannotRun ? 'skipped' : code === 0 ? 'passed' : 'failed'] += 1;
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
