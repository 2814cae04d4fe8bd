import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (${browser.missing})` : '';

const screens = ['Activity', 'Documents', 'Signatures', 'Verify', 'Notes', 'Connections', 'Settings', 'Start'];

/** Moves on the screen of what stays on it, as the browser measures them: the sum of its layout-shift values. */
declare global {
  interface Window {
    shifts: { readonly value: number; readonly of: readonly string[] }[];
  }
}

describe.skipIf(why !== '')(`a calm window${why}`, () => {
  let preview: BrowserPreview;
  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    await preview.page.addInitScript(() => {
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const { value, sources } = entry as PerformanceEntry & {
            readonly value: number;
            readonly sources: readonly { readonly node: Element | null }[];
          };
          window.shifts.push({ value, of: sources.map(({ node }) => String(node?.className ?? node?.nodeName)) });
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await preview.page.reload();
    await preview.page.getByRole('heading', { level: 1 }).waitFor();
  });
  afterAll(() => preview?.close());

  it('does not jump when a screen is opened and its data arrives', async () => {
    const { page } = preview;
    const seen: Record<string, unknown> = {};
    for (const name of screens) {
      await page.evaluate(() => {
        window.shifts = [];
      });
      await page.getByRole('navigation').getByText(name, { exact: true }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForTimeout(600);
      const shifts = await page.evaluate(() => window.shifts);
      // A tenth of what counts as good for a page of the web.
      if (shifts.reduce((sum, { value }) => sum + value, 0) > 0.01) seen[name] = shifts;
    }
    expect(seen).toEqual({});
  });

  it('leaves the rail where it is when another connection is used', async () => {
    const { page } = preview;
    const rail = page.getByRole('navigation', { name: 'Screens' }).getByRole('button').first();
    const practice = page.getByText('Practice: nothing leaves this computer');
    await practice.waitFor();
    const before = await rail.boundingBox();
    const settings = { name: 'Office', baseUrl: 'http://127.0.0.1:9', mainPath: '/a.asmx', namespaceUri: 'urn:x/' };
    const { id } = await ask(preview, 'connections.save', { settings });
    await ask(preview, 'connections.use', { id });
    await practice.waitFor({ state: 'detached' });
    expect(await rail.boundingBox()).toEqual(before);
    await ask(preview, 'connections.use', { id: 'practice' });
    await practice.waitFor();
    await preview.picture('practice-band');
  });

  it('leaves the focus where a person types while documents are sent and answered', async () => {
    const { page } = preview;
    await page.getByRole('navigation').getByText('Documents', { exact: true }).click();
    const search = page.getByRole('searchbox').first();
    await search.click();
    const samples = await ask(preview, 'files.samples', {});
    const tokens = samples.map(({ token }) => token);
    const { id: intakeId } = await ask(preview, 'files.scan', { tokens, purpose: 'register' });
    await ask(preview, 'documents.register', { connectionId: 'practice', intakeId, creditType: 1 });
    await search.pressSequentially('no such thing', { delay: 80 });
    const done = async () => (await ask(preview, 'jobs.list', {})).counts.done;
    await expect.poll(done, { timeout: 15_000 }).toBeGreaterThan(0);
    expect(await search.inputValue()).toBe('no such thing');
    expect(await search.evaluate((field) => field === document.activeElement)).toBe(true);
  });
});
