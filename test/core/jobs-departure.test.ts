import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { overwriteKeepingTime } from '../harness/overwrite.ts';
import {
  accepted,
  becomes,
  fault,
  gate,
  http,
  isBrokenOff,
  isUnderWay,
  large,
  listener,
  openQueue,
  type Received,
  service,
  stepsOf,
  waitMs,
} from './queue-setup.ts';

describe('the departure of a request', () => {
  it('is in the ledger, on disk, before the first byte arrives', async () => {
    let seen: unknown = null;
    let onRequest = () => {};
    const { received, port } = await listener(() => onRequest());
    const { store, add } = await openQueue(port);
    onRequest = () => {
      const [job] = store.jobs.list({ limit: 1, offset: 0 }).jobs;
      seen = { state: job?.state, departed: job?.departedAt !== null };
    };
    const { jobId } = await add('a.pdf', 20_000);
    await expect.poll(() => received.length).toBeGreaterThan(0);
    expect(seen).toEqual({ state: 'sending', departed: true });
    await expect.poll(() => store.jobs.get(jobId)?.state, { timeout: 5_000 }).toBe('in-doubt');
    expect(store.jobs.history(jobId).map(({ kind }) => kind)).toEqual([
      'prepared',
      'waiting',
      'sending',
      'departed',
      'in-doubt',
    ]);
  });

  it('does not happen if it cannot be recorded: no byte leaves, and the job waits', async () => {
    const { received, sockets, port } = await listener(() => undefined);
    let refusals = 0;
    const change = () => ({
      depart: () => {
        refusals += 1;
        throw appError('storage-full', 'no room for the departure');
      },
    });
    const { jobs, add } = await openQueue(port, { change });
    const { jobId } = await add('a.pdf', 20_000);
    await expect.poll(() => refusals).toBeGreaterThan(0);
    await expect
      .poll(() => jobs.list({ offset: 0, limit: 1 }).jobs[0])
      .toMatchObject({ id: jobId, state: 'waiting', failure: { code: 'storage-full' } });
    await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true);
    expect(Buffer.concat(received).length).toBe(0);
  });
});

describe('a copy that is not any more what was copied', () => {
  const sevenBytes = (path: string, from: number) => {
    const bytes = readFileSync(path);
    overwriteKeepingTime(path, bytes.fill('changed', from, from + 7));
  };
  const failure = { code: 'file-changed', detail: 'copy-changed' };
  const documentIn = ({ parts }: Received) =>
    Buffer.from(/<Document>([^<]*)/.exec(Buffer.concat(parts).toString('latin1'))?.[1] ?? '', 'base64');

  it.each([1_000, large])(
    'never arrives as a whole request, and is copied anew when it is sent again: %i bytes',
    async (size) => {
      const there = await service();
      const queue = await openQueue(there.port);
      queue.jobs.pause({ what: 'all' });
      const { jobId, path } = await queue.add('a.pdf', size);
      await becomes(queue, jobId, 'waiting');
      sevenBytes((await queue.jobs.copyOf(jobId, 'document')) ?? '', size - 500);
      await queue.jobs.resume({ what: 'all' });
      await becomes(queue, jobId, 'failed');
      expect(queue.store.jobs.get(jobId)).toMatchObject({ failure, documentId: null });
      await isBrokenOff(there);
      expect(there.whole()).toEqual([]);
      await queue.jobs.sendAgain(jobId);
      await becomes(queue, jobId, 'done');
      const [whole] = there.whole() as [Received];
      expect(documentIn(whole).equals(readFileSync(path))).toBe(true);
      expect(createHash('sha256').update(documentIn(whole)).digest('hex')).toBe(queue.store.jobs.get(jobId)?.sha256);
    },
  );

  it('never arrives as a whole request where it is sent while it is made', async () => {
    let isHeld = true;
    const [{ open, beforeAdmission }, there] = [
      gate(),
      await service({
        onBody: ({ socket }) => {
          if (isHeld) socket.pause();
          return false;
        },
      }),
    ];
    const queue = await openQueue(there.port, { beforeAdmission, silentMs: waitMs });
    const { jobId } = await queue.add('a.pdf', 4 * large);
    await expect.poll(() => queue.jobs.copyOf(jobId, 'document'), { timeout: waitMs }).not.toBeNull();
    sevenBytes((await queue.jobs.copyOf(jobId, 'document')) ?? '', 4 * large - 2_000_000);
    isHeld = false;
    open();
    for (const { socket } of there.requests) socket.resume();
    await becomes(queue, jobId, 'failed');
    expect(queue.store.jobs.get(jobId)?.failure).toMatchObject(failure);
    expect([there.whole(), stepsOf(queue, jobId).includes('departed')]).toEqual([[], false]);
  });
});

