import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/*
 * What all benches share. Every one takes `--small` (a run of seconds that shows that it works, not how fast) and `--write` (also writes its table to
 * bench/results/; without it nothing in the repository changes).
 */

const exec = promisify(execFile);
const here = import.meta.dirname;

export const isSmall = process.argv.includes('--small');
const isWritten = process.argv.includes('--write');

/** Ends a bench that this machine has not all for, with the exit code that says so. */
export function cannotRun(reason: string): never {
  console.log(`cannot run here: ${reason}`);
  process.exit(3);
}

/** The word behind `--name`. */
export function option(name: string, usual: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : (process.argv[at + 1] ?? usual);
}

/** A number, a smaller one with `--small`. */
export function sizeOption(name: string, usual: number, small: number): number {
  return Number(option(name, String(isSmall ? small : usual)));
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** How long some work takes, in ms. */
export async function timed(work: () => unknown): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}

/**
 * Runs what is to be compared in turn, each round in the other direction, so that whatever else happens on the machine, or changes from round to round, meets all
 * alike. A turn that gives a number has taken its time itself; one that gives null is not measured in this round.
 */
export async function interleaved<N extends string>(
  rounds: number,
  turns: Readonly<Record<N, (round: number) => unknown>>,
): Promise<Record<N, readonly number[]>> {
  const names = Object.keys(turns) as N[];
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, number[]>;
  for (let round = 0; round < rounds; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const since = performance.now();
      const given = await turns[name](round);
      if (given !== null) times[name].push(typeof given === 'number' ? given : performance.now() - since);
    }
  return times;
}

/** SHA-256 of a file, or of its bytes to `end`; with `copy`, that file has them then, on the disk: the least that a copy takes that is sent and must be the file. */
export async function hashOf(path: string, { end, copy }: { end?: number; copy?: string } = {}): Promise<string> {
  const hash = createHash('sha256');
  const target = copy === undefined ? null : await open(copy, 'w');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024, end })) {
    hash.update(chunk);
    await target?.write(chunk);
  }
  await target?.sync();
  await target?.close();
  return hash.digest('hex');
}

/** A folder for the time of the work. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(option('dir', tmpdir()), 'sealdesk-bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Another program of bench/ in a process of its own, so that its work is not ours. */
export interface Peer {
  /** The first line that it printed: where it is reached. */
  readonly told: string;
  /** Ends it by ending its input, which also happens when this process ends, and waits for that. */
  stop(): Promise<void>;
}

export async function startPeer(script: string, ...args: readonly string[]): Promise<Peer> {
  const child = spawn(process.execPath, [join(here, script), ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const first = await Promise.race([once(child.stdout, 'data'), ended.then(() => null)]);
  if (!first) throw new Error(`${script} ended before it said where it is`);
  return {
    told: String(first[0]).trim(),
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}

/** Runs a program of bench/ to its end; what it printed last is its result as JSON. */
export async function runForResult<T>(
  script: string,
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<T> {
  const { stdout } = await exec(process.execPath, [...nodeOptions, join(here, script), ...args], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
}

/** The table of a bench: each row is printed when it is known, the whole at the end. */
export interface Report {
  row(what: string, ...cells: readonly (string | undefined)[]): void;
  /** Prints the table; with `--write` also into bench/results/, under the time and this name. */
  end(name: string, ...remarks: readonly string[]): Promise<void>;
}

export function startReport(title: string, columns: readonly string[]): Report {
  const before = loadavg()[0]?.toFixed(1);
  const rows: string[] = [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return {
    row(what, ...given) {
      const cells = columns.slice(1).map((_name, at) => given[at] ?? '');
      rows.push(line([what, ...cells]));
      console.log([what, cells.filter(Boolean).join('; ')].join(': '));
    },
    async end(name, ...remarks) {
      const now = new Date().toISOString();
      const processors = `${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}`;
      const machine = `${platform()} ${release()} ${arch()}, ${processors}; Node ${process.version}; load ${before} before, ${loadavg()[0]?.toFixed(1)} after${isSmall ? '; a small run, whose figures say nothing' : ''}.`;
      const head = [line(columns), line(columns.map(() => '---'))];
      const text = [`# ${title}, ${now}`, '', machine, ...remarks, '', ...head, ...rows, ''].join('\n');
      console.log(`\n${text}`);
      if (!isWritten) return;
      await mkdir(join(here, 'results'), { recursive: true });
      await writeFile(join(here, 'results', `${now.slice(0, 16).replace(':', '')}-${name}.md`), text);
    },
  };
}

/** A small PDF that is equal to no other. */
export const smallPdf = (text: string): string =>
  `%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n% ${text}\ntrailer<</Root 1 0 R>>\n%%EOF\n`;

/** Writes so many small files into the folder. */
export async function writeSmallFiles(folder: string, count: number, mark: string): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths = Array.from({ length: count }, (_each, n) => join(folder, `${n}.pdf`));
  for (const [n, path] of paths.entries()) await writeFile(path, smallPdf(`${mark} ${n} ${'x'.repeat(2_000)}`));
  return paths;
}

/** Writes so many PDFs of this size in MiB into the folder, no two of them equal. */
export async function writeLargeFiles(folder: string, count: number, mebibytes: number): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const paths = Array.from({ length: count }, (_each, n) => join(folder, `${n}.pdf`));
  for (const [n, path] of paths.entries()) {
    const content = Buffer.alloc(mebibytes * 1024 * 1024, `${n} large `);
    content.write('%PDF-1.4\n');
    content.write('\n%%EOF\n', content.length - 7);
    await writeFile(path, content);
  }
  return paths;
}
