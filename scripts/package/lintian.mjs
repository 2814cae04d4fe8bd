import { spawn } from 'node:child_process';
import { missingTool } from './tools.mjs';

/**
 * As pairs of name and function: lintian finds no error in the deb but those that assets/installer/lintian-overrides gives reasons for. It begins at once, and the other
 * checks go on meanwhile.
 */
export function checkLintian(deb) {
  const missing = deb ? missingTool('lintian') : 'no deb package';
  const run = missing ? null : startLintian(deb);
  return [['lintian finds no error in the deb', async () => missing ?? expectNoErrors(await run)]];
}

async function startLintian(deb) {
  const asRoot = process.getuid?.() === 0 ? ['--allow-root'] : [];
  const words = ['--tag-display-limit', '0', '--fail-on', 'error', ...asRoot, deb];
  const child = spawn('lintian', words, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 600_000 });
  const run = { out: '', err: '', code: null };
  child.stdout.on('data', (text) => (run.out += String(text)));
  child.stderr.on('data', (text) => (run.err += String(text)));
  run.code = await new Promise((done) => child.once('close', (code, signal) => done(code ?? signal)));
  return run;
}

function expectNoErrors({ out, err, code }) {
  const errors = out.split('\n').filter((line) => line.startsWith('E: '));
  if (errors.length > 0) throw new Error(errors.slice(0, 20).join('; '));
  if (code !== 0) throw new Error(`lintian ended with ${code}: ${err.slice(-500)}`);
}
