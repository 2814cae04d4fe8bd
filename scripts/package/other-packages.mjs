import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildLinux, fpm } from './build.mjs';

/** As pairs of name and function: the packages besides the deb are built from the same folder, and hold it. Nobody installs them here. */
export function checkOtherPackages(unpacked, output, electron) {
  const build = (target, ending, env) => {
    buildLinux(target, { output, electron, env });
    return join(output, readdirSync(output).find((name) => name.endsWith(ending)) ?? `no ${ending}`);
  };
  return [
    [
      'the rpm is built and holds what the folder holds',
      () => rpmMissing() ?? checkRpm(unpacked, build('rpm', '.rpm')),
    ],
    [
      'the tar.gz is built, holds what the folder holds, and its command line starts',
      () => {
        const packer = sevenZip();
        if (!packer) return 'no 7-Zip here (Debian: 7zip), and electron-builder would have to fetch one';
        checkTarGz(unpacked, build('tar.gz', '.tar.gz', { ELECTRON_BUILDER_7ZIP_PATH: packer }));
      },
    ],
    [
      'the AppImage',
      () => 'no package of Debian has its tools (appimagetool with its runtime): npm run release fetches them',
    ],
  ];
}

function rpmMissing() {
  if (!fpm) return 'no CUSTOM_FPM_PATH, and electron-builder would have to fetch one';
  if (spawnSync('rpmbuild', ['--version']).error) return 'no rpmbuild here (Debian: rpm)';
  return null;
}

function sevenZip() {
  const given = process.env.ELECTRON_BUILDER_7ZIP_PATH;
  if (given) return given;
  const found = spawnSync('sh', ['-c', 'command -v 7zz || command -v 7za'], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : null;
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

function checkRpm(unpacked, path) {
  const inside = new Set(rpm(path, '-l').filter((name) => name.startsWith('/opt/Sealdesk/')));
  const lacks = filesOf(unpacked).filter((name) => !inside.has(`/opt/Sealdesk/${name}`));
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

function checkTarGz(unpacked, path) {
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-tar-'));
  try {
    const run = spawnSync('tar', ['-xzf', path, '-C', folder], { encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`tar: ${run.stderr}`);
    const [top = ''] = readdirSync(folder);
    const lacks = filesOf(unpacked).filter((name) => !existsSync(join(folder, top, name)));
    if (lacks.length > 0) throw new Error(`not in it: ${lacks.slice(0, 5).join(', ')}`);
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
    const said = spawnSync(join(folder, top, 'sealdesk-cli'), ['--version'], { encoding: 'utf8', timeout: 60_000 });
    if (said.stdout?.trim() !== version) throw new Error(`sealdesk-cli --version: ${said.stdout}${said.stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}
