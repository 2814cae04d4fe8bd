import { createHash, type Hash, randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sendDocument } from '../../../electron/soap/request/send-document.ts';
import type { GrowingFile } from '../../../electron/soap/service/client.ts';

const folder = await mkdtemp(join(tmpdir(), 'sealdesk-send-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** That of the first blocks that are read, so that what is read ends where a chunk does. */
const chunkBytes = 96 * 1024;
const chunks = [0, 1, 2, 3].map(() => randomBytes(chunkBytes));
const whole = Buffer.concat(chunks);
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes);
/** As the copy keeps them: each chunk with the hash of all before it and up to its end. */
const kept = chunks.map((bytes, at) => ({
  bytes,
  before: hashOf(whole.subarray(0, at * chunkBytes)),
  after: hashOf(whole.subarray(0, (at + 1) * chunkBytes)),
}));

/** Sends the copy as it lies on the disk, but for what is in memory at these positions. Answers what left and the hash by which it had to be known. */
async function sent(
  onDisk: Buffer,
  inMemory: ReadonlyMap<number, { readonly bytes: Buffer; readonly before: Hash; readonly after: Hash }>,
) {
  const path = join(folder, 'copy');
  await writeFile(path, onDisk);
  const handle = await open(path);
  const left: Buffer[] = [];
  let known = '';
  const taken: number[] = [];
  const growing: GrowingFile = {
    path,
    has: () => undefined,
    whole: async () => undefined,
    take: (position) => {
      const found = inMemory.get(position);
      if (found) taken.push(position);
      return found ? { bytes: found.bytes, done: () => undefined, hashes: found } : null;
    },
  };
  const whole = async (sha256: string) => {
    known = sha256;
  };
  await sendDocument(
    { handle, sizeBytes: onDisk.length, growing, whole },
    async (bytes) => void left.push(Buffer.from(bytes)),
    { over: new AbortController().signal, locally: (work) => work },
  );
  await handle.close();
  expect(taken).toEqual([...inMemory.keys()]);
  return { left: Buffer.from(Buffer.concat(left).toString('latin1'), 'base64'), known };
}

const at = (...numbers: readonly number[]) =>
  new Map(kept.flatMap((one, number) => (numbers.includes(number) ? [[number * chunkBytes, one] as const] : [])));

describe('a document that is sent while it is copied', () => {
  it('is known by the hash of its copy where all of it but its end was still in memory', async () => {
    expect(await sent(whole, at(0, 1, 2))).toEqual({ left: whole, known: hashOf(whole).digest('hex') });
  });

  it('is not hashed again where it was in memory', async () => {
    const marked = new Map([
      ...at(0),
      [chunkBytes, { ...kept[1], after: hashOf(Buffer.from('of the copy')) }],
    ]) as ReturnType<typeof at>;
    const { known } = await sent(whole, marked);
    expect(known).toBe(
      hashOf(Buffer.concat([Buffer.from('of the copy'), whole.subarray(2 * chunkBytes)])).digest('hex'),
    );
  });

  it.each([
    ['before what was in memory', 10, at(1, 2)],
    ['behind it', 3 * chunkBytes + 10, at(0, 1, 2)],
    ['between two of them', chunkBytes + 10, at(0, 2)],
  ])('has the hash of what left where the disk had another byte %s', async (_where, changed, inMemory) => {
    const onDisk = Buffer.from(whole);
    onDisk.writeUInt8(onDisk.readUInt8(changed) ^ 1, changed);
    const { left, known } = await sent(onDisk, inMemory);
    expect(left).toEqual(onDisk);
    expect(known).toBe(hashOf(onDisk).digest('hex'));
    expect(known).not.toBe(hashOf(whole).digest('hex'));
  });

  it('has that of what left where no byte was in memory', async () => {
    expect((await sent(whole, at())).known).toBe(hashOf(whole).digest('hex'));
  });
});
