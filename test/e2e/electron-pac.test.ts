import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { assetsDir } from '../harness/core.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { type Desktop, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { freePort } from '../harness/free-port.ts';
import { startPractice } from '../harness/practice.ts';
import { type SecureFront, startSecureFront } from '../harness/secure-front.ts';
import { hasSquid, needsSquid, type Squid, squidUser, startSquid } from '../harness/squid.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
/** Only the proxy finds it: this computer's look-up knows no such name. */
const host = 'service.example';

describe.skipIf(why !== '' || process.platform !== 'linux')(`a PAC file of the system in real Electron${why}`, () => {
  let desktop: Desktop;
  let practice: Awaited<ReturnType<typeof startPractice>>;
  let front: SecureFront;
  let squid: Squid;
  let pac: Server;
  let pacText = '';
  beforeEach(needsSquid);
  beforeAll(async () => {
    if (!hasSquid) return;
    const home = newHome();
    practice = await startPractice({ dataDir: join(home, 'service'), assetsDir });
    front = await startSecureFront(practice.baseUrl, { names: [host] });
    squid = await startSquid({ asks: 'basic', hosts: [host] });
    const answer = `PROXY 127.0.0.1:${await freePort()}; PROXY 127.0.0.1:${squid.port}; DIRECT`;
    pacText = `function FindProxyForURL(url, host) { return host === '${host}' ? '${answer}' : 'DIRECT'; }`;
    pac = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ns-proxy-autoconfig' }).end(pacText);
    });
    await new Promise<void>((resolve) => pac.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(pac.address() as { port: number }).port}/proxy.pac`;
    // Without a desktop environment Chromium takes the system's settings from these variables.
    const env = { auto_proxy: address, XDG_CURRENT_DESKTOP: '', DESKTOP_SESSION: '' };
    desktop = await startDesktop({ home: join(home, 'home'), env });
  });
  afterAll(async () => {
    await desktop?.quit();
    await squid?.close();
    pac?.close();
    front?.close();
    await practice?.close();
    removeHomes();
  });

  it('is followed in order: a dead proxy is passed over, one that asks for a password is not gone around', async () => {
    const { mainPath, easySignPath, namespaceUri, apiKey, apiSig } = practice;
    const baseUrl = `https://${host}:${front.port}`;
    const settings = { name: 'By PAC', baseUrl, mainPath, easySignPath, namespaceUri, extraCa: front.certificate };
    const credentials = { apiKey, apiSig };
    const { id } = await ask(desktop, 'connections.save', { settings, credentials });
    await expect(ask(desktop, 'service.testCredentials', { connectionId: id })).rejects.toThrow(
      /proxy-login-needed|407/,
    );
    expect(front.visitors).toEqual([]);

    await ask(desktop, 'connections.setAccess', { id, proxyLogin: squidUser });
    expect(await ask(desktop, 'service.testCredentials', { connectionId: id })).toMatchObject({ accepted: true });
    await squid.saw(new RegExp(`^CONNECT ${host}:${front.port} 200$`));
    const report = await ask(desktop, 'connections.doctor', { id });
    expect(report.text).toMatch(/proxy: PROXY 127\.0\.0\.1:\d+;\s?PROXY 127\.0\.0\.1:\d+;\s?DIRECT/);
    expect(report.steps.find(({ step }) => step === 'proxy')).toMatchObject({ result: 'passed' });
  });

  it('carries an add through the living proxy, once', async () => {
    const { connections } = await ask(desktop, 'connections.state', {});
    const connectionId = connections.find(({ name }) => name === 'By PAC')?.id ?? '';
    await ask(desktop, 'service.addQuickNote', { connectionId, message: 'Through the proxy', description: '' });
    await expect.poll(() => practice.control.requests().AddQuickNote ?? 0, { timeout: 20_000 }).toBe(1);
  });
});
