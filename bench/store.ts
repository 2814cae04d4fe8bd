import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { DocumentQuery } from '../electron/store/documents/document-search.ts';
import type { NewDocument } from '../electron/store/documents/documents.ts';
import { openStore, type Store } from '../electron/store/store.ts';
import { startCore } from '../test/harness/core.ts';

/**
 * `npm run bench:store [-- --documents 100000 --files 10000]`: the register with many documents (search as you type, pages, filters, start-up,
 * memory), and a drop of many files (taking in, memory, the longest turn of the event loop). Prints figures and writes them to bench/results/.
 */
function option(name: string, usual: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : Number(process.argv[at + 1]);
}
const documents = option('documents', 100_000);
const files = option('files', 10_000);
/** A frame at 60 Hz: the limit for search as you type. */
const frameMs = 16;

const log = { info: () => undefined, error: () => undefined };
const rows: string[] = [];
const megabytes = () => process.memoryUsage().rss / 1e6;

function report(what: string, value: string, target = ''): void {
  rows.push(`| ${what} | ${value} | ${target} |`);
  console.log(`${what}: ${value}${target ? ` (${target})` : ''}`);
}

function invented(n: number): NewDocument {
  const people = ['Ayla Öztürk', 'Björn Ångström', 'Chidi Okafor', 'Dana Müller'];
  return {
    connectionId: n % 4 === 0 ? 'branch' : 'office',
    documentId: `${n.toString(16).padStart(8, '0')}-0000-4000-8000-${(n * 7).toString(16).padStart(12, '0')}`,
    jobId: n % 5 === 0 ? null : `job-${n}`,
    name: `Lease ${(n * 2_654_435_761) % documents} ${['north', 'south', 'east', 'west'][n % 4]}`,
    description: n % 1_000 === 0 ? 'with a rare remark' : 'signed copy for the archive',
    clientId: `CASE-${n % 1_000}/${n}`,
    signers: `${people[n % 4]} signer${n % 500}@example.com`,
    fileName: `scan_${n}.pdf`,
    sizeBytes: (n * 7_919) % 5_000_000,
    sha256: n.toString(16).padStart(64, '0'),
    registeredAt: new Date(1_700_000_000_000 + n * 60_000).toISOString(),
  };
}

const query = (more: Partial<DocumentQuery>): DocumentQuery => ({
  ...{ search: '', sort: 'registeredAt', descending: true, offset: 0, limit: 100 },
  ...more,
});

/** CPU time of this process so far, in ms, which excludes other programs on the machine. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** CPU times of each turn, in ms, the 50th, the 95th and the longest. */
function measured(turns: readonly (() => unknown)[]): { p50: number; p95: number; most: number } {
  const times = turns
    .map((turn) => {
      const since = cpuMs();
      turn();
      return cpuMs() - since;
    })
    .sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
  return { p50: at(0.5), p95: at(0.95), most: at(1) };
}

function tellTimes(what: string, turns: readonly (() => unknown)[], targetMs: number): void {
  const { p50, p95, most } = measured(turns);
  const met = p95 <= targetMs ? 'met' : 'missed';
  report(
    what,
    `p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, longest ${most.toFixed(1)} ms`,
    `p95 ≤ ${targetMs} ms: ${met}`,
  );
}

/** Every prefix of the typed words, letter by letter. */
function typed(words: readonly string[]): string[] {
  return words.flatMap((word) => Array.from(word, (_letter, at) => word.slice(0, at + 1)));
}

async function register(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
  const { store } = await openStore({ dataDir, log });
  const began = performance.now();
  for (let from = 0; from < documents; from += 2_000)
    store.documents.putAll(Array.from({ length: 2_000 }, (_each, n) => invented(from + n)));
  report(`writing ${documents} documents`, `${((performance.now() - began) / 1000).toFixed(1)} s`);
  store.close();
  await startUps(dataDir);
  const before = megabytes();
  const { store: read } = await openStore({ dataDir, log });
  searches(read);
  report('memory after all searches, above before', `${(megabytes() - before).toFixed(0)} MB`, '≤ 150 MB');
  read.close();
  await rm(dataDir, { recursive: true, force: true });
}

