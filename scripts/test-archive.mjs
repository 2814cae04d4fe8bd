import { join } from 'node:path';
import { electronRun } from './electron-run.mjs';
import { build, checkNode, install, nodeBinary, root, run } from './setup.mjs';
import { supervised } from './supervise.mjs';

/* npm run test:archive [-- FILES]: the stories of a verified and of a watched archive in real Electron, with 5,000 files unless said otherwise. */

const stories = ['test/e2e/electron-verify.test.ts', 'test/e2e/electron-archive.test.ts'];
/** Registering 5,000 files is most of it: a minute on two cores. */
const longestStepMs = 600_000;

checkNode();
await supervised(import.meta.filename);
process.exitCode = (await install()) && (await build()) ? await tell(process.argv[2] ?? '5000') : 1;

async function tell(files) {
  const { env, before, reason } = await electronRun();
  if (reason) {
    console.error(`Not run: ${reason}`);
    return 1;
  }
  const limits = [`--testTimeout=${longestStepMs}`, `--hookTimeout=${longestStepMs}`];
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const words = [...before, nodeBinary(), vitest, 'run', '-c', 'vitest.e2e.config.ts', ...stories, ...limits];
  return run(words[0], words.slice(1), { ...env, SEALDESK_ARCHIVE_FILES: files });
}
