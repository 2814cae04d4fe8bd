import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const program = '/usr/bin/sealdesk-cli';
const sample = '/opt/Sealdesk/resources/assets/samples/letter-of-engagement.pdf';
const nobody = 65534;
const doubt = 3;
const outputLost = 6;

/** What the installed command line must do for an ordinary person without a display, as pairs of name and function. */
export function checkCommandLine() {
  return [
    ['the installed command line names its version and its help', () => atHome(namesItself)],
    ['it registers and verifies, and its exit codes say how it ended', () => atHome(doesItsJob)],
    ['Ctrl+C while it sends leaves the job in doubt', () => atHome(isInterrupted)],
    ['its work goes on when its reader has ended', () => atHome(losesItsReader)],
  ];
}

async function atHome(work) {
  const home = mkdtempSync(join(tmpdir(), 'sealdesk-command-line-'));
  chmodSync(home, 0o777);
  try {
    await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

/** Of the environment only what a scheduled run has. */
function settings(home, env = {}) {
  return { cwd: home, env: { PATH: '/usr/bin:/bin', HOME: home, LC_ALL: 'C', ...env }, uid: nobody, gid: nobody };
}

function run(home, ...words) {
  const done = spawnSync(program, words, { ...settings(home), encoding: 'utf8', timeout: 60_000 });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

function expectEnd(ran, code, says = /^/) {
  if (ran.code !== code || !says.test(`${ran.out}${ran.err}`))
    throw new Error(`expected ${code}: ${JSON.stringify(ran)}`);
  return ran;
}

function namesItself(home) {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const { out, err } = expectEnd(run(home, '--version'), 0);
  if (out.trim() !== version || err !== '') throw new Error(`it said: ${out}${err}`);
  expectEnd(run(home, '--help'), 0, /^Usage: sealdesk-cli /);
  if (readdirSync(home).length > 0) throw new Error(`it left ${readdirSync(home)}`);
}

function doesItsJob(home) {
  const practice = ['--practice-dir', join(home, 'practice'), '--json'];
  const { out } = expectEnd(run(home, 'register', sample, ...practice), 0);
  const { ok, documentId } = JSON.parse(out);
  if (!ok || !documentId) throw new Error(`it said: ${out}`);
  expectEnd(run(home, 'verify', sample, ...practice), 0, /"group":"confirmed"/);
  mkdirSync(join(home, 'changed'));
  const changed = join(home, 'changed', 'letter.pdf');
  writeFileSync(changed, Buffer.concat([readFileSync(sample), Buffer.from('% changed\n')]));
  expectEnd(run(home, 'verify', changed, ...practice), 1);
  expectEnd(run(home, 'verify', changed, '--remote-debugging-port=0'), 2, /no option --remote-debugging-port/);
}

async function isInterrupted(home) {
  const service = createServer();
  const sent = once(service, 'request');
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  try {
    const where = ['--url', `http://127.0.0.1:${service.address().port}`, '--namespace', 'https://ns.example.org/'];
    const words = ['register', sample, ...where, '--main-path', '/api.asmx', '--json'];
    const env = { SEALDESK_API_KEY: 'key', SEALDESK_API_SIG: 'signature' };
    const child = spawn(program, words, { ...settings(home, env), stdio: ['ignore', 'pipe', 'pipe'] });
    const end = endOf(child);
    const first = await Promise.race([sent, end]);
    if (!Array.isArray(first)) throw new Error(`it sent nothing: ${JSON.stringify(first)}`);
    first[0].resume();
    await once(first[0], 'end');
    child.kill('SIGINT');
    expectEnd(await end, doubt, /"failure":\{"code":"outcome-unknown"/);
  } finally {
    service.closeAllConnections();
    service.close();
  }
}

async function losesItsReader(home) {
  const child = spawn(program, ['register', sample, '--json'], {
    ...settings(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  expectEnd(await endOf(child), outputLost);
}

async function endOf(child) {
  const ran = { code: null, out: '', err: '' };
  child.stdout.on('data', (text) => (ran.out += String(text)));
  child.stderr.on('data', (text) => (ran.err += String(text)));
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  [ran.code] = await once(child, 'close');
  clearTimeout(timer);
  return ran;
}
