import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { type Desktop, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { encodingsOf } from '../harness/encodings.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const secrets = { apiKey: 'KEY-7f3a-b2c9-page', apiSig: 'SIG-91d0-44aa-page' };
const content = 'what nobody gave to the page';

interface PageBridge {
  call(name: unknown, input: unknown): Promise<{ readonly ok: boolean }>;
  take(file: unknown): Promise<{ readonly ok: boolean; readonly value?: { readonly token: string } }>;
}

/** The claims of electron/preload.ts, each tried by code in the page itself. */
describe.skipIf(why !== '')(`a page that was taken over, in real Electron${why}`, () => {
  let desktop: Desktop;
  let path = '';
  let connectionId = '';
  let elsewhere: Server;
  let received = '';

  const addressOf = (server: Server) => `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = (baseUrl: string) => ({
    name: 'Office',
    baseUrl,
    mainPath: '/api.asmx',
    namespaceUri: 'https://ns.example.org/',
    proxy: { mode: 'none' as const },
  });
  /** Makes calls in the page; answers their envelopes as one text. */
  const callAll = (calls: readonly (readonly [string, unknown])[]) =>
    desktop.page.evaluate(async (given) => {
      const { bridge } = window as unknown as { bridge: PageBridge };
      const answers = await Promise.all(given.map(([name, input]) => bridge.call(name, input)));
      return answers.map(({ ok }, at) => [given[at]?.[0], ok, JSON.stringify(answers[at])] as const);
    }, calls);

  beforeAll(async () => {
    const home = newHome();
    mkdirSync(join(home, 'private'));
    path = join(home, 'private', 'diary.pdf');
    writeFileSync(path, `%PDF-1.4\n${content}`);
    elsewhere = createServer((request, response) => {
      received += `${request.method} ${request.url} ${JSON.stringify(request.headers)}`;
      request.on('data', (text) => (received += String(text)));
      request.on('end', () => response.end('<x/>'));
    });
    await new Promise<void>((done) => elsewhere.listen(0, '127.0.0.1', done));
    desktop = await startDesktop({ home: join(home, 'home') });
    await desktop.app.evaluate(({ dialog, shell }) => {
      const opened: string[] = [];
      Object.assign(globalThis, { opened });
      shell.openExternal = async (address) => void opened.push(address);
      shell.openPath = async (given) => {
        opened.push(given);
        return '';
      };
      shell.showItemInFolder = (given) => void opened.push(given);
      dialog.showOpenDialog = () => Promise.resolve({ canceled: true, filePaths: [] });
      dialog.showSaveDialog = () => Promise.resolve({ canceled: true, filePath: '' });
    });
    const saved = await ask(desktop, 'connections.save', { settings: settings('https://service.invalid') });
    connectionId = saved.id;
    await ask(desktop, 'connections.setCredentials', { id: connectionId, ...secrets });
  });
  afterAll(async () => {
    await desktop?.quit();
    elsewhere?.close();
    removeHomes();
  });

  it('names no path: what it takes by a name of its own is what it made up', async () => {
    const taken = await desktop.page.evaluate(async (given) => {
      const { bridge } = window as unknown as { bridge: PageBridge };
      const file = new File(['%PDF-1.4 invented'], given, { type: 'application/pdf' });
      Object.defineProperty(file, 'path', { value: given });
      Object.defineProperty(file, 'webkitRelativePath', { value: given });
      const moved = new DataTransfer();
      moved.items.add(file);
      moved.setData('text/uri-list', `file://${given}`);
      return [await bridge.take(file), await bridge.take(moved.files[0])];
    }, path);
    const tokens = taken.map(({ value }) => value?.token ?? '');
    const { files } = await ask(desktop, 'files.scan', { tokens, purpose: 'register' });
    expect(files.map(({ sizeBytes }) => sizeBytes)).toEqual([17, 17]);
    expect(readFileSync(path).length).not.toBe(17);
  });

  it('reads no file that nobody gave it, by a path or a guessed token', async () => {
    const guesses = [path, `file://${path}`, `../../${path}`, 'a'.repeat(32), '0', ''];
    const answers = await callAll(
      guesses.flatMap((token) => [
        ['files.scan', { tokens: [token], purpose: 'register' }],
        ['compose.readXml', { token }],
        ['bulk.sample', { token }],
        ['people.import', { token }],
        ['connections.readWsdl', { token }],
        ['connections.readWsdl', { address: `file://${path}` }],
        ['preview.open', { file: { token } }],
        ['preview.open', { file: { path: token } }],
      ]),
    );
    // A scan reports what cannot be used, without opening anything.
    const wrong = answers.filter(([name, ok]) => ok && name !== 'files.scan');
    expect(wrong).toEqual([]);
    expect(JSON.stringify(answers)).not.toContain(content);
    const fetched = await desktop.page.evaluate(
      (addresses) =>
        Promise.all(
          addresses.map((address) =>
            fetch(address).then(
              () => 'read',
              () => 'refused',
            ),
          ),
        ),
      [`file://${path}`, `app://viewer/bytes/${'a'.repeat(32)}`, `app://sealdesk/../..${path}`],
    );
    expect(fetched).toEqual(['refused', 'refused', 'refused']);
  });

  it('reads no credentials back, and sends them to no other server', async () => {
    const reads = [
      ...['app.info', 'connections.state', 'diagnostics.report', 'jobs.list', 'jobs.batches', 'tasks.list'].map(
        (name) => [name, {}] as const,
      ),
      ['connections.doctor', { id: connectionId }],
      ['service.testCredentials', { connectionId }],
      ['forms.list', { place: 'draft', connectionId }],
      ['tracking.state', { connectionId }],
      ['views.state', { screen: 'documents' }],
      ['connections.credentials', { id: connectionId }],
      ['connections.getCredentials', { id: connectionId }],
    ] as const;
    const answers = JSON.stringify(await callAll(reads));
    const forms = Object.values(secrets).flatMap((secret) => Object.values(encodingsOf(secret)));
    expect(forms.filter((form) => answers.includes(form))).toEqual([]);
    expect((await ask(desktop, 'connections.state', {})).connections.at(-1)?.credentials).toBe('this-run');

    await ask(desktop, 'connections.save', { id: connectionId, settings: settings(addressOf(elsewhere)) });
    const [moved] = await callAll([['service.testCredentials', { connectionId }]]);
    expect(moved?.[2]).toContain('"code":"not-connected"');
    expect((await ask(desktop, 'connections.state', {})).connections.at(-1)?.credentials).toBe('none');
    expect(forms.filter((form) => received.includes(form))).toEqual([]);
  });

  it('opens no window, and nothing in other programs that the core has not checked', async () => {
    const hostile = ['file:///etc/passwd', 'javascript:alert(1)', 'smb://x/y', path, 'https://user:word@example.com/'];
    const answers = await callAll(
      hostile.flatMap((address) => [
        ['compose.openAnswer', { jobId: address }],
        ['compose.openAnswer', { jobId: 'x', url: address }],
        ['preview.openOutside', { file: { token: address } }],
        ['preview.showInFolder', { file: { path: address } }],
        ['verify.showReport', { taskId: address }],
        ['documents.showDownload', { taskId: address }],
        ['tracking.draftMail', { connectionId, entryId: address, subject: 'x', body: 'y' }],
      ]),
    );
    expect(answers.filter(([, ok]) => ok)).toEqual([]);
    const windows = await desktop.page.evaluate(
      (addresses) => addresses.map((address) => window.open(address) === null),
      hostile,
    );
    expect(new Set(windows)).toEqual(new Set([true]));
    expect(await desktop.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toEqual([]);
    expect(desktop.app.windows()).toHaveLength(1);
    // Its own folder is shown: the test could see an opened one.
    await ask(desktop, 'storage.showFolder', {});
    expect(await desktop.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).toHaveLength(1);
  });
});
