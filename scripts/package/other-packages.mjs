import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { which } from '../setup.mjs';
import { buildLinux, findElectron, fpm, unpacked } from './build.mjs';
import { missingTool } from './tools.mjs';

/**
 * The packages besides the deb, built from the folder that lies in `output` by a process of its own: packing may take minutes of one processor, and the other checks go on
 * meanwhile. Answers the checks of them, as pairs of name and function. Nobody installs them here.
 */
export function startOtherPackages(output) {
  const folder = unpacked(output);
  const packer = sevenZip();
  const missing = { rpm: rpmMissing(), 'tar.gz': packer ? null : missingTool('7zz') };
  const targets = Object.keys(missing).filter((target) => missing[target] === null);
  const env = { ...process.env, ...(packer ? { ELECTRON_BUILDER_7ZIP_PATH: packer } : {}) };
  const child = spawn(process.execPath, [import.meta.filename, output, ...targets], { env });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  const ended = new Promise((resolve) => child.once('close', resolve));
  const built = async (ending) => {
    if ((await ended) !== 0) throw new Error(said.slice(-3000));
    return join(output, readdirSync(output).find((name) => name.endsWith(ending)) ?? `no ${ending}`);
  };
  return [
    [
      'the rpm is built and holds what the folder holds',
      async () => missing.rpm ?? checkRpm(folder, await built('.rpm')),
    ],
    [
      'the tar.gz is built, holds what the folder holds, and its command line starts',
      async () => missing['tar.gz'] ?? checkTarGz(folder, await built('.tar.gz')),
    ],
    [
      'the AppImage is built',
      () =>
        'no package of Debian has its tools (appimagetool with its runtime); npm run release has electron-builder fetch them',
    ],
  ];
}

function rpmMissing() {
  if (!fpm) return 'no CUSTOM_FPM_PATH, and electron-builder would have to fetch one';
  return missingTool('rpm', 'rpmbuild');
}

function sevenZip() {
  return process.env.ELECTRON_BUILDER_7ZIP_PATH ?? which('7zz') ?? which('7za');
}

function rpm(path, ...words) {
  const run = spawnSync('rpm', ['-q', '-p', '--nosignature', ...words, path], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (run.status !== 0) throw new Error(`rpm ${words.join(' ')}: ${run.stderr}`);
  return run.stdout.trim().split('\n');
}

/** Without these the program does not start: what Chromium loads by name, and what electron-builder’s own list lacks. */
const neededByRpm = ['libdrm', 'mesa-libgbm', 'alsa-lib', 'libX11-xcb.so.1()(64bit)', 'nss', 'gtk3', 'libsecret'];

function checkRpm(folder, path) {
  const inside = new Set(rpm(path, '-l').filter((name) => name.startsWith('/opt/Sealdesk/')));
  const lacks = filesOf(folder).filter((name) => !inside.has(`/opt/Sealdesk/${name}`));
  if (lacks.length > 0) throw new Error(`not in it: ${lacks.slice(0, 5).join(', ')}`);
  const needs = rpm(path, '--requires').join('\n');
  const undeclared = neededByRpm.filter((name) => !needs.includes(name));
  if (undeclared.length > 0) throw new Error(`not declared: ${undeclared.join(', ')}`);
  const scripts = rpm(path, '--scripts').join('\n');
  for (const own of ['linux-after-install.sh', 'linux-after-remove.sh']) {
    const text = readFileSync(join(import.meta.dirname, '../../assets/installer', own), 'utf8');
    const line = text.split('\n').findLast((one) => one.trim().length > 20 && !/[${]/.test(one));
    if (line && !scripts.includes(line.trim())) throw new Error(`${own} is not among its scripts`);
  }
}

function checkTarGz(folder, path) {
  const copy = mkdtempSync(join(tmpdir(), 'sealdesk-tar-'));
  try {
    const run = spawnSync('tar', ['-xzf', path, '-C', copy], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`tar: ${run.stderr}`);
    const [top = ''] = readdirSync(copy);
    const lacks = filesOf(folder).filter((name) => !existsSync(join(copy, top, name)));
    if (lacks.length > 0) throw new Error(`not in it: ${lacks.slice(0, 5).join(', ')}`);
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    const said = spawnSync(join(copy, top, 'sealdesk-cli'), ['--version'], { encoding: 'utf8', timeout: 60_000 });
    if (said.stdout?.trim() !== version) throw new Error(`sealdesk-cli --version: ${said.stdout}${said.stderr}`);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

// The process of its own.
if (process.argv[1] === import.meta.filename) {
  const [output, ...targets] = process.argv.slice(2);
  for (const target of targets) buildLinux(target, { output, electron: findElectron() });
}
