import { describe, expect, it } from 'vitest';
import type { FileToken } from '../../contract/files.ts';
import { appError, failureOf } from '../../electron/core/foundation/app-error.ts';
import { createByteStreams } from '../../electron/shell/byte-streams.ts';

/** Takes all bytes, as the core does, and counts them. */
function receiver() {
  const seen = { names: [] as string[], bytes: 0, broken: 0 };
  const accept = async (name: string, bytes: AsyncIterable<Uint8Array>): Promise<FileToken> => {
    seen.names.push(name);
    try {
      for await (const piece of bytes) seen.bytes += piece.byteLength;
    } catch (error) {
      seen.broken += 1;
      throw error;
    }
    return { token: `t${seen.names.length}`, source: 's', name, isFolder: false };
  };
  return { seen, accept };
}

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return failureOf(error)?.code;
}

describe('files without a path', () => {
  it('arrive whole and in order, an empty one too', async () => {
    const { seen, accept } = receiver();
    const streams = createByteStreams(accept);
    const id = streams.open('a.pdf');
    for (const size of [1024 * 1024, 5, 1]) await streams.push(id, new Uint8Array(size));
    expect(await streams.end(id)).toEqual({ token: 't1', source: 's', name: 'a.pdf', isFolder: false });
    expect(seen.bytes).toBe(1024 * 1024 + 6);
    expect((await streams.end(streams.open('empty.pdf'))).token).toBe('t2');
  });

  it('hold the sender back until the core has taken a piece', async () => {
    let release = () => {};
    const gate = new Promise<void>((open) => {
      release = open;
    });
    const streams = createByteStreams(async (name, bytes) => {
      await gate;
      for await (const _piece of bytes);
      return { token: 't', source: 's', name, isFolder: false };
    });
    const id = streams.open('a.pdf');
    let taken = 0;
    const pushing = (async () => {
      for (let piece = 0; piece < 10; piece += 1) {
        await streams.push(id, new Uint8Array(10));
        taken += 1;
      }
    })();
    await new Promise((later) => setTimeout(later, 50));
    expect(taken).toBeLessThanOrEqual(1);
    release();
    await pushing;
    await streams.end(id);
    expect(taken).toBe(10);
  });

  it('are bounded: pieces, size, number, time', async () => {
    const { seen, accept } = receiver();
    const streams = createByteStreams(accept, { open: 2, bytesPerFile: 100, idleMs: 40 });
    const first = streams.open('a');
    expect(await codeOf(streams.push(first, new Uint8Array(1024 * 1024 + 1)))).toBe('bad-input');
    streams.open('b');
    expect(() => streams.open('c')).toThrow('too many');
    await streams.push(first, new Uint8Array(99));
    expect(await codeOf(streams.push(first, new Uint8Array(2)))).toBe('bad-input');
    expect(await codeOf(streams.end(first))).toBe('not-found');
    await expect.poll(() => seen.broken).toBe(2);
    streams.open('d');
  });

  it('break off everywhere when the page goes', async () => {
    const { seen, accept } = receiver();
    const streams = createByteStreams(accept);
    const id = streams.open('a');
    await streams.push(id, new Uint8Array(3));
    streams.dropAll();
    await expect.poll(() => seen.broken).toBe(1);
    expect(await codeOf(streams.push(id, new Uint8Array(3)))).toBe('not-found');
  });

  it('tell the sender why the core refused', async () => {
    const streams = createByteStreams(async () => {
      throw appError('storage-full', 'no space');
    });
    const id = streams.open('a');
    expect(await codeOf(streams.push(id, new Uint8Array(3)).then(() => streams.end(id)))).toBe('storage-full');
  });
});
