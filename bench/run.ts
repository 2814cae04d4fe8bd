import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * `npm run bench [-- --rounds 5 --sizes 100,400,1024 --only up,down,list --dir FOLDER]`: our client beside curl and node-soap as it
 * comes, on the same server, one after the other in every round. Prints ratios of medians and writes them to bench/results/.
 */
const run = promisify(execFile);
const here = import.meta.dirname;

function option(name: string, usual: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : (process.argv[at + 1] ?? usual);
}
const rounds = Number(option('rounds', '5'));
const sizes = option('sizes', '100,400,1024').split(',').map(Number);
const only = option('only', 'up,down,list').split(',');
const listEntries = 100_000;
/** node-soap fails with larger sizes: the message does not fit in a string. */
const stockMiB = 100;

interface Sample {
  readonly tookMs: number;
  readonly firstMs?: number;
  readonly cpuMs?: number;
  readonly longestBlockMs?: number;
  readonly aboveIdleMB?: number;
}
const samples = new Map<string, Sample[]>();

function keep(name: string, sample: Sample): void {
  samples.set(name, [...(samples.get(name) ?? []), sample]);
}

async function client(who: 'ours' | 'stock', what: string, url: string, ...files: string[]): Promise<Sample> {
  const { stdout } = await run(process.execPath, [join(here, 'client.ts'), who, what, url, ...files]);
  const { idleBytes, peakBytes, ...sample } = JSON.parse(stdout) as Sample & Record<'idleBytes' | 'peakBytes', number>;
  return { ...sample, aboveIdleMB: (peakBytes - idleBytes) / 1e6 };
}

async function timed(work: Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work;
  return performance.now() - since;
}

/** curl's own time, which excludes its start. */
async function curl(...args: string[]): Promise<Sample> {
  const { stdout } = await run('curl', ['-s', '-w', '%{time_total}', ...args]);
  return { tookMs: Number(stdout) * 1000 };
}

