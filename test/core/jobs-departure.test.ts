import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { defaultPreferences } from '../../contract/app.ts';
import { connectionSettings } from '../../contract/connections.ts';
import type { Context } from '../../electron/core/context.ts';
import { appError } from '../../electron/core/foundation/app-error.ts';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import { steadyClock } from '../../electron/core/foundation/steady-clock.ts';
import { startJobs } from '../../electron/core/jobs/start-jobs.ts';
import { createCircuitBreakers } from '../../electron/core/lasting-work/circuit-breaker.ts';
import { unlimited } from '../../electron/core/team/ask-claim.ts';
import { createSoapClient } from '../../electron/soap/soap-client.ts';
import type { JobTable } from '../../electron/store/jobs/jobs.ts';
import { openStore } from '../../electron/store/store.ts';
import { atEnd, newFolder, writePdfs } from './jobs-setup.ts';

const log = { info: () => undefined, error: () => undefined };

/** A service that records every byte and, at the first one, the ledger's content at that moment. */
async function listener(onFirstByte: () => void) {
  const received: Buffer[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('data', (bytes) => {
      if (received.length === 0) onFirstByte();
      received.push(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { received, sockets, port: (server.address() as { port: number }).port };
}

/** The real queue with the real store and SOAP client; `change` replaces parts of the ledger. */
async function queue(port: number, change: (jobs: JobTable) => Partial<JobTable>) {
  const dataDir = await newFolder();
  const { store } = await openStore({ dataDir, log });
  const settings = connectionSettings.parse({
    name: 'Service',
    baseUrl: `http://127.0.0.1:${port}`,
    mainPath: '/main.asmx',
    namespaceUri: 'https://service.example/',
    timeouts: { connectMs: 2_000, idleMs: 1_000, answerMs: 1_000 },
  });
  const client = createSoapClient(
    { ...settings, proxy: 'DIRECT', proxyLogin: null, identity: null },
    { apiKey: 'k-4711-x', apiSig: 's-0815-x' },
  );
  const context = {
    ports: {
      dataDir,
      log,
      keychain: { get: async () => null, set: async () => undefined, remove: async () => undefined },
    },
    store: { ...store, jobs: { ...store.jobs, ...change(store.jobs) } },
    connections: {
      get: async (id: string) => ({ ...settings, id, kind: 'service', credentials: 'this-run' }),
      client: async () => client,
    },
    settings: { preferences: () => defaultPreferences, onChange: new Set() },
    answers: { onMeanings: new Set() },
    team: { claim: async () => unlimited, report: () => undefined, assignedToMe: () => null },
    pauses: usualPauses,
    breakers: createCircuitBreakers(usualPauses),
    emit: () => undefined,
  } as unknown as Context;
  const jobs = startJobs(context, {
    resumesQueue: true,
    waitBeforeSeconds: 0,
    clock: steadyClock,
    onHeld: () => undefined,
  });
  atEnd(async () => {
    await jobs.close();
    client.close();
    store.close();
  });
  const [path = ''] = await writePdfs(dataDir, ['a.pdf'], 20_000);
  const file = { path, name: 'a.pdf', folder: '', sizeBytes: 20_000 };
  const order = { operation: 'AddNewDocument', title: 'a.pdf', args: { creditType: 1 }, file, record: null } as const;
  const { jobIds } = await jobs.enqueue('one', [order]);
  return { jobs, store, jobId: jobIds[0] ?? '' };
}

describe('the departure of a request', () => {
  it('is in the ledger, on disk, before the first byte arrives', async () => {
    let seen: unknown = null;
    let onRequest = () => {};
    const { received, port } = await listener(() => onRequest());
    const { store, jobId } = await queue(port, () => ({}));
    onRequest = () => {
      const job = store.jobs.get(jobId);
      seen = { state: job?.state, departed: job?.departedAt !== null };
    };
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
    const { jobs, jobId } = await queue(port, () => ({
      depart: () => {
        refusals += 1;
        throw appError('storage-full', 'no room for the departure');
      },
    }));
    await expect.poll(() => refusals).toBeGreaterThan(0);
    await expect.poll(() => jobs.list({ offset: 0, limit: 1 }).jobs[0]?.state).toBe('waiting');
    expect(jobs.list({ offset: 0, limit: 1 }).jobs[0]).toMatchObject({ id: jobId, failure: { code: 'storage-full' } });
    await expect.poll(() => [...sockets].every((socket) => socket.destroyed)).toBe(true);
    expect(Buffer.concat(received).length).toBe(0);
  });
});
