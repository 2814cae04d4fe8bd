import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BrowserPreview, givenBrowser, openPreview } from '../harness/browser-preview.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { go } from '../harness/desktop-page.ts';

const browser = givenBrowser();
const why = 'missing' in browser ? ` (skipped: ${browser.missing})` : '';
const odd = 'https://service.example/ns';

describe.skipIf(why !== '')(`a namespace without its last slash${why}`, () => {
  let preview: BrowserPreview;
  let page: Page;
  beforeAll(async () => {
    if ('missing' in browser) return;
    preview = await openPreview(browser.path);
    page = preview.page;
  });
  beforeEach(async () => {
    await page.reload();
    await go(page, 'Connections');
    await page.getByRole('button', { name: 'Add connection' }).click();
    await field().fill(odd);
  });
  afterAll(async () => void (await preview?.close()));

  const field = () => page.getByRole('textbox', { name: 'Namespace' });
  /** What a screen reader says with the field. */
  const described = async () => {
    const ids = ((await field().getAttribute('aria-describedby')) ?? '').split(' ');
    return (await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()))).join(' ');
  };

  it('is warned of, with what becomes of it in a request', async () => {
    expect(await described()).toContain('end with a slash; this one does not');
    expect(await described()).toContain(`SOAPAction "${odd}GetVersion"`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page }).exclude('[data-live-announcer]').analyze();
      expect(violations.map(({ id }) => id)).toEqual([]);
      await preview.picture(`namespace-${colorScheme}`);
    }
  });

  it('has no SOAPAction in SOAP 1.2, and the same warning', async () => {
    await page.getByText('1.2', { exact: true }).click();
    expect(await described()).not.toContain('SOAPAction');
    expect(await described()).toContain('this one does not');
    await page.getByText('1.1', { exact: true }).click();
  });

  it('gets its slash with one press, and the warning goes', async () => {
    await page.getByRole('button', { name: 'Add slash' }).click();
    expect(await field().inputValue()).toBe(`${odd}/`);
    expect(await described()).toContain(`SOAPAction "${odd}/GetVersion"`);
    expect(await described()).not.toContain('this one does not');
  });

  it('is kept as it was typed: a service may be different', async () => {
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Odd');
    await page.getByRole('textbox', { name: 'Base address' }).fill('https://service.example');
    await page.getByRole('textbox', { name: 'Main path' }).fill('/v2/api.asmx');
    await page.getByRole('button', { name: 'More about requests' }).click();
    await page.getByText('SOAP 1.2', { exact: true }).click();
    await page.getByText('Send the action in SOAP 1.2').click();
    await page.getByText('send “false” for options that are not set').click();
    await page.getByRole('textbox', { name: 'Entries per list' }).fill('-5');
    const { violations } = await new AxeBuilder({ page }).exclude('[data-live-announcer]').analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await preview.picture('connection-more');
    // Only the form scrolls, never the whole page under it.
    expect(await page.evaluate('[scrollY, document.documentElement.scrollHeight - innerHeight]')).toEqual([0, 0]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Credentials for Odd' }).waitFor();
    const { connections } = await ask(preview, 'connections.state', {});
    expect(connections.find(({ name }) => name === 'Odd')).toMatchObject({
      namespaceUri: odd,
      soapVersion: '1.1',
      easySignSoapVersion: '1.2',
      soapAction12: true,
      sendFalse: true,
      maxItems: -5,
    });
  });
});
