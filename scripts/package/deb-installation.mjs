import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Says whose run has the package installed on this machine: the folder of that run. */
const note = '/var/tmp/sealdesk-installed-by-tests';

/** Installs a deb on this machine; these words go to apt-get besides. */
export function installDeb(deb, ...words) {
  writeFileSync(note, tmpdir());
  aptGet('install', '--no-install-recommends', ...words, deb);
}

export function purgeDeb() {
  aptGet('purge', 'sealdesk');
  rmSync(note, { force: true });
}

/** Takes away what a run with this folder has installed and could not take away itself. */
export function purgeDebOf(folder) {
  if (!existsSync(note) || !`${readFileSync(note, 'utf8')}/`.startsWith(`${folder}/`)) return;
  // It may have been ended in the middle of an installation.
  spawnSync('dpkg', ['--configure', '-a'], { stdio: 'ignore' });
  purgeDeb();
}

function aptGet(...words) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const done = spawnSync('apt-get', ['-y', ...words], { encoding: 'utf8', env, timeout: 300_000 });
  if (done.status !== 0)
    throw new Error(`apt-get ${words[0]}: ${`${done.stdout}${done.stderr}${done.error ?? ''}`.slice(-1500)}`);
}
