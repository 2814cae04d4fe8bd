import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { doMainJob } from './main-job.mjs';

const program = '/opt/Sealdesk/sealdesk';

/** The checks of an installed deb package, as pairs of name and function; installs it first and removes it last. */
export function checkInstalled(deb) {
  const why = whyNot(deb);
  if (why !== null) return [['the installed program does its main job', () => why]];
  return [
    ['the package installs', () => install(deb)],
    ['the installed program does its main job', () => withInstalled(doMainJob)],
    ['the package goes away again', remove],
  ];
}

function whyNot(deb) {
  if (!deb) return 'no deb package';
  if (process.getuid?.() !== 0) return 'only as root can a package be installed';
  if (spawnSync('dpkg', ['--version']).status !== 0) return 'no dpkg';
  if (spawnSync('xvfb-run', ['--help']).status !== 0) return 'no xvfb-run';
  if (existsSync(program)) return 'Sealdesk is installed here already and is left alone';
  return null;
}

function install(deb) {
  run('apt-get', ['install', '-y', '--no-install-recommends', deb], { DEBIAN_FRONTEND: 'noninteractive' });
  if (!existsSync(program)) throw new Error(`${program} is not there`);
  for (const file of ['/usr/bin/sealdesk', '/usr/share/applications/sealdesk.desktop']) {
    if (!existsSync(file)) throw new Error(`${file} is not there`);
  }
}

function remove() {
  run('apt-get', ['purge', '-y', 'sealdesk'], { DEBIAN_FRONTEND: 'noninteractive' });
  if (existsSync(program)) throw new Error(`${program} is still there`);
}

function run(command, words, env) {
  const done = spawnSync(command, words, { encoding: 'utf8', env: { ...process.env, ...env }, timeout: 300_000 });
  if (done.status !== 0) throw new Error(`${command}: ${`${done.stdout}${done.stderr}`.slice(-1500)}`);
}

/** The inspect fuse is off, so the browser engine's own port is the only way in; nothing in the program opens it by itself. */
async function withInstalled(work) {
  const home = mkdtempSync(join(tmpdir(), 'sealdesk-installed-'));
  const port = await freePort();
  const words = ['--no-sandbox', `--user-data-dir=${home}`, `--remote-debugging-port=${port}`];
  const child = spawn('xvfb-run', ['-a', '/usr/bin/sealdesk', ...words], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DEBUG: '*', ELECTRON_RUN_AS_NODE: undefined },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = new Promise((done) => child.once('exit', done));
  let browser;
  try {
    browser = await connect(port);
    const page = await firstPage(browser);
    await work(page);
    if (/apiSig|soap:/i.test(output)) throw new Error('DEBUG made the program talk');
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${output.slice(-1500)}`);
  } finally {
    await browser?.close().catch(() => undefined);
    // The group: xvfb-run, its server and the program.
    if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function connect(port) {
  const end = Date.now() + 30_000;
  for (;;) {
    try {
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((later) => setTimeout(later, 300));
    }
  }
}

async function firstPage(browser) {
  const end = Date.now() + 30_000;
  for (;;) {
    const page = browser.contexts()[0]?.pages()[0];
    if (page?.url().startsWith('app://')) return page;
    if (Date.now() > end) throw new Error('the program showed no page');
    await new Promise((later) => setTimeout(later, 200));
  }
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
