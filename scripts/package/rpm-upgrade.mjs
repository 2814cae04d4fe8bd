import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSmallProgram } from './small-program.mjs';
import { missingTool } from './tools.mjs';

const versions = ['0.1.0', '0.2.0'];

/**
 * The checks of the rpm’s own scripts, as pairs of name and function: rpm installs, upgrades and removes in the folder `root` of a Linux, with the scripts run in there. The
 * payload is a script in the program’s place, because only who owns /usr/bin/sealdesk afterwards is asked. `build` runs electron-builder with more words.
 */
export function checkRpmUpgrade(root, build) {
  return [['the rpm keeps the command through an upgrade and takes it along at last', () => upgrade(root, build)]];
}

function upgrade(root, build) {
  const missing = missingTool('rpm', 'rpmbuild');
  if (missing) return missing;
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-rpm-'));
  try {
    const [older, newer] = versions.map((version) => packed(folder, version, build));
    rpm(root, '--install', older);
    says(root, versions[0]);
    rpm(root, '--upgrade', newer);
    says(root, versions[1]);
    rpm(root, '--erase', 'sealdesk');
    for (const path of ['usr/bin/sealdesk', 'opt/Sealdesk/sealdesk']) {
      if (lstatSync(join(root, path), { throwIfNoEntry: false })) throw new Error(`/${path} is still there`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function packed(parent, version, build) {
  const program = join(parent, version);
  const output = join(parent, `out-${version}`);
  makeSmallProgram(program, version);
  build('rpm', program, output, [`-c.extraMetadata.version=${version}`]);
  return join(
    output,
    readdirSync(output).find((name) => name.endsWith('.rpm')),
  );
}

/** What it depends on is not there: another kind of Linux holds the folder. */
function rpm(root, word, what) {
  const done = spawnSync('rpm', [`--root=${root}`, '--nodeps', word, what], { encoding: 'utf8', timeout: 120_000 });
  // rpm ends with 0 where a script after the installation fails, and says so.
  if (done.status !== 0 || /scriptlet failed/.test(done.stderr)) throw new Error(`rpm ${word}: ${done.stderr}`);
}

function says(root, version) {
  if (!existsSync(join(root, 'opt/Sealdesk/sealdesk'))) throw new Error('the program is not there');
  const done = spawnSync('chroot', [root, '/usr/bin/sealdesk'], { encoding: 'utf8' });
  if (done.stdout.trim() !== version) throw new Error(`/usr/bin/sealdesk said ${done.stdout}${done.stderr}`);
}
