import { spawnSync } from 'node:child_process';
import { root } from '../setup.mjs';

/** What the checks are about that a usual run leaves out. */
const guarded = [
  'assets/icons',
  'assets/installer',
  'assets/policies',
  'docs/deployment.md',
  'electron-builder.yml',
  'electron/start.ts',
  'electron/store/database',
  'package-lock.json',
  'renderer/viewer/vite.config.ts',
  'renderer/vite.config.ts',
  'scripts/build.mjs',
  'scripts/linux-docs.ts',
  'scripts/man-pages.ts',
  'scripts/package',
  'scripts/test-package.mjs',
  'scripts/vite.node.config.ts',
];

/**
 * Whether the packages are tested at full length, and why. `all` asks for it; in `ci` it is done where a file that these checks guard differs from the commit before, or
 * where nobody can say so. The commit before is where the branch left the main one, and on that one the first parent.
 */
export function packageTestLength(length = process.env.SEALDESK_TESTS ?? 'short', folder = root) {
  if (length === 'all') return { isFull: true, why: 'asked for' };
  if (length !== 'ci') return { isFull: false, why: 'SEALDESK_TESTS=all makes the long ones, too' };
  const base = commitBefore(folder);
  if (base === null) return { isFull: true, why: 'the commit before is not known here' };
  const changed = changedSince(base, folder);
  if (changed.length > 0) return { isFull: true, why: `changed since ${base.slice(0, 10)}: ${changed[0]}` };
  return { isFull: false, why: `nothing that the long ones guard has changed since ${base.slice(0, 10)}` };
}

function commitBefore(folder) {
  const head = git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD');
  for (const main of ['origin/main', 'main']) {
    const base = git(folder, 'merge-base', 'HEAD', main);
    if (base && base !== head) return base;
  }
  return git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD^1^{commit}') || null;
}

/** What was not committed yet, too. */
function changedSince(base, folder) {
  const differing = git(folder, 'diff', '--name-only', base, '--', ...guarded);
  const untracked = git(folder, 'ls-files', '--others', '--exclude-standard', '--', ...guarded);
  if (differing === null || untracked === null) return ['unknown'];
  return `${differing}\n${untracked}`.split('\n').filter((name) => name !== '');
}

function git(cwd, ...words) {
  const done = spawnSync('git', words, { cwd, encoding: 'utf8' });
  return done.status === 0 ? done.stdout.trim() : null;
}
