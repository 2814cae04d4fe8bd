import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { type Desktop, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';

describe.skipIf(why !== '')(`quitting in the middle of a send, in real Electron${why}`, () => {
  let silent: Server;
  let baseUrl = '';
  const adds: string[] = [];
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    // Takes whatever comes and never says a word.
    silent = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        if (bytes.includes('<AddNewDocument') || bytes.includes(':AddNewDocument')) adds.push('add');
      });
    });
    await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
    baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    silent?.close();
    removeHomes();
  });

  it('ends within its bound, and the next start calls the document in doubt and sends nothing', async () => {
    const home = newHome();
    const first = await startDesktop({ home });
    const settings = { name: 'Silent', baseUrl, mainPath: '/v2/api.asmx', namespaceUri: 'https://ns.example.org/' };
    const { id: connectionId } = await ask(first, 'connections.save', { settings });
    await ask(first, 'connections.setCredentials', { id: connectionId, apiKey: 'key', apiSig: 'signature' });
    const [sample] = await ask(first, 'files.samples', {});
    const intake = await ask(first, 'files.scan', { tokens: [sample?.token ?? ''], purpose: 'register' });
    const { batchId } = await ask(first, 'documents.register', { connectionId, intakeId: intake.id, creditType: 1 });
    await expect.poll(() => adds.length, { timeout: 15_000 }).toBe(1);
    const before = Date.now();
    await first.quit();
    expect(Date.now() - before).toBeLessThan(10_000);

    const second = await startDesktop({ home });
    const [, another] = await ask(second, 'files.samples', {});
    const states = async () => (await ask(second, 'jobs.list', { batchId })).jobs.map((job) => job.state);
    expect(await states()).toEqual(['in-doubt']);
    // With credentials nothing but a person's word stands between the document and a second send.
    await ask(second, 'connections.setCredentials', { id: connectionId, apiKey: 'key', apiSig: 'signature' });
    // Another document leaves at once: by then the first would have left too.
    const more = await ask(second, 'files.scan', { tokens: [another?.token ?? ''], purpose: 'register' });
    await ask(second, 'documents.register', { connectionId, intakeId: more.id, creditType: 1 });
    await expect.poll(() => adds.length, { timeout: 15_000 }).toBe(2);
    expect(await states()).toEqual(['in-doubt']);
    expect(adds).toEqual(['add', 'add']);
    await second.quit();
  });
});

describe.skipIf(why !== '')(`a page that does not respond, in real Electron${why}`, () => {
  afterAll(removeHomes);
  /** Keeps the page busy for ever. */
  const freeze = ({ page }: Desktop) =>
    page.evaluate(
      () =>
        void setTimeout(() => {
          for (;;);
        }),
    );

  it('does not keep the program from ending', async () => {
    const desktop = await startDesktop();
    await freeze(desktop);
    const before = Date.now();
    await desktop.quit();
    expect(Date.now() - before).toBeLessThan(13_000);
  });

  it('is loaded again if the person wants it', async () => {
    const desktop = await startDesktop();
    await freeze(desktop);
    const asked = await desktop.app.evaluate(async ({ dialog, BrowserWindow }) => {
      const [window] = BrowserWindow.getAllWindows();
      const loaded = new Promise<void>((resolve) => window?.webContents.once('did-finish-load', () => resolve()));
      const asked: string[] = [];
      dialog.showMessageBox = (async (_window: unknown, { message, buttons }: Electron.MessageBoxOptions) => {
        asked.push(message, ...(buttons ?? []));
        return { response: 1, checkboxChecked: false };
      }) as typeof dialog.showMessageBox;
      window?.emit('unresponsive');
      await loaded;
      return asked;
    });
    expect(asked).toEqual(['The window does not respond', 'Wait', 'Reload', 'Quit Sealdesk']);
    // The test tool gives up a page whose process ended, so the main process is asked.
    const isThere = () =>
      desktop.app.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript("document.querySelector('nav') !== null"),
      );
    await expect.poll(isThere).toBe(true);
    await desktop.quit();
  });
});
