import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCommandLine } from './command-line.mjs';
import { installDeb, purgeDeb } from './deb-installation.mjs';
import { doMainJob } from './main-job.mjs';
import { checkSandboxed } from './sandboxed.mjs';
import { missingTool } from './tools.mjs';
import { withProgram } from './with-program.mjs';

const program = '/opt/Sealdesk/sealdesk';
const nobody = 65534;
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];

/** The checks of an installed deb package, as pairs of name and function, these `more` among them; installs it first and removes it last. */
export function checkInstalled(deb, more) {
  const why = whyNot(deb);
  if (why !== null) return [['the installed program does its main job', () => why]];
  return [
    ['the package installs', () => install(deb)],
    ['the installed program does its main job', doMainJobInstalled],
    ...more,
    ...checkCommandLine(),
    ['the package goes away again', remove],
  ];
}

function whyNot(deb) {
  if (!deb) return 'no deb package';
  if (process.getuid?.() !== 0) return 'only as root can a package be installed';
  const missing = missingTool('dpkg', 'xvfb-run', 'xauth', 'setpriv');
  if (missing) return missing;
  if (existsSync(program)) return 'Sealdesk is installed here already and is left alone';
  return null;
}

function install(deb) {
  installDeb(deb);
  if (!existsSync(program)) throw new Error(`${program} is not there`);
  for (const file of ['/usr/bin/sealdesk', '/usr/bin/sealdesk-cli', '/usr/share/applications/sealdesk.desktop']) {
    if (!existsSync(file)) throw new Error(`${file} is not there`);
  }
}

function remove() {
  purgeDeb();
  for (const file of [program, '/usr/bin/sealdesk-cli']) {
    if (lstatSync(file, { throwIfNoEntry: false })) throw new Error(`${file} is still there`);
  }
}

/** As an ordinary person in the sandbox; where the host gives such a person no namespaces, the sandbox is left out and the rest is checked. */
async function doMainJobInstalled() {
  const home = mkdtempSync(join(tmpdir(), 'sealdesk-installed-'));
  chownSync(home, nobody, nobody);
  const [setpriv, ...words] = asNobody;
  const isSandboxed = spawnSync(setpriv, [...words, 'unshare', '--user', 'true']).status === 0;
  if (!isSandboxed) console.log('        without the sandbox: an ordinary person gets no user namespace here');
  const settings = ['env', `HOME=${home}`, `XDG_RUNTIME_DIR=${home}`, '/usr/bin/sealdesk'];
  const sandbox = isSandboxed ? [] : ['--no-sandbox'];
  try {
    await withProgram([...asNobody, ...settings, ...sandbox, `--user-data-dir=${home}/data`], async (page, pid) => {
      if (isSandboxed) checkSandboxed(pid);
      await doMainJob(page);
    });
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
