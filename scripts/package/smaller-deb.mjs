import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { members } from './deb-content.mjs';

/**
 * One thread, because several would cut the file into blocks. The filter turns the relative addresses of x86 code into absolute ones, which repeat; the preset's
 * dictionary of 64 MiB is what unpacking takes of memory.
 */
const xzOptions = ['--threads=1', '--format=xz', '--x86', '--lzma2=preset=9'];

/** Packs the files of a deb again, in place, smaller than dpkg-deb and fpm can; dpkg unpacks it like any other (deb(5)). One whose files are packed by xz already is left as it is. */
export function packSmaller(deb) {
  const parts = members(readFileSync(deb));
  const data = parts.find(({ name }) => name === 'data.tar.gz');
  if (!data) return;
  data.bytes = packed(gunzipSync(data.bytes));
  data.header = Buffer.from(data.header);
  data.header.write('data.tar.xz'.padEnd(16), 0, 'latin1');
  data.header.write(String(data.bytes.length).padEnd(10), 48, 'latin1');
  const padding = (bytes) => (bytes.length % 2 ? [Buffer.from('\n')] : []);
  const files = parts.flatMap(({ header, bytes }) => [header, bytes, ...padding(bytes)]);
  writeFileSync(deb, Buffer.concat([Buffer.from('!<arch>\n'), ...files]));
}

function packed(tar) {
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-deb-'));
  const path = join(folder, 'data.tar');
  try {
    writeFileSync(path, tar);
    const run = spawnSync('xz', [...xzOptions, path], { encoding: 'utf8', env: { PATH: process.env.PATH } });
    if (run.status !== 0) throw new Error(`xz (Debian: xz-utils): ${run.error?.message ?? run.stderr}`);
    return readFileSync(`${path}.xz`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
