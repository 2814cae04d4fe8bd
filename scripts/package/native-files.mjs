import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';

/* electron-builder packs the native files that are installed here, whatever it builds for: a package for another system would not start. */

const machines = { 62: 'x64', 183: 'arm64' };
const windowsMachines = { 34404: 'x64', 43620: 'arm64' };
const appleMachines = { 16777223: 'x64', 16777228: 'arm64' };
/** electron-builder's numbers of architectures. */
const architectures = { 1: 'x64', 3: 'arm64', 4: 'universal' };
const each = 2;

/** electron-builder's hook: throws if a native file is not of the system and the architecture that are packed. */
export function afterPack({ appOutDir, electronPlatformName, arch }) {
  checkNativeFiles(appOutDir, electronPlatformName, architectures[arch]);
}

/** Throws unless there is a native file for each of the database and the keychain, all of them of this system and architecture. */
export function checkNativeFiles(folder, platform, architecture) {
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.node'));
  if (files.length !== each) throw new Error(`${each} native files expected: ${files.join(', ') || 'none'}`);
  for (const file of files) {
    const is = kindOf(join(folder, file));
    if (is !== `${platform} ${architecture}`) {
      throw new Error(
        `${file} is for ${is}, the package for ${platform} ${architecture}: run npm ci --os=${platform} --cpu=${architecture} first`,
      );
    }
  }
}

/** Such as `linux x64`, by the file’s own header (ELF, PE, Mach-O). */
export function kindOf(path) {
  const head = Buffer.alloc(4096);
  const file = openSync(path, 'r');
  try {
    readSync(file, head, 0, head.length, 0);
  } finally {
    closeSync(file);
  }
  if (head.readUInt32BE(0) === 0x7f454c46) return `linux ${machines[head.readUInt16LE(18)] ?? 'unknown'}`;
  if (head.readUInt32LE(0) === 0xfeedfacf) return `darwin ${appleMachines[head.readUInt32LE(4)] ?? 'unknown'}`;
  if (head.readUInt16LE(0) === 0x5a4d) {
    const at = head.readUInt32LE(0x3c);
    return `win32 ${(at + 6 <= head.length && windowsMachines[head.readUInt16LE(at + 4)]) || 'unknown'}`;
  }
  return 'no native file';
}
