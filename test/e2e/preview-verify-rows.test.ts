import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { go } from '../harness/desktop-page.ts';
import { fillWindow, takeFromPage } from '../harness/filled-window.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';
const unknown = Array.from({ length: 14 }, (_each, n) => `Lease Harbour Street ${n}, north wing, unit ${1000 + n}`);

describe.skipIf(why !== '')(`the results of a verification${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;

  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    page = preview.page;
    await page.getByText('Drop documents here').waitFor();
    await fillWindow(page);
    const { currentId: connectionId } = await ask({ page }, 'connections.state', {});
    // Changed after it was signed, signed after it was registered, registered, and not known.
    const names = ['Annex B', 'Lease 2027, signed', 'Lease 2027', ...unknown];
    const { id: intakeId } = await ask({ page }, 'files.scan', {
      tokens: await takeFromPage(page, names),
      purpose: 'verify',
    });
    const { runId } = await ask({ page }, 'verify.start', { connectionId, intakeId });
    while ((await ask({ page }, 'verify.results', { runId })).run.state !== 'finished') await page.waitForTimeout(100);
    await go(page, 'Verify');
    await page.getByRole('article', { name: 'Annex B.pdf' }).getByRole('button', { name: 'Open' }).first().click();
  }, 120_000);
  afterAll(() => preview?.close());

  const list = () => page.getByRole('list', { name: 'Results' });
  const rows = () => list().getByRole('article');
  const heightsOf = (all: Locator) =>
    all.evaluateAll((found) => found.map((row) => Math.round(row.getBoundingClientRect().height)));
  /** Rows that are seen whole. */
  const seenRows = () =>
    list().evaluate((found) => {
      const box = found.parentElement?.getBoundingClientRect();
      return [...found.querySelectorAll('article')].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return box !== undefined && top >= box.top - 1 && bottom <= box.bottom + 1;
      }).length;
    });

  it.each([
    [1280, 800, 12],
    [720, 600, 6],
    [640, 400, 1],
  ])('are one line each at %i × %i, at least %i of them seen', async (width, height, most) => {
    await page.setViewportSize({ width, height });
    await expect.poll(seenRows).toBeGreaterThanOrEqual(most);
    const heights = await heightsOf(rows());
    expect(heights.filter((high) => high < 36 || high > 44)).toEqual([]);
    // The end of a name, by which files differ, and the answer are seen.
    const first = page.getByRole('article', { name: `${unknown[3]}.pdf` });
    expect(await first.getByRole('heading').evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true);
    expect(await first.locator('strong').innerText()).toMatch(/1003\.pdf$/);
  });

  it('open anywhere on their line, keep their heights beside the panel, and follow the arrows', async () => {
    for (const [width, height] of [
      [1280, 800],
      [720, 600],
    ] as const) {
      await page.setViewportSize({ width, height });
      const title = page.getByRole('complementary', { name: 'Details' }).getByRole('heading').first();
      const row = page.getByRole('article', { name: `${unknown[0]}.pdf` });
      await row.click({ position: { x: 60, y: 20 } });
      await expect.poll(() => title.textContent()).toBe(`${unknown[0]}.pdf`);
      if (width === 1280) expect((await heightsOf(rows())).filter((high) => high < 36 || high > 44)).toEqual([]);
      await page.keyboard.press('ArrowDown');
      await expect.poll(() => title.textContent()).toBe(`${unknown[1]}.pdf`);
      await page.keyboard.press('ArrowUp');
      await expect.poll(() => title.textContent()).toBe(`${unknown[0]}.pdf`);
      await page.keyboard.press('Escape');
      await title.waitFor({ state: 'detached' });
    }
  });

  it('are counted as the search leaves them', async () => {
    const counts = page.getByRole('radiogroup', { name: 'Filter by result' }).getByRole('radio');
    await expect.poll(() => counts.allTextContents()).toEqual(['15 not confirmed', '2 confirmed']);
    await page.getByRole('searchbox').fill('2027');
    await expect.poll(() => counts.allTextContents()).toEqual(['1 not confirmed', '1 confirmed']);
    await counts.first().click();
    await expect.poll(() => rows().count()).toBe(1);
    expect(await counts.allTextContents()).toEqual(['1 not confirmed', '1 confirmed']);
    await page.getByRole('searchbox').fill('');
    await expect.poll(() => counts.first().textContent()).toBe('15 not confirmed');
  });
});
