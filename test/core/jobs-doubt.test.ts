import { createServer, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Job } from '../../contract/jobs.ts';
import { assetsDir, memoryKeychain } from '../harness/core.ts';
import { freePort } from '../harness/free-port.ts';
import { startPractice } from '../harness/practice.ts';
import { sampled } from '../harness/test-length.ts';
import {
  atEnd,
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  patient,
  register,
  untilEnded,
  untilJobs,
  writePdfs,
} from './jobs-setup.ts';

const timesTaken = (service: Awaited<ReturnType<typeof newService>>) =>
  [...service.control.addsByHash().values()].reduce((sum, times) => sum + times, 0);

describe('an add whose answer is lost', () => {
  it.each(
    sampled(
      [
        ['the connection drops after the request was taken', { kind: 'drop-after' }, 1],
        ['the connection drops in the middle of the answer', { kind: 'drop-in-answer' }, 1],
        ['the answer ends in the middle of its XML', { kind: 'truncated' }, 1],
        ['a page of HTML comes instead', { kind: 'html', taken: true }, 1],
        ['bytes come that are no XML', { kind: 'garbage', taken: true }, 1],
        ['the answer takes longer than the connection allows', { kind: 'delay', ms: 60_000 }, 1],
        ['the connection drops before the request was taken, which nobody here can know', { kind: 'drop-before' }, 0],
      ] as const,
      { short: 2, ci: 1 },
    ),
  )('is in doubt and never sent again automatically: %s', async (_what, mischief, taken) => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief, times: 1 });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    const [job] = await untilEnded(core, batchId);
    expect(job).toMatchObject({ state: 'in-doubt', failure: { code: 'outcome-unknown', retryable: false } });
    // Another job uses the same connection.
    const next = await register(core, connectionId, await writePdfs(folder, ['b.pdf']));
    expect(await untilEnded(core, next)).toMatchObject([{ state: 'done' }]);
    expect(timesTaken(service)).toBe(taken + 1);
    expect((await core.must('jobs.list', { batchId })).jobs).toMatchObject([{ state: 'in-doubt' }]);
    // It cannot be dismissed; a person may send it again.
    await core.must('jobs.dismiss', { jobIds: [job?.id ?? ''] });
    expect(await jobsOf(core, batchId)).toHaveLength(1);
    await core.must('jobs.sendAgain', { jobId: job?.id ?? '' });
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'done' }]);
    expect(timesTaken(service)).toBe(taken + 2);
  });

  it('is in doubt if the answer is a text that names no document, and keeps the text', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief: { kind: 'answer', text: 'Error: not enough credits' }, times: 1 });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    expect(await untilEnded(core, batchId)).toMatchObject([
      {
        state: 'in-doubt',
        raw: 'Error: not enough credits',
        documentId: null,
        failure: { code: 'outcome-unknown', detail: 'unclear-answer', retryable: false },
      },
    ]);
  });

  it.each(
    sampled(
      [
        ...['Fehler', 'Denied', '0', 'OK', '\u2212141', 'DOC-2026/17', 'https://service.example/doc/1'],
        '00000000-0000-0000-0000-000000000000',
      ],
      { short: 3, ci: 1 },
    ),
  )('is in doubt if the answer is %j: only an ID shows that the service has it', async (text) => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service);
    service.control.misbehave({ mischief: { kind: 'answer', text } });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    expect(await untilEnded(core, batchId)).toMatchObject([
      { state: 'in-doubt', raw: text, documentId: null, failure: { detail: 'unclear-answer' } },
    ]);
    expect((await core.must('documents.list', { connectionId })).total).toBe(0);
  });

  it('is in doubt if a person cancels it after its last byte has left', async () => {
    const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
    const connectionId = await connect(core, service, { timeouts: patient });
    service.control.misbehave({ mischief: { kind: 'delay', ms: patient.answerMs } });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    const allLeft = (job: Job | undefined) =>
      job !== undefined && job.sentBytes > 0 && job.sentBytes === job.totalBytes;
    const [sending] = await untilJobs(core, batchId, ([job]) => allLeft(job));
    await core.must('jobs.cancel', { jobId: sending?.id ?? '' });
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'in-doubt' }]);
  });

  it('is in doubt if the program is closed while it waits for the answer', async () => {
    const [service, folder, dataDir] = [await newService(), await newFolder(), await newFolder()];
    const keychain = memoryKeychain(new Map());
    const core = await newCore({ dataDir, keychain });
    const connectionId = await connect(core, service, { parallel: 1, timeouts: patient });
    service.control.misbehave({ mischief: { kind: 'delay', ms: patient.answerMs }, times: 1 });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf', 'b.pdf']));
    await expect.poll(() => timesTaken(service)).toBe(1);
    await core.stop();
    const again = await newCore({ dataDir, keychain });
    expect((await untilEnded(again, batchId)).map(({ state }) => state).sort()).toEqual(['done', 'in-doubt']);
    expect(timesTaken(service)).toBe(2);
  });
});