interface Files {
  readonly document: string;
  readonly envelope: string;
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

const post = ['-X', 'POST', '-H', 'Content-Type: text/xml', '-o', '/dev/null'];

async function uploads(base: string, size: number, { document, envelope }: Files, small: string): Promise<void> {
  keep(`curl -T ${size}`, await curl(...post, '-T', envelope, `${base}/sink`));
  keep(`ours up ${size}`, await client('ours', 'upload', `${base}/sink`, document, small));
  // The whole process: curl reads the file before it starts its clock.
  if (size === 400) {
    const args = ['-s', ...post, '--data-binary', `@${envelope}`, `${base}/sink`];
    keep('curl --data-binary 400', { tookMs: await timed(run('curl', args)) });
  }
  if (size === stockMiB) keep('stock up', await client('stock', 'upload', `${base}/sink`, document, small));
}

/**
 * Touches more memory than any file here needs in the page cache: the host of a virtual machine allocates memory at the first touch, which takes a
 * second or more per GiB, and reclaims free memory. Without this the order of the runs would change their figures.
 */
async function touchMemory(): Promise<void> {
  await run(process.execPath, ['-e', 'globalThis.kept = Array.from({ length: 12 }, () => Buffer.alloc(2 ** 28, 1))']);
}

async function downloads(base: string, size: number, target: string): Promise<void> {
  const url = `${base}/document/${size}`;
  await touchMemory();
  const plain = await curl('-d', 'x', '-o', target, url);
  keep(`curl -o ${size}`, plain);
  const syncMs = await timed(run('sync', [target]));
  keep(`curl -o, sync ${size}`, { tookMs: plain.tookMs + syncMs });
  await rm(target, { force: true });
  await touchMemory();
  keep(`ours down ${size}`, await client('ours', 'download', url, target));
  await rm(target, { force: true });
  if (size === stockMiB) keep('stock down', await client('stock', 'download', url, target));
  await rm(target, { force: true });
}

async function round(base: string, folder: string, files: ReadonlyMap<number, Files>): Promise<void> {
  const small = join(folder, '1.bin');
  for (const [size, each] of files) {
    if (only.includes('up')) await uploads(base, size, each, small);
    if (only.includes('down')) await downloads(base, size, join(folder, 'target'));
  }
  if (!only.includes('list')) return;
  keep('ours list', await client('ours', 'list', `${base}/list/${listEntries}`));
  keep('stock list', await client('stock', 'list', `${base}/list/${listEntries}`));
}

function valuesOf(name: string, field: keyof Sample): number[] {
  const values = (samples.get(name) ?? []).map((sample) => sample[field]);
  return values.filter((value) => value !== undefined).sort((a, b) => a - b);
}

function medianOf(values: readonly number[]): number {
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

function row(what: string, ours: string, reference: string, target: number): string[] {
  const [mine, theirs] = [valuesOf(ours, 'tookMs'), valuesOf(reference, 'tookMs')];
  if (mine.length === 0 || theirs.length === 0) return [];
  const ratio = medianOf(mine) / medianOf(theirs);
  const least = (mine[0] ?? 0) / (theirs[0] ?? 0);
  const blocks = valuesOf(ours, 'longestBlockMs');
  const times = [mine, theirs].map((values) => `${medianOf(values).toFixed(0)} (${values[0]?.toFixed(0)})`);
  const cells = [
    what,
    reference,
    ...times,
    ratio.toFixed(2),
    least.toFixed(2),
    `≤ ${target.toFixed(2)}`,
    ratio <= target ? 'met' : 'missed',
    medianOf(valuesOf(ours, 'cpuMs')).toFixed(0),
    valuesOf(ours, 'aboveIdleMB').at(-1)?.toFixed(0),
    `${medianOf(blocks).toFixed(1)} (${blocks.at(-1)?.toFixed(1)})`,
  ];
  return [`| ${cells.join(' | ')} |`];
}

function rowsOf(): string[] {
  const upTarget = (size: number) => (size > 1000 ? 1.1 : size > 200 ? 1.15 : 1.25);
  return [
    ...sizes.flatMap((size) => row(`upload ${size} MiB`, `ours up ${size}`, `curl -T ${size}`, upTarget(size))),
    ...row('upload 400 MiB', 'ours up 400', 'curl --data-binary 400', 0.75),
    ...row(`upload ${stockMiB} MiB`, `ours up ${stockMiB}`, 'stock up', 0.12),
    ...sizes.flatMap((size) => [
      ...row(`download ${size} MiB`, `ours down ${size}`, `curl -o ${size}`, 1.15),
      ...row(`download ${size} MiB`, `ours down ${size}`, `curl -o, sync ${size}`, 1.15),
    ]),
    ...row(`download ${stockMiB} MiB`, `ours down ${stockMiB}`, 'stock down', 1),
    ...row(`list of ${listEntries} entries`, 'ours list', 'stock list', 0.25),
  ];
}

function firstCalls(): string {
  const kinds = ['up', 'down', 'list'].map(
    (kind) => [kind, [...samples.keys()].filter((name) => name.startsWith(`ours ${kind}`))] as const,
  );
  const known = kinds.filter(([, names]) => names.length > 0);
  return known
    .map(
      ([kind, names]) =>
        `${kind} ${medianOf(names.flatMap((name) => valuesOf(name, 'firstMs')).sort((a, b) => a - b)).toFixed(0)}`,
    )
    .join(', ');
}

async function report(loadBefore: readonly number[]): Promise<string> {
  const { stdout } = await run('curl', ['--version']);
  const load = [loadBefore, loadavg()].map(([minute = 0]) => minute.toFixed(1)).join(' before, ');
  return [
    `# Bench of ${new Date().toISOString()}`,
    '',
    `${platform()} ${release()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}; Node ${process.version}; ${stdout.split(' (')[0]}; median (least) of ${rounds} interleaved rounds; load ${load} after.`,
    '',
    'Times in ms. Ours and node-soap: the second call of a process, after one of 1 MiB or 100 entries; ours ends when the file is hashed, on the disk and in its place.',
    'curl: its own clock, with `--data-binary` the whole process. CPU: all threads of our process during the call. Memory: its greatest peak above the same process before',
    `anything was called, MB (target ≤ 40). Block: longest turn of its event loop, ms, median (worst) (target ≤ 16). First calls of a process, ms: ${firstCalls()}.`,
    '',
    '| what | reference | ours | theirs | ratio | of the least | target | | CPU | memory | block |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rowsOf(),
    '',
  ].join('\n');
}

const loadBefore = loadavg();
const folder = await mkdtemp(join(option('dir', tmpdir()), 'sealdesk-bench-'));
const server = spawn(process.execPath, [join(here, 'server.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const port = await new Promise<string>((resolve) =>
    server.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  const base = `http://127.0.0.1:${port}`;
  await makeFiles(folder, 1);
  const files = new Map<number, Files>();
  for (const size of sizes) files.set(size, await makeFiles(folder, size));
  // Warm-up: the server creates its list, and its code is compiled.
  await curl('-d', 'x', '-o', '/dev/null', `${base}/list/${listEntries}`);
  await curl('-d', 'x', '-o', '/dev/null', `${base}/document/100`);
  for (let turn = 0; turn < rounds; turn++) await round(base, folder, files);
  const text = await report(loadBefore);
  console.log(text);
  const results = join(here, 'results');
  await mkdir(results, { recursive: true });
  await writeFile(join(results, `${new Date().toISOString().slice(0, 16).replace(':', '')}.md`), text);
} finally {
  server.kill();
  await rm(folder, { recursive: true, force: true });
}
