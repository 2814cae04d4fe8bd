import { createSocket } from 'node:dgram';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desktop, findElectron, removeHomes, startDesktop } from '../harness/electron.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const pageUrl = 'app://sealdesk/index.html';

async function listenForDatagrams() {
  let count = 0;
  const socket = createSocket('udp4', () => (count += 1));
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return { port: socket.address().port, count: () => count, close: () => socket.close() };
}

async function listenForConnections() {
  let count = 0;
  const server = createTcpServer((socket) => {
    count += 1;
    socket.on('error', () => undefined).destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, count: () => count, close: () => server.close() };
}

describe.skipIf(why !== '')(`the locked window in real Electron${why}`, () => {
  let desktop: Desktop;
  let outside: Server;
  let outsideUrl = '';
  const visits: string[] = [];

  beforeAll(async () => {
    outside = createServer((request, response) => {
      visits.push(`${request.method} ${request.url}`);
      response.end('<h1>outside</h1>');
    });
    await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done));
    outsideUrl = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
    desktop = await startDesktop();
  });
  afterAll(async () => {
    await desktop?.quit();
    outside?.close();
    removeHomes();
  });

  it('gives the page three functions and nothing of Node', async () => {
    const seen = await desktop.page.evaluate(() => ({
      bridge: Object.keys((window as unknown as { bridge: object }).bridge).sort(),
      node: ['require', 'process', 'module', 'global', 'Buffer', 'ipcRenderer', 'electron'].filter(
        (name) => name in window,
      ),
      webview: 'loadURL' in document.createElement('webview'),
    }));
    expect(seen).toEqual({ bridge: ['call', 'onEvent', 'take'], node: [], webview: false });
  });

  it('runs the page sandboxed, isolated and in a session that keeps nothing', async () => {
    const preferences = await desktop.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      const set = (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences();
      const { sandbox, contextIsolation, nodeIntegration, webviewTag } = set;
      return {
        sandbox,
        contextIsolation,
        nodeIntegration,
        webviewTag,
        kept: contents?.session.isPersistent(),
      };
    });
    expect(preferences).toEqual({
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      kept: false,
    });
  });

  it('leaves the browser engine’s own protections on', async () => {
    const set = await desktop.app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents;
      return (contents as unknown as { getLastWebPreferences(): Record<string, unknown> }).getLastWebPreferences();
    });
    // Absent is the default, which is the safe one for each.
    expect(set.webSecurity ?? true).toBe(true);
    expect(set.allowRunningInsecureContent ?? false).toBe(false);
    expect(set.experimentalFeatures ?? false).toBe(false);
    expect(set.enableBlinkFeatures ?? '').toBe('');
    expect(set.nodeIntegrationInSubFrames ?? false).toBe(false);
    expect(set.nodeIntegrationInWorker ?? false).toBe(false);
    const switches = await desktop.app.evaluate(({ app }) =>
      ['disable-web-security', 'allow-running-insecure-content', 'remote-debugging-address'].filter((name) =>
        app.commandLine.hasSwitch(name),
      ),
    );
    expect(switches).toEqual([]);
  });

  it('serves the page’s own files only, with a policy and a nonce of their own each time', async () => {
    const answers = await desktop.app.evaluate(async ({ session }) => {
      const ask = async (address: string) => {
        try {
          const answer = await session.fromPartition('window', { cache: false }).fetch(address);
          return {
            status: answer.status,
            policy: answer.headers.get('content-security-policy'),
            body: await answer.text(),
          };
        } catch {
          return { status: 0, policy: null, body: '' };
        }
      };
      const base = 'app://sealdesk';
      const hostile = [
        '/../package.json',
        '/..%2f..%2fpackage.json',
        '/%2e%2e/%2e%2e/package.json',
        '/..\\..\\package.json',
        '//etc/passwd',
        '/etc/passwd',
        '/assets/../../main/main.js',
        '/index.html%00.js',
        '/index.html?x',
        '/constructor',
        '/x.__proto__',
        '/.git/config',
      ];
      return {
        page: await ask(`${base}/index.html`),
        again: await ask(`${base}/index.html`),
        refused: await Promise.all(hostile.map(async (path) => [path, (await ask(base + path)).status])),
        other: (await ask('app://elsewhere/index.html')).status,
      };
    });
    expect(answers.page.status).toBe(200);
    for (const [path, status] of answers.refused) expect([path, status]).toEqual([path, expect.toBeOneOf([0, 404])]);
    expect(answers.other).toBeOneOf([0, 404]);
    const nonce = /'nonce-([^']+)'/.exec(answers.page.policy ?? '')?.[1] ?? '';
    expect(nonce.length).toBeGreaterThan(20);
    expect(answers.page.body).toContain(nonce);
    expect(answers.page.body).not.toContain('__CSP_NONCE__');
    expect(answers.again.policy).not.toContain(nonce);
    expect(answers.page.policy).toContain("default-src 'none'; script-src 'self';");
    expect(answers.page.policy).not.toContain('unsafe');
  });

  it('lets no code be made from text', async () => {
    const tried = await desktop.page.evaluate(async () => {
      const outcome = async (work: () => unknown) => {
        try {
          await work();
          return 'ran';
        } catch (error) {
          return error instanceof Error ? error.name : 'refused';
        }
      };
      const inline = document.createElement('script');
      try {
        inline.text = 'window.inlineRan = true';
        document.body.append(inline);
      } catch {
        // Refused even earlier.
      }
      const holder = document.createElement('div');
      try {
        holder.innerHTML = '<img src=x onerror="window.inlineRan = true">';
        document.body.append(holder);
      } catch {
        // Refused even earlier.
      }
      // An image that is asked for later, and is not there either: by its error the one before had its own.
      await new Promise((done) => {
        const later = new Image();
        later.onerror = done;
        later.src = 'y';
      });
      return {
        // biome-ignore lint/security/noGlobalEval: the test is that it cannot run
        eval: await outcome(() => globalThis.eval('1 + 1')),
        function: await outcome(() => new Function('return 1')()),
        inline: 'inlineRan' in window,
      };
    });
    expect(tried).toEqual({ eval: 'EvalError', function: 'EvalError', inline: false });
    // As text, because the test runner rewrites import().
    const imported = await desktop.page.evaluate(
      "import('data:text/javascript,1').then(() => 'ran', (error) => error.name)",
    );
    expect(imported).toBe('TypeError');
  });

  it('lets nothing out through WebRTC, which no policy of a page covers', async () => {
    const [udp, tcp] = [await listenForDatagrams(), await listenForConnections()];
    const gathered = await desktop.page.evaluate(
      async ([udpPort, tcpPort]) => {
        const servers = [
          { urls: `stun:127.0.0.1:${udpPort}` },
          { urls: `turn:127.0.0.1:${udpPort}?transport=udp`, username: 'name', credential: 'word' },
          { urls: `turn:127.0.0.1:${tcpPort}?transport=tcp`, username: 'name', credential: 'word' },
          { urls: `turns:127.0.0.1:${tcpPort}?transport=tcp`, username: 'name', credential: 'word' },
        ];
        const peer = new RTCPeerConnection({ iceServers: servers });
        const candidates: string[] = [];
        peer.addEventListener('icecandidate', ({ candidate }) => candidate && candidates.push(candidate.candidate));
        peer.createDataChannel('out');
        await peer.setLocalDescription(await peer.createOffer());
        await new Promise((done) => setTimeout(done, 4_000));
        peer.close();
        return candidates;
      },
      [udp.port, tcp.port],
    );
    udp.close();
    tcp.close();
    expect({ datagrams: udp.count(), connections: tcp.count(), gathered }).toEqual({
      datagrams: 0,
      connections: 0,
      gathered: [],
    });
  });

  it('lets nothing out and stays where it is, whatever a hostile page tries', async () => {
    const tried = await desktop.page.evaluate(async (outsideAddress: string) => {
      const failed = async (work: () => unknown) => {
        try {
          await work();
          return false;
        } catch {
          return true;
        }
      };
      const fetched = await failed(() => fetch(outsideAddress, { mode: 'no-cors' }));
      const ownFetched = await failed(() => fetch('app://sealdesk/index.html'));
      const file = await failed(() => fetch('file:///etc/passwd'));
      const socket = await new Promise<boolean>((done) => {
        try {
          const attempt = new WebSocket(outsideAddress.replace('http', 'ws'));
          attempt.onerror = () => done(true);
          attempt.onopen = () => done(false);
        } catch {
          done(true);
        }
      });
      const opened = window.open(outsideAddress);
      navigator.sendBeacon?.(outsideAddress, 'x');
      const add = (tag: string, set: Record<string, string>) => {
        const element = document.createElement(tag);
        try {
          for (const [name, value] of Object.entries(set)) element.setAttribute(name, value);
        } catch {
          // Trusted types refuse some attributes outright.
        }
        document.body.append(element);
        return element;
      };
      add('img', { src: `${outsideAddress}/img` });
      add('iframe', { src: `${outsideAddress}/frame` });
      add('object', { data: `${outsideAddress}/object` });
      add('link', { rel: 'prefetch', href: `${outsideAddress}/prefetch` });
      add('link', { rel: 'stylesheet', href: `${outsideAddress}/style` });
      add('meta', { 'http-equiv': 'refresh', content: `0;url=${outsideAddress}/refresh` });
      (add('a', { href: `${outsideAddress}/link`, ping: `${outsideAddress}/ping` }) as HTMLAnchorElement).click();
      (add('a', { href: `${outsideAddress}/blank`, target: '_blank' }) as HTMLAnchorElement).click();
      (add('a', { href: 'file:///etc/passwd' }) as HTMLAnchorElement).click();
      (add('a', { href: 'app://elsewhere/' }) as HTMLAnchorElement).click();
      (add('form', { action: `${outsideAddress}/form`, method: 'post' }) as HTMLFormElement).submit();
      location.href = `${outsideAddress}/location`;
      // Such tries have no end that could be waited for.
      await new Promise((done) => setTimeout(done, 1000));
      return { fetched, ownFetched, file, socket, opened: opened === null };
    }, outsideUrl);
    expect(tried).toEqual({ fetched: true, ownFetched: true, file: true, socket: true, opened: true });
    expect(visits).toEqual([]);
    expect(desktop.page.url().split('#')[0]).toBe(pageUrl);
    expect(desktop.app.windows()).toHaveLength(1);
    // The server does answer: the test could fail.
    await (await fetch(outsideUrl)).text();
    expect(visits).toEqual(['GET /']);
  });

  it('denies every permission but copying text', async () => {
    const states = await desktop.page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
      const asked = names.map(async (name) => {
        const state = await navigator.permissions.query({ name: name as PermissionName }).then(
          (status) => status.state,
          () => 'denied',
        );
        return `${name} ${state}`;
      });
      const media = await navigator.mediaDevices.getUserMedia({ audio: true }).then(
        () => 'given',
        () => 'denied',
      );
      return [...(await Promise.all(asked)), `media ${media}`];
    });
    expect(states.filter((state) => !state.endsWith('denied'))).toEqual([]);
  });

  it('lets no download begin', async () => {
    await desktop.app.evaluate(({ session }) => {
      session.fromPartition('window').on('will-download', (event, item) => {
        Object.assign(globalThis, { download: { prevented: event.defaultPrevented, state: item.getState() } });
      });
    });
    await desktop.page.evaluate(async () => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['x']));
      link.download = 'x.txt';
      link.click();
    });
    const seen = () => desktop.app.evaluate(() => (globalThis as { download?: { prevented: boolean } }).download);
    await expect.poll(seen).toMatchObject({ prevented: true });
  });

  it('answers hostile names and inputs with a failure and never rejects', async () => {
    const answers = await desktop.page.evaluate(async () => {
      const { bridge } = window as unknown as { bridge: { call(...input: unknown[]): Promise<{ ok: boolean }> } };
      const names = [
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        '',
        'x'.repeat(1_000_000),
        7,
        null,
        undefined,
        {},
        ['app.info'],
      ];
      const inputs = [
        undefined,
        null,
        1,
        'x',
        [],
        { extra: 1 },
        JSON.parse('{"__proto__":{"a":1}}'),
        new Map(),
        new Date(),
      ];
      const all = [
        ...names.map((name) => bridge.call(name, {})),
        ...inputs.map((input) => bridge.call('connections.use', input)),
      ];
      const settled = await Promise.allSettled(all);
      return settled.map((one) => (one.status === 'fulfilled' ? one.value.ok : 'rejected'));
    });
    expect(new Set(answers)).toEqual(new Set([false]));
    const polluted = await desktop.app.evaluate(() => 'a' in {});
    expect(polluted).toBe(false);
  });

  it('does not take what is no real file', async () => {
    const answers = await desktop.page.evaluate(async () => {
      const { bridge } = window as unknown as { bridge: { take(file: unknown): Promise<{ ok: boolean }> } };
      const forged = Object.assign(Object.create(File.prototype), { path: '/etc/passwd' });
      const fakes = [{ path: '/etc/passwd', name: 'passwd' }, '/etc/passwd', null, new Blob(['x']), forged];
      const settled = await Promise.allSettled(fakes.map((fake) => bridge.take(fake)));
      return settled.map((one) => (one.status === 'fulfilled' ? one.value.ok : 'rejected'));
    });
    expect(answers.filter((answer) => answer === true)).toEqual([]);
  });

  it('refuses every other page, even one with the same preload', async () => {
    const program = await desktop.app.evaluate(({ app }) => app.getAppPath());
    const preload = join(program, 'dist', 'preload', 'preload.cjs');
    const arrived = desktop.app.waitForEvent('window');
    await desktop.app.evaluate(async ({ BrowserWindow }, path) => {
      const other = new BrowserWindow({ show: false, webPreferences: { preload: path, sandbox: true } });
      await other.loadURL('data:text/html,<h1>other</h1>');
    }, preload);
    const other = await arrived;
    await other.waitForLoadState('load');
    const answers = await other.evaluate(async () => {
      const { bridge } = window as unknown as {
        bridge: { call(...input: unknown[]): Promise<unknown>; take(file: File): Promise<unknown> };
      };
      return [await bridge.call('app.info', {}), await bridge.take(new File(['x'], 'x.pdf'))];
    });
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, failure: { code: 'bad-input' } });
    await other.close();
    const own = await desktop.page.evaluate(() =>
      (window as unknown as { bridge: { call(...input: unknown[]): Promise<unknown> } }).bridge.call('app.info', {}),
    );
    expect(own).toMatchObject({ ok: true });
  });
});
