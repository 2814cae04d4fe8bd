import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { installedNote } from './supervise.mjs';

/** Installs a deb on this machine; these words go to apt-get besides. */
export function installDeb(deb, ...words) {
  writeFileSync(installedNote(), '');
  aptGet('install', '--no-install-recommends', ...words, deb);
}

export function purgeDeb() {
  aptGet('purge', 'sealdesk');
  rmSync(installedNote(), { force: true });
}

function aptGet(...words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const done = spawnSync('apt-get', ['-y', ...words], { encoding: 'utf8', env, timeout: 300_000 });
  if (done.status !== 0)
    throw new Error(`apt-get ${words[0]}: ${`${done.stdout}${done.stderr}${done.error ?? ''}`.slice(-1500)}`);
}
