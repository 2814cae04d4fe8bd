import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingTool } from './tools.mjs';
import { freePort } from './with-program.mjs';

/** Every way of writing the switches that open the window to other programs. */
const ways = (port) => [
  [`--remote-debugging-port=${port}`],
  [`-remote-debugging-port=${port}`],
  ['--remote-debugging-pipe'],
  [`--remote-debugging-port=${port}`, '--remote-allow-origins=*'],
  [`--remote-debugging-port=${port}`, '--version'],
  ['--cli', `--remote-debugging-port=${port}`, '--', '--version'],
  ['--disable-web-security'],
  ['--load-extension=/tmp'],
  ['--js-flags=--expose-gc'],
  ['--browser-subprocess-path=/bin/true'],
];

/** Throws unless the program ends by itself with 2, and nobody got a connection to the port from its start to its end. */
export async function refusesDebuggers(folder) {
  const missing = missingTool('xvfb-run', 'xauth');
  if (missing) return missing;
  const port = await freePort();
  for (const words of ways(port)) {
    const { code, connections } = await started(join(folder, 'sealdesk'), words, port);
    if (connections > 0) throw new Error(`${words.join(' ')}: ${connections} connections`);
    if (code !== 2) throw new Error(`${words.join(' ')}: the program ended with ${code}`);
  }
}

async function started(program, words, port) {
  const home = mkdtempSync(join(tmpdir(), 'sealdesk-debuggers-'));
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const command = ['-a', program, ...asRoot, `--user-data-dir=${home}`, ...words];
  const child = spawn('xvfb-run', command, { detached: true, stdio: 'ignore' });
  const ended = new Promise((done) => child.once('exit', done));
  let connections = 0;
  const asking = setInterval(() => {
    const socket = connect(port, '127.0.0.1', () => {
      connections += 1;
      socket.destroy();
    });
    socket.on('error', () => undefined);
  }, 5);
  // The group: xvfb-run, its server and the program.
  const late = setTimeout(() => process.kill(-child.pid, 'SIGKILL'), 20_000);
  const code = await ended;
  clearTimeout(late);
  clearInterval(asking);
  rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  return { code, connections };
}
