import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommandLine } from '../test/harness/command-line.ts';

/* node bench/requests.ts [ENTRIES]: time and highest memory of `sealdesk requests` for a long list, without --sort and with it. */

const count = Number(process.argv[2] ?? 1_000_000);
const server = spawn(process.execPath, [join(import.meta.dirname, 'list-server.ts'), String(count)], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const port = await new Promise<string>((resolve) => server.stdout.once('data', (text) => resolve(String(text).trim())));
const cli = await buildCommandLine();
const peakFile = join(cli.home, 'peak');
const own = ['--url', `http://127.0.0.1:${port}`, '--main-path', '/main', '--namespace', 'https://bench.example/ns/'];
const env = {
  ...{ ...process.env, ...cli.env, SEALDESK_API_KEY: 'key-of-the-bench', SEALDESK_API_SIG: 'signature-of-the-bench' },
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
  console.log(`${more.join(' ') || 'as it came'}: ${await ask(more)}`);
cli.remove();
server.kill();
