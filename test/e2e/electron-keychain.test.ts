import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../harness/desktop-bridge.ts';
import { type Desktop, electronPath, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { filesWith, keyringStarter, whyNoKeyring } from '../harness/keyring.ts';

const electron = findElectron();
const why = 'missing' in electron ? electron.missing : whyNoKeyring();
const secrets = { apiKey: 'Kq7-visible-nowhere-1', apiSig: 'Sx9-visible-nowhere-2' };

describe.skipIf(why !== null)(`credentials in real Electron${why ? ` (skipped: ${why})` : ''}`, () => {
  let service: Server;
  let baseUrl = '';
  const bodies: string[] = [];

  beforeAll(async () => {
    service = createServer((request, response) => {
      let body = '';
      request.on('data', (text) => {
        body += text;
      });
      request.on('end', () => {
        bodies.push(body);
        response.writeHead(500).end();
      });
    });
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
    baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    service?.close();
    removeHomes();
  });

  async function addConnection(desktop: Desktop): Promise<{ id: string; kept: string }> {
    const settings = {
      name: 'Harbour office',
      baseUrl,
      mainPath: '/v2/api.asmx',
      namespaceUri: 'https://ns.example.org/',
    };
    const { id } = await ask(desktop, 'connections.save', { settings });
    const { kept } = await ask(desktop, 'connections.setCredentials', { id, ...secrets });
    return { id, kept };
  }

  async function credentialsOf(desktop: Desktop, id: string): Promise<string | undefined> {
    const state = await ask(desktop, 'connections.state', {});
    return state.connections.find((connection) => connection.id === id)?.credentials;
  }

  it('are kept by a real keychain across a restart, and in no file in clear', async () => {
    const folder = newHome();
    const home = join(folder, 'home');
    const keyring = keyringStarter(folder, electronPath());
    const first = await startDesktop({ home, ...keyring });
    const { id, kept } = await addConnection(first);
    expect(kept).toBe('keychain');
    await first.quit();

    // The search is able to find what is there: the connection's name is no secret.
    expect(filesWith(home, ['Harbour office']).length).toBeGreaterThan(0);
    expect(filesWith(folder, Object.values(secrets))).toEqual([]);

    const second = await startDesktop({ home, ...keyring });
    expect(await credentialsOf(second, id)).toBe('keychain');
    bodies.length = 0;
    await expect(ask(second, 'service.testCredentials', { connectionId: id })).rejects.toThrow();
    expect(bodies.some((body) => body.includes(secrets.apiKey) && body.includes(secrets.apiSig))).toBe(true);
    const shown = await second.page.evaluate(() => document.documentElement.outerHTML);
    expect(shown).not.toContain(secrets.apiSig);
    expect(second.output()).not.toContain(secrets.apiSig);
    await ask(second, 'connections.forgetCredentials', { id });
    await second.quit();

    const third = await startDesktop({ home, ...keyring });
    expect(await credentialsOf(third, id)).toBe('none');
    await third.quit();
    expect(filesWith(folder, Object.values(secrets))).toEqual([]);
  });

  it('are kept for the run only where there is no keychain', async () => {
    const home = newHome();
    const env = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent' };
    const first = await startDesktop({ home, env });
    const { id, kept } = await addConnection(first);
    expect(kept).toBe('this-run');
    expect(await credentialsOf(first, id)).toBe('this-run');
    await first.quit();
    expect(filesWith(home, Object.values(secrets))).toEqual([]);
    const second = await startDesktop({ home, env });
    expect(await credentialsOf(second, id)).toBe('none');
    await second.quit();
  });
});