describe('a large file that is sent while it is copied', () => {
  it.each([
    ['a fault', http('500 Error', fault), 'refused'],
    ['401', http('401 Unauthorized', ''), 'failed'],
    ['413', http('413 Too Large', ''), 'failed'],
    ['an ID', http('200 OK', accepted('3f2504e0-4f89-41d3-9a0c-0305e82c3301')), 'in-doubt'],
  ])('has the outcome that %s in the middle of it has of any', async (_what, answer, state) => {
    for (const sizeBytes of [large / 4, large]) {
      const there = await service({
        onBody: ({ length, socket }) => {
          if (length > sizeBytes / 2 && socket.writable) socket.end(answer);
          return true;
        },
      });
      const queue = await openQueue(there.port);
      const { jobId } = await queue.add('a.pdf', sizeBytes);
      // All of a small file may have left when the answer is read: then such a status proves nothing, and an ID is one.
      const isSmall = sizeBytes < large && state !== 'refused';
      const ends = expect.poll(() => queue.store.jobs.get(jobId)?.state, { timeout: waitMs });
      await ends.toMatch(isSmall ? new RegExp(`^(${state}|${state === 'failed' ? 'in-doubt' : 'done'})$`) : state);
      expect(there.requests).toHaveLength(1);
      expect(stepsOf(queue, jobId).includes('departed')).toBe(sizeBytes < large || state === 'in-doubt');
    }
  });

  it('waits without a doubt where the connection is lost before its end, and leaves from its copy', async () => {
    const { open, beforeAdmission } = gate();
    const there = await service({
      onBody: ({ length, socket }, count) => {
        if (count === 1 && length > large / 2) socket.destroy();
        return count === 1;
      },
    });
    const queue = await openQueue(there.port, { beforeAdmission });
    const { jobId } = await queue.add('a.pdf', large);
    await expect.poll(() => there.requests[0]?.socket.destroyed, { timeout: waitMs }).toBe(true);
    open();
    await becomes(queue, jobId, 'done');
    expect([there.requests.length, there.whole().length]).toEqual([2, 1]);
    const steps = ['prepared', 'waiting', 'sending', 'waiting', 'sending', 'departed', 'answer-began', 'done'];
    expect(stepsOf(queue, jobId)).toEqual(steps);
  });

  it('is copied to its end where the service takes nothing more, and waits without a doubt', async () => {
    const there = await service({
      onBody: ({ socket }, count) => {
        if (count === 1) socket.pause();
        return count === 1;
      },
    });
    const queue = await openQueue(there.port, { silentMs: 500 });
    const { jobId } = await queue.add('a.pdf', 4 * large);
    await expect.poll(() => queue.jobs.copyOf(jobId, 'document'), { timeout: waitMs }).not.toBeNull();
    await becomes(queue, jobId, 'done');
    expect(stepsOf(queue, jobId).filter((step) => step === 'departed')).toHaveLength(1);
    expect(there.whole()).toHaveLength(1);
  });

  it('never has its end where the departure cannot be written', async () => {
    let refusals = 0;
    const depart = () => {
      refusals += 1;
      throw appError('storage-full', 'no room for the departure');
    };
    const { open, beforeAdmission } = gate();
    const there = await service();
    const queue = await openQueue(there.port, { beforeAdmission, change: () => ({ depart }) });
    const { jobId } = await queue.add('a.pdf', large);
    await isUnderWay(there);
    open();
    await expect.poll(() => refusals, { timeout: waitMs }).toBeGreaterThan(0);
    await becomes(queue, jobId, 'waiting');
    await isBrokenOff(there);
    expect(there.whole()).toEqual([]);
  });
});
