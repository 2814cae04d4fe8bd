import { describe, expect, it } from 'vitest';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { listener, openQueue } from './queue-setup.ts';

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
