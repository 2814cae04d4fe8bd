import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { settleFolder, sourceDate, withPlainHeader } from '../../../scripts/package/source-date.mjs';
import { table, writeChecksums } from '../../../scripts/release/artefacts.mjs';
import { shareOf } from '../../../scripts/release/feed.mjs';
import { checkVersion, notesOf } from '../../../scripts/release/version.mjs';

let folder: string;
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sealdesk-release-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe('the version of a release', () => {
  beforeEach(() => {
    write('package.json', '{ "version": "1.2.3" }');
    write('package-lock.json', '{ "version": "1.2.3", "packages": { "": { "version": "1.2.3" } } }');
    write('CHANGELOG.md', '# Changes\n\n## 1.2.3 (2026-11-23)\n\n- New.\n\n## 1.2.2 (2026-11-01)\n\n- Old.\n');
  });

  it('is the same everywhere', () => {
    expect(() => checkVersion(folder, 'v1.2.3')).not.toThrow();
    expect(notesOf(folder, '1.2.3')).toBe('- New.\n');
  });

  it('is refused if the tag, the lock or the list of changes names another one', () => {
    expect(() => checkVersion(folder, 'v1.2.4')).toThrow('the tag is v1.2.4');
    write('package-lock.json', '{ "version": "1.2.2" }');
    expect(() => checkVersion(folder)).toThrow('package-lock.json names 1.2.2');
    write('package.json', '{ "version": "1.3.0" }');
    expect(() => checkVersion(folder)).toThrow('the newest heading is “1.2.3 (2026-11-23)”, not “1.3.0 (date)”');
    expect(() => notesOf(folder, '1.3.0')).toThrow('CHANGELOG.md');
  });

  it('is refused with changes that are not committed', () => {
    expect(spawnSync('git', ['init', '-q'], { cwd: folder }).status).toBe(0);
    expect(() => checkVersion(folder)).toThrow(/not committed:\n\?\? CHANGELOG.md/);
  });
});

describe('the artefacts of a release', () => {
  it('are listed with sizes and sums that sha256sum takes', () => {
    write('a.deb', 'abc');
    write('b.tar.gz', '');
    writeChecksums(folder);
    writeChecksums(folder);
    const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8');
    expect(sums).toMatch(/^ba7816bf8f01cfea[0-9a-f]{48} {2}a\.deb\ne3b0c44298fc1c14[0-9a-f]{48} {2}b\.tar\.gz\n$/);
    expect(table(folder).split('\n')).toHaveLength(3);
  });

  it('have names that no download page changes', () => {
    write('Sealdesk Setup.exe', '');
    expect(() => writeChecksums(folder)).toThrow('Sealdesk Setup.exe');
  });
});

describe('what would differ between two builds', () => {
  it('is the time of the build: the variable, or the newest version’s day where there is no commit', () => {
    write('CHANGELOG.md', '## 1.2.3 (2026-11-23)\n');
    vi.stubEnv('SOURCE_DATE_EPOCH', '');
    expect(sourceDate(folder)).toBe(Date.parse('2026-11-23T12:00:00Z') / 1000);
    vi.stubEnv('SOURCE_DATE_EPOCH', '1700000000');
    expect(sourceDate(folder)).toBe(1_700_000_000);
    vi.stubEnv('SOURCE_DATE_EPOCH', 'yesterday');
    expect(() => sourceDate(folder)).toThrow('SOURCE_DATE_EPOCH');
  });

  it.skipIf(process.platform === 'win32')('is times and modes, which get one value', () => {
    mkdirSync(join(folder, 'parts'));
    write('parts/program', '');
    write('parts/text', '');
    chmodSync(join(folder, 'parts/program'), 0o775);
    chmodSync(join(folder, 'parts/text'), 0o600);
    settleFolder(folder, 1_700_000_000);
    const seen = ['', 'parts', 'parts/program', 'parts/text'].map((name) => statSync(join(folder, name)));
    expect(seen.map(({ mtimeMs }) => mtimeMs)).toEqual(seen.map(() => 1_700_000_000_000));
    expect(seen.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(['755', '755', '755', '644']);
  });

  it('is the header of a gzip file, which loses name and time', () => {
    const plain = gzipSync('content');
    const named = Buffer.concat([
      Buffer.from([0x1f, 0x8b, 8, 8, 1, 2, 3, 4, 2, 3]),
      Buffer.from('0.tar\0'),
      plain.subarray(10),
    ]);
    expect(gunzipSync(withPlainHeader(named)).toString()).toBe('content');
    expect(withPlainHeader(named)).toEqual(withPlainHeader(plain));
    expect(() => withPlainHeader(Buffer.from('no gzip'))).toThrow('no gzip file');
  });
});

describe('the share of computers that update first', () => {
  it.each([
    [undefined, undefined],
    ['0', 0],
    ['10', 10],
  ])('is a whole number of per cent: %s', (typed, share) => {
    expect(shareOf(typed)).toBe(share);
  });

  it.each(['', 'ten', '1.5', '-1', '101'])('is not “%s”', (typed) => {
    expect(() => shareOf(typed)).toThrow('0 to 100');
  });
});
