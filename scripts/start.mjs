import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { openInBrowser } from './browser.mjs';
import { fetchElectron, installedElectron } from './electron-runtime.mjs';
import { build, checkNode, install, isRoot, nodeBinary, root, whyNoDisplay } from './setup.mjs';

/* npm start: installs, builds, and opens the desktop program; where that cannot be, the same window in the browser.
   `npm start -- --preview` goes to the browser at once. Everything else is passed on to the program. */

/** A program that fails sooner counts as not started. */
const startMs = 5000;

checkNode();
const args = process.argv.slice(2);
const wantsPreview = args.includes('--preview');
if (!(await install())) stop('The installation failed: see above.');
if (!(await build())) stop('The build failed: see above.');
const reason = wantsPreview ? 'as asked' : await openDesktop();
if (reason !== null) await servePreview(reason);

function stop(text) {
  console.error(text);
  process.exit(1);
}

/** Resolves when the program has ended, with null or the reason why it did not start. */
async function openDesktop() {
  const noDisplay = whyNoDisplay();
  if (noDisplay) return noDisplay;
  const notFetched = installedElectron() ? null : await fetchElectron();
  if (notFetched) return notFetched;
  const sandbox = process.platform === 'linux' && isRoot() ? ['--no-sandbox'] : [];
  const env = { ...process.env };
  delete env.ELECTRON_RUN_AS_NODE;
  const began = Date.now();
  const code = await ended(spawn(installedElectron(), [...sandbox, root, ...args], { stdio: 'inherit', env }));
  if (code !== 0 && Date.now() - began < startMs) return `Electron could not start (it ended with ${code})`;
  process.exitCode = code;
  return null;
}

async function servePreview(why) {
  console.log(`Opening the window in the browser instead of the desktop program: ${why}.`);
  const given = args.filter((word) => word !== '--preview');
  const child = spawn(nodeBinary(), [join(root, 'dist/preview/preview.js'), ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text) => {
    process.stdout.write(text);
    const address = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+/.exec(text)?.[0];
    if (address) openInBrowser(address);
  });
  process.exitCode = await ended(child);
}

/** Waits for a program and passes Ctrl-C on to it. */
function ended(child) {
  const signals = ['SIGINT', 'SIGTERM'];
  let isStopping = false;
  const end = () => {
    isStopping = true;
    child.kill('SIGTERM');
  };
  for (const signal of signals) process.on(signal, end);
  return new Promise((done) => {
    const finish = (code) => {
      for (const signal of signals) process.off(signal, end);
      done(isStopping ? 0 : code);
    };
    child.on('error', () => finish(127));
    child.on('exit', (code) => finish(code ?? 1));
  });
}
