import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openSql } from '../electron/store/database/sql.ts';
import type { DocumentQuery } from '../electron/store/documents/document-search.ts';
import { openStore, type Store } from '../electron/store/store.ts';
import { median, quantile, sizeOption, startReport, timed, withFolder } from './harness.ts';
import { portions, silentLog, typed } from './invented-documents.ts';
import { openSmallFiles } from './small-files.ts';

/**
 * `npm run bench:store [-- --documents 100000 --files 10000]`: the register with many documents (search as you type, pages, filters, start-up,
 * memory), and a drop of many files (taking in, memory, the longest turn of the event loop).
 */
const documents = sizeOption('documents', 100_000, 4_000);
const files = sizeOption('files', 10_000, 100);
/** A frame at 60 Hz: the limit for search as you type. */
const frameMs = 16;

const { row, end } = startReport('Bench of the store', ['what', 'figure', 'target']);
const megabytes = () => process.memoryUsage.rss() / 1e6;
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

const query = (more: Partial<DocumentQuery>): DocumentQuery => ({
  search: '',
  sort: 'registeredAt',
  descending: true,
  offset: 0,
  limit: 100,
  ...more,
});

/** CPU time of this process so far, in ms, which excludes other programs on the machine. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** CPU times of each turn, the 50th, the 95th and the longest. */
function tellTimes(what: string, turns: readonly (() => unknown)[], targetMs: number): void {
  const times = turns.map((turn) => {
    const since = cpuMs();
    turn();
    return cpuMs() - since;
  });
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => quantile(times, share)) as [number, number, number];
  const figures = `p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, longest ${most.toFixed(1)} ms`;
  row(what, figures, `p95 ≤ ${targetMs} ms: ${p95 <= targetMs ? 'met' : 'missed'}`);
}

async function register(dataDir: string): Promise<void> {
  const { store } = await openStore({ dataDir, log: silentLog });
  const writing = await timed(() => {
    for (const some of portions('office', documents))
      store.documents.putAll(
        some.map((one, n) => ({
          ...one,
          connectionId: n % 4 === 0 ? 'branch' : 'office',
          jobId: n % 5 === 0 ? null : `job-${one.documentId}`,
        })),
      );
  });
  row(`writing ${documents} documents`, seconds(writing));
  store.close();
  await startUps(dataDir);
  const before = megabytes();
  const { store: read } = await openStore({ dataDir, log: silentLog });
  searches(read);
  row('memory after all searches, above before', `${(megabytes() - before).toFixed(0)} MB`, '≤ 150 MB');
  read.close();
}

async function startUps(dataDir: string): Promise<void> {
  const path = join(dataDir, 'sealdesk.db');
  const times = { orderly: [] as number[], killed: [] as number[], cut: [] as number[] };
  for (let n = 0; n < 5; n++)
    for (const kind of ['orderly', 'killed', 'cut'] as const) {
      // The state after a kill: no mark of an orderly end, and the log is still there, as somebody uses it.
      const other = kind === 'killed' ? openSql(path) : null;
      other?.get('SELECT 1 FROM settings');
      const before = await openStore({ dataDir, log: silentLog });
      before.store.settings.put('bench', String(n));
      before.store.close();
      if (kind !== 'orderly') await rm(`${path}.closed`, { force: true });
      // After a power cut the system is in another session.
      if (kind === 'cut') await rm(`${path}.opened`, { force: true });
      const since = performance.now();
      const { store } = await openStore({ dataDir, log: silentLog });
      store.documents.list(query({}));
      times[kind].push(performance.now() - since);
      store.close();
      other?.close();
    }
  row('opening and first page, after an orderly end', `${median(times.orderly).toFixed(0)} ms`, '≤ 200 ms');
  row('the same after a kill', `${median(times.killed).toFixed(0)} ms`, '≤ 200 ms');
  row('the same after a power cut (every page is checked)', `${median(times.cut).toFixed(0)} ms`, '≤ 3000 ms');
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

async function drop(folder: string): Promise<void> {
  const small = await openSmallFiles(folder);
  const before = megabytes();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const { jobCount, scannedMs, writtenMs, copiedMs, cancelledMs } = await small.stage(files);
  delay.disable();
  const copies = await small.copyLeast(files);
  row(`a drop of ${jobCount} files: looked at`, seconds(scannedMs));
  row('… in the ledger', seconds(writtenMs));
  row('… all copied and hashed', seconds(copiedMs), `each copied and noted on the disk: ${seconds(copies)}`);
  row('… all cancelled again', seconds(cancelledMs));
  const [longest, p99] = [delay.max, delay.percentile(99)].map((ns) => (ns / 1e6).toFixed(0));
  row('… longest turn of the event loop meanwhile', `${longest} ms (p99 ${p99} ms)`, '≤ 100 ms');
  row('… memory above before', `${(megabytes() - before).toFixed(0)} MB`, '≤ 100 MB');
  await small.close();
}

await withFolder(register);
if (files > 0) await withFolder(drop);
await end('store', 'Searches and pages in CPU time, the rest by the clock.');
