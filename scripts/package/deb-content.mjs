import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Fingerprint of the content of a deb, however it is compressed: xz gives the same bytes for the same content. One field is left out, Installed-Size. Some programs that
 * stand in for fpm ask the file system for it, which counts blocks of its own in one copy and not in the next.
 */
export function debFingerprint(path) {
  const hash = createHash('sha256');
  for (const { name, bytes } of members(readFileSync(path))) {
    if (name.startsWith('data.tar')) hash.update(hashOfFiles(path));
    else if (!name.startsWith('control.tar')) hash.update(bytes);
  }
  const folder = mkdtempSync(join(tmpdir(), 'sealdesk-deb-'));
  try {
    const done = spawnSync('dpkg-deb', ['--control', path, folder], { encoding: 'utf8', timeout: 60_000 });
    if (done.status !== 0) throw new Error(`dpkg-deb: ${done.stderr}${done.error ?? ''}`);
    for (const name of readdirSync(folder).sort()) {
      hash.update(`${name}\n${readFileSync(join(folder, name), 'utf8').replace(/^Installed-Size: \d+$/m, '')}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return hash.digest('hex');
}

/** Of the archive with the files, as it is before it is compressed. */
function hashOfFiles(path) {
  const piped = ['-o', 'pipefail', '-c', 'dpkg-deb --fsys-tarfile "$0" | sha256sum', path];
  const done = spawnSync('bash', piped, { encoding: 'utf8', timeout: 300_000 });
  if (done.status !== 0) throw new Error(`dpkg-deb: ${done.stderr}${done.error ?? ''}`);
  return done.stdout;
}

/** The files of an ar archive (ar(5)) with name, header and bytes: a header of 60 bytes before each, which has the name at 0 and the size at 48. */
export function members(ar) {
  if (ar.toString('latin1', 0, 8) !== '!<arch>\n') throw new Error('no deb');
  const found = [];
  for (let at = 8; at + 60 <= ar.length; ) {
    const size = Number(ar.toString('latin1', at + 48, at + 58).trim());
    if (!Number.isSafeInteger(size) || size <= 0) throw new Error('a deb with a damaged header');
    const header = ar.subarray(at, at + 60);
    const name = header.toString('latin1', 0, 16).trim().replace(/\/$/, '');
    found.push({ name, header, bytes: ar.subarray(at + 60, at + 60 + size) });
    at += 60 + size + (size % 2);
  }
  return found;
}
