import { spawnSync } from 'node:child_process';
import { missingTool } from './tools.mjs';

/** As pairs of name and function: lintian finds no error in the deb but those that assets/installer/lintian-overrides gives reasons for. */
export function checkLintian(deb) {
  return [['lintian finds no error in the deb', () => inspect(deb)]];
}

function inspect(deb) {
  const missing = deb ? missingTool('lintian') : 'no deb package';
  if (missing) return missing;
  const run = spawnSync('lintian', ['--tag-display-limit', '0', '--fail-on', 'error', ...asRoot(), deb], {
    encoding: 'utf8',
    timeout: 300_000,
  });
  const errors = run.stdout.split('\n').filter((line) => line.startsWith('E: '));
  if (errors.length > 0) throw new Error(errors.slice(0, 20).join('; '));
  if (run.status !== 0) throw new Error(`lintian ended with ${run.status ?? run.signal}: ${run.stderr.slice(-500)}`);
}

const asRoot = () => (process.getuid?.() === 0 ? ['--allow-root'] : []);
