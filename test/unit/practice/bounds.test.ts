import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { call, newFolder, type Practice, pdf, practice, send, sendInner } from './practice-client.ts';

/** What programs on the same computer without the credentials can make the service do. */
afterEach(() => {
  vi.useRealTimers();
});

describe('wrong credentials', () => {
  test.each([
    ['a wrong key', (_service: Practice) => ({ apiKey: 'wrong' }), '-121'],
    ['a wrong signature', (_service: Practice) => ({ apiSig: 'wrong' }), '-122'],
  ])('with %s nothing of a document is written', async (_name, given, code) => {
    const dataDir = await newFolder();
    const service = await practice({ dataDir });
    const before = readdirSync(dataDir, { recursive: true });
    const document = Buffer.concat([pdf(), Buffer.alloc(3_000_000, 0x20)]);
    const values = { ...given(service), Document: document, creditType: 1 };
    const written = new Set<string>();
    const looking = setInterval(() => {
      for (const name of readdirSync(dataDir, { recursive: true })) written.add(String(name));
    }, 1);
    expect(await call(service, 'AddNewDocument', values)).toBe(code);
    clearInterval(looking);
    expect([...written].filter((name) => !before.map(String).includes(name))).toEqual([]);
  });

  test('count after what cannot be read, and before what the service has to look up', async () => {
    const service = await practice();
    const wrong = '<apiKey>wrong</apiKey>';
    const unreadable = await sendInner(service, 'AddNewDocument', `${wrong}<Document>*</Document>`);
    expect(unreadable).toMatchObject({ status: 500 });
    const { body } = await sendInner(
      service,
      'AddNewDocument',
      `${wrong}<Document>QUJD</Document><creditType>9</creditType>`,
    );
    expect(body).toContain('>-121<');
    expect(await call(service, 'GetVersion')).toBe('2.0');
  });
});

describe('connections', () => {
  const open = (service: Practice) =>
    new Promise<Socket>((resolve) => {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1', () => resolve(socket));
      socket.on('error', () => undefined);
    });
  const closed = (sockets: readonly Socket[]) =>
    sockets.filter(({ destroyed, readableEnded }) => destroyed || readableEnded).length;

  test('that come to no request are closed, however they drip', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const service = await practice();
    const silent = await open(service);
    const dripping = await open(service);
    for (const socket of [silent, dripping]) socket.resume();
    dripping.write('POST / HTTP/1.1\r\nX: ');
    for (let ticks = 0; ticks < 23; ticks++) {
      dripping.write('a');
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect(closed([silent, dripping])).toBe(0);
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.waitFor(() => expect(closed([silent, dripping])).toBe(2));
  });

  test('with a request stay for ten minutes without a byte', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const service = await practice();
    const socket = await open(service);
    socket.resume();
    const host = new URL(service.baseUrl).host;
    socket.write(
      `POST ${service.mainPath} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: text/xml\r\nContent-Length: 500\r\n\r\n<a`,
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    await vi.advanceTimersByTimeAsync(590_000);
    expect(closed([socket])).toBe(0);
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitFor(() => expect(closed([socket])).toBe(1));
    expect((await send(service, 'GetVersion')).status).toBe(200);
  });

  test('are bounded in number', async () => {
    const service = await practice();
    const sockets: Socket[] = [];
    for (let count = 0; count < 210; count++) sockets.push((await open(service)).resume());
    await vi.waitFor(() => expect(closed(sockets)).toBeGreaterThanOrEqual(10));
    for (const socket of sockets) socket.destroy();
    await vi.waitFor(async () => expect((await send(service, 'GetVersion')).status).toBe(200));
  });
});
