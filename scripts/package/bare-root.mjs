import { spawnSync } from 'node:child_process';
import { copyFileSync, lstatSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asAdministrator, inDebian, run, unpackDebian, whyNoDebian } from './debian.mjs';
import { doMainJob } from './main-job.mjs';
import { checkRpmUpgrade } from './rpm-upgrade.mjs';
import { checkSandboxed } from './sandboxed.mjs';
import { missingTool } from './tools.mjs';
import { withProgram } from './with-program.mjs';

const nobody = '65534';

/**
 * The checks of the deb package in a Debian that holds nothing else, as pairs of name and function: what the package does not declare is not there. The folder of that
 * Debian is made first and removed last. The rpm is installed there, too. `build` runs electron-builder: its target, the folder to pack, the folder for the result, more words.
 */
export function checkBareRoot(deb, build) {
  const why = whyNoDebian(deb);
  if (why !== null) return [['a bare Debian runs it', () => why]];
  const root = mkdtempSync(join(tmpdir(), 'sealdesk-bare-'));
  return [
    ['a bare Debian is made', () => unpackDebian(root)],
    ['a bare Debian installs it with what it declares', () => install(root, deb)],
    ['it names its version there and ends', () => namesVersion(root)],
    ['an ordinary person does the main job there, in the sandbox', () => doesMainJob(root)],
    ['it goes away from there', () => purge(root)],
    ...checkRpmUpgrade(root, build),
    ['the bare Debian goes away again', () => rmSync(root, { recursive: true, force: true })],
  ];
}

function install(root, deb) {
  copyFileSync(deb, join(root, 'root/sealdesk.deb'));
  asAdministrator(root, 'DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ./sealdesk.deb');
}

/** Runs in that Debian as an ordinary person. */
function inside(root, ...words) {
  const options = ['--perms', '1777', '--tmpfs', '/dev/shm', '--chdir', '/tmp', '--setenv', 'HOME', '/tmp'];
  const person = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];
  return inDebian(root, options, ...person, ...words);
}

function namesVersion(root) {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  for (const program of ['/usr/bin/sealdesk', '/usr/bin/sealdesk-cli']) {
    const [command, ...words] = inside(root, program, '--version');
    const said = run(command, words).trim();
    if (said !== version) throw new Error(`${program} said: ${said}`);
  }
}

/** The display is reached by its abstract socket, the port by the shared loopback device. */
async function doesMainJob(root) {
  const noDisplay = missingTool('xvfb-run', 'xauth');
  if (noDisplay) return noDisplay;
  const [command, ...words] = inside(root, 'unshare', '--user', 'true');
  const namespace = spawnSync(command, words, { encoding: 'utf8' });
  // bwrap forbids what a set-user-ID program gains, so without namespaces there is no sandbox at all in there.
  if (namespace.status !== 0) return `an ordinary person gets no user namespace here: ${namespace.stderr.trim()}`;
  const work = async (page, pid) => {
    checkSandboxed(pid);
    await doMainJob(page);
  };
  await withProgram(inside(root, '/usr/bin/sealdesk', '--user-data-dir=/tmp/data'), work, root);
}

function purge(root) {
  run('chroot', [root, 'dpkg', '--purge', 'sealdesk']);
  for (const path of ['opt/Sealdesk', 'usr/bin/sealdesk', 'usr/share/applications/sealdesk.desktop']) {
    if (lstatSync(join(root, path), { throwIfNoEntry: false })) throw new Error(`/${path} is still there`);
  }
}
