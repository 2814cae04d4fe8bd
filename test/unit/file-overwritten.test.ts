import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOtherFile, showsChanges } from '../../electron/core/files/file-stamp.ts';
import { hashFile } from '../../electron/core/files/hash-file.ts';
import { openSpool } from '../../electron/core/jobs/spool.ts';
import { overwriteKeepingTime, setOldTime } from '../harness/overwrite.ts';

const sizeBytes = 4 * 1024 * 1024;
let folder = '';
let path = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sealdesk-overwritten-'));
  path = join(folder, 'lease.pdf');
  writeFileSync(path, Buffer.alloc(sizeBytes, 'a'));
  setOldTime(path);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const overwriteInPlace = () => overwriteKeepingTime(path, Buffer.alloc(sizeBytes, 'b'));

/** A signal that calls `then` between the first pieces of a copy, which asks it before each of them. */
function afterFirstPiece(then: () => void): AbortSignal {
  let asked = 0;
  const { signal } = new AbortController();
  return Object.assign(signal, {
    throwIfAborted: () => {
      asked += 1;
      if (asked === 4) then();
    },
  });
}

const spool = () => openSpool(join(folder, 'data'), { runId: 'run', isAlive: () => true });
const source = () => ({ path, sizeBytes, modifiedMs: statSync(path).mtimeMs, identity: null, sha256: null });
const sha256 = (letter: string) => createHash('sha256').update(Buffer.alloc(sizeBytes, letter)).digest('hex');

describe.each([
  ['an old file', 1_500],
  ['a file that was written at this moment', 0],
])('%s that is overwritten in place while it is read, with its time put back', (_what, waitMs) => {
  beforeEach(() => sleep(waitMs));

  it('is not copied as a mixture', async () => {
    const copied = spool().copyIn('job', 'document', source(), afterFirstPiece(overwriteInPlace));
    await expect(copied).rejects.toMatchObject({ failure: { code: 'file-changed' } });
    expect(readdirSync(join(folder, 'data', 'spool'))).toEqual([]);
  });

  it('gets no hash of a mixture', async () => {
    let reads = 0;
    const hashed = hashFile(path, undefined, () => {
      reads += 1;
      if (reads === 3) overwriteInPlace();
    });
    await expect(hashed).rejects.toMatchObject({ failure: { code: 'file-changed' } });
  });
});

describe('a file that is touched while it is read, and keeps its bytes', () => {
  it('is copied and hashed: permissions and links are no bytes', async () => {
    await sleep(1_500);
    const copied = await spool().copyIn(
      'job',
      'document',
      source(),
      afterFirstPiece(() => chmodSync(path, 0o600)),
    );
    expect(copied).toMatchObject({ sizeBytes, sha256: sha256('a') });
    expect(readFileSync(copied.path).equals(readFileSync(path))).toBe(true);
    expect(await hashFile(path, undefined, () => chmodSync(path, 0o640))).toMatchObject({ sha256: sha256('a') });
  });
});

describe('the times of a file', () => {
  const shows = (ctimeNs: bigint) => showsChanges({ ctimeNs } as BigIntStats);
  const fromNow = (ms: number) => BigInt(Date.now() + ms) * 1_000_000n + 123_456n;

  it.each([
    ['long ago, to the nanosecond', 1_700_000_000_123_456_789n, true],
    ['in whole seconds, as on FAT and many network folders', 1_700_000_000_000_000_000n, false],
    ['in hundredths, as on exFAT', 1_700_000_000_120_000_000n, false],
    ['none, as Windows says it of FAT', -11_644_473_600_000_000_000n, false],
  ])('show every later change or not: %s', (_what, ctimeNs, expected) => {
    expect(shows(ctimeNs)).toBe(expected);
  });

  it('show no second change at this moment, which may have the same time, nor one by a clock that is ahead', () => {
    expect([shows(fromNow(0)), shows(fromNow(60_000)), shows(fromNow(-60_000))]).toEqual([false, false, true]);
  });
});

describe('which file it is', () => {
  it.each([
    ['another one', '2049:12 1000', '2049:13 2000', true],
    ['one of another disk', '2049:12 1000', '2050:12 2000', true],
    [
      'the same with other permissions, or marked by a program that watches over its folder',
      '2049:12 1000',
      '2049:12 2000',
      false,
    ],
    ['the same in a network folder that gives a new number at each look', '46:12 1000', '46:77 1000', false],
  ])('%s', (_what, chosen, found, expected) => {
    expect(isOtherFile(chosen, found)).toBe(expected);
  });
});
