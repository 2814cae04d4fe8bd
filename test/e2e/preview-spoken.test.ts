import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { takeFromPage } from '../harness/filled-window.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';

/** A screen reader needs about this long for one announcement. */
const leastGapMs = 3_500;

/** What the window says: the texts of its live region that nothing hides, with their times. */
interface Spoken {
  readonly text: string;
  readonly atMs: number;
}

describe.skipIf(why !== '')(`what is spoken${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  let connectionId = '';

  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    page = preview.page;
    await page.locator('main:focus').waitFor();
    ({ currentId: connectionId } = await ask(preview, 'connections.state', {}));
    await page.evaluate(listenToRegion);
  });
  afterAll(async () => {
    await preview?.close();
  });

  const spoken = () => page.evaluate(() => (window as unknown as { readonly spoken: Spoken[] }).spoken);
  const heard = async (text: RegExp) =>
    expect.poll(async () => (await spoken()).map((one) => one.text).join('\n')).toMatch(text);
  const scan = async (purpose: 'register' | 'verify', names: readonly string[]) =>
    ask(preview, 'files.scan', { tokens: await takeFromPage(page, names), purpose });
  const register = async (names: readonly string[]) => {
    const { id: intakeId } = await scan('register', names);
    await ask(preview, 'documents.register', {
      connectionId,
      intakeId,
      creditType: 1,
      duplicates: { otherwise: 'send' },
    });
  };
  const request = async (documentName: string) =>
    ask(preview, 'signatures.request', {
      kind: 'easy-sign-template',
      connectionId,
      templateId: 'TPL-1002',
      documentName,
      emails: ['ana@example.com'],
      names: ['Ana Petrov'],
    });

  it('says one registration by name, and many by their number', async () => {
    await register(['Lease']);
    await heard(/Lease\.pdf: Registered/);
    await register(['One', 'Two', 'Three', 'Four', 'Five', 'Six']);
    await heard(/\d documents: Registered/);
  });

  it('says a sent request, a verification and a download while a dialog is open', async () => {
    await page.keyboard.press('F1');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    await request('Lease 2028');
    await heard(/Lease 2028: Request sent/);
    const { id: intakeId } = await scan('verify', ['Lease', 'Unknown']);
    await ask(preview, 'verify.start', { connectionId, intakeId });
    await heard(/Verification finished: .*1 confirmed/);
    const { rows } = await ask(preview, 'documents.list', {});
    const documentId = rows.at(-1)?.documentId ?? '';
    await ask(preview, 'documents.download', { connectionId, documentId, suggestedName: 'Copy' });
    await heard(/Saved as Copy/);
    await page.keyboard.press('Escape');
  });

  it('says many requests together', async () => {
    for (let row = 1; row <= 8; row += 1) await request(`Row ${row}`);
    await heard(/\d signature requests: Request sent/);
  });

  it('never speaks more often than every few seconds', async () => {
    const times = (await spoken()).map(({ atMs }) => atMs);
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? 0));
    expect(gaps.length).toBeGreaterThan(3);
    expect(Math.min(...gaps)).toBeGreaterThan(leastGapMs);
    expect(preview.complaints).toEqual([]);
  });
});

/** Run in the page. A region inside something hidden says nothing. */
function listenToRegion(): void {
  const spoken: { text: string; atMs: number }[] = [];
  Object.assign(window, { spoken });
  const region = document.querySelector('[role="status"][aria-live="polite"]');
  if (!region) throw new Error('there is no live region');
  const observer = new MutationObserver(() => {
    const text = region.textContent ?? '';
    if (text !== '' && !region.closest('[aria-hidden="true"], [inert]')) spoken.push({ text, atMs: performance.now() });
  });
  observer.observe(region, { childList: true, subtree: true });
}
