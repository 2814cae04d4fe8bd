import { join } from 'node:path';
import { openDatabase } from '../electron/store/database/open-database.ts';
import { migrations } from '../electron/store/schema/migrations.ts';
import { findElectron } from '../test/harness/electron.ts';
import { option, sizeOption, startPeer, startReport, withFolder } from './harness.ts';
import { exports, queries, readings, references } from './tracking-store.ts';
import { windowPart } from './tracking-window.ts';

/**
 * `npm run bench:tracking [-- --entries 100000 --only store,window]`: an e-sign list of 100,000 entries from the wire into the register, every question of its
 * screen, exports, and the screen itself in real Electron (after `npm run build`; on Linux without a display below xvfb-run).
 */
const entries = sizeOption('entries', 100_000, 2_000);
const only = option('only', 'store,window').split(',');
const report = startReport(`Tracking, a list of ${entries.toLocaleString('en')} entries`, ['what', 'figure', 'beside']);

/** Statuses of a third of the documents, which the board counts. */
async function fillStatuses(dataDir: string): Promise<void> {
  const { sql } = await openDatabase(join(dataDir, 'sealdesk.db'), migrations);
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

async function storePart(baseUrl: string, folder: string): Promise<void> {
  const { insertMs } = await references(report, baseUrl, folder);
  const dataDir = join(folder, 'data');
  const read = await readings(report, baseUrl, dataDir, insertMs);
  await fillStatuses(dataDir);
  await queries(report, read);
  await exports(report, read, folder);
  report.row('memory of the process in the end, MB', (process.memoryUsage.rss() / 1e6).toFixed(0));
  await read.core.stop();
}

async function electronPart(baseUrl: string, home: string): Promise<void> {
  const found = findElectron();
  if ('missing' in found) return report.row('window', `not measured: ${found.missing}`);
  await fetch(`${baseUrl}/version/0`);
  await windowPart(report, baseUrl, home);
}

const server = await startPeer('list-server.ts', String(entries));
try {
  if (only.includes('store')) await withFolder((folder) => storePart(server.told, folder));
  if (only.includes('window')) await withFolder((home) => electronPart(server.told, home));
} finally {
  await server.stop();
}
await report.end(
  'tracking',
  'By the clock. Blocks: p50 / p95 / longest lateness of a 1 ms timer in the process that does the work, ms. The window is drawn without a graphics card.',
);
