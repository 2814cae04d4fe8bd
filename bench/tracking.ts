import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { arch, cpus, loadavg, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrations } from '../electron/store/database/migrations.ts';
import { openDatabase } from '../electron/store/database/open-database.ts';
import { findElectron } from '../test/harness/electron.ts';
import { exports, queries, readings, references } from './tracking-store.ts';
import { windowPart } from './tracking-window.ts';

/**
 * `npm run bench:tracking [-- --entries 100000 --only store,window]`: an e-sign list of 100,000 entries from the wire into the register, every question of its
 * screen, exports, and the screen itself in real Electron (after `npm run build`; on Linux without a display below xvfb-run). Prints figures and writes them
 * to bench/results/.
 */
function option(name: string, usual: string): string {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? usual : (process.argv[at + 1] ?? usual);
}
const entries = option('entries', '100000');
const only = option('only', 'store,window').split(',');

const rows: string[] = [];
function report(what: string, figure: string, beside = ''): void {
  rows.push(`| ${what} | ${figure} | ${beside} |`);
  console.log(`${what}: ${figure}${beside ? ` (${beside})` : ''}`);
}

/** Statuses of a third of the documents, which the board counts. */
async function fillStatuses(dataDir: string): Promise<void> {
  const sql = await openDatabase(join(dataDir, 'sealdesk.db'), migrations);
  const answer = JSON.stringify({ kind: 'text', group: 'in-progress', meaning: '' });
  const at = new Date().toISOString();
  sql.transaction(() =>
    sql.run(
      `INSERT INTO tracked_statuses (connection_id, document_id, raw, answer, since, asked_at, is_last)
       SELECT (SELECT connection_id FROM tracked_lists), document_id, iif(min(seq) % 2, 'Processing', 'Completed'), ?, ?, ?, 1 FROM tracked
       WHERE seq % 3 = 0 AND document_id IS NOT NULL GROUP BY document_id`,
      answer,
      at,
      at,
    ),
  );
  sql.close();
}

async function storePart(baseUrl: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
  try {
    const { insertMs } = await references(report, baseUrl, folder);
    const dataDir = join(folder, 'data');
    const read = await readings(report, baseUrl, dataDir, insertMs);
    await fillStatuses(dataDir);
    await queries(report, read);
    await exports(report, read, folder);
    report('memory of the process in the end, MB', (process.memoryUsage().rss / 1e6).toFixed(0));
    await read.core.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function electronPart(baseUrl: string): Promise<void> {
  const found = findElectron();
  if ('missing' in found) return report('window', `not measured: ${found.missing}`);
  const home = await mkdtemp(join(tmpdir(), 'sealdesk-bench-'));
  try {
    await fetch(`${baseUrl}/version/0`);
    await windowPart(report, baseUrl, home);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

const loadBefore = loadavg()[0]?.toFixed(1);
const server = spawn(process.execPath, [join(import.meta.dirname, 'list-server.ts'), entries], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const port = await new Promise<string>((resolve) =>
    server.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  const baseUrl = `http://127.0.0.1:${port}`;
  if (only.includes('store')) await storePart(baseUrl);
  if (only.includes('window')) await electronPart(baseUrl);
} finally {
  server.kill();
}
const text = [
  `# Tracking, a list of ${Number(entries).toLocaleString('en')} entries, ${new Date().toISOString()}`,
  '',
  `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}; Node ${process.version}; load ${loadBefore} before, ${loadavg()[0]?.toFixed(1)} after. By the clock. Blocks: p50 / p95 / longest`,
  'lateness of a 1 ms timer in the process that does the work, ms. The window is drawn without a graphics card.',
  '',
  '| what | figure | beside |',
  '| --- | --- | --- |',
  ...rows,
  '',
].join('\n');
await writeFile(
  join(import.meta.dirname, 'results', `${new Date().toISOString().slice(0, 16).replace(':', '')}-tracking.md`),
  text,
);
