import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, lutimesSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/* What would differ between two builds of one commit: times, modes that follow the umask, and what gzip notes about the file that it packs. */

/** Seconds since 1970 that a build carries in place of its own time: SOURCE_DATE_EPOCH, else the time of the commit, else the day of the newest version in CHANGELOG.md. */
export function sourceDate(root) {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given) {
    if (!/^\d{1,10}$/.test(given)) throw new Error(`SOURCE_DATE_EPOCH is no number of seconds: ${given}`);
    return Number(given);
  }
  const commit = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  if (commit.status === 0) return Number(commit.stdout.trim());
  const day = /^## \S+ \((\d{4}-\d{2}-\d{2})\)$/m.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))?.[1];
  if (!day) throw new Error('CHANGELOG.md names no version with its day');
  return Date.parse(`${day}T12:00:00Z`) / 1000;
}

/** Gives everything in a folder this time, and the modes 0755 and 0644. */
export function settleFolder(folder, seconds) {
  const entries = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  for (const path of [folder, ...entries]) {
    const found = lstatSync(path);
    if (!found.isSymbolicLink()) chmodSync(path, found.isDirectory() || found.mode & 0o100 ? 0o755 : 0o644);
  }
  // Afterwards and from below, so that nothing renews the time of a folder.
  for (const path of [...entries.reverse(), folder]) lutimesSync(path, seconds, seconds);
}

/** The same gzip file without name and time in its header (RFC 1952). */
export function withPlainHeader(gzip) {
  const [first, second, method, flags] = gzip;
  if (first !== 0x1f || second !== 0x8b || method !== 8) throw new Error('no gzip file');
  const name = 0x08;
  if ((flags & ~name) !== 0) throw new Error(`a gzip header with flags that are not expected: ${flags}`);
  const body = flags & name ? gzip.indexOf(0, 10) + 1 : 10;
  // Its last two bytes: best compression, unknown system.
  return Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]), gzip.subarray(body)]);
}
