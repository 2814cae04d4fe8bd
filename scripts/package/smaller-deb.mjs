import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { members } from './deb-content.mjs';

/**
 * One thread, because several would cut the file into blocks. The filter turns the relative addresses of x86 code into absolute ones, which repeat; the preset's
 * dictionary of 64 MiB is what unpacking takes of memory.
 */
const options = ['--threads=1', '--format=xz', '--x86', '--lzma2=preset=9'];

/** Packs the files of a deb again, in place, smaller than dpkg-deb and fpm can; dpkg unpacks it like any other (deb(5)). */
export function packSmaller(deb) {
  const parts = members(readFileSync(deb));
  const data = parts.find(({ name }) => name === 'data.tar.xz');
  if (!data) throw new Error(`a deb whose files are not packed by xz: ${parts.map(({ name }) => name).join(', ')}`);
  data.bytes = packedAgain(data.bytes);
  data.header = Buffer.from(data.header);
  data.header.write(String(data.bytes.length).padEnd(10), 48, 'latin1');
  const padding = (bytes) => (bytes.length % 2 ? [Buffer.from('\n')] : []);
  const files = parts.flatMap(({ header, bytes }) => [header, bytes, ...padding(bytes)]);
  writeFileSync(deb, Buffer.concat([Buffer.from('!<arch>\n'), ...files]));
}

function packedAgain(bytes) {
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-deb-'));
  const path = join(folder, 'data.tar');
  try {
    writeFileSync(`${path}.xz`, bytes);
    xz('--decompress', `${path}.xz`);
    xz(...options, path);
    return readFileSync(`${path}.xz`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function xz(...words) {
  // Without XZ_OPT and XZ_DEFAULTS of whoever builds.
  const run = spawnSync('xz', words, { encoding: 'utf8', env: { PATH: process.env.PATH } });
  if (run.status !== 0) throw new Error(`xz (Debian: xz-utils): ${run.error?.message ?? run.stderr}`);
}