describe('an add of which nothing has left', () => {
  it('waits for the service with the reason, and is done when the service is back', async () => {
    const [core, folder, dataDir, port] = [await newCore(), await newFolder(), await newFolder(), await freePort()];
    const first = await startPractice({ dataDir, assetsDir, port });
    const connectionId = await connect(core, first);
    await first.close();
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf', 'b.pdf', 'c.pdf']));
    const waiting = await untilJobs(core, batchId, (jobs) => jobs.every(({ failure }) => failure !== null));
    for (const job of waiting)
      expect(job).toMatchObject({ state: 'waiting', failure: { code: 'service-unreachable', retryable: true } });
    // With the credentials of the first start the service would refuse a job that is tried at once.
    await core.must('connections.forgetCredentials', { id: connectionId });
    const back = await startPractice({ dataDir, assetsDir, port });
    atEnd(() => back.close());
    await core.must('connections.setCredentials', { id: connectionId, apiKey: back.apiKey, apiSig: back.apiSig });
    const done = await untilEnded(core, batchId);
    expect(done.map(({ state, failure }) => [state, failure])).toEqual(done.map(() => ['done', null]));
    expect([...back.control.addsByHash().values()]).toEqual([1, 1, 1]);
  });

  it('is sent again automatically, without a change of the connection', async () => {
    const [core, folder, port] = [await newCore(), await newFolder(), await freePort()];
    const away = { baseUrl: `http://127.0.0.1:${port}`, mainPath: '/m.asmx', easySignPath: '/e.asmx' };
    const practice = { ...away, namespaceUri: 'https://service.example/', apiKey: 'k-4711-x', apiSig: 's-0815-x' };
    const connectionId = await connect(core, { ...practice, close: async () => undefined });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    await untilJobs(core, batchId, ([job]) => job?.failure?.code === 'service-unreachable');
    const requests: Socket[] = [];
    const server = createServer((socket) => {
      requests.push(socket);
      socket.on('error', () => undefined).destroy();
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    atEnd(() => new Promise((resolve) => server.close(resolve)));
    await untilJobs(core, batchId, ([job]) => job?.state === 'in-doubt');
    expect(requests).toHaveLength(1);
  });

  it('can be cancelled while it waits, as the command line does', async () => {
    const [core, folder, port] = [await newCore(), await newFolder(), await freePort()];
    const away = { baseUrl: `http://127.0.0.1:${port}`, mainPath: '/m.asmx', easySignPath: '/e.asmx' };
    const practice = { ...away, namespaceUri: 'https://service.example/', apiKey: 'k-4711-x', apiSig: 's-0815-x' };
    const connectionId = await connect(core, { ...practice, close: async () => undefined });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    const [job] = await untilJobs(core, batchId, ([job]) => job?.failure !== null && job?.state === 'waiting');
    await core.must('jobs.cancel', { jobId: job?.id ?? '' });
    expect(await jobsOf(core, batchId)).toMatchObject([{ state: 'cancelled', failure: null }]);
  });

  it('fails unsent if its connection is removed while it waits', async () => {
    const [core, folder, port] = [await newCore(), await newFolder(), await freePort()];
    const away = { baseUrl: `http://127.0.0.1:${port}`, mainPath: '/m.asmx', easySignPath: '/e.asmx' };
    const practice = { ...away, namespaceUri: 'https://service.example/', apiKey: 'k-4711-x', apiSig: 's-0815-x' };
    const connectionId = await connect(core, { ...practice, close: async () => undefined });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['a.pdf']));
    await untilJobs(core, batchId, ([job]) => job?.failure !== null);
    await core.must('connections.remove', { id: connectionId });
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'failed', failure: { code: 'not-found' } }]);
  });

  it('is cancelled, not in doubt, if a person cancels it before its last byte has left', async () => {
    const [core, folder] = [await newCore(), await newFolder()];
    // Accepts the connection and reads nothing: the request can never leave completely.
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.pause());
      socket.on('error', () => undefined);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    atEnd(async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    });
    const { port } = server.address() as { port: number };
    const connectionId = await connect(core, {
      baseUrl: `http://127.0.0.1:${port}`,
      mainPath: '/m.asmx',
      easySignPath: '/e.asmx',
      namespaceUri: 'https://service.example/',
      apiKey: 'k-4711-x',
      apiSig: 's-0815-x',
      close: async () => undefined,
    });
    const batchId = await register(core, connectionId, await writePdfs(folder, ['large.pdf'], 30_000_000));
    const [job] = await untilJobs(core, batchId, ([job]) => (job?.sentBytes ?? 0) > 0);
    expect(job?.totalBytes).toBeGreaterThan(40_000_000);
    await core.must('jobs.cancel', { jobId: job?.id ?? '' });
    expect(await untilEnded(core, batchId)).toMatchObject([{ state: 'cancelled' }]);
  });
});
