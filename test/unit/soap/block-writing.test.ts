import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBlockWriters } from '../../../electron/core/files/block-writing.ts';
import { createTargetFile } from '../../../electron/core/files/target-file.ts';
import { startWriteWorker } from '../../../electron/core/files/write-worker-client.ts';

let folder = '';
let path = '';
let handle: FileHandle;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sealdesk-blocks-'));
  path = join(folder, 'document');
  handle = await open(path, 'w');
});
afterEach(async () => {
  await handle.close();
  rmSync(folder, { recursive: true });
});

const writers = createBlockWriters();
afterAll(() => writers.close());

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const ways = [
  ['here', 0],
  ['in a thread', 2 ** 40],
] as const;

describe.each(ways)('blocks written %s', (_where, expectedBytes) => {
  it('are in the file and in the hash in their order, and their memory is left alone afterwards', async () => {
    const blocks = writers.open(handle, expectedBytes);
    const whole = randomBytes(6_000_000);
    const memory = [0, 1, 2].map(() => ({ block: blocks.allocate(200_000), writing: Promise.resolve() }));
    for (let position = 0, turn = 0; position < whole.length; turn++) {
      const place = memory[turn % 3] as (typeof memory)[number];
      await place.writing;
      const length = whole.copy(place.block, 0, position, position + 200_000 - (turn % 7) * 10_001);
      place.writing = blocks.write(place.block.subarray(0, length), position);
      position += length;
    }
    await Promise.all(memory.map(({ writing }) => writing));
    expect(await blocks.digest()).toBe(sha256(whole));
    expect(readFileSync(path).equals(whole)).toBe(true);
  });

  it('may be none', async () => {
    expect(await writers.open(handle, expectedBytes).digest()).toBe(sha256(Buffer.alloc(0)));
  });

  it('that cannot be written reject with the reason', async () => {
    const readable = await open(path, 'r');
    const blocks = writers.open(readable, expectedBytes);
    await expect(blocks.write(blocks.allocate(1_000), 0)).rejects.toMatchObject({ code: 'EBADF' });
    blocks.end();
    await readable.close();
  });
});

it('several files at the same time do not mix, nor do later ones on a reused thread', async () => {
  for (let round = 0; round < 3; round++) {
    const all = await Promise.all(
      Array.from({ length: 4 }, async (_, index) => {
        const target = join(folder, `${round}-${index}`);
        const whole = randomBytes(3_000_000 + index);
        const file = await createTargetFile({ path: target }, (file) => writers.open(file, 2 ** 40));
        for (let at = 0; at < whole.length; at += 40_000) {
          const part = whole.subarray(at, at + 40_000);
          file.reserve(part.length);
          file.at += part.copy(file.buffer, file.at);
          await file.settle();
        }
        return { ...(await file.finish()), whole, target };
      }),
    );
    for (const { sha256: hash, sizeBytes, whole, target } of all) {
      expect({ hash, sizeBytes }).toEqual({ hash: sha256(whole), sizeBytes: whole.length });
      expect(readFileSync(target).equals(whole)).toBe(true);
    }
  }
});

it('a worker that was ended writes what it was given before and rejects what comes after', async () => {
  const worker = startWriteWorker();
  worker.begin(handle.fd);
  const writing = worker.write(worker.allocate(1_000), 0);
  const ended = worker.end();
  expect(worker.isOver()).toBe(true);
  await expect(worker.digest()).rejects.toMatchObject({ failure: { code: 'bug' } });
  await expect(writing).resolves.toBeUndefined();
  await ended;
});
