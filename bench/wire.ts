import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isSmall, median, option, quantile, sizeOption, startReport, withFolder } from './harness.ts';
import { openWire, type Sample, type Wire } from './wire-runs.ts';

/**
 * `npm run bench:wire [-- --rounds 5 --sizes 100,400,1024 --only up,down,list --dir FOLDER]`: our client beside curl and node-soap as it
 * comes, on the same server, one after the other in every round. Prints ratios of medians.
 */
const run = promisify(execFile);
const rounds = sizeOption('rounds', 5, 1);
const sizes = option('sizes', isSmall ? '10' : '100,400,1024')
  .split(',')
  .map(Number);
const only = option('only', 'up,down,list').split(',');
const listEntries = sizeOption('entries', 100_000, 2_000);
/** node-soap fails with larger sizes: the message does not fit in a string. */
const stockMiB = isSmall ? 10 : 100;

const samples = new Map<string, Sample[]>();
function keep(name: string, sample: Sample): void {
  samples.set(name, [...(samples.get(name) ?? []), sample]);
}

/**
 * Touches more memory than any file here needs in the page cache: the host of a virtual machine allocates memory at the first touch, which takes a
 * second or more per GiB, and reclaims free memory. Without this the order of the runs would change their figures.
 */
async function touchMemory(): Promise<void> {
  if (isSmall) return;
  await run(process.execPath, ['-e', 'globalThis.kept = Array.from({ length: 12 }, () => Buffer.alloc(2 ** 28, 1))']);
}

async function uploads(wire: Wire, size: number): Promise<void> {
  keep(`curl -T ${size}`, await wire.curlUp(size));
  keep(`ours up ${size}`, await wire.up('ours', size));
  if (size === 400) keep('curl --data-binary 400', await wire.curlDataUp(size));
  if (size === stockMiB) keep('stock up', await wire.up('stock', size));
}

async function downloads(wire: Wire, size: number): Promise<void> {
  await touchMemory();
  const plain = await wire.curlDown(size);
  keep(`curl -o ${size}`, plain);
  keep(`curl -o, sync ${size}`, { tookMs: plain.tookMs + plain.syncMs });
  await touchMemory();
  keep(`ours down ${size}`, await wire.down('ours', size));
  if (size === stockMiB) keep('stock down', await wire.down('stock', size));
}

async function round(wire: Wire): Promise<void> {
  for (const size of sizes) {
    if (only.includes('up')) await uploads(wire, size);
    if (only.includes('down')) await downloads(wire, size);
  }
  if (!only.includes('list')) return;
  keep('ours list', await wire.list('ours', listEntries));
  keep('stock list', await wire.list('stock', listEntries));
}

function valuesOf(name: string, field: keyof Sample): number[] {
  const values = (samples.get(name) ?? []).map((sample) => sample[field]);
  return values.filter((value) => value !== undefined);
}

const report = startReport('Bench of the wire', [
  ...['what', 'reference', 'ours', 'theirs', 'ratio', 'of the least'],
  ...['target', '', 'CPU', 'memory', 'block'],
]);

function row(what: string, ours: string, reference: string, target: number): void {
  const [mine, theirs] = [valuesOf(ours, 'tookMs'), valuesOf(reference, 'tookMs')];
  if (mine.length === 0 || theirs.length === 0) return;
  const ratio = median(mine) / median(theirs);
  const blocks = valuesOf(ours, 'longestBlockMs');
  const times = [mine, theirs].map((values) => `${median(values).toFixed(0)} (${Math.min(...values).toFixed(0)})`);
  report.row(
    what,
    reference,
    ...times,
    ratio.toFixed(2),
    (Math.min(...mine) / Math.min(...theirs)).toFixed(2),
    `≤ ${target.toFixed(2)}`,
    ratio <= target ? 'met' : 'missed',
    median(valuesOf(ours, 'cpuMs')).toFixed(0),
    quantile(valuesOf(ours, 'aboveIdleMB'), 1).toFixed(0),
    `${median(blocks).toFixed(1)} (${quantile(blocks, 1).toFixed(1)})`,
  );
}

function rows(): void {
  for (const size of sizes)
    row(`upload ${size} MiB`, `ours up ${size}`, `curl -T ${size}`, size > 1000 ? 1.1 : size > 200 ? 1.15 : 1.25);
  row('upload 400 MiB', 'ours up 400', 'curl --data-binary 400', 0.75);
  row(`upload ${stockMiB} MiB`, `ours up ${stockMiB}`, 'stock up', 0.12);
  for (const size of sizes) {
    row(`download ${size} MiB`, `ours down ${size}`, `curl -o ${size}`, 1.15);
    row(`download ${size} MiB`, `ours down ${size}`, `curl -o, sync ${size}`, 1.15);
  }
  row(`download ${stockMiB} MiB`, `ours down ${stockMiB}`, 'stock down', 1);
  row(`list of ${listEntries} entries`, 'ours list', 'stock list', 0.15);
}

function firstCalls(): string {
  const texts = ['up', 'down', 'list'].map((kind) => {
    const names = [...samples.keys()].filter((name) => name.startsWith(`ours ${kind}`));
    const times = names.flatMap((name) => valuesOf(name, 'firstMs'));
    return times.length > 0 ? `${kind} ${median(times).toFixed(0)}` : '';
  });
  return texts.filter(Boolean).join(', ');
}

await withFolder(async (folder) => {
  const wire = await openWire(folder, sizes);
  try {
    await wire.warmUp(listEntries);
    for (let turn = 0; turn < rounds; turn++) await round(wire);
  } finally {
    await wire.close();
  }
});
rows();
const { stdout: curlVersion } = await run('curl', ['--version']);
await report.end(
  'wire',
  `${curlVersion.split(' (')[0]}; median (least) of ${rounds} interleaved rounds.`,
  '',
  'Times in ms. Ours and node-soap: the second call of a process, after one of 1 MiB or 100 entries; ours ends when the file is hashed, on the disk and in its place.',
  'curl: its own clock, with `--data-binary` the whole process. CPU: all threads of our process during the call. Memory: its greatest peak above the same process before',
  `anything was called, MB (target ≤ 40). Block: longest turn of its event loop, ms, median (worst) (target ≤ 16). First calls of a process, ms: ${firstCalls()}.`,
);
