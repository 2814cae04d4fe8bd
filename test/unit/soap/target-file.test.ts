import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBlockQueue, createSyncBehind } from '../../../electron/core/files/block-queue.ts';
import { createTargetFile } from '../../../electron/core/files/target-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sealdesk-blocks-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

it.each([0, 1, 40_000, 6_000_001])('%i bytes are in the file and in the hash in their order', async (size) => {
  const path = join(folder, 'document');
  const whole = randomBytes(size);
  const file = await createTargetFile({ path });
  for (let at = 0, turn = 0; at < size; turn += 1) {
    const part = whole.subarray(at, at + 60_000 - (turn % 7) * 8_001);
    file.reserve(part.length);
    file.at += part.copy(file.buffer, file.at);
    at += part.length;
    await file.settle();
  }
  expect(await file.finish()).toEqual({ sizeBytes: size, sha256: sha256(whole), path });
  expect(readFileSync(path).equals(whole)).toBe(true);
});

it('several files at the same time do not mix', async () => {
  const all = await Promise.all(
    Array.from({ length: 4 }, async (_, index) => {
      const path = join(folder, String(index));
      const whole = randomBytes(3_000_000 + index);
      const file = await createTargetFile({ path });
      for (let at = 0; at < whole.length; at += 40_000) {
        const part = whole.subarray(at, at + 40_000);
        file.reserve(part.length);
        file.at += part.copy(file.buffer, file.at);
        await file.settle();
      }
      return { ...(await file.finish()), whole };
    }),
  );
  for (const { sha256: hash, path, whole } of all) {
    expect(hash).toBe(sha256(whole));
    expect(readFileSync(path).equals(whole)).toBe(true);
  }
});

it('two blocks are being written at a time, while others wait', async () => {
  const handle = await open(join(folder, 'document'), 'w');
  const write = handle.write.bind(handle) as (...args: unknown[]) => Promise<unknown>;
  const underWay = { now: 0, most: 0 };
  Object.assign(handle, {
    write: async (...args: unknown[]) => {
      underWay.now += 1;
      underWay.most = Math.max(underWay.most, underWay.now);
      await new Promise((resolve) => setTimeout(resolve, 5));
      return write(...args).finally(() => {
        underWay.now -= 1;
      });
    },
  });
  const queue = createBlockQueue(handle);
  const blocks = Array.from({ length: 6 }, (_, at) => queue.take().fill(at));
  for (const block of blocks) queue.add(block, block.length);
  const whole = Buffer.concat(blocks);
  await queue.drain();
  await handle.close();
  expect(underWay.most).toBe(2);
  expect(queue.digest()).toBe(sha256(whole));
  expect(readFileSync(join(folder, 'document')).equals(whole)).toBe(true);
});

it('a block that cannot be written rejects with the reason, and holds nothing back', async () => {
  const path = join(folder, 'document');
  await (await open(path, 'w')).close();
  const readable = await open(path, 'r');
  const queue = createBlockQueue(readable);
  for (let count = 0; count < 10; count += 1) queue.add(queue.take(), 1_000);
  await expect(queue.drain()).rejects.toMatchObject({ failure: { code: 'file-unreadable' } });
  expect(() => queue.settle()).toThrow();
  await readable.close();
});

it('files that share a turn are synced one at a time while they are written, and a sync that failed is told at the end', async () => {
  const handle = await open(join(folder, 'document'), 'w');
  const ends: ((error?: Error) => void)[] = [];
  const datasync = () =>
    new Promise<void>((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  Object.assign(handle, { datasync });
  const turn = { isFree: true };
  const [one, other] = [createSyncBehind(handle, turn), createSyncBehind(handle, turn)];
  for (const behind of [one, other]) behind.wrote(8 * 1024 * 1024);
  expect(ends.length).toBe(1);
  ends[0]?.(new Error('no disk'));
  await expect(one.settled()).rejects.toThrow('no disk');
  other.wrote(1);
  expect(ends.length).toBe(2);
  ends[1]?.();
  await other.settled();
  await handle.close();
});

it('a file that is discarded leaves nothing in its folder', async () => {
  const file = await createTargetFile({ path: join(folder, 'document') });
  file.reserve(10);
  file.at += 10;
  await file.discard();
  expect(readdirSync(folder)).toEqual([]);
});
