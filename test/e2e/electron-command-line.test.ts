import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { electronPath, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { keyringStarter, whyNoKeyring } from '../harness/keyring.ts';
import { startPractice } from '../harness/practice.ts';

const root = resolve(import.meta.dirname, '../..');
const sample = join(root, 'assets/samples/letter-of-engagement.pdf');
const electron = findElectron();
const why = 'missing' in electron ? electron.missing : whyNoKeyring();

/** The command line as `sealdesk-cli` starts it, without a display. */
function start(
  words: readonly string[],
  config: string,
  env: Readonly<Record<string, string>> = {},
  starter = electronPath(),
): ChildProcess {
  const program = process.env.SEALDESK_PACKAGED ? [] : [root];
  const { DISPLAY: _x11, WAYLAND_DISPLAY: _wayland, ...inherited } = process.env;
  const switches = ['--no-sandbox', '--no-zygote', '--log-level=3'];
  return spawn(starter, [...switches, ...program, '--cli', '--', ...words], {
    env: { ...inherited, LC_ALL: 'C', XDG_CONFIG_HOME: config, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ended(child: ChildProcess) {
  let out = '';
  let err = '';
  child.stdout?.on('data', (text) => (out += String(text)));
  child.stderr?.on('data', (text) => (err += String(text)));
  const [code, signal] = await once(child, 'close');
  return { code, signal, out, err };
}

describe.skipIf(why !== null)(`the command line in real Electron${why ? ` (skipped: ${why})` : ''}`, () => {
  afterAll(removeHomes);

  it('sends over a connection of the window with the credentials that the window keeps in the keychain', async () => {
    const folder = newHome();
    const config = join(folder, 'config');
    const home = join(config, 'Sealdesk');
    const keyring = keyringStarter(folder, electronPath());
    const service = await startPractice({ dataDir: join(folder, 'service'), assetsDir: join(root, 'assets') });
    try {
      const { baseUrl, mainPath, namespaceUri, apiKey, apiSig } = service;
      const first = await startDesktop({ home, ...keyring });
      const settings = { name: 'Harbour office', baseUrl, mainPath, namespaceUri };
      const { id } = await ask(first, 'connections.save', { settings });
      expect(await ask(first, 'connections.setCredentials', { id, apiKey, apiSig })).toMatchObject({
        kept: 'keychain',
      });
      await first.quit();

      const words = ['register', sample, '--connection', 'Harbour office', '--json'];
      const ran = await ended(start(words, config, keyring.env, keyring.starter));
      expect(ran, ran.err).toMatchObject({ code: 0, signal: null });
      const { documentId } = JSON.parse(ran.out);

      const second = await startDesktop({ home, ...keyring });
      expect(JSON.stringify(await ask(second, 'documents.list', { connectionId: id }))).toContain(documentId);
      await second.quit();
    } finally {
      await service.close();
    }
  });

  it('reads every word after the dashes itself, and ends with its own exit code', async () => {
    const config = newHome();
    expect(await ended(start(['--version'], config))).toMatchObject({ code: 0, out: '0.1.0\n', err: '' });
    // A word that the browser engine knows, too.
    const language = await ended(start(['verify', sample, '--lang=de'], config));
    expect(language.err).toMatch(/^sealdesk-cli: verify has no option --lang/);
    const unknown = await ended(start(['verify', sample, '--remote-debugging-port=0'], config));
    expect(unknown).toMatchObject({ code: 2, out: '' });
    expect(unknown.err).toMatch(/^sealdesk-cli: verify has no option --remote-debugging-port/);
    expect(await ended(start(['verify', sample, '--json'], config))).toMatchObject({ code: 1, err: '' });
    // Neither the engine nor the command has left anything there.
    expect(readdirSync(config)).toEqual([]);
  });

  it('leaves a job in doubt when Ctrl-C comes while it is being sent', async () => {
    const config = newHome();
    const service = createServer();
    const sent = once(service, 'request');
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    try {
      const { port } = service.address() as AddressInfo;
      const where = [
        '--url',
        `http://127.0.0.1:${port}`,
        '--namespace',
        'https://ns.example.org/',
        '--main-path',
        '/a',
      ];
      const env = { SEALDESK_API_KEY: 'key', SEALDESK_API_SIG: 'signature' };
      const child = start(['register', sample, ...where, '--json'], config, env);
      const end = ended(child);
      const [request] = await sent;
      request.resume();
      await once(request, 'end');
      child.kill('SIGINT');
      const ran = await end;
      expect(ran).toMatchObject({ code: 3, signal: null });
      expect(JSON.parse(ran.out)).toMatchObject({ ok: false, failure: { code: 'outcome-unknown' } });
    } finally {
      service.closeAllConnections();
      service.close();
    }
  });

  it('does its work to the end and ends with 6 when its reader has ended', async () => {
    const child = start(['register', sample, '--json'], newHome());
    child.stdout?.destroy();
    expect(await ended(child)).toMatchObject({ code: 6, signal: null });
  });
});
