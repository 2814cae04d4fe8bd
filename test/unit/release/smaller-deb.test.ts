import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { debFingerprint } from '../../../scripts/package/deb-content.mjs';
import { packSmaller } from '../../../scripts/package/smaller-deb.mjs';
import { missing } from '../../harness/missing-means.ts';

const absent = ['dpkg-deb', 'xz'].filter((tool) => spawnSync(tool, ['--version']).error);

describe('a deb', () => {
  let folder: string;
  beforeEach((context) => {
    folder = mkdtempSync(join(tmpdir(), 'smaller-deb-'));
    if (absent.length > 0) missing(context, `no ${absent.join(' and ')} here`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A deb whose only file has `size` bytes. */
  function deb(compression: string, size: number): string {
    const root = join(folder, 'root');
    mkdirSync(join(root, 'DEBIAN'), { recursive: true });
    writeFileSync(
      join(root, 'DEBIAN/control'),
      'Package: one\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: one\n',
    );
    writeFileSync(join(root, 'file'), Buffer.alloc(size, 'some text, over and over again. '));
    const path = join(folder, `${compression}.deb`);
    execFileSync('dpkg-deb', ['--root-owner-group', `-Z${compression}`, '--build', root, path], { stdio: 'pipe' });
    return path;
  }

  it.each([1, 2, 100_000, 100_001])('that holds %i bytes holds the same after it was packed again', (size) => {
    const path = deb('xz', size);
    const files = execFileSync('dpkg-deb', ['--fsys-tarfile', path]);
    const control = execFileSync('dpkg-deb', ['--field', path]);
    packSmaller(path);
    expect(execFileSync('dpkg-deb', ['--fsys-tarfile', path]).equals(files)).toBe(true);
    expect(execFileSync('dpkg-deb', ['--field', path]).equals(control)).toBe(true);
  });

  it('gives the same bytes each time', () => {
    const path = deb('xz', 100_000);
    const before = readFileSync(path);
    packSmaller(path);
    const once = readFileSync(path);
    writeFileSync(path, before);
    packSmaller(path);
    expect(readFileSync(path).equals(once)).toBe(true);
  });

  it('has the same fingerprint however it is compressed, and another one with other content', () => {
    const path = deb('xz', 100_000);
    const before = debFingerprint(path);
    packSmaller(path);
    expect(debFingerprint(path)).toBe(before);
    expect(debFingerprint(deb('xz', 100_001))).not.toBe(before);
  });

  it('that is packed in another way is refused', () => {
    expect(() => packSmaller(deb('gzip', 100))).toThrow('data.tar.gz');
  });
});
