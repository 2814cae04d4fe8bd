import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';
import { chromium } from 'playwright-core';

const installed = '/opt/Sealdesk/sealdesk';

/**
 * Starts an installed program (command and words) on a display of its own, works in its page, and ends it. What is installed lets no debugger in, so a copy runs in its
 * place, beside it and for this time only, that differs in one byte: the inspect fuse. `work` gets the page, and the id of the process that was started. `root`: the
 * folder that the program sees as its root.
 */
export async function withProgram(command, work, root = '/') {
  const copy = `${installed}-inspected`;
  await copyWithInspector(join(root, installed), join(root, copy));
  try {
    const words = command.map((word) => (word === '/usr/bin/sealdesk' ? copy : word));
    await workIn([...words, '--inspect=0'], work);
  } finally {
    rmSync(join(root, copy), { force: true });
  }
}

/** Throws unless the copy is the program but for one byte. */
export async function copyWithInspector(program, copy) {
  copyFileSync(program, copy);
  await flipFuses(copy, { version: FuseVersion.V1, [FuseV1Options.EnableNodeCliInspectArguments]: true });
  const [one, other] = [readFileSync(program), readFileSync(copy)];
  let differing = one.length === other.length ? 0 : Number.POSITIVE_INFINITY;
  for (let at = 0; at < one.length && differing < 2; at++) if (one[at] !== other[at]) differing += 1;
  if (differing !== 1) throw new Error(`the copy for the tests differs in ${differing} bytes`);
}

async function workIn(command, work) {
  const port = await freePort();
  const child = spawn(
    'xvfb-run',
    ['-a', '--server-args=-screen 0 1280x800x24 -ac', ...command, `--remote-debugging-port=${port}`],
    {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, DEBUG: '*', ELECTRON_RUN_AS_NODE: undefined },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
  const ended = new Promise((done) => child.once('exit', done));
  let browser;
  try {
    browser = await connect(port, () => child.exitCode !== null);
    const page = await firstPage(browser);
    await work(page, child.pid);
    if (/apiSig|soap:/i.test(output)) throw new Error('DEBUG made the program talk');
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${output.slice(-1500)}`);
  } finally {
    await browser?.close().catch(() => undefined);
    // The group: xvfb-run, its server and the program.
    if (child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await ended;
  }
}

async function connect(port, hasEnded) {
  const end = Date.now() + 90_000;
  for (;;) {
    try {
      return await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    } catch (error) {
      if (hasEnded()) throw new Error('the program ended by itself');
      if (Date.now() > end) throw error;
      await new Promise((later) => setTimeout(later, 300));
    }
  }
}

async function firstPage(browser) {
  const end = Date.now() + 90_000;
  for (;;) {
    const page = browser.contexts()[0]?.pages()[0];
    if (page?.url().startsWith('app://')) return page;
    if (Date.now() > end) throw new Error('the program showed no page');
    await new Promise((later) => setTimeout(later, 200));
  }
}

/** A port of this computer that nothing listens on. */
export function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
