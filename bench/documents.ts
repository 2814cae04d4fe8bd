import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { practiceId } from '../electron/core/connections/connection-list.ts';
import { dataDirIn } from '../electron/host-kit/data-dir.ts';
import { openDatabase } from '../electron/store/database/open-database.ts';
import { putDocument } from '../electron/store/documents/documents.ts';
import { migrations } from '../electron/store/schema/migrations.ts';
import { go } from '../test/harness/desktop-page.ts';
import { findElectron, startDesktop } from '../test/harness/electron.ts';
import { cannotRun, isSmall, quantile, sizeOption, startReport, withFolder } from './harness.ts';

// The documents screen over a register of 100,000 documents, in real Electron: frames while scrolling, search as somebody types, jumps,
// memory: `npm run bench:documents [-- --documents 100000]`.

const documents = sizeOption('documents', 100_000, 2_000);
const perTransaction = 1_000;
const frames = isSmall ? 30 : 300;
const searches = isSmall ? ['lease'] : ['harbour', 'lease 7', 'ref-99', 'insurance annex'];
const subjects = ['Lease', 'Annex', 'Insurance', 'Order', 'Invoice', 'Contract', 'Minutes', 'Certificate'];
const places = ['Harbour St', 'Mill Lane', 'Station Rd', 'Church Row', 'Market Sq', 'North Quay'];

interface Frames {
  readonly frames: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly longest: number;
  /** Rows without content when a frame was drawn. */
  readonly unread: number;
}

async function fillRegister(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  const { sql } = await openDatabase(join(dataDir, 'sealdesk.db'), migrations);
  const start = Date.parse('2024-01-01T08:00:00Z');
  for (let from = 0; from < documents; from += perTransaction) {
    sql.transaction(() => {
      for (let index = from; index < from + perTransaction; index += 1) {
        const name = `${subjects[index % subjects.length]} ${index}, ${places[index % places.length]} ${index % 90}`;
        const hex = index.toString(16).padStart(12, '0').toUpperCase();
        putDocument(sql, {
          connectionId: practiceId,
          documentId: `0A1B2C3D-0000-4000-8000-${hex}`,
          jobId: null,
          name,
          description: `Kept for the office, shelf ${index % 400}`,
          clientId: `ref-${index}`,
          signers: '',
          fileName: `${name}.pdf`,
          sizeBytes: 20_000 + ((index * 7919) % 4_000_000),
          sha256: hex.padStart(64, 'a'),
          registeredAt: new Date(start + index * 60_000).toISOString(),
        });
      }
    });
  }
  sql.close();
}

/** Scrolls by a number of pixels per frame, like a continuously turned wheel, and measures the time of each frame. */
function scroll(page: Page, pixelsPerFrame: number, frames: number): Promise<Frames> {
  return page.evaluate(
    async ([step, count]) => {
      const grid = document.querySelector<HTMLElement>('[role="grid"]');
      if (!grid) throw new Error('there is no table');
      const took: number[] = [];
      let unread = 0;
      let last = performance.now();
      for (let frame = 0; frame < count; frame += 1) {
        grid.scrollTop += step;
        const now = await new Promise<number>((done) => requestAnimationFrame(done));
        if (frame > 0) took.push(now - last);
        last = now;
        unread += grid.querySelectorAll('[class*="unread"]').length > 0 ? 1 : 0;
      }
      took.sort((a, b) => a - b);
      const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
      return { frames: took.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), longest: at(1), unread };
    },
    [pixelsPerFrame, frames] as const,
  );
}

/** Milliseconds for each typed letter, from the last of several quick key presses to the right number of rows. */
async function typeAndWait(page: Page, text: string): Promise<number[]> {
  const field = page.getByRole('searchbox', { name: 'Search documents' });
  await field.fill('');
  await rowsAre(page, documents);
  const took: number[] = [];
  for (let length = 1; length <= text.length; length += 1) {
    const search = text.slice(0, length);
    const total = await page.evaluate(
      async ([asked, connectionId]) => {
        const { bridge } = window as unknown as { bridge: { call(name: string, input: unknown): Promise<unknown> } };
        const answer = await bridge.call('documents.list', { search: asked, connectionId, limit: 1 });
        return (answer as { value: { total: number } }).value.total;
      },
      [search, practiceId] as const,
    );
    const before = performance.now();
    await field.pressSequentially(text[length - 1] ?? '');
    await rowsAre(page, total);
    took.push(performance.now() - before);
  }
  return took;
}

function rowsAre(page: Page, total: number) {
  return page.waitForFunction(
    (rows) =>
      rows === 0
        ? document.querySelector('[role="grid"]') === null
        : document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === String(rows + 1) &&
          document.querySelector('[role="grid"] [role="gridcell"] [class*="unread"]') === null,
    total,
    { polling: 'raf' },
  );
}

const found = findElectron();
if ('missing' in found) cannotRun(found.missing);
const title = `Documents screen, ${documents.toLocaleString('en')} documents`;
const report = startReport(title, ['what', 'figure']);
await withFolder(async (home) => {
  await fillRegister(dataDirIn(home));
  const started = performance.now();
  const desktop = await startDesktop({ home });
  const { page } = desktop;
  await page.getByRole('navigation').waitFor();
  const startMs = performance.now() - started;
  const opening = performance.now();
  await go(page, 'Documents');
  await rowsAre(page, documents);
  const openMs = performance.now() - opening;
  const idle = await scroll(page, 0, frames / 2);
  const slow = await scroll(page, 120, frames);
  const fast = await scroll(page, 2_400, frames);
  const jumps: number[] = [];
  for (let jump = 1; jump <= 20; jump += 1) {
    const before = performance.now();
    await page.evaluate(
      (share) => {
        const grid = document.querySelector<HTMLElement>('[role="grid"]');
        if (grid) grid.scrollTop = grid.scrollHeight * share;
      },
      ((jump * 37) % 100) / 100,
    );
    await rowsAre(page, documents);
    jumps.push(performance.now() - before);
  }
  const typed: number[] = [];
  for (const text of searches) typed.push(...(await typeAndWait(page, text)));
  const memory = await desktop.app.evaluate(({ app }) =>
    app
      .getAppMetrics()
      .map(({ type, memory: { workingSetSize } }) => [type, Math.round(workingSetSize / 1024)] as const),
  );
  await desktop.quit();
  const ms = (value: number) => value.toFixed(1);
  const line = (name: string, one: Frames) =>
    report.row(
      `scrolling, ${name}`,
      `${one.frames} frames: p50 ${ms(one.p50)}, p95 ${ms(one.p95)}, p99 ${ms(one.p99)}, longest ${ms(one.longest)}; ${one.unread} with unread rows`,
    );
  line('nothing moves', idle);
  line('120 px a frame', slow);
  line('2,400 px a frame (67 rows)', fast);
  const both = (times: readonly number[]) => `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(quantile(times, 0.95))}`;
  report.row("start to the window's own screen", ms(startMs));
  report.row('Documents opened, rows there', ms(openMs));
  report.row('jump anywhere, rows there', both(jumps));
  report.row('a letter typed, right rows there', both(typed));
  report.row('memory, MB', memory.map(([type, size]) => `${type} ${size}`).join(', '));
});
await report.end(
  'documents',
  'Real Electron, drawn without a graphics card below Xvfb where there is no display. Times in ms.',
);
