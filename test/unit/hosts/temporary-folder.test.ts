import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../hosts/cli/data-folder.ts';
import { missing } from '../../harness/missing-means.ts';

/** A process that has ended. */
const { pid } = spawnSync(process.execPath, ['-e', '']);
const before = process.env.TMPDIR;
let shared: string;
beforeEach(() => {
  shared = mkdtempSync(join(tmpdir(), 'shared-'));
  process.env.TMPDIR = shared;
});
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(shared, { recursive: true, force: true });
});

/** What a killed run leaves behind. */
function leftBehind(path: string): string {
  mkdirSync(path);
  writeFileSync(join(path, '.sealdesk-owner'), JSON.stringify({ pid, host: hostname() }));
  writeFileSync(join(path, 'document.pdf'), 'content');
  return path;
}

describe('temporary folders that many people share', () => {
  it('lose what killed runs of this person left behind', () => {
    const path = leftBehind(join(shared, 'sealdesk-killed'));
    makeTemporaryFolder().remove();
    expect(existsSync(path)).toBe(false);
  });

  it('keep what a link there leads to', () => {
    const elsewhere = leftBehind(join(shared, 'elsewhere'));
    symlinkSync(elsewhere, join(shared, 'sealdesk-link'));
    makeTemporaryFolder().remove();
    expect(existsSync(join(elsewhere, 'document.pdf'))).toBe(true);
  });

  it('keep the folders of other people', (context) => {
    if (process.getuid?.() !== 0) missing(context, 'only root can give a folder away');
    const path = leftBehind(join(shared, 'sealdesk-other'));
    chownSync(path, 65534, 65534);
    makeTemporaryFolder().remove();
    expect(existsSync(join(path, 'document.pdf'))).toBe(true);
  });
});
