import { execFile, spawn } from 'node:child_process';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { arch, cpus, platform, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * `npm run bench [-- --rounds 5 --sizes 100,400,1024 --dir FOLDER]`: our client beside curl and node-soap as it comes, on the
 * same server, one after the other in every round. Prints ratios of medians and writes them to bench/results/.
 */
const run = promisify(execFile);
const here = import.meta.dirname;

function option(name: string, usual: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : (process.argv[at + 1] ?? usual);
}
const rounds = Number(option('rounds', '5'));
const sizes = option('sizes', '100,400,1024').split(',').map(Number);
const listEntries = 100_000;
/** Beyond this node-soap fails: the message no longer fits into a string. */
const stockMiB = 100;

interface Sample {
  readonly tookMs: number;
  readonly longestBlockMs?: number;
  readonly aboveIdleMB?: number;
}
const samples = new Map<string, Sample[]>();

function keep(name: string, sample: Sample): void {
  samples.set(name, [...(samples.get(name) ?? []), sample]);
}

async function client(who: 'ours' | 'stock', what: string, url: string, file = ''): Promise<Sample> {
  const { stdout } = await run(process.execPath, [join(here, 'client.ts'), who, what, url, file]);
  const { tookMs, longestBlockMs, idleBytes, peakBytes } = JSON.parse(stdout) as Record<string, number>;
  return { tookMs, longestBlockMs, aboveIdleMB: ((peakBytes ?? 0) - (idleBytes ?? 0)) / 1e6 } as Sample;
}

async function curl(...args: string[]): Promise<Sample> {
  const { stdout } = await run('curl', ['-s', '-w', '%{time_total}', ...args]);
  return { tookMs: Number(stdout) * 1000 };
}

async function makeFiles(folder: string, mebibytes: number) {
  const block = Buffer.from(Uint8Array.from({ length: 768 * 1024 }, (_, at) => (at * 7919) >> 5));
  const document = join(folder, `${mebibytes}.bin`);
  const envelope = join(folder, `${mebibytes}.xml`);
  const [plain, encoded] = [await open(document, 'w'), await open(envelope, 'w')];
  await encoded.write('<soap>');
  for (let left = mebibytes * 1024 * 1024; left > 0; left -= block.length) {
    const part = block.subarray(0, Math.min(left, block.length));
    await plain.write(part);
    await encoded.write(part.toString('base64'));
  }
  await encoded.write('</soap>');
  await plain.close();
  await encoded.close();
  return { document, envelope };
}

async function round(base: string, folder: string, files: ReadonlyMap<number, { document: string; envelope: string }>) {
  const post = ['-X', 'POST', '-H', 'Content-Type: text/xml', '-o', '/dev/null'];
  for (const [size, { document, envelope }] of files) {
    keep(`curl -T ${size}`, await curl(...post, '-T', envelope, `${base}/sink`));
    keep(`ours up ${size}`, await client('ours', 'upload', `${base}/sink`, document));
    if (size === 400)
      keep('curl --data-binary 400', await curl(...post, '--data-binary', `@${envelope}`, `${base}/sink`));
    const target = join(folder, 'target');
    keep(`curl -o ${size}`, await curl('-d', 'x', '-o', target, `${base}/document/${size}`));
    await rm(target, { force: true });
    keep(`ours down ${size}`, await client('ours', 'download', `${base}/document/${size}`, target));
    await rm(target, { force: true });
    if (size !== stockMiB) continue;
    keep('stock up', await client('stock', 'upload', `${base}/sink`, document));
    keep('stock down', await client('stock', 'download', `${base}/document/${size}`, target));
  }
  keep('ours list', await client('ours', 'list', `${base}/list/${listEntries}`));
  keep('stock list', await client('stock', 'list', `${base}/list/${listEntries}`));
}

function median(name: string, of: (sample: Sample) => number | undefined): number {
  const values = (samples.get(name) ?? []).map((sample) => of(sample) ?? Number.NaN).sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

function rowsOf(): string[] {
  const rows: string[] = [];
  const row = (what: string, ours: string, reference: string, target: number) => {
    if (!samples.has(ours) || !samples.has(reference)) return;
    const [a, b] = [median(ours, (one) => one.tookMs), median(reference, (one) => one.tookMs)];
    const [block, memory] = [median(ours, (one) => one.longestBlockMs), median(ours, (one) => one.aboveIdleMB)];
    const verdict = a / b <= target ? 'met' : 'missed';
    rows.push(
      `| ${what} | ${reference} | ${a.toFixed(0)} | ${b.toFixed(0)} | ${(a / b).toFixed(2)} | ≤ ${target.toFixed(2)} | ${verdict} | ${memory.toFixed(0)} | ${block.toFixed(1)} |`,
    );
  };
  for (const size of sizes)
    row(`upload ${size} MiB`, `ours up ${size}`, `curl -T ${size}`, size > 1000 ? 1.1 : size > 200 ? 1.15 : 1.25);
  row('upload 400 MiB', 'ours up 400', 'curl --data-binary 400', 0.75);
  row(`upload ${stockMiB} MiB`, `ours up ${stockMiB}`, 'stock up', 0.12);
  for (const size of sizes) row(`download ${size} MiB`, `ours down ${size}`, `curl -o ${size}`, 1.15);
  row(`download ${stockMiB} MiB`, `ours down ${stockMiB}`, 'stock down', 1);
  row(`list of ${listEntries} entries`, 'ours list', 'stock list', 0.25);
  return rows;
}

async function report(): Promise<string> {
  const { stdout } = await run('curl', ['--version']);
  return [
    `# Bench of ${new Date().toISOString()}`,
    '',
    `${platform()} ${release()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model ?? ''}; Node ${process.version}; ${stdout.split(' (')[0]}; median of ${rounds} interleaved rounds.`,
    'Times in ms. Memory: peak of the client process above the same process before the call, MB (target ≤ 40). Block: longest turn of its event loop, ms (target ≤ 16).',
    '',
    '| what | reference | ours | theirs | ratio | target | | memory | block |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rowsOf(),
    '',
  ].join('\n');
}

const folder = await mkdtemp(join(option('dir', tmpdir()), 'sealdesk-bench-'));
const server = spawn(process.execPath, [join(here, 'server.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const port = await new Promise<string>((resolve) =>
    server.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  const files = new Map<number, { document: string; envelope: string }>();
  for (const size of sizes) files.set(size, await makeFiles(folder, size));
  await curl('-d', 'x', '-o', '/dev/null', `http://127.0.0.1:${port}/list/${listEntries}`);
  for (let turn = 0; turn < rounds; turn++) await round(`http://127.0.0.1:${port}`, folder, files);
  const text = await report();
  console.log(text);
  await writeFile(join(here, 'results', `${new Date().toISOString().slice(0, 16).replace(':', '')}.md`), text);
} finally {
  server.kill();
  await rm(folder, { recursive: true, force: true });
}
