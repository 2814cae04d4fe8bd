import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildLinux, findElectron } from '../package/build.mjs';
import { nodeBinary, root, run } from '../setup.mjs';

const platforms = { linux: 'linux', win32: 'win', darwin: 'mac' };
/** What people download; beside it electron-builder leaves folders and its own notes. */
const artefact = /\.(AppImage|deb|rpm|tar\.gz|exe|msi|dmg|zip|blockmap)$|^(latest|beta|alpha)[\w-]*\.yml$/;
/** Unset secrets of a workflow arrive as empty texts. */
const signing = ['CSC_LINK', 'CSC_KEY_PASSWORD', 'APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'];

/** Builds all targets that electron-builder.yml names for this system, of this architecture, into a folder. Throws if one cannot be built. */
export async function buildPackages(folder, without) {
  const platform = platforms[process.platform];
  const all = await targetsOf(platform);
  const unknown = without.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`${unknown.join(', ')} is not built here: ${all.join(', ')}`);
  const targets = all.filter((name) => !without.includes(name));
  const work = join(root, 'release', 'work');
  rmSync(work, { recursive: true, force: true });
  try {
    if (platform === 'linux') packLinux(work, targets);
    else await pack(platform, work, targets);
    mkdirSync(folder, { recursive: true });
    const made = readdirSync(work).filter((name) => artefact.test(name));
    if (made.length < targets.length)
      throw new Error(`${targets.length} packages expected: ${made.join(', ') || 'none'}`);
    for (const name of made) copyFileSync(join(work, name), join(folder, name));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function targetsOf(platform) {
  const { getConfig } = await import('app-builder-lib/out/util/config/config.js');
  const config = await getConfig(root, join(root, 'electron-builder.yml'), null);
  return config[platform].target.map((one) => one.target ?? one);
}

/** In two steps, so that two builds give the same bytes. */
function packLinux(output, targets) {
  const found = findElectron();
  // electron-builder fetches the one that package.json names.
  const electron = found.missing ? {} : found;
  for (const target of ['dir', ...targets]) {
    console.log(`building ${target}`);
    buildLinux(target, { output, electron });
  }
}

/** Signed and notarised in one run: a program must not change after it was signed. */
async function pack(platform, output, targets) {
  for (const name of signing) if (process.env[name] === '') delete process.env[name];
  const words = [
    `--${platform}`,
    ...targets,
    `--${process.arch}`,
    '--publish=never',
    `-c.directories.output=${output}`,
  ];
  const code = await run(nodeBinary(), [join(root, 'node_modules/electron-builder/cli.js'), ...words]);
  if (code !== 0) throw new Error(`electron-builder ended with ${code}`);
}