async function startUps(dataDir: string): Promise<void> {
  const times = { orderly: [] as number[], killed: [] as number[] };
  for (let n = 0; n < 5; n++)
    for (const kind of ['orderly', 'killed'] as const) {
      // The state after a kill: no mark of an orderly end.
      if (kind === 'killed') await rm(join(dataDir, 'sealdesk.db.closed'), { force: true });
      const since = performance.now();
      const { store } = await openStore({ dataDir, log });
      store.documents.list(query({}));
      times[kind].push(performance.now() - since);
      store.close();
    }
  const median = (all: number[]) => [...all].sort((a, b) => a - b)[2]?.toFixed(0);
  report('opening and first page, after an orderly end', `${median(times.orderly)} ms`, '≤ 200 ms');
  report('the same after a kill (every page is checked)', `${median(times.killed)} ms`, '≤ 3000 ms');
}

function searches(store: Store): void {
  const list = (more: Partial<DocumentQuery>) => () => store.documents.list(query(more));
  const words = ['lease', 'north 4', 'ozturk', 'case-77', 'scan_4711', 'signer42@example', 'rare remark', '0000a1b2'];
  tellTimes(
    'search as you type, newest first',
    typed(words).map((search) => list({ search })),
    frameMs,
  );
  tellTimes(
    'the same within one connection',
    typed(words).map((search) => list({ search, connectionId: 'office' })),
    frameMs,
  );
  tellTimes(
    'the same sorted by name',
    typed(words).map((search) => list({ search, sort: 'name', descending: false })),
    100,
  );
  const offsets = Array.from({ length: 100 }, (_each, n) => Math.floor((n * documents) / 100));
  tellTimes(
    'a page anywhere, newest first',
    offsets.map((offset) => list({ offset })),
    frameMs,
  );
  tellTimes(
    'a page anywhere, by size',
    offsets.map((offset) => list({ offset, sort: 'sizeBytes' })),
    50,
  );
  const filters = { statusGroups: ['none' as const], origin: 'opened' as const };
  tellTimes(
    'filtered by status and origin',
    offsets.slice(0, 20).map((offset) => list({ offset: offset / 10, filters })),
    200,
  );
  tellTimes(
    'status never asked, none left',
    offsets.slice(0, 20).map(() => list({ filters: { statusGroups: ['attention'] } })),
    frameMs,
  );
}

async function drop(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sealdesk-bench-files-'));
  for (let n = 0; n < files; n++)
    await writeFile(join(folder, `${n}.pdf`), `%PDF-1.4\n% ${n}\n${'x'.repeat(2_000)}\ntrailer<<>>\n%%EOF\n`);
  const core = await startCore({ practiceOptions: {} });
  const { currentId } = await core.must('connections.state', {});
  await core.must('jobs.pause', { what: 'all' });
  const { token } = await core.core.acceptPath(folder);
  const before = megabytes();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const began = performance.now();
  const intake = await core.must('files.scan', { tokens: [token], purpose: 'register' });
  const looked = performance.now();
  const { jobCount } = await core.must('documents.register', {
    connectionId: currentId,
    intakeId: intake.id,
    creditType: 1,
  });
  const taken = performance.now();
  for (;;) {
    const { counts } = await core.must('jobs.list', { limit: 1 });
    if (counts.prepared === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  delay.disable();
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  report(`a drop of ${jobCount} files: looked at`, seconds(looked - began));
  report('… in the ledger', seconds(taken - looked));
  report('… all copied and hashed', seconds(performance.now() - taken));
  report(
    '… longest turn of the event loop meanwhile',
    `${(delay.max / 1e6).toFixed(0)} ms (p99 ${(delay.percentile(99) / 1e6).toFixed(0)} ms)`,
    '≤ 100 ms',
  );
  report('… memory above before', `${(megabytes() - before).toFixed(0)} MB`, '≤ 100 MB');
  const cancelling = performance.now();
  await core.must('jobs.cancelWaiting', {});
  report('… all cancelled again', seconds(performance.now() - cancelling));
  await core.stop();
  await rm(folder, { recursive: true, force: true });
}

await register();
if (files > 0) await drop();
const text = [
  `# Bench of the store, ${new Date().toISOString()}`,
  '',
  `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model ?? ''}; Node ${process.version}; load ${loadavg()[0]?.toFixed(1)}. Searches and pages in CPU time, the rest by the clock.`,
  '',
  '| what | figure | target |',
  '| --- | --- | --- |',
  ...rows,
  '',
].join('\n');
const name = `${new Date().toISOString().slice(0, 16).replace(':', '')}-store.md`;
await writeFile(join(import.meta.dirname, 'results', name), text);
