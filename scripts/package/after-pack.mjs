import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterPack as checkPlatform } from './native-files.mjs';

/** electron-builder’s number of this machine’s architecture. */
const ownArchitecture = { x64: 1, arm64: 3 }[process.arch];
/** What Electron hands out with symbols that only its makers read. */
const withSymbols = [
  'sealdesk',
  'chrome_crashpad_handler',
  'chrome-sandbox',
  'libEGL.so',
  'libGLESv2.so',
  'libffmpeg.so',
];
/** 3D in software, for WebGL on a computer without a graphics card: no page here uses it, and electron/main.ts switches it off. */
const unused = ['libvk_swiftshader.so', 'vk_swiftshader_icd.json', 'libvulkan.so.1'];

/** electron-builder’s hook, before the fuses are set and before anything is signed. */
export function afterPack(context) {
  checkPlatform(context);
  if (context.electronPlatformName === 'linux') slim(context.appOutDir, context.arch);
}

/** 9 MB of licences are 1 MB as Linux keeps its documents: compressed. Another architecture’s programs stay as they came. */
function slim(folder, architecture) {
  const licences = join(folder, 'LICENSES.chromium.html');
  // No time of day in it: two builds are byte-equal.
  writeFileSync(`${licences}.gz`, gzipSync(readFileSync(licences), { level: 9 }));
  rmSync(licences);
  for (const name of unused) rmSync(join(folder, name));
  if (process.platform !== 'linux' || architecture !== ownArchitecture) return;
  const done = spawnSync('strip', ['--strip-unneeded', ...withSymbols.map((name) => join(folder, name))], {
    encoding: 'utf8',
  });
  if (done.status !== 0) throw new Error(`strip (of binutils) is needed: ${done.error?.message ?? done.stderr}`);
}
