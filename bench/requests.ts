import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommandLine } from '../test/harness/command-line.ts';
import { sizeOption, startPeer, startReport } from './harness.ts';

/* `npm run bench:requests [-- --entries 1000000]`: time and highest memory of `sealdesk requests` for a long list, without --sort and with it. */

const count = sizeOption('entries', 1_000_000, 2_000);
const report = startReport(`sealdesk requests for ${count.toLocaleString('en')} entries`, ['order', 'figure']);
const server = await startPeer('list-server.ts', String(count));
const cli = await buildCommandLine();
const peakFile = join(cli.home, 'peak');
const own = ['--url', server.told, '--main-path', '/main', '--namespace', 'https://bench.example/ns/'];
const env = {
  ...process.env,
  ...cli.env,
  SEALDESK_API_KEY: 'key-of-the-bench',
  SEALDESK_API_SIG: 'signature-of-the-bench',
  NODE_OPTIONS: `--import=${new URL('../test/hostile/measure-peak.mjs', import.meta.url).href}`,
  PEAK_FILE: peakFile,
};

/** Runs it and counts the lines that it prints, which nobody could hold. */
async function ask(more: readonly string[]): Promise<string> {
  const [program = '', ...words] = cli.words(['requests', '--list', '1', '--max', String(count), ...own, ...more]);
  const since = performance.now();
  const child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  child.stdout.on('data', (bytes: Buffer) => {
    for (const byte of bytes) if (byte === 0x0a) lines += 1;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  const seconds = ((performance.now() - since) / 1000).toFixed(1);
  return `exit ${code}, ${lines} lines, ${seconds} s, at most ${Number(readFileSync(peakFile, 'utf8')).toFixed()} MB`;
}

for (const more of [[], ['--sort', 'person'], ['--sort', 'date-desc']])
  report.row(more.join(' ') || 'as it came', await ask(more));
cli.remove();
await server.stop();
await report.end('requests');
