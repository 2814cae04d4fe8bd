import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { connectionSettings } from '../../contract/connections.ts';
import type { Context } from '../../electron/core/context.ts';
import { usualPauses } from '../../electron/core/foundation/pauses.ts';
import { steadyClock } from '../../electron/core/foundation/ports.ts';
import { startJobs } from '../../electron/core/jobs/start-jobs.ts';
import { createCircuitBreakers } from '../../electron/core/lasting-work/circuit-breaker.ts';
import { unlimited } from '../../electron/core/team/ask-claim.ts';
import { createSoapClient } from '../../electron/soap/soap-client.ts';
import type { JobTable } from '../../electron/store/jobs/jobs.ts';
import { openStore, type Store } from '../../electron/store/store.ts';
import { defaultPreferences } from '../harness/default-preferences.ts';
import { atEnd, newFolder } from './jobs-setup.ts';

const log = { info: () => undefined, error: () => undefined };

/** A service that records every byte and, at the first one, the ledger's content at that moment. */
export async function listener(onFirstByte: () => void) {
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

const soap = (result: string) =>
  `<soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>${result}</soap:Body></soap:Envelope>`;
export const accepted = (id: string) =>
  soap(
    `<AddNewDocumentResponse xmlns="https://service.example/"><AddNewDocumentResult>${id}</AddNewDocumentResult></AddNewDocumentResponse>`,
  );
/** That says that the request was refused. */
export const fault = soap(
  '<soap:Fault><faultcode>soap:Client</faultcode><faultstring>no credit</faultstring></soap:Fault>',
);
export const http = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\nContent-Type: text/xml; charset=utf-8\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;

/** What a service has of a request. */
export interface Received {
  readonly socket: Socket;
  readonly parts: Buffer[];
  /** Of the body. */
  length: number;
  isWhole: boolean;
}

interface Behaviour {
  /** Called with each part of a body; true if the service is not to answer as usual. */
  readonly onBody?: (request: Received, count: number) => boolean | undefined;
}

/** A service that records what it gets, and has a request only when all of it is there. */
export async function service({ onBody }: Behaviour = {}) {
  const requests: Received[] = [];
  const server = createServer((socket) => {
    let head = '';
    let length = -1;
    const request: Received = { socket, parts: [], length: 0, isWhole: false };
    socket.on('error', () => undefined);
    socket.on('data', (bytes) => {
      let part = bytes;
      if (length < 0) {
        head += bytes.toString('latin1');
        const at = head.indexOf('\r\n\r\n');
        if (at < 0) return;
        length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
        part = Buffer.from(head.slice(at + 4), 'latin1');
        requests.push(request);
        if (/^expect:/im.test(head)) socket.write('HTTP/1.1 100 Continue\r\n\r\n');
      }
      request.parts.push(part);
      request.length += part.length;
      request.isWhole = request.length === length;
      if (onBody?.(request, requests.length)) return;
      if (request.isWhole)
        socket.end(http('200 OK', accepted(`3f2504e0-4f89-41d3-9a0c-0305e82c33${9 + requests.length}`)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    for (const { socket } of requests) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const whole = () => requests.filter(({ isWhole }) => isWhole);
  return { requests, whole, port: (server.address() as { port: number }).port };
}

interface QueueParts {
  /** Replaces parts of the ledger. */
  readonly change?: (jobs: JobTable) => Partial<JobTable>;
  /** Awaited before each commit of what was copied. */
  readonly beforeAdmission?: () => Promise<void>;
  readonly hasTeam?: boolean;
  /** How long the service may be silent. */
  readonly silentMs?: number;
  readonly dataDir?: string;
}

function clientOf(port: number, silentMs: number) {
  const settings = connectionSettings.parse({
    name: 'Service',
    baseUrl: `http://127.0.0.1:${port}`,
    mainPath: '/main.asmx',
    namespaceUri: 'https://service.example/',
    timeouts: { connectMs: 2_000, idleMs: silentMs, answerMs: silentMs },
  });
  const client = createSoapClient(
    { ...settings, proxy: 'DIRECT', proxyLogin: null, identity: null },
    { apiKey: 'k-4711-x', apiSig: 's-0815-x' },
  );
  return { settings, client };
}

/** The real queue with the real store and SOAP client. `add` gives it a file of this size, with a text that makes it different from others. */
export async function openQueue(port: number, parts: QueueParts = {}) {
  const {
    change = () => ({}),
    beforeAdmission,
    hasTeam = false,
    silentMs = 1_000,
    dataDir = await newFolder(),
  } = parts;
  const { store } = await openStore({ dataDir, log });
  const { settings, client } = clientOf(port, silentMs);
  const ending = new AbortController();
  const grouped: Store['grouped'] = async (work) => {
    // A test that fails ends all the same.
    await Promise.race([
      beforeAdmission?.(),
      new Promise((resolve) => ending.signal.addEventListener('abort', resolve)),
    ]);
    return await store.grouped(work);
  };
  const context = {
    ports: {
      dataDir,
      log,
      keychain: { get: async () => null, set: async () => undefined, remove: async () => undefined },
    },
    store: { ...store, grouped, jobs: { ...store.jobs, ...change(store.jobs) } },
    connections: {
      get: async (id: string) => ({ ...settings, id, kind: 'service', credentials: 'this-run' }),
      client: async () => client,
    },
    settings: { preferences: () => defaultPreferences, onChange: new Set() },
    answers: { onMeanings: new Set(), table: () => [] },
    team: { asks: () => hasTeam, claim: async () => unlimited, report: () => undefined, assignedToMe: () => null },
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
    ending.abort();
    await jobs.close();
    client.close();
    store.close();
  });
  const add = async (name: string, sizeBytes: number) => {
    const path = join(await newFolder(), name);
    await writeFile(path, createHash('shake256', { outputLength: sizeBytes }).update(name).digest());
    const file = { path, name, folder: '', sizeBytes };
    const order = { operation: 'AddNewDocument', title: name, args: { creditType: 1 }, file, record: null } as const;
    const { jobIds } = await jobs.enqueue('one', [{ ...order, duplicates: 'ask' }]);
    return { jobId: jobIds[0] ?? '', path };
  };
  return { jobs, store, dataDir, add };
}

/** Of a file that is sent while it is copied, in bytes. */
export const large = 8 * 1024 * 1024;
export const waitMs = 20_000;

/** Keeps what was copied out of the ledger until it is opened: what is sent meanwhile is sent as its copy grows. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  atEnd(async () => open());
  return { open, beforeAdmission: () => opened };
}

type Queue = Awaited<ReturnType<typeof openQueue>>;

export const stateOf = ({ store }: Queue, jobId: string) => store.jobs.get(jobId)?.state;
export const stepsOf = ({ store }: Queue, jobId: string) => store.jobs.history(jobId).map(({ kind }) => kind);
export const becomes = (queue: Queue, jobId: string, state: string) =>
  expect.poll(() => stateOf(queue, jobId), { timeout: waitMs }).toBe(state);
/** All of a document but its end is at the service. */
export const isUnderWay = ({ requests }: { requests: readonly Received[] }, at = 0) =>
  expect.poll(() => requests[at]?.length ?? 0, { timeout: waitMs }).toBeGreaterThan(large);
export const isBrokenOff = ({ requests }: { requests: readonly Received[] }) =>
  expect
    .poll(() => requests.every(({ socket }) => socket.closed || socket.readableEnded), { timeout: waitMs })
    .toBe(true);
