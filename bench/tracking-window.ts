import type { Page } from 'playwright-core';
import { ask } from '../test/harness/desktop-bridge.ts';
import { go } from '../test/harness/desktop-page.ts';
import { type Desktop, startDesktop } from '../test/harness/electron.ts';
import { isSmall, median, quantile, type Report } from './harness.ts';
import { blocksText, watchMain } from './loop-watch.ts';
import { credentials, settingsOf } from './tracking-store.ts';

interface Frames {
  readonly p50: number;
  readonly p95: number;
  readonly longest: number;
  /** Share of the frames with a row that was not loaded. */
  readonly unread: number;
}

/** Scrolls by a number of pixels per frame, like a continuously turned wheel, turns at the ends, and measures the time of each frame. */
function scroll(page: Page, pixelsPerFrame: number, frames: number): Promise<Frames> {
  return page.evaluate(
    async ([step, count]) => {
      const took: number[] = [];
      let [unread, direction] = [0, 1];
      let last = performance.now();
      for (let frame = 0; frame < count; frame += 1) {
        const grid = document.querySelector<HTMLElement>('[role="grid"]');
        if (grid) {
          if (grid.scrollTop + grid.clientHeight >= grid.scrollHeight - 1) direction = -1;
          if (grid.scrollTop === 0) direction = 1;
          grid.scrollTop += step * direction;
        }
        const now = await new Promise<number>((done) => requestAnimationFrame(done));
        if (frame > 0) took.push(now - last);
        last = now;
        unread += document.querySelector('[role="grid"] [class*="unread"]') ? 1 : 0;
      }
      took.sort((a, b) => a - b);
      const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
      return { p50: at(0.5), p95: at(0.95), longest: at(1), unread: unread / count };
    },
    [pixelsPerFrame, frames] as const,
  );
}

function framesText({ p50, p95, longest, unread }: Frames): string {
  return `p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, longest ${longest.toFixed(1)} ms; rows unread in ${Math.round(unread * 100)} % of the frames`;
}

function rowsAre(page: Page, total: number): Promise<unknown> {
  return page.waitForFunction(
    (rows) =>
      document.querySelector('[role="grid"]')?.getAttribute('aria-rowcount') === String(rows + 1) &&
      document.querySelector('[role="grid"] [role="row"] [role="gridcell"]') !== null &&
      document.querySelector('[role="grid"] [class*="unread"]') === null,
    total,
    { polling: 'raf', timeout: 120_000 },
  );
}

/** Reads the list with the window's own call during scrolling; ends when the program reports the list as read. */
async function readWhileScrolling(
  desktop: Desktop,
  connectionId: string,
  { row }: Report,
  what: string,
): Promise<void> {
  const { page, app } = desktop;
  const list = async () => {
    const { lists } = await ask(desktop, 'tracking.state', { connectionId });
    return lists.find(({ listType }) => listType === 1);
  };
  const stop = await watchMain(app);
  const since = performance.now();
  await ask(desktop, 'tracking.refresh', { connectionId, listType: 1 });
  const frames: Frames[] = [];
  while ((await list())?.isRefreshing) frames.push(await scroll(page, 120, 60));
  const ms = performance.now() - since;
  const { blocks, longestTurnMs } = await stop();
  row(`window: ${what}`, `${(ms / 1000).toFixed(1)} s, as far as scrolling steps tell`);
  row(
    '… frames meanwhile',
    framesText({
      p50: median(frames.map(({ p50 }) => p50)),
      p95: median(frames.map(({ p95 }) => p95)),
      longest: Math.max(...frames.map(({ longest }) => longest)),
      unread: median(frames.map(({ unread }) => unread)),
    }),
  );
  row(
    '… blocks of the main process',
    `${blocksText(blocks)}; longest computed ${longestTurnMs.toFixed(0)}`,
    `longest computed ≤ 50 ms: ${longestTurnMs <= 50 ? 'met' : 'missed'}`,
  );
}

const frames = isSmall ? 30 : 300;

export async function windowPart(report: Report, baseUrl: string, home: string): Promise<void> {
  const desktop = await startDesktop({ home });
  const { page, app } = desktop;
  await page.getByRole('navigation').first().waitFor();
  const { id: connectionId } = await ask(desktop, 'connections.save', { settings: settingsOf(baseUrl) });
  await ask(desktop, 'connections.setCredentials', { id: connectionId, ...credentials });
  await ask(desktop, 'connections.use', { id: connectionId });
  const memory = async (what: string) => {
    const sizes = await app.evaluate(({ app: main }) =>
      main
        .getAppMetrics()
        .map(({ type, memory: { workingSetSize } }) => `${type} ${Math.round(workingSetSize / 1024)}`),
    );
    report.row(`window: memory ${what}, MB`, sizes.join(', '));
  };
  await memory('before');
  await go(page, 'Signatures');
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Service’s lists' }).click();
  await page.getByRole('radio', { name: /^Out for signature/ }).click();
  await readWhileScrolling(desktop, connectionId, report, 'first reading of the list');
  const { total } = await ask(desktop, 'tracking.entries', { connectionId, listType: 1, limit: 1 });
  await rowsAre(page, total);
  report.row('window: nothing moves', framesText(await scroll(page, 0, frames / 2)));
  report.row('window: scrolling 120 px a frame', framesText(await scroll(page, 120, frames)), 'p95 ≤ 33 ms');
  report.row('window: scrolling 2,400 px a frame', framesText(await scroll(page, 2_400, frames)));
  const jumps: number[] = [];
  for (let jump = 1; jump <= (isSmall ? 3 : 20); jump += 1) {
    const since = performance.now();
    await page.evaluate(
      (share) => {
        const grid = document.querySelector<HTMLElement>('[role="grid"]');
        if (grid) grid.scrollTop = grid.scrollHeight * share;
      },
      ((jump * 37) % 101) / 100,
    );
    await rowsAre(page, total);
    jumps.push(performance.now() - since);
  }
  report.row(
    'window: a jump anywhere, its rows there',
    `p50 ${median(jumps).toFixed(0)}, p95 ${quantile(jumps, 0.95).toFixed(0)} ms`,
  );
  const ending: number[] = [];
  for (let n = 0; n < (isSmall ? 1 : 5); n += 1)
    for (const key of ['End', 'Home']) {
      const since = performance.now();
      await page.getByRole('grid').press(key);
      await rowsAre(page, total);
      ending.push(performance.now() - since);
    }
  report.row('window: to the end and back by key', `longest ${Math.max(...ending).toFixed(0)} ms`);
  await memory('with the list on screen');
  await readWhileScrolling(desktop, connectionId, report, 'a reading with nothing changed');
  await fetch(`${baseUrl}/version/1`);
  await readWhileScrolling(desktop, connectionId, report, 'a reading with 1 % changed, gone or new');
  await memory('after the readings');
  await desktop.quit();
}
